#!/usr/bin/env bash
# Looks for bad accesses, races and barriers that not all threads reach in kernels on CUDA, with NVIDIA's compute-sanitizer.
#
#   scripts/sanitize-gpu.sh [FILE...]       memcheck, racecheck and synccheck on the programs of testsuite/sanitizegpu/programs.txt;
#                                       memcheck alone on the files, if some are given
#   scripts/sanitize-gpu.sh pack FOLDER     makes a folder that can be carried to a machine without Go: there, `./sanitize-gpu.sh [FILE...]`
#
# The sanitizer is the one that SKALD_SANITIZER names, that of PATH, or that of a CUDA toolkit under /usr/local. Each tool runs in a few
# processes (SKALD_SANITIZER_PROCESSES, 4 unless set). Reports are written to the folder sanitize-results, in the repository under build.
# Exit status: 0 when nothing was found, 1 when something was or a case failed, 2 when there is no sanitizer.
set -euo pipefail
cd "$(dirname "$0")"
if [ -f ../go.mod ]; then
  cd ..
fi

if [ "${1:-}" = pack ]; then
  folder=${2:?pack needs a folder}
  mkdir -p "$folder/testsuite/sanitizegpu"
  CGO_ENABLED=0 go build -o "$folder/sanitizegpu" ./testsuite/cmd/sanitizegpu
  cp -r examples "$folder/"
  cp -r testsuite/programs "$folder/testsuite/"
  cp testsuite/sanitizegpu/programs.txt "$folder/testsuite/sanitizegpu/"
  cp scripts/sanitize-gpu.sh "$folder/"
  exit 0
fi

sanitizer=${SKALD_SANITIZER:-}
for found in "$(command -v compute-sanitizer || true)" /usr/local/cuda*/bin/compute-sanitizer; do
  if [ -z "$sanitizer" ] && [ -x "$found" ]; then
    sanitizer=$found
  fi
done
if [ -z "$sanitizer" ]; then
  echo "sanitize: there is no compute-sanitizer; install the CUDA toolkit or name it with SKALD_SANITIZER" >&2
  exit 2
fi
program=./sanitizegpu
results=sanitize-results
if [ -f go.mod ]; then
  program=build/sanitizegpu
  results=build/sanitize-results
  CGO_ENABLED=0 go build -o "$program" ./testsuite/cmd/sanitizegpu
fi

# check TOOL [FILE...]: runs a tool on the files, or on the list, in several processes at once.
check() {
  local tool=$1 processes=${SKALD_SANITIZER_PROCESSES:-4} status=0 pids=() n
  shift
  for n in $(seq "$processes"); do
    "$sanitizer" --tool "$tool" --error-exitcode 3 "$program" -part "$n/$processes" "$@" >"$results/$tool-$n.txt" 2>&1 &
    pids+=($!)
  done
  for n in "${pids[@]}"; do
    wait "$n" || status=1
  done
  echo "$tool: $(grep -h 'cases passed' "$results/$tool"-*.txt | awk '{ p += $1; c += $3; f += $6 } END { print p " programs, " c " cases passed, " f " failed" }')"
  grep -hE 'ERROR SUMMARY|RACECHECK SUMMARY|FAIL ' "$results/$tool"-*.txt | sort | uniq -c
  return "$status"
}

mkdir -p "$results"
status=0
if [ $# -gt 0 ]; then
  check memcheck "$@" || status=1
else
  for tool in memcheck racecheck synccheck; do
    check "$tool" || status=1
  done
fi
exit "$status"
