# shellcheck shell=bash
# Finds a Python that the pinned packages fit: 3.10 to 3.12 (triton-xpu 3.3.0b1 has no other wheel).

readonly PYTHON_ADVICE="no Python 3.10, 3.11 or 3.12 was found (triton-xpu has no wheel for newer \
ones): install one, for example with pyenv (pyenv install 3.12), or name it with \
PYTHON=/path/to/python3.12, then run this again"

# Prints the real path of the interpreter if it fits and is whole: able to make a virtual
# environment, and with the C headers that extension modules need.
probe_interpreter() {
  "$1" - 2>/dev/null <<'PYTHON'
import sys

if not (3, 10) <= sys.version_info[:2] <= (3, 12):
    sys.exit(1)
import ctypes, ensurepip, os, ssl, sysconfig, venv

if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    sys.exit(1)
print(getattr(sys, "_base_executable", None) or sys.executable)
PYTHON
}

list_interpreters() {
  local name root
  if [[ -n ${PYTHON:-} ]]; then
    printf '%s\n' "$PYTHON"
    return
  fi
  for name in python3 python3.12 python3.11 python3.10; do
    type -P -a "$name" || true
  done
  for root in "${PYENV_ROOT:-}" "${HOME:-/nonexistent}/.pyenv"; do
    for name in 3.12 3.11 3.10; do
      compgen -G "$root/versions/$name.*/bin/python3" || true
    done
  done
}

find_interpreter() {
  local candidate
  while read -r candidate; do
    if probe_interpreter "$candidate"; then return 0; fi
  done < <(list_interpreters)
  return 1
}

# Sets INTERPRETER. Debian's own python3 is installed or completed where its version fits.
ensure_interpreter() {
  INTERPRETER=$(find_interpreter) && return 0
  if [[ -n ${PYTHON:-} ]]; then
    fail "PYTHON=$PYTHON is not a Python 3.10, 3.11 or 3.12 with venv, ssl and its C headers: \
name another one or unset PYTHON"
  fi
  update_package_lists
  case $(apt_candidate python3) in
    3.10.* | 3.11.* | 3.12.*) install_packages python3 python3-venv python3-dev ;;
    *) fail "$PYTHON_ADVICE" ;;
  esac
  INTERPRETER=$(find_interpreter) || fail "$PYTHON_ADVICE"
}
