# shellcheck shell=bash
# Configures and builds a CMake preset.

# CMake sees to its own inputs; this hash covers what it does not watch.
configure() {
  local preset=$1 stamp
  stamp=$(stamp_of "$(<"$ROOT/CMakePresets.json")" "$("$VENV/bin/python" --version)" "$ROOT" \
    "$(g++ --version | head -n 1)" "$([[ -d $LEVEL_ZERO_DIR ]] && echo private)")
  if stamp_is "configure-$preset" "$stamp" && [[ -f $ROOT/build/$preset/build.ninja ]]; then
    return
  fi
  run_step "configure-$preset" "Configuring build/$preset" \
    "CMake could not configure the build: the output says what is missing" \
    cmake --preset "$preset" --fresh -S "$ROOT"
  stamp_set "configure-$preset" "$stamp"
}

# build PRESET [TARGETS...]; without targets, all that the preset builds.
build() {
  local preset=$1 targets=()
  shift
  if (($# > 0)); then targets=(--target "$@"); fi
  configure "$preset"
  run_step "build-$preset" "Building the C++ parts in build/$preset" \
    "the C++ build failed: the output has the compiler's messages" \
    cmake --build --preset "$preset" "${targets[@]}"
}
