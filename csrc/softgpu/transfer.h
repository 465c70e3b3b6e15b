// Copies and fills.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "softgpu/command.h"

namespace softgpu {

std::shared_ptr<const Operation> make_copy(void* destination, const void* source, std::size_t size);

/// Copies a box of bytes; the pitches are in bytes.
std::shared_ptr<const Operation> make_region_copy(
    void* destination, const ze_copy_region_t& destination_region, std::size_t destination_pitch,
    std::size_t destination_slice_pitch, const void* source, const ze_copy_region_t& source_region,
    std::size_t source_pitch, std::size_t source_slice_pitch);

/// Repeats the pattern over `size` bytes; the pattern's value is taken now.
std::shared_ptr<const Operation> make_fill(void* destination, const void* pattern,
                                           std::size_t pattern_size, std::size_t size);

}  // namespace softgpu
