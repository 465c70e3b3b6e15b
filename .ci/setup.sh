# shellcheck shell=bash
# Everything that the commands of ./dev need, but for C++ tests and benchmarks; each step only if its
# result is missing or outdated.

set_up() {
  if [[ $(uname -s)-$(uname -m) != Linux-x86_64 ]]; then
    fail "this runs on Linux on x86-64 only, for which Intel's packages are made"
  fi
  if ! venv_works; then ensure_interpreter; fi
  ensure_build_packages
  ensure_venv
  ensure_level_zero
  use_environment
  build dev proton_xpu_native softgpu
}

# What programs need to find the environment. A shell that has only activated .venv finds the rest by
# itself, but for a private Level Zero loader.
use_environment() {
  export PATH="$VENV/bin:$PATH" VIRTUAL_ENV="$VENV"
  export TRITON_CACHE_DIR="${TRITON_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-$DEPS}/.cache}/proton_xpu/triton}"
  # The wheel's build folder is another one, but its objects are the same.
  export CCACHE_NOHASHDIR=1
  unset PYTHONHOME PYTHONPATH
  if [[ -e $LEVEL_ZERO_DIR/lib/libze_loader.so.1 ]]; then
    export PROTON_XPU_LEVEL_ZERO_LOADER="${PROTON_XPU_LEVEL_ZERO_LOADER:-$LEVEL_ZERO_DIR/lib/libze_loader.so.1}"
  fi
}
