// A Level Zero loader as old as Debian 12's: it starts, but is too old for PTI. Built without the
// Level Zero headers, whose prototypes these stand-ins do not follow.
#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

/// zel_component_version_t.
struct ComponentVersion {
  char name[64];
  std::int32_t specification;
  std::int32_t library[3];
};

int zeInit(unsigned) { return 0; }

int zelLoaderGetVersions(std::size_t* count, ComponentVersion* components) {
  if (components != nullptr && *count >= 1) components[0] = {"loader", 0, {1, 8, 12}};
  *count = 1;
  return 0;
}

int zeDriverGet() { return 1; }
int zeDriverGetProperties() { return 1; }
int zeDriverGetApiVersion() { return 1; }
int zeDeviceGet() { return 1; }
int zeDeviceGetSubDevices() { return 1; }
int zeDeviceGetProperties() { return 1; }
int zeDeviceGetMemoryProperties() { return 1; }
int zeContextCreate() { return 1; }
int zeContextDestroy() { return 1; }
int zeCommandListCreateImmediate() { return 1; }
int zeCommandListDestroy() { return 1; }

}  // extern "C"
#pragma GCC visibility pop
