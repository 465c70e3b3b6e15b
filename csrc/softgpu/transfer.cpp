#include "softgpu/transfer.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace softgpu {
namespace {

class Copy : public Operation {
 public:
  Copy(void* destination, const void* source, std::size_t size)
      : destination_(destination), source_(source), size_(size) {}

  std::string run(WorkerContext&) const override {
    std::memmove(destination_, source_, size_);
    return "";
  }

 private:
  void* destination_;
  const void* source_;
  std::size_t size_;
};

class RegionCopy : public Operation {
 public:
  struct Side {
    std::size_t offset;
    std::size_t pitch;
    std::size_t slice_pitch;
  };

  RegionCopy(void* destination, const Side& to, const void* source, const Side& from,
             const ze_copy_region_t& extent)
      : destination_(static_cast<std::byte*>(destination) + to.offset),
        source_(static_cast<const std::byte*>(source) + from.offset),
        to_(to),
        from_(from),
        extent_(extent) {}

  std::string run(WorkerContext&) const override {
    for (std::size_t z = 0; z < std::max(extent_.depth, 1U); ++z) {
      for (std::size_t y = 0; y < std::max(extent_.height, 1U); ++y) {
        std::memmove(destination_ + y * to_.pitch + z * to_.slice_pitch,
                     source_ + y * from_.pitch + z * from_.slice_pitch, extent_.width);
      }
    }
    return "";
  }

 private:
  std::byte* destination_;
  const std::byte* source_;
  Side to_;
  Side from_;
  ze_copy_region_t extent_;
};

class Fill : public Operation {
 public:
  Fill(void* destination, const void* pattern, std::size_t pattern_size, std::size_t size)
      : destination_(static_cast<std::byte*>(destination)),
        pattern_(static_cast<const std::byte*>(pattern),
                 static_cast<const std::byte*>(pattern) + pattern_size),
        size_(size) {}

  std::string run(WorkerContext&) const override {
    if (pattern_.size() == 1) {
      std::memset(destination_, std::to_integer<int>(pattern_.front()), size_);
      return "";
    }
    for (std::size_t done = 0; done < size_; done += pattern_.size()) {
      std::memcpy(destination_ + done, pattern_.data(), std::min(pattern_.size(), size_ - done));
    }
    return "";
  }

 private:
  std::byte* destination_;
  std::vector<std::byte> pattern_;
  std::size_t size_;
};

RegionCopy::Side side_of(const ze_copy_region_t& region, std::size_t pitch,
                         std::size_t slice_pitch) {
  return {region.originX + region.originY * pitch + region.originZ * slice_pitch, pitch,
          slice_pitch};
}

}  // namespace

std::shared_ptr<const Operation> make_copy(void* destination, const void* source,
                                           std::size_t size) {
  return std::make_shared<Copy>(destination, source, size);
}

std::shared_ptr<const Operation> make_region_copy(
    void* destination, const ze_copy_region_t& destination_region, std::size_t destination_pitch,
    std::size_t destination_slice_pitch, const void* source, const ze_copy_region_t& source_region,
    std::size_t source_pitch, std::size_t source_slice_pitch) {
  return std::make_shared<RegionCopy>(
      destination, side_of(destination_region, destination_pitch, destination_slice_pitch), source,
      side_of(source_region, source_pitch, source_slice_pitch), source_region);
}

std::shared_ptr<const Operation> make_fill(void* destination, const void* pattern,
                                           std::size_t pattern_size, std::size_t size) {
  return std::make_shared<Fill>(destination, pattern, pattern_size, size);
}

}  // namespace softgpu
