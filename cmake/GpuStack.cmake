# For tests and benchmarks that run on the software device through the real loader and PTI:
#   proton_xpu_test_support   target: the stack's paths, a small Level Zero application, the device's
#                             controls
#   proton_xpu_gpu_test_main  target: main() of a GoogleTest program that uses the stack
#   LEVEL_ZERO_LOADER, PTI_LIBRARY, OPENCL_RUNTIME   cache variables: paths of libze_loader.so.1,
#                             libpti_view and libintelocl.so
find_library(LEVEL_ZERO_LOADER NAMES libze_loader.so.1
             HINTS "${LEVEL_ZERO_ROOT}/lib" "${LEVEL_ZERO_INCLUDE_DIR}/../lib"
             DOC "Level Zero loader that tests and benchmarks use")
if(Python_EXECUTABLE)
  cmake_path(GET Python_EXECUTABLE PARENT_PATH gpu_stack_python_folder)
endif()
find_library(PTI_LIBRARY NAMES libpti_view.so.1 libpti_view.so.0
             HINTS "${gpu_stack_python_folder}/../lib"
             DOC "libpti_view that tests and benchmarks use")
find_library(OPENCL_RUNTIME NAMES libintelocl.so HINTS "${gpu_stack_python_folder}/../lib"
             DOC "OpenCL CPU runtime on which the software device runs kernels")
if(NOT LEVEL_ZERO_LOADER OR NOT PTI_LIBRARY OR NOT OPENCL_RUNTIME)
  message(FATAL_ERROR "Tests and benchmarks need the Level Zero loader, Intel PTI and the OpenCL "
          "CPU runtime: set LEVEL_ZERO_LOADER, PTI_LIBRARY and OPENCL_RUNTIME to the paths of "
          "libze_loader.so.1, libpti_view.so.1 and libintelocl.so, or Python_EXECUTABLE to a Python "
          "with the packages intel-pti and intel-opencl-rt.")
endif()
if(NOT TARGET proton_xpu_test_support)
  add_subdirectory("${PROJECT_SOURCE_DIR}/tests/cpp/support"
                   "${PROJECT_BINARY_DIR}/tests/cpp/support")
endif()
