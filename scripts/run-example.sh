#!/usr/bin/env bash
# `make run`: compile the histogram example and run it on the bytes of a real file, on the best device there is.
# usage: scripts/run-example.sh [FILE]     (FILE: what to count the bytes of; the skald binary itself unless given)
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-./skald}
[ -r "$file" ] || { echo "run: cannot read $file" >&2; exit 2; }

# A library for WebGPU, and where there is no GPU a software driver. Without a network the CPU executor still runs the example.
if ! ./scripts/fetch-webgpu.sh wgpu-native && ! ./scripts/fetch-webgpu.sh dawn; then
  echo "run: no WebGPU library could be fetched; the example runs on what is there, at least the CPU executor"
elif ! ./skald devices --have-gpu > /dev/null 2>&1; then
  echo "run: there is no GPU here that WebGPU or CUDA reaches; a software driver takes its place"
  ./scripts/fetch-drivers.sh lavapipe || ./scripts/fetch-drivers.sh swiftshader ||
    echo "run: no software driver could be fetched; the example runs on the CPU executor"
fi
exec go run ./examples/demo ./skald "$file"
