// What the driver core needs of compiled code: programs made of SPIR-V, their kernels, and running
// one. The OpenCL CPU runtime behind it is an implementation detail of this interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace softgpu {

enum class ArgumentKind : std::uint8_t { kValue, kPointer, kLocalMemory };

/// A kernel as its SPIR-V declares it.
struct KernelInfo {
  std::string name;
  std::vector<ArgumentKind> arguments;
  std::array<std::uint32_t, 3> required_group_size{};  ///< 0: not required.
  std::uint32_t required_subgroup_size = 0;            ///< 0: not required.
  std::uint64_t local_memory_bytes = 0;
  std::uint64_t private_memory_bytes = 0;
};

/// One argument as it was when the launch was appended.
struct ArgumentValue {
  bool set = false;
  std::vector<std::byte> bytes;        ///< kValue.
  void* pointer = nullptr;             ///< kPointer.
  std::size_t local_memory_bytes = 0;  ///< kLocalMemory.
};

/// Everything that one execution needs; a copy, so that the kernel handle may be changed after.
struct KernelArguments {
  std::vector<ArgumentValue> values;
  std::array<std::uint32_t, 3> group_size{1, 1, 1};
  std::array<std::uint32_t, 3> group_count{1, 1, 1};
  std::array<std::uint32_t, 3> global_offset{0, 0, 0};
};

/// What a worker thread runs kernels with. One per worker; not shared between threads.
class ExecutionQueue {
 public:
  virtual ~ExecutionQueue() = default;
};

/// A kernel of a program. Different workers may run the same kernel at once.
class ExecutableKernel {
 public:
  virtual ~ExecutableKernel() = default;
  virtual const KernelInfo& info() const = 0;

  /// Runs to completion on the calling thread's queue. Returns an error text, empty if all is well.
  virtual std::string run(ExecutionQueue& queue, const KernelArguments& arguments) = 0;
};

/// SPIR-V of one module and its specialisation constants.
struct ProgramSource {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
  std::vector<std::pair<std::uint32_t, const void*>> constants;
};

enum class BuildError : std::uint8_t { kNone, kNotSpirv, kBuildFailed, kNoRuntime };

class Program {
 public:
  virtual ~Program() = default;

  /// Compiles and links the modules, or takes the result from the disk cache. `log` receives the
  /// compiler's messages. Returns null and sets `error` on failure.
  static std::shared_ptr<Program> build(const std::vector<ProgramSource>& modules, std::string& log,
                                        BuildError& error);

  virtual std::vector<std::string> kernel_names() const = 0;

  /// Null if there is no such kernel. Keeps the program alive.
  virtual std::unique_ptr<ExecutableKernel> create_kernel(const std::string& name) = 0;

  /// Address and size of a global variable.
  virtual std::optional<std::pair<void*, std::size_t>> global_variable(const std::string& name) = 0;
};

/// A queue for the calling worker thread; null if the OpenCL runtime cannot be used.
std::unique_ptr<ExecutionQueue> create_execution_queue();

/// Called once, right after the OpenCL runtime has come up: register `function` to be run at
/// process exit before the runtime tears itself down.
void set_exit_handler(void (*function)());

}  // namespace softgpu
