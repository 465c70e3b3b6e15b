#include "softgpu/program.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "softgpu/builtins.h"
#include "softgpu/opencl_runtime.h"
#include "softgpu/program_cache.h"
#include "softgpu/spirv.h"

namespace softgpu {
namespace {

constexpr std::uint64_t kCacheLimitBytes = std::uint64_t{1} << 30;
constexpr std::uint32_t kDefaultSubgroupSize = 16;
// Sub-groups live on the vectoriser; flags meant for a GPU compiler, or none of its optimisations,
// give wrong scans, so all modules are built alike.
constexpr const char* kSourceOptions = "-cl-std=CL3.0";

/// Owns a cl_program.
class ProgramHandle {
 public:
  ProgramHandle() = default;
  ProgramHandle(const OpenclRuntime& runtime, cl_program program)
      : runtime_(&runtime), program_(program) {}
  ProgramHandle(ProgramHandle&& other) noexcept
      : runtime_(other.runtime_), program_(std::exchange(other.program_, nullptr)) {}
  ProgramHandle& operator=(ProgramHandle&& other) noexcept {
    std::swap(runtime_, other.runtime_);
    std::swap(program_, other.program_);
    return *this;
  }
  ~ProgramHandle() {
    if (program_ != nullptr) runtime_->release_program(program_);
  }
  cl_program get() const { return program_; }
  explicit operator bool() const { return program_ != nullptr; }

 private:
  const OpenclRuntime* runtime_ = nullptr;
  cl_program program_ = nullptr;
};

class OpenclQueue final : public ExecutionQueue {
 public:
  OpenclQueue(const OpenclRuntime& runtime, cl_command_queue queue)
      : runtime_(runtime), queue_(queue) {}
  OpenclQueue(const OpenclQueue&) = delete;
  OpenclQueue& operator=(const OpenclQueue&) = delete;
  ~OpenclQueue() override { runtime_.release_queue(queue_); }
  cl_command_queue get() const { return queue_; }

 private:
  const OpenclRuntime& runtime_;
  cl_command_queue queue_;
};

class OpenclKernel final : public ExecutableKernel {
 public:
  OpenclKernel(const OpenclRuntime& runtime, std::shared_ptr<Program> program, cl_kernel kernel,
               KernelInfo info)
      : runtime_(runtime), program_(std::move(program)), kernel_(kernel), info_(std::move(info)) {
    const cl_bool any_host_memory = CL_TRUE;
    runtime_.set_kernel_exec_info(kernel_, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                  sizeof any_host_memory, &any_host_memory);
    info_.local_memory_bytes = memory_size(CL_KERNEL_LOCAL_MEM_SIZE);
    info_.private_memory_bytes = memory_size(CL_KERNEL_PRIVATE_MEM_SIZE);
  }
  OpenclKernel(const OpenclKernel&) = delete;
  OpenclKernel& operator=(const OpenclKernel&) = delete;
  ~OpenclKernel() override { runtime_.release_kernel(kernel_); }

  const KernelInfo& info() const override { return info_; }

  std::string run(ExecutionQueue& queue, const KernelArguments& arguments) override {
    cl_event event = nullptr;
    std::string error = enqueue(static_cast<OpenclQueue&>(queue).get(), arguments, &event);
    if (!error.empty()) return error;
    cl_int code = runtime_.wait_for_events(1, &event);
    cl_int status = CL_COMPLETE;
    runtime_.get_event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            nullptr);
    runtime_.release_event(event);
    if (code == CL_SUCCESS && status < 0) code = status;
    return code == CL_SUCCESS ? std::string() : failure("did not run to its end", code);
  }

 private:
  std::uint64_t memory_size(cl_kernel_work_group_info property) const {
    cl_ulong bytes = 0;
    const cl_int code = runtime_.get_kernel_work_group_info(kernel_, runtime_.device, property,
                                                            sizeof bytes, &bytes, nullptr);
    return code == CL_SUCCESS ? bytes : 0;
  }

  std::string failure(const std::string& what, cl_int code) const {
    return "kernel \"" + info_.name + "\" " + what + " (" + describe_opencl_error(code) + ")";
  }

  /// Arguments belong to the cl_kernel, hence one enqueue at a time; execution itself overlaps.
  std::string enqueue(cl_command_queue queue, const KernelArguments& arguments, cl_event* event) {
    if (arguments.values.size() != info_.arguments.size()) {
      return "kernel \"" + info_.name + "\" takes " + std::to_string(info_.arguments.size()) +
             " arguments, not " + std::to_string(arguments.values.size());
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < arguments.values.size(); ++i) {
      const ArgumentValue& value = arguments.values[i];
      const std::string place = "argument " + std::to_string(i);
      if (!value.set) {
        return "kernel \"" + info_.name + "\" was launched without its " + place;
      }
      const cl_int code = set_argument(static_cast<cl_uint>(i), info_.arguments[i], value);
      if (code != CL_SUCCESS) return failure("does not take its " + place, code);
    }
    std::array<std::size_t, 3> global{};
    std::array<std::size_t, 3> local{};
    std::array<std::size_t, 3> offset{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      local[axis] = arguments.group_size[axis];
      global[axis] = local[axis] * arguments.group_count[axis];
      offset[axis] = arguments.global_offset[axis];
    }
    const cl_int code = runtime_.enqueue_kernel(queue, kernel_, 3, offset.data(), global.data(),
                                                local.data(), 0, nullptr, event);
    return code == CL_SUCCESS ? std::string() : failure("cannot be started", code);
  }

  cl_int set_argument(cl_uint index, ArgumentKind kind, const ArgumentValue& value) {
    switch (kind) {
      case ArgumentKind::kValue:
        return runtime_.set_kernel_arg(kernel_, index, value.bytes.size(), value.bytes.data());
      case ArgumentKind::kPointer:
        return runtime_.set_kernel_arg_svm_pointer(kernel_, index, value.pointer);
      case ArgumentKind::kLocalMemory:
        return runtime_.set_kernel_arg(kernel_, index, value.local_memory_bytes, nullptr);
    }
    return CL_INVALID_ARG_VALUE;
  }

  const OpenclRuntime& runtime_;
  const std::shared_ptr<Program> program_;
  const cl_kernel kernel_;
  KernelInfo info_;
  std::mutex mutex_;
};

class OpenclProgram final : public Program, public std::enable_shared_from_this<OpenclProgram> {
 public:
  OpenclProgram(const OpenclRuntime& runtime, ProgramHandle program,
                std::vector<KernelInfo> kernels)
      : runtime_(runtime), program_(std::move(program)), kernels_(std::move(kernels)) {}

  std::vector<std::string> kernel_names() const override {
    std::vector<std::string> names;
    names.reserve(kernels_.size());
    for (const auto& kernel : kernels_) names.push_back(kernel.name);
    return names;
  }

  std::unique_ptr<ExecutableKernel> create_kernel(const std::string& name) override {
    const auto info = std::find_if(kernels_.begin(), kernels_.end(),
                                   [&](const KernelInfo& kernel) { return kernel.name == name; });
    if (info == kernels_.end()) return nullptr;
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = runtime_.create_kernel(program_.get(), name.c_str(), &code);
    if (code != CL_SUCCESS) return nullptr;
    return std::make_unique<OpenclKernel>(runtime_, shared_from_this(), kernel, *info);
  }

  std::optional<std::pair<void*, std::size_t>> global_variable(const std::string& name) override {
    std::size_t size = 0;
    void* address = nullptr;
    if (runtime_.get_global_variable == nullptr ||
        runtime_.get_global_variable(runtime_.device, program_.get(), name.c_str(), &size,
                                     &address) != CL_SUCCESS) {
      return std::nullopt;
    }
    return std::make_pair(address, size);
  }

 private:
  const OpenclRuntime& runtime_;
  const ProgramHandle program_;
  const std::vector<KernelInfo> kernels_;
};

/// One build: modules in, a linked program out.
class Builder {
 public:
  Builder(const OpenclRuntime& runtime, std::string& log) : runtime_(runtime), log_(log) {}

  void add_module(SpirvModule module, const ProgramSource& source) {
    for (const auto& constant : source.constants) {
      const auto bytes = module.specialization_bytes.find(constant.first);
      if (bytes == module.specialization_bytes.end() || constant.second == nullptr) continue;
      constants_.push_back({modules_.size(), constant.first,
                            std::string(static_cast<const char*>(constant.second), bytes->second)});
    }
    modules_.push_back(std::move(module));
  }

  ProgramHandle build() {
    resolve_imports();
    const ProgramCache cache(ProgramCache::default_folder(), kCacheLimitBytes);
    const std::string key = cache_key();
    if (const auto stored = cache.load(key)) {
      if (auto program = load_binary(*stored)) return program;
      cache.remove(key);
    }
    auto program = compile();
    if (program) {
      const std::string binary = binary_of(program);
      if (!binary.empty()) cache.store(key, binary);
    }
    return program;
  }

  std::vector<KernelInfo> kernels() const {
    std::vector<KernelInfo> all;
    for (const auto& module : modules_) {
      all.insert(all.end(), module.kernels.begin(), module.kernels.end());
    }
    return all;
  }

 private:
  struct Constant {
    std::size_t module;
    cl_uint id;
    std::string value;
  };

  void resolve_imports() {
    std::unordered_set<std::string> known;
    std::uint32_t sub_group_size = 0;
    for (const auto& module : modules_) {
      known.insert(module.exports.begin(), module.exports.end());
      for (const auto& kernel : module.kernels) {
        if (sub_group_size == 0) sub_group_size = kernel.required_subgroup_size;
      }
    }
    if (sub_group_size == 0) sub_group_size = kDefaultSubgroupSize;
    for (const auto& module : modules_) {
      for (const auto& name : module.imports) {
        if (!known.insert(name).second) continue;
        if (const auto definition = builtin_definition(name, sub_group_size)) {
          if (builtins_.empty()) builtins_ = builtin_prologue();
          builtins_ += *definition;
        } else {
          foreign_imports_.push_back(name);
        }
      }
    }
  }

  /// Everything that the binary depends on, each part with its length before it.
  std::string cache_key() const {
    std::string key;
    const auto add = [&key](const void* data, std::size_t size) {
      const std::uint64_t length = size;
      key.append(reinterpret_cast<const char*>(&length), sizeof length);
      key.append(static_cast<const char*>(data), size);
    };
    add(runtime_.identity.data(), runtime_.identity.size());
    for (const auto& module : modules_) {
      add(module.words.data(), module.words.size() * sizeof(std::uint32_t));
    }
    for (const auto& constant : constants_) {
      add(&constant.module, sizeof constant.module);
      add(&constant.id, sizeof constant.id);
      add(constant.value.data(), constant.value.size());
    }
    add(builtins_.data(), builtins_.size());
    return key;
  }

  ProgramHandle load_binary(const std::string& binary) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
    const std::size_t size = binary.size();
    cl_int status = CL_SUCCESS;
    cl_int code = CL_SUCCESS;
    ProgramHandle program(
        runtime_, runtime_.create_program_with_binary(runtime_.context, 1, &runtime_.device, &size,
                                                      &bytes, &status, &code));
    if (code != CL_SUCCESS || status != CL_SUCCESS) return {};
    code = runtime_.build_program(program.get(), 1, &runtime_.device, "", nullptr, nullptr);
    if (code != CL_SUCCESS) return {};
    return program;
  }

  std::string binary_of(const ProgramHandle& program) const {
    std::size_t size = 0;
    if (runtime_.get_program_info(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
                                  nullptr) != CL_SUCCESS) {
      return {};
    }
    std::string binary(size, '\0');
    auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
    if (runtime_.get_program_info(program.get(), CL_PROGRAM_BINARIES, sizeof bytes, &bytes,
                                  nullptr) != CL_SUCCESS) {
      return {};
    }
    return binary;
  }

  ProgramHandle compile() {
    std::vector<ProgramHandle> parts;
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      parts.push_back(create_from_spirv(i));
      if (!parts.back()) return {};
    }
    if (parts.size() == 1 && builtins_.empty()) {
      const cl_int code =
          runtime_.build_program(parts[0].get(), 1, &runtime_.device, "", nullptr, nullptr);
      return finish(std::move(parts[0]), code);
    }
    std::vector<const char*> options(parts.size(), "");
    if (!builtins_.empty()) {
      const char* text = builtins_.c_str();
      cl_int code = CL_SUCCESS;
      parts.emplace_back(runtime_, runtime_.create_program_with_source(runtime_.context, 1, &text,
                                                                       nullptr, &code));
      options.push_back(kSourceOptions);
      if (code != CL_SUCCESS) return finish({}, code);
    }
    std::vector<cl_program> programs;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const cl_int code = runtime_.compile_program(parts[i].get(), 1, &runtime_.device, options[i],
                                                   0, nullptr, nullptr, nullptr, nullptr);
      if (code != CL_SUCCESS) return finish(std::move(parts[i]), code);
      programs.push_back(parts[i].get());
    }
    cl_int code = CL_SUCCESS;
    ProgramHandle linked(runtime_, runtime_.link_program(runtime_.context, 1, &runtime_.device, "",
                                                         static_cast<cl_uint>(programs.size()),
                                                         programs.data(), nullptr, nullptr, &code));
    return finish(std::move(linked), code);
  }

  ProgramHandle create_from_spirv(std::size_t index) {
    const auto& words = modules_[index].words;
    cl_int code = CL_SUCCESS;
    ProgramHandle program(
        runtime_, runtime_.create_program_with_il(runtime_.context, words.data(),
                                                  words.size() * sizeof(std::uint32_t), &code));
    if (code != CL_SUCCESS) return finish({}, code);
    for (const auto& constant : constants_) {
      if (constant.module != index) continue;
      code = runtime_.set_specialization_constant(program.get(), constant.id, constant.value.size(),
                                                  constant.value.data());
      if (code != CL_SUCCESS) return finish({}, code);
    }
    return program;
  }

  /// Adds the compiler's messages to the log; gives `program` back if `code` is success.
  ProgramHandle finish(ProgramHandle program, cl_int code) {
    if (program) append_log(program);
    if (code == CL_SUCCESS) return program;
    log_ +=
        "The OpenCL CPU runtime does not take the module: " + describe_opencl_error(code) + ".\n";
    if (!foreign_imports_.empty()) {
      log_ += "It imports functions that the software device does not define:";
      for (const auto& name : foreign_imports_) log_ += " " + name;
      log_ += ".\n";
    }
    return {};
  }

  void append_log(const ProgramHandle& program) {
    std::size_t size = 0;
    if (runtime_.get_program_build_info(program.get(), runtime_.device, CL_PROGRAM_BUILD_LOG, 0,
                                        nullptr, &size) != CL_SUCCESS ||
        size <= 1) {
      return;
    }
    std::string text(size, '\0');
    if (runtime_.get_program_build_info(program.get(), runtime_.device, CL_PROGRAM_BUILD_LOG, size,
                                        text.data(), nullptr) != CL_SUCCESS) {
      return;
    }
    text.resize(std::strlen(text.c_str()));
    log_ += text;
    if (!text.empty() && text.back() != '\n') log_ += '\n';
  }

  const OpenclRuntime& runtime_;
  std::string& log_;
  std::vector<SpirvModule> modules_;
  std::vector<Constant> constants_;
  std::string builtins_;                      // OpenCL C.
  std::vector<std::string> foreign_imports_;  // For the runtime to know, or nobody.
};

}  // namespace

std::shared_ptr<Program> Program::build(const std::vector<ProgramSource>& modules, std::string& log,
                                        BuildError& error) {
  std::vector<SpirvModule> parsed;
  for (const auto& source : modules) {
    std::string sentence;
    auto module = read_spirv(source.data, source.size, sentence);
    if (!module) {
      log += sentence + ".\n";
      error = BuildError::kNotSpirv;
      return nullptr;
    }
    parsed.push_back(std::move(*module));
  }
  std::string sentence;
  const OpenclRuntime* runtime = OpenclRuntime::get(sentence);
  if (runtime == nullptr) {
    log += sentence + ".\n";
    error = BuildError::kNoRuntime;
    return nullptr;
  }
  Builder builder(*runtime, log);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    builder.add_module(std::move(parsed[i]), modules[i]);
  }
  auto program = builder.build();
  error = program ? BuildError::kNone : BuildError::kBuildFailed;
  if (!program) return nullptr;
  return std::make_shared<OpenclProgram>(*runtime, std::move(program), builder.kernels());
}

std::unique_ptr<ExecutionQueue> create_execution_queue() {
  std::string ignored;  // Whoever built the program that is to run has been told.
  const OpenclRuntime* runtime = OpenclRuntime::get(ignored);
  if (runtime == nullptr) return nullptr;
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue =
      runtime->create_queue(runtime->context, runtime->device, nullptr, &code);
  if (code != CL_SUCCESS) return nullptr;
  return std::make_unique<OpenclQueue>(*runtime, queue);
}

}  // namespace softgpu
