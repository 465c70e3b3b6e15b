# shellcheck shell=bash
# Formatting, linters and types, all with rules from the repository and pinned tools from .venv.

readonly PYTHON_FOLDERS=(.ci benchmarks csrc examples proton_xpu pytest_proton_xpu tests)

list_cpp_files() {
  git ls-files --cached --others --exclude-standard --deduplicate -- '*.cpp' '*.cc' '*.h'
}

check_formatting() {
  local rc=0
  ruff format --check --quiet "${PYTHON_FOLDERS[@]}" || rc=1
  list_cpp_files | xargs clang-format --dry-run --Werror || rc=1
  return "$rc"
}

check_shell() { shellcheck --external-sources --check-sourced dev .ci/run .ci/fetch_level_zero.sh; }

# A check's findings are what the caller wants to read, so they are not hidden in a log, and all
# checks are run before the verdict.
FAILED_CHECKS=()

run_check() {
  local text=$1
  shift
  printf -- '-- %s\n' "$text"
  "$@" || FAILED_CHECKS+=("$text")
}

check_sources() {
  run_check "formatting" check_formatting
  run_check "ruff" ruff check --quiet "${PYTHON_FOLDERS[@]}"
  run_check "mypy" mypy
  run_check "shellcheck" check_shell
  run_check "clang-tidy" python "$ROOT/.ci/run_clang_tidy.py" "$ROOT/build/dev"
  if ((${#FAILED_CHECKS[@]} > 0)); then
    fail "put right what these checks found above: ${FAILED_CHECKS[*]} (./dev format does formatting)"
  fi
}

format_sources() {
  ruff format "${PYTHON_FOLDERS[@]}"
  ruff check --quiet --fix --select I "${PYTHON_FOLDERS[@]}"
  list_cpp_files | xargs clang-format -i
}
