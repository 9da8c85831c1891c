#!/usr/bin/env bash
# `make run`: compile the histogram example and run it on the bytes of a real file, on the best device there is.
# usage: scripts/run-example.sh [FILE]     (FILE: what to count the bytes of; the skald binary itself unless given)
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-./skald}
[ -r "$file" ] || { echo "run: cannot read $file" >&2; exit 2; }

# A library for WebGPU. Without a network or a GPU the processor runs the example.
if ! ./scripts/fetch-webgpu.sh wgpu-native && ! ./scripts/fetch-webgpu.sh dawn; then
  echo "run: no WebGPU library could be fetched; the example runs on what is there, at least the processor"
elif ! ./skald devices --have-gpu > /dev/null 2>&1; then
  echo "run: there is no GPU here that WebGPU or CUDA reaches; the example runs on the processor"
fi
exec go run ./examples/demo ./skald "$file"
