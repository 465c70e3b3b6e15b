# Finds the Level Zero headers; nothing is linked, all libraries are opened at run time.
#
#   LEVEL_ZERO_ROOT   folder that has include/level_zero, or level_zero itself; optional
#   LevelZero::Headers   the target to use
find_path(LEVEL_ZERO_INCLUDE_DIR level_zero/ze_api.h HINTS "${LEVEL_ZERO_ROOT}/include"
          "${LEVEL_ZERO_ROOT}" "${LEVEL_ZERO_ROOT}/usr/include" ENV ZE_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  LevelZeroHeaders
  REQUIRED_VARS LEVEL_ZERO_INCLUDE_DIR
  REASON_FAILURE_MESSAGE
    "Install Debian's libze-dev, or set LEVEL_ZERO_ROOT to a folder with the headers.")
if(LevelZeroHeaders_FOUND AND NOT TARGET LevelZero::Headers)
  add_library(LevelZero::Headers INTERFACE IMPORTED)
  target_include_directories(LevelZero::Headers SYSTEM INTERFACE "${LEVEL_ZERO_INCLUDE_DIR}")
endif()
