#include "softgpu/spirv.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "softgpu/mangled_name.h"

namespace softgpu {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::uint32_t kMagicSwapped = 0x03022307;
constexpr std::size_t kHeaderWords = 5;
// The newest version that the CPU runtime reads; Triton's modules use nothing newer.
constexpr std::uint32_t kNewestVersion = 0x00010400;

enum Op : std::uint32_t {
  kOpName = 5,
  kOpExtension = 10,
  kOpEntryPoint = 15,
  kOpExecutionMode = 16,
  kOpCapability = 17,
  kOpTypeVoid = 19,
  kOpTypeInt = 21,
  kOpTypeFloat = 22,
  kOpTypeVector = 23,
  kOpTypePointer = 32,
  kOpTypeFunction = 33,
  kOpTypeLast = 39,
  kOpConstant = 43,
  kOpSpecConstantTrue = 48,
  kOpSpecConstantFalse = 49,
  kOpSpecConstant = 50,
  kOpFunction = 54,
  kOpFunctionParameter = 55,
  kOpFunctionEnd = 56,
  kOpFunctionCall = 57,
  kOpDecorate = 71,
  kOpControlBarrier = 224,
  kOpExecutionModeId = 331,
  kOpTypeUntypedPointer = 4417,
  kOpControlBarrierArrive = 6142,
  kOpControlBarrierWait = 6143,
  kOpBlockLoad = 6231,
  kOpBlockLoadTransform = 6232,
  kOpBlockLoadTranspose = 6233,
  kOpBlockPrefetch = 6234,
  kOpBlockStore = 6235,
  kOpMatrixMultiplyAccumulate = 6237
};

constexpr std::uint32_t kExecutionModelKernel = 6;
constexpr std::uint32_t kModeLocalSize = 17;
constexpr std::uint32_t kModeSubgroupSize = 35;
constexpr std::uint32_t kModeLocalSizeId = 38;
constexpr std::uint32_t kDecorationSpecId = 1;
constexpr std::uint32_t kDecorationBuiltIn = 11;
constexpr std::uint32_t kDecorationLinkage = 41;
constexpr std::uint32_t kLinkageExport = 0;
constexpr std::uint32_t kLinkageImport = 1;
constexpr std::uint32_t kCapabilityLinkage = 5;

// Storage classes of pointers.
constexpr std::uint32_t kStorageWorkgroup = 4;
constexpr std::uint32_t kStorageFunction = 7;

// KernelAttributesINTEL, FPGAKernelAttributesINTEL, SplitBarrierINTEL, the three of
// SPV_INTEL_2d_block_io, SubgroupMatrixMultiplyAccumulateINTEL, RegisterLimitsINTEL.
constexpr std::array<std::uint32_t, 8> kDroppedCapabilities{5892, 5897, 6141, 6228,
                                                            6229, 6230, 6236, 6460};
constexpr std::array<std::string_view, 5> kDroppedExtensions{
    "SPV_INTEL_kernel_attributes", "SPV_INTEL_split_barrier", "SPV_INTEL_2d_block_io",
    "SPV_INTEL_subgroup_matrix_multiply_accumulate", "SPV_INTEL_maximum_registers"};
// MaxWorkgroupSizeINTEL, MaxWorkDimINTEL, NoGlobalOffsetINTEL, NumSIMDWorkitemsINTEL,
// SchedulerTargetFmaxMhzINTEL, MaximumRegistersINTEL, -IdINTEL, NamedMaximumRegistersINTEL.
constexpr std::array<std::uint32_t, 8> kDroppedModes{5893, 5894, 5895, 5896,
                                                     5903, 6461, 6462, 6463};

template <typename Container, typename Value>
bool contains(const Container& container, const Value& value) {
  return std::find(container.begin(), container.end(), value) != container.end();
}

struct Instruction {
  std::uint32_t op = 0;
  const std::uint32_t* words = nullptr;  // The first holds opcode and length.
  std::uint32_t length = 0;

  /// Literal string that starts at word `index`; nothing if its end is missing.
  std::optional<std::string> string_at(std::uint32_t index) const {
    if (index >= length) return std::nullopt;
    const auto* text = reinterpret_cast<const char*>(words + index);
    const std::size_t room = (length - index) * sizeof(std::uint32_t);
    const void* end = std::memchr(text, 0, room);
    if (end == nullptr) return std::nullopt;
    return std::string(text, static_cast<const char*>(end));
  }
};

/// A call that takes the place of an instruction that the CPU runtime does not know.
struct Call {
  std::string name;
  std::uint32_t result_type = 0;
  std::uint32_t result = 0;  // 0: a new id is made.
  std::vector<std::uint32_t> argument_types;
  std::vector<std::uint32_t> arguments;
};

struct Type {
  std::uint32_t op = 0;
  std::uint32_t width = 0;    // Bits of integers and floats, length of vectors.
  std::uint32_t element = 0;  // Of vectors.
  std::uint32_t storage = 0;  // Of pointers.
};

std::vector<std::uint32_t> encode_string(const std::string& text) {
  std::vector<std::uint32_t> words(text.size() / sizeof(std::uint32_t) + 1, 0);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

class Reader {
 public:
  Reader(std::vector<std::uint32_t> words, std::string& error)
      : words_(std::move(words)), error_(error) {}

  std::optional<SpirvModule> read() {
    if (!split() || !scan()) return std::nullopt;
    finish_kernels();
    finish_imports();
    write();
    return std::move(module_);
  }

 private:
  bool fail(std::string sentence) {
    error_ = std::move(sentence);
    return false;
  }

  bool split() {
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const std::uint32_t length = words_[at] >> 16;
      if (length == 0 || length > words_.size() - at) {
        return fail("the SPIR-V is damaged: an instruction at word " + std::to_string(at) +
                    " has a wrong length");
      }
      instructions_.push_back({words_[at] & 0xffff, &words_[at], length});
      at += length;
    }
    return true;
  }

  bool scan() {
    std::uint32_t function = 0;
    for (const auto& instruction : instructions_) {
      const std::uint32_t* w = instruction.words;
      const std::uint32_t length = instruction.length;
      switch (instruction.op) {
        case kOpEntryPoint:
          if (length >= 4 && w[1] == kExecutionModelKernel && !add_kernel(instruction))
            return false;
          break;
        case kOpExecutionMode:
        case kOpExecutionModeId:
          if (length >= 3) modes_.push_back(instruction);
          break;
        case kOpCapability:
          if (length >= 2 && w[1] == kCapabilityLinkage) has_linkage_ = true;
          break;
        case kOpDecorate:
          if (!decorate(instruction)) return false;
          break;
        case kOpTypeInt:
        case kOpTypeFloat:
          if (length >= 3) types_[w[1]] = {instruction.op, w[2], 0, 0};
          break;
        case kOpTypeVector:
          if (length >= 4) types_[w[1]] = {instruction.op, w[3], w[2], 0};
          break;
        case kOpTypePointer:
        case kOpTypeUntypedPointer:
          if (length >= 3) types_[w[1]] = {instruction.op, 0, 0, w[2]};
          break;
        case kOpTypeFunction:
          if (length >= 3) {
            types_[w[1]] = {instruction.op, 0, 0, 0};
            function_types_.emplace(std::vector<std::uint32_t>(w + 2, w + length), w[1]);
          }
          break;
        case kOpFunction:
          if (length >= 5) function = w[2];
          break;
        case kOpFunctionParameter:
          if (length >= 3) parameters_[function].push_back(w[1]);
          break;
        default:
          if (instruction.op == kOpTypeVoid && length >= 2) void_type_ = w[1];
          if (is_type(instruction.op) && length >= 2) types_[w[1]] = {instruction.op, 0, 0, 0};
          break;
      }
      // Whatever defines a typed value has the type's id, then its own.
      if (!is_type(instruction.op) && length >= 3 && types_.count(w[1]) != 0) {
        value_types_.emplace(w[2], w[1]);
      }
      if (instruction.op == kOpConstant && length >= 4) constants_[w[2]] = w[3];
      if (!note_specialization(instruction) || !note_call(instruction)) return false;
    }
    return true;
  }

  static bool is_type(std::uint32_t op) {
    return (op >= kOpTypeVoid && op <= kOpTypeLast) || op == kOpTypeUntypedPointer;
  }

  bool add_kernel(const Instruction& instruction) {
    auto name = instruction.string_at(3);
    if (!name) return fail("the SPIR-V is damaged: a kernel's name has no end");
    if (!kernel_of_function_.emplace(instruction.words[2], module_.kernels.size()).second) {
      return fail("the SPIR-V makes two kernels of one function (\"" + *name + "\")");
    }
    kernel_functions_.push_back(instruction.words[2]);
    KernelInfo info;
    info.name = std::move(*name);
    module_.kernels.push_back(std::move(info));
    return true;
  }

  bool decorate(const Instruction& instruction) {
    const std::uint32_t* w = instruction.words;
    if (instruction.length < 4) return true;
    if (w[2] == kDecorationSpecId) specialization_ids_[w[1]] = w[3];
    if (w[2] == kDecorationBuiltIn) built_ins_.insert(w[1]);
    if (w[2] != kDecorationLinkage) return true;
    auto name = instruction.string_at(3);
    if (!name) return fail("the SPIR-V is damaged: a linkage name has no end");
    const std::uint32_t linkage = w[instruction.length - 1];
    if (linkage == kLinkageImport) imports_.emplace_back(w[1], identifier(*name));
    if (linkage == kLinkageExport) module_.exports.push_back(identifier(*name));
    return true;
  }

  bool note_specialization(const Instruction& instruction) {
    if (instruction.length < 3) return true;
    const auto id = specialization_ids_.find(instruction.words[2]);
    if (id == specialization_ids_.end()) return true;
    if (instruction.op == kOpSpecConstantTrue || instruction.op == kOpSpecConstantFalse) {
      module_.specialization_bytes[id->second] = 1;
    } else if (instruction.op == kOpSpecConstant) {
      const auto type = types_.find(instruction.words[1]);
      if (type == types_.end() || type->second.width % 8 != 0 || type->second.width > 64) {
        return fail("the SPIR-V is damaged: specialization constant " + std::to_string(id->second) +
                    " has no scalar type");
      }
      module_.specialization_bytes[id->second] = type->second.width / 8;
    }
    return true;
  }

  std::optional<std::uint32_t> constant(std::uint32_t id) const {
    const auto found = constants_.find(id);
    if (found == constants_.end()) return std::nullopt;
    return found->second;
  }

  /// The OpenCL C type of a value or, for pointers, of what the called function sees.
  std::optional<ParameterType> parameter_type(std::uint32_t type_id, bool is_unsigned) const {
    const auto found = types_.find(type_id);
    if (found == types_.end()) return std::nullopt;
    Type type = found->second;
    ParameterType result;
    if (type.op == kOpTypeVector) {
      result.vector_length = type.width;
      const auto element = types_.find(type.element);
      if (element == types_.end() || type.width < 2 || type.width > 16) return std::nullopt;
      type = element->second;
    }
    if (type.op == kOpTypeInt) {
      switch (type.width) {
        case 8:
          result.scalar = is_unsigned ? Scalar::kUchar : Scalar::kChar;
          return result;
        case 16:
          result.scalar = is_unsigned ? Scalar::kUshort : Scalar::kShort;
          return result;
        case 32:
          result.scalar = is_unsigned ? Scalar::kUint : Scalar::kInt;
          return result;
        default:
          return std::nullopt;
      }
    }
    if (type.op == kOpTypeFloat && (type.width == 16 || type.width == 32)) {
      result.scalar = type.width == 16 ? Scalar::kHalf : Scalar::kFloat;
      return result;
    }
    return std::nullopt;
  }

  bool note_call(const Instruction& instruction) {
    if (instruction.op == kOpMatrixMultiplyAccumulate) return note_matrix_call(instruction);
    if (instruction.op >= kOpBlockLoad && instruction.op <= kOpBlockStore) {
      return note_block_call(instruction);
    }
    return true;
  }

  bool note_block_call(const Instruction& instruction) {
    const bool prefetch = instruction.op == kOpBlockPrefetch;
    const bool store = instruction.op == kOpBlockStore;
    const std::uint32_t* w = instruction.words;
    if (instruction.length != (prefetch ? 10U : 11U)) {
      return fail("the SPIR-V is damaged: a 2D block instruction has a wrong length");
    }
    std::array<std::uint32_t, 4> shape{};  // Element bytes, columns, rows, blocks.
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const auto value = constant(w[1 + i]);
      if (!value || *value == 0 || *value > 64) {
        return fail("a 2D block instruction needs constant sizes between 1 and 64");
      }
      shape[i] = *value;
    }
    Scalar element = Scalar::kUchar;
    if (shape[0] == 2) element = Scalar::kUshort;
    if (shape[0] == 4) element = Scalar::kUint;
    if (shape[0] == 8) element = Scalar::kUlong;
    const char* kind = "read";
    if (instruction.op == kOpBlockLoadTransform) {
      kind = "read_transform";
      element = Scalar::kUint;
    } else if (instruction.op == kOpBlockLoadTranspose) {
      kind = "read_transpose";
    } else if (prefetch) {
      kind = "prefetch";
    } else if (store) {
      kind = "write";
    }
    // The instruction has the private pointer of a store before the memory's, the function last.
    std::vector<std::uint32_t> arguments(w + 5, w + instruction.length);
    if (store) std::rotate(arguments.begin(), arguments.begin() + 1, arguments.end());

    MangledName name;
    name.base = std::string("intel_sub_group_2d_block_") + kind + "_" +
                std::to_string(shape[0] * 8) + "b_" + std::to_string(shape[2]) + "r" +
                std::to_string(shape[1]) + "x" + std::to_string(shape[3]) + "c";
    name.parameters.resize(arguments.size());
    name.parameters[0] = {Scalar::kVoid, 1, true, false, 1};
    for (std::size_t i = 1; i < 4; ++i) name.parameters[i].scalar = Scalar::kInt;
    name.parameters[4] = {Scalar::kInt, 2, false, false, 0};
    if (!prefetch) name.parameters[5] = {element, 1, true, false, 0};
    return add_call(instruction, name, void_type_, 0, std::move(arguments));
  }

  bool note_matrix_call(const Instruction& instruction) {
    const std::uint32_t* w = instruction.words;
    if (instruction.length < 7) {
      return fail("the SPIR-V is damaged: a matrix instruction has a wrong length");
    }
    const auto depth = constant(w[3]);
    if (!depth) return fail("a matrix instruction needs a constant K dimension");
    const std::uint32_t flags = instruction.length > 7 ? w[7] : 0;
    const auto a = parameter_type(value_type(w[4]), false);
    const auto b = parameter_type(value_type(w[5]), false);
    const auto c = parameter_type(w[1], false);
    if (!a || !b || !c || value_type(w[6]) != w[1]) {
      return fail("a matrix instruction has operands of types that do not fit");
    }
    const auto a_element = matrix_element(flags, 0);
    const auto b_element = matrix_element(flags, 1);
    if (a_element.empty() || b_element.empty()) {
      return fail("a matrix instruction does not say what its elements are (operand mask " +
                  std::to_string(flags) + ")");
    }
    MangledName name;
    name.base =
        "intel_sub_group_" + a_element + "_" + b_element + "_matrix_mad_k" + std::to_string(*depth);
    name.parameters = {*a, *b, *c};
    return add_call(instruction, name, w[1], w[2], {w[4], w[5], w[6]});
  }

  std::uint32_t value_type(std::uint32_t id) const {
    const auto found = value_types_.find(id);
    return found == value_types_.end() ? 0 : found->second;
  }

  /// Element of matrix A (0) or B (1), whose flags stand side by side in the operand mask.
  static std::string matrix_element(std::uint32_t flags, std::uint32_t matrix) {
    const auto has = [&](std::uint32_t flag) { return (flags & (flag << matrix)) != 0; };
    const char* sign = has(0x1) ? "i" : "u";
    if (has(0x10)) return std::string(sign) + "8";
    if (has(0x40)) return std::string(sign) + "4";
    if (has(0x100)) return "tf32";
    if (has(0x400)) return "f16";
    if (has(0x1000)) return "bf16";
    return "";
  }

  bool add_call(const Instruction& instruction, const MangledName& name, std::uint32_t result_type,
                std::uint32_t result, std::vector<std::uint32_t> arguments) {
    Call call{name.mangle(), result_type, result, {}, std::move(arguments)};
    for (const std::uint32_t argument : call.arguments) {
      const std::uint32_t type = value_type(argument);
      if (type == 0) {
        return fail("the SPIR-V is damaged: an operand of a sub-group instruction is not defined");
      }
      call.argument_types.push_back(type);
    }
    calls_.emplace(instruction.words, std::move(call));
    return true;
  }

  /// A name without the characters that stop the runtime's vectoriser: it puts names of functions
  /// into names of their variants, and Triton writes the arguments of a function into its name.
  static std::string identifier(std::string name) {
    for (char& c : name) {
      const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
      if (!fine) c = '_';
    }
    return name;
  }

  void finish_imports() {
    for (auto& import : imports_) {
      if (built_ins_.count(import.first) == 0) module_.imports.push_back(std::move(import.second));
    }
  }

  void finish_kernels() {
    for (std::size_t i = 0; i < module_.kernels.size(); ++i) {
      for (const std::uint32_t type : parameters_[kernel_functions_[i]]) {
        module_.kernels[i].arguments.push_back(argument_kind(type));
      }
    }
    for (const auto& mode : modes_) {
      const std::uint32_t* w = mode.words;
      const auto found = kernel_of_function_.find(w[1]);
      if (found == kernel_of_function_.end()) continue;
      KernelInfo& kernel = module_.kernels[found->second];
      if (w[2] == kModeSubgroupSize && mode.length >= 4) kernel.required_subgroup_size = w[3];
      if (mode.length < 6) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (w[2] == kModeLocalSize) kernel.required_group_size[axis] = w[3 + axis];
        if (w[2] == kModeLocalSizeId) {
          kernel.required_group_size[axis] = constant(w[3 + axis]).value_or(0);
        }
      }
    }
  }

  /// A pointer to private storage stands for a structure passed by value.
  ArgumentKind argument_kind(std::uint32_t type_id) const {
    const auto found = types_.find(type_id);
    if (found == types_.end()) return ArgumentKind::kValue;
    const Type& type = found->second;
    if (type.op != kOpTypePointer && type.op != kOpTypeUntypedPointer) return ArgumentKind::kValue;
    if (type.storage == kStorageWorkgroup) return ArgumentKind::kLocalMemory;
    if (type.storage == kStorageFunction) return ArgumentKind::kValue;
    return ArgumentKind::kPointer;
  }

  void emit(std::uint32_t op, std::initializer_list<std::uint32_t> operands) {
    module_.words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    module_.words.insert(module_.words.end(), operands);
  }

  void emit(std::uint32_t op, const std::vector<std::uint32_t>& operands) {
    module_.words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    module_.words.insert(module_.words.end(), operands.begin(), operands.end());
  }

  bool is_dropped(const Instruction& instruction) const {
    const std::uint32_t* w = instruction.words;
    switch (instruction.op) {
      case kOpCapability:
        return instruction.length >= 2 && contains(kDroppedCapabilities, w[1]);
      case kOpExecutionMode:
      case kOpExecutionModeId:
        return instruction.length >= 3 && contains(kDroppedModes, w[2]);
      case kOpExtension: {
        const auto name = instruction.string_at(1);
        return name && contains(kDroppedExtensions, *name);
      }
      case kOpControlBarrierArrive:
        return true;
      default:
        return false;
    }
  }

  void write() {
    auto& out = module_.words;
    out.reserve(words_.size() + 64);
    out.assign(words_.begin(), words_.begin() + kHeaderWords);
    out[1] = std::min(out[1], kNewestVersion);
    next_id_ = out[3];
    if (!calls_.empty() && !has_linkage_) emit(kOpCapability, {kCapabilityLinkage});

    std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t> functions;
    for (const auto& entry : calls_) {
      const auto key = std::make_pair(entry.second.name, entry.second.argument_types);
      if (functions.emplace(key, next_id_).second) ++next_id_;
    }
    bool decorated = false;
    bool declared = false;
    for (const auto& instruction : instructions_) {
      const bool in_function = instruction.op == kOpFunction;
      if (!decorated && (is_type(instruction.op) || in_function)) {
        decorated = true;
        for (const auto& function : functions)
          decorate_import(function.second, function.first.first);
      }
      if (!declared && in_function) {
        declared = true;
        declare(functions);
      }
      if (is_dropped(instruction)) continue;
      const auto call = calls_.find(instruction.words);
      if (call != calls_.end()) {
        const Call& c = call->second;
        std::vector<std::uint32_t> operands{c.result_type, c.result != 0 ? c.result : next_id_++,
                                            functions[{c.name, c.argument_types}]};
        operands.insert(operands.end(), c.arguments.begin(), c.arguments.end());
        emit(kOpFunctionCall, operands);
        continue;
      }
      const std::size_t at = out.size();
      out.insert(out.end(), instruction.words, instruction.words + instruction.length);
      if (instruction.op == kOpControlBarrierWait) {
        out[at] = (instruction.length << 16) | kOpControlBarrier;
      } else if (instruction.op == kOpName) {
        rewrite_name(instruction, at, 2);
      } else if (instruction.op == kOpDecorate && instruction.length > 4 &&
                 instruction.words[2] == kDecorationLinkage) {
        rewrite_name(instruction, at, 3);
      }
    }
    out[3] = next_id_;
  }

  /// Of the instruction at `at` of the output, whose name starts at its word `index`.
  void rewrite_name(const Instruction& instruction, std::size_t at, std::uint32_t index) {
    const auto name = instruction.string_at(index);
    if (!name) return;
    const std::string rewritten = identifier(*name);
    std::memcpy(&module_.words[at + index], rewritten.data(), rewritten.size());
  }

  void decorate_import(std::uint32_t function, const std::string& name) {
    std::vector<std::uint32_t> operands{function, kDecorationLinkage};
    const auto text = encode_string(name);
    operands.insert(operands.end(), text.begin(), text.end());
    operands.push_back(kLinkageImport);
    emit(kOpDecorate, operands);
    if (!contains(module_.imports, name)) module_.imports.push_back(name);
  }

  void declare(const std::map<std::pair<std::string, std::vector<std::uint32_t>>, std::uint32_t>&
                   functions) {
    std::map<std::uint32_t, std::uint32_t> result_types;  // By function.
    std::map<std::uint32_t, std::uint32_t> declared_types;
    for (const auto& entry : calls_) {
      const Call& call = entry.second;
      result_types[functions.at({call.name, call.argument_types})] = call.result_type;
    }
    for (const auto& function : functions) {
      std::vector<std::uint32_t> signature{result_types[function.second]};
      signature.insert(signature.end(), function.first.second.begin(), function.first.second.end());
      auto type = function_types_.find(signature);
      if (type == function_types_.end()) {
        type = function_types_.emplace(signature, next_id_++).first;
        std::vector<std::uint32_t> operands{type->second};
        operands.insert(operands.end(), signature.begin(), signature.end());
        emit(kOpTypeFunction, operands);
      }
      declared_types[function.second] = type->second;
    }
    for (const auto& function : functions) {
      emit(kOpFunction,
           {result_types[function.second], function.second, 0, declared_types[function.second]});
      for (const std::uint32_t type : function.first.second) {
        emit(kOpFunctionParameter, {type, next_id_++});
      }
      emit(kOpFunctionEnd, {});
    }
  }

  std::vector<std::uint32_t> words_;
  std::string& error_;
  std::vector<Instruction> instructions_;
  SpirvModule module_;

  std::vector<std::pair<std::uint32_t, std::string>> imports_;
  std::unordered_set<std::uint32_t> built_ins_;  // Variables that the runtime provides.
  std::vector<std::uint32_t> kernel_functions_;  // By kernel.
  std::unordered_map<std::uint32_t, std::size_t> kernel_of_function_;
  std::vector<Instruction> modes_;
  std::unordered_map<std::uint32_t, Type> types_;
  std::unordered_map<std::uint32_t, std::uint32_t> value_types_;
  std::unordered_map<std::uint32_t, std::uint32_t> constants_;
  std::unordered_map<std::uint32_t, std::uint32_t> specialization_ids_;       // By result id.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> parameters_;  // By function.
  std::map<std::vector<std::uint32_t>, std::uint32_t> function_types_;
  std::map<const std::uint32_t*, Call> calls_;  // By instruction, in the module's order.
  std::uint32_t void_type_ = 0;
  std::uint32_t next_id_ = 0;
  bool has_linkage_ = false;
};

}  // namespace

std::optional<SpirvModule> read_spirv(const std::uint8_t* data, std::size_t size,
                                      std::string& error) {
  if (data == nullptr || size < kHeaderWords * sizeof(std::uint32_t) ||
      size % sizeof(std::uint32_t) != 0) {
    error = "the module is not SPIR-V: " + std::to_string(size) + " bytes are no SPIR-V words";
    return std::nullopt;
  }
  std::vector<std::uint32_t> words(size / sizeof(std::uint32_t));
  std::memcpy(words.data(), data, size);
  if (words[0] == kMagicSwapped) {
    for (auto& word : words) word = __builtin_bswap32(word);
  }
  if (words[0] != kMagic) {
    error = "the module is not SPIR-V: its first word is not the magic number";
    return std::nullopt;
  }
  return Reader(std::move(words), error).read();
}

}  // namespace softgpu
