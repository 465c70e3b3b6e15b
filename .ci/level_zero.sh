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

fetch_level_zero() (
  set -euo pipefail
  local work=$DEPS/level-zero.partial apt_options library
  rm -rf "$work"
  mkdir -p "$work"/{sources,lists/partial,cache/archives/partial,download,unpacked}
  "$VENV/bin/python" "$ROOT/.ci/newer_release_source.py" bookworm trixie >"$work/sources/newer.sources"
  apt_options=(-q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources"
    -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Get::List-Cleanup=0)
  apt-get "${apt_options[@]}" update
  (cd "$work/download" && apt-get "${apt_options[@]}" download libze1 libze-dev)
  for package in "$work"/download/*.deb; do dpkg -x "$package" "$work/unpacked"; done

  mkdir -p "$work/ready/lib"
  cp -a "$work/unpacked/usr/include" "$work/ready/include"
  for library in ze_loader ze_tracing_layer ze_validation_layer; do
    "$VENV/bin/python" "$ROOT/.ci/drop_version_need.py" GLIBCXX_3.4.32 \
      "$(readlink -f "$work/unpacked"/usr/lib/*/"lib$library.so.1")" \
      "$work/ready/lib/lib$library.so.1"
    ln -s "lib$library.so.1" "$work/ready/lib/lib$library.so"
  done
  rm -rf "$LEVEL_ZERO_DIR"
  mv "$work/ready" "$LEVEL_ZERO_DIR"
  rm -rf "$work"
)

ensure_level_zero() {
  local stamp candidate
  if system_level_zero_fits; then return; fi
  stamp=$(stamp_of "$(cat "$ROOT"/.ci/{level_zero.sh,newer_release_source.py,drop_version_need.py})")
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
    fetch_level_zero
  stamp_set level-zero "$stamp"
}
