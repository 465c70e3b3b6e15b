// Writes small SPIR-V modules for tests, instruction by instruction.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace softgpu {

class SpirvAssembler {
 public:
  explicit SpirvAssembler(std::uint32_t version = 0x00010100)
      : words_{0x07230203, version, 0, 0, 0} {}

  std::uint32_t id() { return ++last_id_; }

  void emit(std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
    emit_with_string(op, operands, nullptr, {});
  }

  /// Operands, a string, more operands.
  void emit_with_string(std::uint32_t op, std::initializer_list<std::uint32_t> before,
                        const char* text, std::initializer_list<std::uint32_t> after) {
    std::vector<std::uint32_t> operands(before);
    if (text != nullptr) {
      const std::size_t length = std::strlen(text);
      const std::size_t at = operands.size();
      operands.resize(at + length / 4 + 1);
      std::memcpy(&operands[at], text, length);
    }
    operands.insert(operands.end(), after);
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }

  /// An instruction with a fresh result id first, as types have it.
  std::uint32_t type(std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
    const std::uint32_t result = id();
    std::vector<std::uint32_t> all{result};
    all.insert(all.end(), operands);
    words_.push_back(static_cast<std::uint32_t>(all.size() + 1) << 16 | op);
    words_.insert(words_.end(), all.begin(), all.end());
    return result;
  }

  /// An instruction with a type and a fresh result id.
  std::uint32_t value(std::uint32_t op, std::uint32_t type,
                      std::initializer_list<std::uint32_t> operands) {
    const std::uint32_t result = id();
    std::vector<std::uint32_t> all{type, result};
    all.insert(all.end(), operands);
    words_.push_back(static_cast<std::uint32_t>(all.size() + 1) << 16 | op);
    words_.insert(words_.end(), all.begin(), all.end());
    return result;
  }

  std::vector<std::uint32_t> finish() {
    words_[3] = last_id_ + 1;
    return words_;
  }

 private:
  std::vector<std::uint32_t> words_;
  std::uint32_t last_id_ = 0;
};

/// Numbers of the SPIR-V specification that the tests use.
namespace spv {
enum : std::uint32_t {
  kExtension = 10,
  kMemoryModel = 14,
  kEntryPoint = 15,
  kExecutionMode = 16,
  kCapability = 17,
  kTypeVoid = 19,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeStruct = 30,
  kTypePointer = 32,
  kTypeFunction = 33,
  kConstant = 43,
  kSpecConstant = 50,
  kFunction = 54,
  kFunctionParameter = 55,
  kFunctionEnd = 56,
  kFunctionCall = 57,
  kVariable = 59,
  kLoad = 61,
  kStore = 62,
  kDecorate = 71,
  kInBoundsPtrAccessChain = 70,
  kCompositeExtract = 81,
  kBitcast = 124,
  kIAdd = 128,
  kControlBarrier = 224,
  kLabel = 248,
  kReturn = 253
};
}  // namespace spv

/// What every kernel module starts with.
inline void begin_kernel_module(SpirvAssembler& as) {
  for (const std::uint32_t capability : {4U, 5U, 6U, 11U}) {  // Addresses Linkage Kernel Int64
    as.emit(spv::kCapability, {capability});
  }
}

/// "add_constant": out[i] = in[i] + c, where c is the module's specialization constant 7
/// (5 if not set) plus the kernel's third argument. One int for each work item.
inline std::vector<std::uint32_t> add_constant_module(std::uint32_t extra_capability = 0) {
  SpirvAssembler as;
  begin_kernel_module(as);
  if (extra_capability != 0) as.emit(spv::kCapability, {extra_capability});
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t kernel = as.id();
  const std::uint32_t global_id = as.id();
  const std::uint32_t constant = as.id();
  as.emit_with_string(spv::kEntryPoint, {6, kernel}, "add_constant", {global_id});
  as.emit(spv::kExecutionMode, {kernel, 35, 16});          // SubgroupSize
  as.emit(spv::kExecutionMode, {kernel, 5893, 64, 1, 1});  // MaxWorkgroupSizeINTEL
  as.emit(spv::kDecorate, {global_id, 11, 28});            // BuiltIn GlobalInvocationId
  as.emit(spv::kDecorate, {constant, 1, 7});               // SpecId 7
  const std::uint32_t void_type = as.type(spv::kTypeVoid, {});
  const std::uint32_t int32 = as.type(spv::kTypeInt, {32, 0});
  const std::uint32_t int64 = as.type(spv::kTypeInt, {64, 0});
  const std::uint32_t vector = as.type(spv::kTypeVector, {int64, 3});
  const std::uint32_t input = as.type(spv::kTypePointer, {1, vector});
  const std::uint32_t global = as.type(spv::kTypePointer, {5, int32});
  const std::uint32_t function = as.type(spv::kTypeFunction, {void_type, global, global, int32});
  as.emit(spv::kSpecConstant, {int32, constant, 5});
  as.emit(spv::kVariable, {input, global_id, 1});
  as.emit(spv::kFunction, {void_type, kernel, 0, function});
  const std::uint32_t in = as.value(spv::kFunctionParameter, global, {});
  const std::uint32_t out = as.value(spv::kFunctionParameter, global, {});
  const std::uint32_t addend = as.value(spv::kFunctionParameter, int32, {});
  as.type(spv::kLabel, {});
  const std::uint32_t ids = as.value(spv::kLoad, vector, {global_id, 2, 32});
  const std::uint32_t index = as.value(spv::kCompositeExtract, int64, {ids, 0});
  const std::uint32_t from = as.value(spv::kInBoundsPtrAccessChain, global, {in, index});
  const std::uint32_t to = as.value(spv::kInBoundsPtrAccessChain, global, {out, index});
  const std::uint32_t loaded = as.value(spv::kLoad, int32, {from, 2, 4});
  const std::uint32_t partial = as.value(spv::kIAdd, int32, {loaded, constant});
  const std::uint32_t sum = as.value(spv::kIAdd, int32, {partial, addend});
  as.emit(spv::kStore, {to, sum, 2, 4});
  as.emit(spv::kReturn, {});
  as.emit(spv::kFunctionEnd, {});
  return as.finish();
}

/// "k": a matrix multiplication of f16, then a block of 8 rows of 16 elements that is moved from
/// one corner of a matrix to another; all as instructions, not as calls.
inline std::vector<std::uint32_t> gpu_instruction_module(std::uint32_t element_bytes) {
  SpirvAssembler as;
  for (const std::uint32_t capability : {4U, 6U, 6228U, 6236U}) {
    as.emit(spv::kCapability, {capability});
  }
  as.emit(spv::kMemoryModel, {2, 2});
  const std::uint32_t kernel = as.id();
  as.emit_with_string(spv::kEntryPoint, {6, kernel}, "k", {});
  as.emit(spv::kExecutionMode, {kernel, 35, 16});  // SubgroupSize
  const std::uint32_t void_type = as.type(spv::kTypeVoid, {});
  const std::uint32_t int32 = as.type(spv::kTypeInt, {32, 0});
  const std::uint32_t int16 = as.type(spv::kTypeInt, {16, 0});
  const std::uint32_t float32 = as.type(spv::kTypeFloat, {32});
  const std::uint32_t short8 = as.type(spv::kTypeVector, {int16, 8});
  const std::uint32_t int8 = as.type(spv::kTypeVector, {int32, 8});
  const std::uint32_t float8 = as.type(spv::kTypeVector, {float32, 8});
  const std::uint32_t int2 = as.type(spv::kTypeVector, {int32, 2});
  const std::uint32_t global = as.type(spv::kTypePointer, {5, int16});
  const std::uint32_t private_pointer = as.type(spv::kTypePointer, {7, short8});
  const std::uint32_t function =
      as.type(spv::kTypeFunction, {void_type, short8, int8, float8, global, int32, int2, int2});
  const std::uint32_t k16 = as.value(spv::kConstant, int32, {16});
  const std::uint32_t bytes = as.value(spv::kConstant, int32, {element_bytes});
  const std::uint32_t eight = as.value(spv::kConstant, int32, {8});
  const std::uint32_t one = as.value(spv::kConstant, int32, {1});
  as.emit(spv::kFunction, {void_type, kernel, 0, function});
  const std::uint32_t a = as.value(spv::kFunctionParameter, short8, {});
  const std::uint32_t b = as.value(spv::kFunctionParameter, int8, {});
  const std::uint32_t c = as.value(spv::kFunctionParameter, float8, {});
  const std::uint32_t base = as.value(spv::kFunctionParameter, global, {});
  const std::uint32_t size = as.value(spv::kFunctionParameter, int32, {});
  const std::uint32_t from = as.value(spv::kFunctionParameter, int2, {});
  const std::uint32_t to = as.value(spv::kFunctionParameter, int2, {});
  as.type(spv::kLabel, {});
  const std::uint32_t registers = as.value(spv::kVariable, private_pointer, {7});
  as.value(6237, float8, {k16, a, b, c, 0xC00});
  as.emit(6231, {bytes, k16, eight, one, base, size, size, size, from, registers});
  as.emit(6235, {bytes, k16, eight, one, registers, base, size, size, size, to});
  as.emit(6234, {bytes, k16, eight, one, base, size, size, size, from});
  as.emit(spv::kReturn, {});
  as.emit(spv::kFunctionEnd, {});
  return as.finish();
}

}  // namespace softgpu
