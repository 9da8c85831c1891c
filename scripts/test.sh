#!/usr/bin/env bash
# `make test`: all tests, on every device that a machine without a GPU has. It ends with the number of tests that passed.
#
# 1. Unit, golden and property tests of all packages, the arithmetic of shaders and the project's own programs among them, on
#    the software devices (go test). testsuite/depth says what full means; scripts/test-deep.sh runs what is deep.
# 2. The lab (testsuite/lab, a module of its own), but not its kernels, when it or the shaders have changed.
# 3. What goroutines share, under the race detector.
set -euo pipefail
cd "$(dirname "$0")/.."
export SKALD_TEST_DEPTH=full
# Compilers make much garbage and keep little: collecting it less often saves a fifth of the processor time.
export GOGC=${GOGC:-800} GOMEMLIMIT=${GOMEMLIMIT:-3GiB}
# As skald is built, and what tests build in turn: then everything is compiled once.
export CGO_ENABLED=0
# lavapipe's compiler does not optimise: that is a third of what it costs. make test-deep runs what it makes else.
export GALLIVM_PERF=${GALLIVM_PERF:-nopt}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run FOLDER ARGUMENT...: go test in a module; prints what failed, and nothing of what passed. Test binaries without tables for debuggers
# are linked in half the time, and make check vets.
run() {
  local folder=$1
  shift
  if ! go -C "$folder" test -json -vet=off -timeout 60m -ldflags="-s -w" "$@" >> "$log"; then
    go run ./testsuite/cmd/testlog -failures < "$log"
    go run ./testsuite/cmd/testlog -count < "$log"
    exit 1
  fi
}

# changed PATH...: whether the paths differ from the main branch, or from the last commit on that branch itself. Where git cannot
# say, they count as changed.
changed() {
  local base
  base=$(git merge-base HEAD origin/main 2> /dev/null || git merge-base HEAD main 2> /dev/null) || return 0
  if [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse HEAD~1 2> /dev/null) || return 0
  fi
  ! git diff --quiet "$base" -- "$@" || [ -n "$(git status --porcelain -- "$@")" ]
}

echo "test: all packages ($SKALD_TEST_DEPTH)"
run . ./...

if changed testsuite/lab shaders; then
  echo "test: the lab"
  run testsuite/lab -short ./...
else
  echo "test: the lab is left out: neither testsuite/lab nor shaders has changed (make test-deep runs it whole)"
fi

# The race detector needs a C compiler.
if command -v cc > /dev/null; then
  echo "test: devices shared by goroutines, under the race detector"
  CGO_ENABLED=1 run . -race -run 'Goroutines|Contract' ./runtime/device ./runtime/webgpu ./runtime/cuda ./runtime/cpu
fi

go run ./testsuite/cmd/testlog -skips < "$log"
echo "test: what took longest (wall-clock time, beside other packages):"
go run ./testsuite/cmd/testlog -slowest 20 < "$log"
echo "test: $SECONDS s; processor time of this shell (user, system), then of its children:"
times
go run ./testsuite/cmd/testlog -count < "$log"
