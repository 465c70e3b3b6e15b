// GPU functions that kernels import and the OpenCL CPU runtime lacks, as OpenCL C. Each is written
// by rule from its name and parameter types, for every shape that the naming scheme allows:
//  - intel_sub_group_<a>_<b>_matrix_mad_k<K> of cl_intel_subgroup_matrix_multiply_accumulate;
//  - intel_sub_group_2d_block_{read,read_transform,read_transpose,write,prefetch}_... of
//    cl_intel_subgroup_2d_block_io.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softgpu {

/// The definition of one imported function for kernels of a sub-group size (8, 16 or 32), or
/// nothing if the name is not one of these or its parameters do not fit its shape.
std::optional<std::string> builtin_definition(std::string_view mangled_name,
                                              std::uint32_t sub_group_size);

/// What stands before the definitions in a source.
std::string_view builtin_prologue();

}  // namespace softgpu
