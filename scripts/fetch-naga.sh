#!/bin/sh
# Builds naga's command line, which translates WGSL to MSL, HLSL and SPIR-V, into skald's cache: with cargo, from crates.io, at the version
# of naga that is in the wgpu-native that skald fetches, and with the versions of its own lock file, whose checksums cargo verifies.
# It takes some minutes once. Does nothing when it is there.
#
# The cache is $SKALD_CACHE, or ~/.cache/skald. Only the cache is written to, and cargo's own.
# Exit status: 0 when it is there or there is no cargo, 1 otherwise.
set -eu

say() { echo "fetch-naga: $*"; }
fail() { say "$*" >&2; return 1; }

. "$(dirname "$0")/fetch.sh"

version=29.0.4
dir=$cache/naga/$version

present "$dir" && { say "naga $version: present in $dir"; exit 0; }
command -v cargo >/dev/null 2>&1 || { say "there is no cargo: kernels are not translated by naga here"; exit 0; }
writable
work=$(mktemp -d "$cache/fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
say "naga $version: building naga-cli"
cargo install naga-cli --version "$version" --locked --root "$work/root" --target-dir "$work/target" --quiet
mkdir "$work/out"
cp "$work/root/bin/naga" "$work/out/"
place "$work/out" "$dir"
say "naga $version: now in $dir"
