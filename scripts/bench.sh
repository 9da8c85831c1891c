#!/usr/bin/env bash
# `make bench`: every benchmark COUNT times (6 unless given), in the format that benchstat compares, to standard output and to a file.
#
#   make bench BENCH=Pass COUNT=10 OUT=before.txt     then change something
#   make bench BENCH=Pass COUNT=10 OUT=after.txt      and: benchstat before.txt after.txt
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-bench.txt}
packages=$(grep -rlE '^func Benchmark' --include='*_test.go' . | xargs -n 1 dirname | sort -u)
# shellcheck disable=SC2086 # one word a package
go test -run '^$' -bench "${BENCH:-.}" -benchmem -benchtime "${TIME:-1s}" -count "${COUNT:-6}" -timeout 0 $packages | tee "$out"
echo "bench: written to $out" >&2
