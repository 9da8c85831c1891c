#!/usr/bin/env bash
# Builds skald for each system and processor, as dist/skald-SYSTEM-PROCESSOR, with the runner beside it, of which `skald build
# --target` makes executables, and writes dist/SHA256SUMS. Arguments name some of them alone.
#
#   scripts/dist.sh [linux/amd64]...
set -euo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  targets=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
fi
out=${DIST:-dist}
mkdir -p "$out"
rm -f "$out"/skald-* "$out"/runner-skald-* "$out"/SHA256SUMS
for target in "${targets[@]}"; do
  name=skald-${target/\//-}
  [ "${target%/*}" = windows ] && name=$name.exe
  echo "dist: $out/$name"
  GOOS=${target%/*} GOARCH=${target#*/} ./scripts/build.sh "$out/$name" "$out/runner-$name"
done
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum skald-* runner-*; else shasum -a 256 skald-* runner-*; fi >SHA256SUMS
