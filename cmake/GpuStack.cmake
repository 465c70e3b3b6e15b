# For tests and benchmarks that run on the software device through the real loader and PTI:
#   proton_xpu_test_support   target: the stack's paths, a small Level Zero application, the device's
#                             controls
#   proton_xpu_gpu_test_main  target: main() of a GoogleTest program that uses the stack
#   LEVEL_ZERO_LOADER, PTI_LIBRARY   cache variables: paths of libze_loader.so.1 and libpti_view
find_library(LEVEL_ZERO_LOADER NAMES libze_loader.so.1
             HINTS "${LEVEL_ZERO_ROOT}/lib" "${LEVEL_ZERO_INCLUDE_DIR}/../lib"
             DOC "Level Zero loader that tests and benchmarks use")
if(Python_EXECUTABLE)
  cmake_path(GET Python_EXECUTABLE PARENT_PATH gpu_stack_python_folder)
endif()
find_library(PTI_LIBRARY NAMES libpti_view.so.1 libpti_view.so.0
             HINTS "${gpu_stack_python_folder}/../lib"
             DOC "libpti_view that tests and benchmarks use")
if(NOT LEVEL_ZERO_LOADER OR NOT PTI_LIBRARY)
  message(FATAL_ERROR "Tests and benchmarks need the Level Zero loader and Intel PTI: set "
          "LEVEL_ZERO_LOADER to the path of libze_loader.so.1 and PTI_LIBRARY to that of "
          "libpti_view.so.1, or Python_EXECUTABLE to a Python with the package intel-pti.")
endif()
if(NOT TARGET proton_xpu_test_support)
  add_subdirectory("${PROJECT_SOURCE_DIR}/tests/cpp/support"
                   "${PROJECT_BINARY_DIR}/tests/cpp/support")
endif()
