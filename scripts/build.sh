#!/usr/bin/env bash
# Builds skald as one file, for this system or, with GOOS and GOARCH, another: first the runner, which executables are
# copies of and which has no tools in it, then skald with the runner inside.
#
#   scripts/build.sh OUTPUT [RUNNER]      (RUNNER: keep the runner by itself, too)
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:?usage: scripts/build.sh OUTPUT [RUNNER]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { CGO_ENABLED=0 "${GO:-go}" build -trimpath -buildvcs=false -ldflags="-s -w" "$@" ./cmd/skald; }

build -tags runner -o "$work/runner"
[ -z "${2:-}" ] || cp "$work/runner" "$2"
# The file appears in the package for this build alone.
printf '{"Replace": {"%s": "%s"}}\n' "$PWD/cmd/skald/runner" "$work/runner" >"$work/overlay.json"
build -tags embedded -overlay "$work/overlay.json" -o "$output"
