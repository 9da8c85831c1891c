#!/usr/bin/env bash
# `make test-gpu`: all test programs on the GPU of this machine, through each WebGPU library and dialect that there is.
#
#   scripts/test-gpu.sh [ARGUMENT...]     makes the folder build/test-gpu and runs its program, ongpu, with the arguments
#   scripts/test-gpu.sh pack FOLDER       only makes the folder, which can be carried to a machine without Go and without a network:
#                                         there, `./ongpu` in the folder runs what nine minutes suffice for and exits with 3 as long as
#                                         something is left; results/ has the tables
#
# SKALD_PEER names a checkout of Futhark, whose tests are then run too, and SKALD_AUTO_OUTPUT a folder with reference outputs
# for those of them that compare with a compiler's; without it the interpreter computes these.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/test-gpu
if [ "${1:-}" = pack ]; then
  folder=${2:?pack needs a folder}
fi

mkdir -p "$folder"
rm -rf "$folder"/{programs,examples,large,futhark-tests,auto-output}
CGO_ENABLED=0 go build -o "$folder/ongpu" ./testsuite/cmd/ongpu
cp -r testsuite/programs examples testsuite/large "$folder/"
if [ -n "${SKALD_PEER:-}" ]; then
  cp -r "$SKALD_PEER/tests" "$folder/futhark-tests"
else
  echo "test-gpu: without Futhark's tests, since SKALD_PEER names no checkout of Futhark"
fi
if [ -n "${SKALD_AUTO_OUTPUT:-}" ]; then
  cp -r "$SKALD_AUTO_OUTPUT" "$folder/auto-output"
fi
./scripts/fetch-webgpu.sh || echo "test-gpu: the WebGPU libraries could not be fetched; those that are found are used"
cache=${SKALD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/skald}
find "$cache/webgpu" -name 'lib*.so' -exec cp {} "$folder/" \;
[ "${1:-}" != pack ] || exit 0

cd "$folder"
while :; do
  code=0
  ./ongpu "$@" || code=$?
  [ "$code" = 3 ] || exit "$code"
done
