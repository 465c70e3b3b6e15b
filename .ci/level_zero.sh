# shellcheck shell=bash
# The Level Zero loader and headers. PTI needs the loader 1.16.15 or newer: an older one has no
# usable zesInit. Debian 13 has 1.20; Debian 12's is too old, so there the newer release's packages
# are unpacked into .deps/level-zero, which no other program sees.

readonly LEVEL_ZERO_MINIMUM=1.16.15
readonly LEVEL_ZERO_DIR="$DEPS/level-zero"

# Prints the version of the loader that the machine's linker finds; empty if there is none.
system_loader_version() {
  local path
  path=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p | sed -n 's/.*libze_loader\.so\.1 .* => //p' | head -n 1)
  if [[ -n $path ]]; then readlink -f "$path" | sed -n 's/.*libze_loader\.so\.//p'; fi
}

# The link name libze_loader.so, for Triton's launchers, comes with the headers' package.
system_level_zero_fits() {
  local version
  version=$(system_loader_version)
  [[ -n $version ]] && at_least "$version" "$LEVEL_ZERO_MINIMUM" &&
    has_header level_zero/ze_api.h
}

ensure_level_zero() {
  local stamp candidate
  if system_level_zero_fits; then return; fi
  stamp=$(stamp_of "$(cat "$ROOT"/.ci/{fetch_level_zero.sh,newer_release_source.py,drop_version_need.py})")
  if stamp_is level-zero "$stamp" && [[ -e $LEVEL_ZERO_DIR/lib/libze_loader.so.1 ]]; then return; fi

  update_package_lists
  candidate=$(apt_candidate libze-dev)
  if [[ -n $candidate ]] && at_least "${candidate%%-*}" "$LEVEL_ZERO_MINIMUM"; then
    install_packages libze1 libze-dev
    return
  fi
  run_step level-zero "Fetching a newer Level Zero loader into .deps/level-zero" \
    "the Level Zero loader ($LEVEL_ZERO_MINIMUM or newer) could not be fetched from the next Debian \
release: check the network, or install a newer libze1 and libze-dev, then run this again" \
    bash "$ROOT/.ci/fetch_level_zero.sh" "$VENV/bin/python" "$LEVEL_ZERO_DIR"
  stamp_set level-zero "$stamp"
}
