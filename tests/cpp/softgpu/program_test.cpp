#include "softgpu/program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "spirv_assembler.h"

namespace softgpu {
namespace {

namespace fs = std::filesystem;

ProgramSource source_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4, {}};
}

ArgumentValue pointer(void* address) {
  ArgumentValue value;
  value.set = true;
  value.pointer = address;
  return value;
}

ArgumentValue integer(std::int32_t number) {
  ArgumentValue value;
  value.set = true;
  value.bytes.resize(sizeof number);
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

/// Each test has a cache folder of its own.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("softgpu_program_") + info->name() + std::to_string(getpid()));
    setenv("PROTON_XPU_SOFTGPU_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::shared_ptr<Program> build(const std::vector<ProgramSource>& modules) {
    log_.clear();
    return Program::build(modules, log_, error_);
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (!fs::exists(folder_)) return found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path());
    return found;
  }

  /// Runs "add_constant" on 0, 1, ... and gives what comes out.
  static std::vector<std::int32_t> run_add(Program& program, std::int32_t addend) {
    auto kernel = program.create_kernel("add_constant");
    auto queue = create_execution_queue();
    std::vector<std::int32_t> in(64);
    std::iota(in.begin(), in.end(), 0);
    std::vector<std::int32_t> out(64);
    KernelArguments arguments;
    arguments.values = {pointer(in.data()), pointer(out.data()), integer(addend)};
    arguments.group_size = {16, 1, 1};
    arguments.group_count = {4, 1, 1};
    EXPECT_EQ(kernel->run(*queue, arguments), "");
    return out;
  }

  static std::vector<std::int32_t> counting_from(std::int32_t first) {
    std::vector<std::int32_t> numbers(64);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
  }

  fs::path folder_;
  std::string log_;
  BuildError error_ = BuildError::kNone;
};

TEST_F(ProgramTest, RunsAKernelOfSpirv) {
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  EXPECT_EQ(error_, BuildError::kNone);
  EXPECT_EQ(program->kernel_names(), std::vector<std::string>{"add_constant"});
  EXPECT_EQ(run_add(*program, 100), counting_from(105));
}

TEST_F(ProgramTest, TellsWhatAKernelIsLike) {
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  const auto kernel = program->create_kernel("add_constant");
  ASSERT_NE(kernel, nullptr);
  const KernelInfo& info = kernel->info();
  EXPECT_EQ(info.name, "add_constant");
  EXPECT_EQ(info.required_subgroup_size, 16U);
  EXPECT_EQ(info.arguments,
            (std::vector<ArgumentKind>{ArgumentKind::kPointer, ArgumentKind::kPointer,
                                       ArgumentKind::kValue}));
  EXPECT_EQ(info.local_memory_bytes, 0U);
  EXPECT_EQ(program->create_kernel("other"), nullptr);
}

TEST_F(ProgramTest, AppliesSpecializationConstants) {
  const auto words = add_constant_module();
  const std::int32_t value = 1000;
  ProgramSource source = source_of(words);
  source.constants = {{7, &value}, {8, &value}};  // The module has no constant 8.
  const auto program = build({source});
  ASSERT_NE(program, nullptr) << log_;
  EXPECT_EQ(run_add(*program, 1), counting_from(1001));
  // The cache tells programs of other constants apart.
  const auto plain = build({source_of(words)});
  ASSERT_NE(plain, nullptr) << log_;
  EXPECT_EQ(run_add(*plain, 1), counting_from(6));
  EXPECT_EQ(entries().size(), 2U);
}

TEST_F(ProgramTest, AKernelOutlivesTheProgramHandle) {
  const auto words = add_constant_module();
  auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  const auto kernel = program->create_kernel("add_constant");
  program.reset();
  std::int32_t in = 1;
  std::int32_t out = 0;
  KernelArguments arguments;
  arguments.values = {pointer(&in), pointer(&out), integer(2)};
  const auto queue = create_execution_queue();
  EXPECT_EQ(kernel->run(*queue, arguments), "");
  EXPECT_EQ(out, 8);
}

TEST_F(ProgramTest, HonoursTheGlobalOffset) {
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  const auto kernel = program->create_kernel("add_constant");
  std::vector<std::int32_t> in(8, 0);
  std::vector<std::int32_t> out(8, -1);
  KernelArguments arguments;
  arguments.values = {pointer(in.data()), pointer(out.data()), integer(0)};
  arguments.group_count = {2, 1, 1};
  arguments.global_offset = {3, 0, 0};
  const auto queue = create_execution_queue();
  EXPECT_EQ(kernel->run(*queue, arguments), "");
  EXPECT_EQ(out, (std::vector<std::int32_t>{-1, -1, -1, 5, 5, -1, -1, -1}));
}

TEST_F(ProgramTest, SaysWhatIsWrongWithALaunch) {
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  const auto kernel = program->create_kernel("add_constant");
  const auto queue = create_execution_queue();
  std::int32_t number = 0;
  KernelArguments arguments;
  arguments.values = {pointer(&number), pointer(&number)};
  EXPECT_EQ(kernel->run(*queue, arguments), "kernel \"add_constant\" takes 3 arguments, not 2");
  arguments.values.emplace_back();
  EXPECT_EQ(kernel->run(*queue, arguments),
            "kernel \"add_constant\" was launched without its argument 2");
  arguments.values[2] = integer(1);
  arguments.values[2].bytes.resize(2);
  EXPECT_EQ(kernel->run(*queue, arguments),
            "kernel \"add_constant\" does not take its argument 2 (wrong argument size)");
  arguments.values[2] = integer(1);
  arguments.group_size = {1U << 20, 1, 1};
  EXPECT_NE(kernel->run(*queue, arguments).find("cannot be started"), std::string::npos);
}

TEST_F(ProgramTest, ManyThreadsRunOneKernel) {
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  const std::shared_ptr<ExecutableKernel> kernel = program->create_kernel("add_constant");
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&kernel, &result = results[t], t] {
      const auto queue = create_execution_queue();
      for (int i = 0; i < 200 && result.empty(); ++i) {
        std::vector<std::int32_t> in(64, i);
        std::vector<std::int32_t> out(64);
        KernelArguments arguments;
        arguments.values = {pointer(in.data()), pointer(out.data()), integer(t)};
        arguments.group_size = {16, 1, 1};
        arguments.group_count = {4, 1, 1};
        result = kernel->run(*queue, arguments);
        if (out != std::vector<std::int32_t>(64, i + t + 5)) result += "wrong numbers";
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(results, std::vector<std::string>(4));
}

TEST_F(ProgramTest, TakesTheBinaryFromTheCache) {
  const auto words = add_constant_module();
  ASSERT_NE(build({source_of(words)}), nullptr) << log_;
  ASSERT_EQ(entries().size(), 1U);
  const auto written = fs::last_write_time(entries()[0]);
  fs::last_write_time(entries()[0], written - std::chrono::hours(5));
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  EXPECT_EQ(run_add(*program, 0), counting_from(5));
  ASSERT_EQ(entries().size(), 1U);
  EXPECT_GE(fs::last_write_time(entries()[0]), written);  // Use counts, for eviction.
}

TEST_F(ProgramTest, RebuildsWhatIsDamagedInTheCache) {
  const auto words = add_constant_module();
  ASSERT_NE(build({source_of(words)}), nullptr) << log_;
  const fs::path entry = entries().at(0);
  const auto size = fs::file_size(entry);
  for (const std::size_t at : {std::size_t{0}, std::size_t{10}, size / 2, size - 1}) {
    std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(file.get() ^ 0x55);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    const auto program = build({source_of(words)});
    ASSERT_NE(program, nullptr) << log_;
    EXPECT_EQ(run_add(*program, 1), counting_from(6));
  }
  fs::resize_file(entry, size / 3);
  ASSERT_NE(build({source_of(words)}), nullptr) << log_;
  EXPECT_EQ(fs::file_size(entry), size);
}

TEST_F(ProgramTest, WorksWithoutACacheFolder) {
  setenv("PROTON_XPU_SOFTGPU_CACHE", "/proc/self/no_such_folder", 1);
  const auto words = add_constant_module();
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  EXPECT_EQ(run_add(*program, 1), counting_from(6));
}

TEST_F(ProgramTest, RefusesWhatIsNotSpirv) {
  const std::vector<std::uint32_t> words{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(build({source_of(words)}), nullptr);
  EXPECT_EQ(error_, BuildError::kNotSpirv);
  EXPECT_EQ(log_, "the module is not SPIR-V: its first word is not the magic number.\n");
}

TEST_F(ProgramTest, RunsGpuInstructionsThroughTheirFunctions) {
  const auto words = gpu_instruction_module(2);
  const auto program = build({source_of(words)});
  ASSERT_NE(program, nullptr) << log_;
  // A matrix of 64 rows and 32 columns; its width in bytes is its height in rows and its pitch.
  std::vector<std::uint16_t> matrix(64 * 32);
  std::iota(matrix.begin(), matrix.end(), std::uint16_t{1});
  auto want = matrix;
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 16; ++column) {
      want[(40 + row) * 32 + 16 + column] = matrix[(3 + row) * 32 + 5 + column];
    }
  }
  const auto bytes = [](std::vector<std::int32_t> numbers) {
    ArgumentValue value;
    value.set = true;
    value.bytes.resize(numbers.size() * 4);
    std::memcpy(value.bytes.data(), numbers.data(), value.bytes.size());
    return value;
  };
  KernelArguments arguments;
  arguments.values = {bytes({0, 0, 0, 0}),
                      bytes({0, 0, 0, 0, 0, 0, 0, 0}),
                      bytes({0, 0, 0, 0, 0, 0, 0, 0}),
                      pointer(matrix.data()),
                      bytes({64}),
                      bytes({5, 3}),
                      bytes({16, 40})};
  arguments.group_size = {16, 1, 1};
  const auto kernel = program->create_kernel("k");
  ASSERT_NE(kernel, nullptr);
  const auto queue = create_execution_queue();
  EXPECT_EQ(kernel->run(*queue, arguments), "");
  EXPECT_EQ(matrix, want);
}

TEST_F(ProgramTest, NamesTheFunctionThatNobodyDefines) {
  SpirvAssembler as;
  begin_kernel_module(as);
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t kernel = as.id();
  const std::uint32_t mystery = as.id();
  as.emit_with_string(spv::kEntryPoint, {6, kernel}, "caller", {});
  as.emit_with_string(spv::kDecorate, {mystery, 41}, "_Z7mysteryv", {1});
  const std::uint32_t void_type = as.type(spv::kTypeVoid, {});
  const std::uint32_t function = as.type(spv::kTypeFunction, {void_type});
  as.emit(spv::kFunction, {void_type, mystery, 0, function});
  as.emit(spv::kFunctionEnd, {});
  as.emit(spv::kFunction, {void_type, kernel, 0, function});
  as.type(spv::kLabel, {});
  as.value(spv::kFunctionCall, void_type, {mystery});
  as.emit(spv::kReturn, {});
  as.emit(spv::kFunctionEnd, {});
  const auto words = as.finish();
  EXPECT_EQ(build({source_of(words)}), nullptr);
  EXPECT_EQ(error_, BuildError::kBuildFailed);
  EXPECT_NE(
      log_.find("It imports functions that the software device does not define: _Z7mysteryv."),
      std::string::npos)
      << log_;
}

}  // namespace
}  // namespace softgpu
