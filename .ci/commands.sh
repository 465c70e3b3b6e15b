# shellcheck shell=bash
# The commands of ./dev.

print_help() {
  cat <<'HELP'
usage: ./dev COMMAND [ARGUMENTS]

  demo     run the example kernels under the profiler and print the profile
  test     run everything that CI runs; arguments go to pytest and limit the run to it
  bench    measure the profiler's cost
  check    formatting, linters and types
  format   format the sources in place
  asan     C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
  tsan     C++ tests under ThreadSanitizer
  docs     check the documentation
  setup    install and build what the other commands need; they do it themselves
  clean    remove .venv, .deps and build
HELP
}

command_help() { print_help; }

command_setup() {
  set_up
  echo "Ready. Activate the environment with: source .venv/bin/activate"
}

command_demo() {
  set_up
  python -m examples "$@"
}

command_test() {
  set_up
  if (($# > 0)); then
    python -m pytest "$@"
    return
  fi
  ctest --preset dev
  python -m pytest
}

command_clean() { rm -rf "$ROOT/.venv" "$ROOT/.deps" "$ROOT/build" "$ROOT/dist"; }
