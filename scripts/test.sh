#!/usr/bin/env bash
# `make test`: all tests, on every device that a machine without a GPU has. It ends with the number of tests that passed.
#
# 1. Unit, golden and property tests of all packages (go test).
# 2. What goroutines share, under the race detector.
# 3. The conformance suite, testsuite/programs and examples, on the interpreter, on the evaluator of the low-level
#    program, on wgpu-native with lavapipe (native dialect), and on wgpu-native and Dawn with SwiftShader (portable dialect).
#    testsuite/passing.txt holds how many cases pass on each: fewer is a failure, more is written into the file.
set -euo pipefail
cd "$(dirname "$0")/.."

# The arithmetic of shaders is tested on all software devices, with a million arguments for each exact function: that
# takes some minutes, which is why go test gets more than its usual ten.
export SKALD_ARITH_ALL=1

echo "test: go test ./..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! go test -json -timeout 40m ./... > "$log"; then
  # Print what failed, and nothing of what passed.
  go run ./testsuite/summary -failures < "$log"
  exit 1
fi
go run ./testsuite/summary -skips < "$log"

# The race detector needs a C compiler.
if command -v cc > /dev/null; then
  echo "test: devices shared by goroutines, under the race detector"
  CGO_ENABLED=1 go test -race -run 'Goroutines|Contract' ./runtime/device ./runtime/webgpu ./runtime/cuda ./runtime/cpu
fi

echo "test: conformance on every configuration"
go run ./testsuite/passing

go run ./testsuite/summary -count -add testsuite/passing.txt < "$log"
