#!/usr/bin/env bash
# Unpacks the Level Zero loader and headers of the next Debian release into a folder of its own.
#
#   fetch_level_zero.sh PYTHON FOLDER
#
# The packages come from the machine's own package source and apt checks their signatures. Only the
# copies are changed: they lose the need for a symbol version that this release's libstdc++ lacks.
set -euo pipefail

python=$1 target=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$target.partial

rm -rf "$work"
mkdir -p "$work"/{sources,lists/partial,cache/archives/partial,download,unpacked,ready/lib}
"$python" "$here/newer_release_source.py" bookworm trixie >"$work/sources/newer.sources"
apt_options=(-q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources"
  -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Get::List-Cleanup=0)
apt-get "${apt_options[@]}" update
(cd "$work/download" && apt-get "${apt_options[@]}" download libze1 libze-dev)
for package in "$work"/download/*.deb; do dpkg -x "$package" "$work/unpacked"; done

cp -a "$work/unpacked/usr/include" "$work/ready/include"
for library in ze_loader ze_tracing_layer ze_validation_layer; do
  "$python" "$here/drop_version_need.py" GLIBCXX_3.4.32 \
    "$(readlink -f "$work/unpacked"/usr/lib/*/"lib$library.so.1")" \
    "$work/ready/lib/lib$library.so.1"
  ln -s "lib$library.so.1" "$work/ready/lib/lib$library.so"
done
rm -rf "$target"
mv "$work/ready" "$target"
rm -rf "$work"
