#!/usr/bin/env bash
# `make test-deep`: what `make test` tries a sample of, whole (package testsuite/depth), in parts that each end.
#
#   scripts/test-deep.sh             those parts, one after the other, that have not passed on this tree yet
#   scripts/test-deep.sh PART...     these parts; `make test-deep PARTS="arith cuda"` does the same
#   scripts/test-deep.sh -list       the names of the parts
#
# What a part printed is in build/test-deep/PART.json, and of those that passed the tree that they passed on in build/test-deep/PART.passed.
set -euo pipefail
cd "$(dirname "$0")/.."
export SKALD_TEST_DEPTH=deep GOGC=${GOGC:-400} GOMEMLIMIT=${GOMEMLIMIT:-3GiB}

everywhere="-args -configurations interpreter,evaluator"
# part NAME: the folder of the module and the arguments of go test.
part() {
  case $1 in
    arith) echo . ./testsuite/arith ;;
    drivers) echo . ./testsuite/everywhere -skip AsWebAssembly "$everywhere,cpu,native-lavapipe,portable-swiftshader,dawn-swiftshader" ;;
    wasm) echo . ./testsuite/everywhere -run AsWebAssembly ;;
    races)
      echo . ./testsuite/everywhere -run OnEveryConfiguration \
        "$everywhere,races-portable,races-native,races-sm_90,races-h200-wgpu,races-h200-cuda,races-lavapipe,races-cpu,races-cpu-evaluator"
      ;;
    lowering) echo . ./testsuite/lowering ;;
    cuda) echo . ./testsuite/kernels -run TestEveryKernelIsCUDA ;;
    kernels) echo . ./testsuite/kernels -skip TestEveryKernelIsCUDA ;;
    random) echo . ./testsuite/random/... ./testsuite/cmd/randomprograms ;;
    lab) echo testsuite/lab ./... ;;
    others)
      echo . "$(go list ./... | grep -vE 'testsuite/(arith|everywhere|lowering|kernels|random|cmd/randomprograms)(/|$)' | tr '\n' ' ')" ;;
    *)
      echo "test-deep: no part is called $1; there are $parts" >&2
      return 2
      ;;
  esac
}
parts="arith drivers wasm races lowering cuda kernels random lab others"

if [ "${1:-}" = -list ]; then
  tr ' ' '\n' <<< "$parts"
  exit
fi

mkdir -p build/test-deep
# The tree is named by its files: of a commit, or with what differs from it.
tree=$(git rev-parse HEAD 2> /dev/null || echo unknown)$(git diff HEAD 2> /dev/null | cksum | cut -d' ' -f1)
failed=""
for name in ${*:-$parts}; do
  arguments=$(part "$name")
  log=build/test-deep/$name.json
  if [ $# = 0 ] && [ "$(cat "build/test-deep/$name.passed" 2> /dev/null)" = "$tree" ]; then
    echo "test-deep: $name: has passed"
    continue
  fi
  rm -f "build/test-deep/$name.passed"
  read -ra words <<< "$arguments"
  # -timeout goes before the arguments of the test binary, which follow -args.
  start=$SECONDS
  TIMEFORMAT='%U %S'
  if used=$({ time go -C "${words[0]}" test -json -timeout 120m -ldflags="-s -w" "${words[@]:1}" > "$log" 2> "$log.err"; } 2>&1); then
    echo "$tree" > "build/test-deep/$name.passed"
  else
    failed="$failed $name"
    cat "$log.err"
    go run ./testsuite/cmd/testlog -failures < "$log"
  fi
  awk -v name="$name" -v wall=$((SECONDS - start)) -v count="$(go run ./testsuite/cmd/testlog -count < "$log")" \
    '{ printf "test-deep: %s: %s; %d s, %d s of processor time\n", name, count, wall, $1 + $2 }' <<< "$used"
done
if [ -n "$failed" ]; then
  echo "test-deep: failed:$failed"
  exit 1
fi
