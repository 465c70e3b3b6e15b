# shellcheck shell=bash
# The upstream Triton release whose Proton viewer must open our files. It is another distribution of
# the package `triton`, so it is kept apart from .venv, and only the tests that need it see it.

readonly UPSTREAM_TRITON=triton==3.9.0

install_upstream_triton() {
  rm -rf "$DEPS/upstream-triton" &&
    pip_install --no-deps --target "$DEPS/upstream-triton" "$UPSTREAM_TRITON"
}

ensure_upstream_triton() {
  local stamp
  stamp=$(stamp_of "$UPSTREAM_TRITON" "$("$VENV/bin/python" --version)")
  if stamp_is upstream-triton "$stamp"; then return; fi
  run_step upstream-triton "Installing upstream's $UPSTREAM_TRITON into .deps for its viewer" \
    "pip could not install $UPSTREAM_TRITON: check the network and pip's settings (pip config \
list), then run this again" \
    install_upstream_triton
  stamp_set upstream-triton "$stamp"
}
