// A libpti_view that only knows its version, which FAKE_PTI_VERSION gives as "major.minor.patch".
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct FakePtiVersion {
  std::uint32_t parts[3];
};

extern "C" __attribute__((visibility("default"))) FakePtiVersion ptiVersion() {
  FakePtiVersion version{};
  const char* text = std::getenv("FAKE_PTI_VERSION");
  if (text != nullptr) {
    std::sscanf(text, "%u.%u.%u", &version.parts[0], &version.parts[1], &version.parts[2]);
  }
  return version;
}
