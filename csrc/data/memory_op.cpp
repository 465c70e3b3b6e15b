#include "data/memory_op.h"

namespace proton_xpu {

const char* direction_name(CopyDirection direction) {
  switch (direction) {
    case CopyDirection::kHostToDevice:
      return "H2D";
    case CopyDirection::kDeviceToHost:
      return "D2H";
    case CopyDirection::kDeviceToDevice:
      return "D2D";
    case CopyDirection::kPeerToPeer:
      return "P2P";
    case CopyDirection::kHostToHost:
      return "H2H";
    case CopyDirection::kShared:
      return "shared";
    case CopyDirection::kUnknown:
      break;
  }
  return "unknown";
}

std::string memory_op_name(const Activity& activity) {
  if (activity.kind == ActivityKind::kFill) {
    return "<memset>";
  }
  if (activity.direction == CopyDirection::kUnknown) {
    return "<memcpy>";
  }
  return std::string("<memcpy:") + direction_name(activity.direction) + ">";
}

}  // namespace proton_xpu
