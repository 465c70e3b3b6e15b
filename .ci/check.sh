# shellcheck shell=bash
# Formatting, linters and types, all with rules from the repository and pinned tools from .venv.

readonly PYTHON_FOLDERS=(.ci benchmarks csrc examples proton_xpu tests)

list_cpp_files() {
  git ls-files --cached --others --exclude-standard --deduplicate -- '*.cpp' '*.cc' '*.h'
}

check_formatting() {
  ruff format --check --quiet "${PYTHON_FOLDERS[@]}" &&
    list_cpp_files | xargs clang-format --dry-run --Werror
}

check_shell() { shellcheck --external-sources --check-sourced dev .ci/run; }

# A check's findings are what the caller wants to read, so they are not hidden in a log.
run_check() {
  local text=$1
  shift
  printf -- '-- %s\n' "$text"
  "$@" || fail "the check '$text' found the above; ./dev format puts formatting right"
}

check_sources() {
  run_check "Formatting" check_formatting
  run_check "Python: ruff" ruff check --quiet "${PYTHON_FOLDERS[@]}"
  run_check "Python: types" mypy
  run_check "Shell: shellcheck" check_shell
  run_check "C++: clang-tidy" python "$ROOT/.ci/run_clang_tidy.py" "$ROOT/build/dev"
}

format_sources() {
  ruff format "${PYTHON_FOLDERS[@]}"
  ruff check --quiet --fix --select I "${PYTHON_FOLDERS[@]}"
  list_cpp_files | xargs clang-format -i
}
