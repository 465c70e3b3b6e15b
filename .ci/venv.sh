# shellcheck shell=bash
# The virtual environment .venv with the packages that pyproject.toml asks for, in the versions of
# .ci/constraints.txt, and this checkout installed in place. The C++ parts are built by build.sh.

readonly VENV="$ROOT/.venv"

venv_works() {
  [[ -x $VENV/bin/python ]] && probe_interpreter "$VENV/bin/python" >/dev/null
}

pip_install() {
  "$VENV/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off \
    --constraint "$ROOT/.ci/constraints.txt" "$@"
}

install_python_packages() {
  # The build backend comes first: the checkout is installed without build isolation, so that the
  # build uses the same pinned packages and no second environment is downloaded.
  pip_install scikit-build-core pybind11 setuptools &&
    pip_install --no-build-isolation --config-settings=wheel.cmake=false \
      --config-settings=editable.mode=inplace --editable "${ROOT}[dev]"
}

# Takes INTERPRETER, which ensure_interpreter sets, where there is no working environment.
ensure_venv() {
  local stamp
  if ! venv_works; then
    run_step venv "Making .venv with $("$INTERPRETER" --version)" \
      "no virtual environment could be made with $INTERPRETER: install its venv module \
(python3-venv on Debian), then run this again" \
      "$INTERPRETER" -m venv --clear "$VENV"
    rm -f "$DEPS/stamp/venv"
  fi
  stamp=$(stamp_of "$("$VENV/bin/python" --version)" "$ROOT" "$(<"$ROOT/.ci/constraints.txt")" \
    "$(sed -n '/^\[build-system\]/,/^\[tool.pytest/p' "$ROOT/pyproject.toml")")
  if stamp_is venv "$stamp"; then return; fi
  run_step pip "Installing Python packages into .venv (about 1 GB at first)" \
    "pip could not install the packages: check the network and pip's settings (pip config list), \
then run this again" \
    install_python_packages
  stamp_set venv "$stamp"
}
