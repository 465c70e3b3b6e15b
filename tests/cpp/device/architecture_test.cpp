#include "device/architecture.h"

#include <gtest/gtest.h>

namespace proton_xpu {
namespace {

constexpr std::uint32_t ip(std::uint32_t major, std::uint32_t minor, std::uint32_t revision) {
  return major << 22 | minor << 14 | revision;
}

TEST(Architecture, FormatsIpVersions) {
  EXPECT_EQ(format_ip_version(0x030F0007), "12.60.7");
  EXPECT_EQ(format_ip_version(0x05004000), "20.1.0");
  EXPECT_EQ(format_ip_version(0x07800004), "30.0.4");
}

TEST(Architecture, IsNamedByIpVersion) {
  EXPECT_EQ(architecture_name(0x030F0007, 0), "pvc");
  EXPECT_EQ(architecture_name(ip(12, 61, 7), 0), "pvc");
  EXPECT_EQ(architecture_name(ip(12, 55, 8), 0), "dg2");
  EXPECT_EQ(architecture_name(ip(12, 56, 5), 0), "dg2");
  EXPECT_EQ(architecture_name(ip(12, 70, 4), 0), "mtl");
  EXPECT_EQ(architecture_name(ip(12, 74, 4), 0), "arl");
  EXPECT_EQ(architecture_name(ip(20, 1, 0), 0), "bmg");
  EXPECT_EQ(architecture_name(ip(20, 2, 0), 0), "bmg");
  EXPECT_EQ(architecture_name(ip(20, 4, 4), 0), "lnl");
  EXPECT_EQ(architecture_name(ip(30, 1, 0), 0), "ptl");
  EXPECT_EQ(architecture_name(ip(35, 11, 0), 0), "cri");
}

TEST(Architecture, IpVersionWinsOverPciId) {
  EXPECT_EQ(architecture_name(ip(20, 1, 0), 0x0BD5), "bmg");
}

TEST(Architecture, IsNamedByPciIdWithoutKnownIpVersion) {
  EXPECT_EQ(architecture_name(0, 0x0BD5), "pvc");
  EXPECT_EQ(architecture_name(0, 0x56A0), "dg2");
  EXPECT_EQ(architecture_name(0, 0xE20B), "bmg");
  EXPECT_EQ(architecture_name(0, 0x64A0), "lnl");
  EXPECT_EQ(architecture_name(ip(99, 9, 9), 0xE20B), "bmg");
}

TEST(Architecture, UnknownKeepsTheIpVersion) {
  EXPECT_EQ(architecture_name(ip(99, 9, 9), 0xFFFF), "unknown-99.9.9");
  EXPECT_EQ(architecture_name(0, 0xFFFF), "unknown");
}

}  // namespace
}  // namespace proton_xpu
