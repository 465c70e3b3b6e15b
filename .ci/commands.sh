# shellcheck shell=bash
# The commands of ./dev.

print_help() {
  cat <<'HELP'
usage: ./dev COMMAND [ARGUMENTS]

  demo     run the example kernels under the profiler and print the profile
  test     run all that CI runs; with arguments, only pytest with these arguments
  bench    measure what the profiler costs
  check    formatting, linters and types
  format   format the sources in place
  asan     C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
  tsan     C++ tests under ThreadSanitizer
  docs     make the documentation's pictures and check its links and tables
  setup    install and build what the other commands need; each of them does it too
  clean    remove .venv, .deps, build and dist

Environment: PYTHON names the interpreter to make .venv with (3.10, 3.11 or 3.12).
HELP
}

command_help() { print_help; }

command_setup() {
  set_up
  echo "Ready. To use it in this shell: source .venv/bin/activate"
}

command_demo() {
  set_up
  python -m examples "$@"
}

command_test() {
  set_up
  ensure_browser
  ensure_upstream_triton
  if (($# > 0)); then
    python -m pytest "$@"
    return
  fi
  check_sources
  build dev
  ctest --preset dev
  test_sanitized asan
  test_sanitized tsan
  python -m pytest --numprocesses 2 --dist loadfile
}

command_bench() {
  set_up
  build dev
  python -m benchmarks "$@"
}

command_check() {
  set_up
  check_sources
}

command_format() {
  set_up
  format_sources
}

test_sanitized() {
  build "$1"
  ctest --preset "$1"
}

command_asan() {
  set_up
  test_sanitized asan
}

command_tsan() {
  set_up
  test_sanitized tsan
}

command_docs() {
  set_up
  ensure_browser
  python .ci/docs_pictures.py
  python -m pytest tests/python/house/test_{readme,documentation,docs_pictures}.py
}

command_clean() { rm -rf "$ROOT/.venv" "$ROOT/.deps" "$ROOT/build" "$ROOT/dist"; }
