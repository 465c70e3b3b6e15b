#include "softgpu/parking.h"

namespace softgpu {

ParkingLot::Bucket* ParkingLot::buckets() {
  static Bucket* const all = new Bucket[std::size_t{1} << kBucketBits];
  return all;
}

void ParkingLot::notify_all_buckets() {
  for (std::size_t i = 0; i < std::size_t{1} << kBucketBits; ++i) notify_bucket(buckets()[i]);
}

}  // namespace softgpu
