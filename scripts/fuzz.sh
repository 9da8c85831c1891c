#!/usr/bin/env bash
# `make fuzz`: run every fuzz test for a while (FUZZTIME, 30s unless given). What they find is kept under testdata/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-30s}
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
  dir=$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]*' "$file" | sed 's/func //' | while read -r name; do
    echo "fuzz: $dir $name for $time"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "$dir"
  done
done
