#include "softgpu/fake_program.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <sstream>
#include <utility>

#include "softgpu/program.h"

namespace softgpu {
namespace {

std::mutex last_mutex;
std::string last_text;

class FakeQueue : public ExecutionQueue {};

std::string describe(const KernelArguments& arguments) {
  std::ostringstream text;
  for (const ArgumentValue& value : arguments.values) {
    text << value.bytes.size() << ' ' << value.pointer << ' ' << value.local_memory_bytes << ", ";
  }
  const auto write = [&](const char* name, const std::array<std::uint32_t, 3>& extents) {
    text << name << ' ' << extents[0] << ' ' << extents[1] << ' ' << extents[2] << ", ";
  };
  write("size", arguments.group_size);
  write("count", arguments.group_count);
  write("offset", arguments.global_offset);
  return text.str();
}

class FakeKernel : public ExecutableKernel {
 public:
  explicit FakeKernel(KernelInfo info) : info_(std::move(info)) {}

  const KernelInfo& info() const override { return info_; }

  std::string run(ExecutionQueue&, const KernelArguments& arguments) override {
    if (info_.name == "fail") return "it always does";
    if (info_.name == "throw") throw std::bad_alloc();
    if (info_.name == "call") {
      testing::Callback callback = nullptr;
      std::memcpy(&callback, arguments.values[0].bytes.data(), sizeof(callback));
      callback(arguments.values[1].pointer);
    }
    if (info_.name == "args") {
      const std::lock_guard<std::mutex> lock(last_mutex);
      last_text = describe(arguments);
    }
    return "";
  }

 private:
  KernelInfo info_;
};

KernelInfo parse(const std::string& line) {
  std::istringstream words(line);
  KernelInfo info;
  std::string letters;
  words >> info.name >> letters;
  for (const char letter : letters) {
    if (letter == 'v') info.arguments.push_back(ArgumentKind::kValue);
    if (letter == 'p') info.arguments.push_back(ArgumentKind::kPointer);
    if (letter == 'l') info.arguments.push_back(ArgumentKind::kLocalMemory);
    if (letter == 'r') info.required_group_size = {8, 4, 1};
  }
  return info;
}

class FakeProgram : public Program {
 public:
  explicit FakeProgram(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) kernels_.push_back(parse(line));
  }

  std::vector<std::string> kernel_names() const override {
    std::vector<std::string> names;
    for (const KernelInfo& kernel : kernels_) names.push_back(kernel.name);
    return names;
  }

  std::unique_ptr<ExecutableKernel> create_kernel(const std::string& name) override {
    for (const KernelInfo& kernel : kernels_) {
      if (kernel.name == name) return std::make_unique<FakeKernel>(kernel);
    }
    return nullptr;
  }

  std::optional<std::pair<void*, std::size_t>> global_variable(const std::string& name) override {
    if (name != "answer") return std::nullopt;
    return std::make_pair(static_cast<void*>(&answer_), sizeof(answer_));
  }

 private:
  std::vector<KernelInfo> kernels_;
  int answer_ = 42;
};

}  // namespace

std::shared_ptr<Program> Program::build(const std::vector<ProgramSource>& modules, std::string& log,
                                        BuildError& error) {
  std::string text;
  for (const ProgramSource& module : modules) {
    text.append(reinterpret_cast<const char*>(module.data), module.size);
  }
  if (text.rfind("native", 0) == 0) {
    error = BuildError::kNotSpirv;
    return nullptr;
  }
  if (text.rfind("broken", 0) == 0) {
    log = "line 1: broken";
    error = BuildError::kBuildFailed;
    return nullptr;
  }
  error = BuildError::kNone;
  return std::make_shared<FakeProgram>(text);
}

std::unique_ptr<ExecutionQueue> create_execution_queue() { return std::make_unique<FakeQueue>(); }

void set_exit_handler(void (*)()) {}

std::string testing::last_arguments() {
  const std::lock_guard<std::mutex> lock(last_mutex);
  return last_text;
}

}  // namespace softgpu
