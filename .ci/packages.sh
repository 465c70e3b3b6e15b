# shellcheck shell=bash
# Debian packages, installed only where what they bring is missing.

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

may_be_root() {
  ((EUID == 0)) && return 0
  type -P sudo >/dev/null || return 1
  sudo -n true 2>/dev/null && return 0
  # Ask for the password here: a step's own input and output are not the terminal's.
  [[ -t 0 && -t 2 ]] && sudo -v
}

update_package_lists() {
  if [[ -n ${PACKAGE_LISTS_UPDATED:-} ]]; then return; fi
  if ! type -P apt-get >/dev/null || ! may_be_root; then return; fi
  run_step apt-update "Updating Debian's package lists" \
    "apt-get update failed: check the network and the package sources under /etc/apt, then run \
this again" \
    as_root apt-get -q -o DPkg::Lock::Timeout=300 update
  PACKAGE_LISTS_UPDATED=1
}

# Prints the version that apt would install, without the epoch; empty if the package is unknown.
# Call update_package_lists first.
apt_candidate() {
  type -P apt-cache >/dev/null || return 0
  apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([0-9]*:\)\{0,1\}//p' | grep -v none ||
    true
}

install_packages() {
  type -P apt-get >/dev/null ||
    fail "this set-up installs packages with apt-get, which is not here: use Debian 12 or 13"
  may_be_root ||
    fail "as root, run: apt-get install $*; then run this again (there is neither root nor sudo \
here)"
  update_package_lists
  run_step apt-install "Installing Debian packages: $*" \
    "apt-get could not install $*: check the network and the package sources under /etc/apt, then \
run this again" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install \
    --no-install-recommends "$@"
}

has_header() { [[ -e /usr/include/$1 || -e /usr/local/include/$1 ]]; }

# The compiler is needed at run time too: Triton compiles a launcher for each kernel signature.
ensure_build_packages() {
  local missing=()
  type -P g++ >/dev/null || missing+=(g++)
  type -P cmake >/dev/null || missing+=(cmake)
  type -P ninja >/dev/null || missing+=(ninja-build)
  type -P ccache >/dev/null || missing+=(ccache)
  has_header gtest/gtest.h || missing+=(libgtest-dev)
  has_header nlohmann/json.hpp || missing+=(nlohmann-json3-dev)
  has_header CL/cl.h || missing+=(opencl-c-headers)
  if ((${#missing[@]} > 0)); then install_packages "${missing[@]}"; fi

  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  if ! at_least "$version" 3.25; then
    fail "CMake $version is too old: install CMake 3.25 or newer, then run this again"
  fi
}

# The pages that reports are written as are tested in a browser.
ensure_browser() {
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome chrome; do
    if type -P "$name" >/dev/null; then return; fi
  done
  update_package_lists
  if [[ -n $(apt_candidate chromium-headless-shell) ]]; then
    install_packages chromium-headless-shell
  else
    install_packages chromium
  fi
}

# at_least VERSION MINIMUM: whether VERSION is not older.
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }
