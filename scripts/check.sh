#!/usr/bin/env bash
# The checks of the code's text: format and lint with the tools pinned in tools/go.mod, tidy modules, documents that say what the
# tables say, builds for the other systems, and no difference in the work tree afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

tool() { go tool -modfile=tools/go.mod "$@"; }

echo "check: format (gofumpt)"
if ! tool golangci-lint fmt --diff ./...; then
  echo "check: not formatted as above; golangci-lint fmt fixes it"
  exit 1
fi

echo "check: golangci-lint"
tool golangci-lint run ./...

# Translations have a case for each variant of a sum type, and no default that hides a new one: Note [Three forms] in middle/core.
echo "check: switches over sum types (go-check-sumtype)"
go list ./middle/... ./backends/... ./runtime/... | grep -v -e /middle/surface -e /middle/internalise |
  xargs go tool -modfile=tools/go.mod go-check-sumtype -default-signifies-exhaustive=false -include-shared-interfaces=true

echo "check: dead code"
dead=$(tool deadcode -test ./...)
if [ -n "$dead" ]; then
  echo "$dead"
  echo "check: nothing reaches the functions above, not even tests"
  exit 1
fi

echo "check: go mod tidy"
go mod tidy -diff

# Documents are changed after the tests were last run more often than code is.
echo "check: documents, scripts and the figures that documents repeat"
go test . ./testsuite/cmd/chart

# The lab is a module of its own, under the same rules.
echo "check: the lab"
(
  cd testsuite/lab
  go tool -modfile=../../tools/go.mod golangci-lint fmt --diff ./...
  go tool -modfile=../../tools/go.mod golangci-lint run ./...
  go mod tidy -diff
  go build -o /dev/null .
  go vet ./...
)

echo "check: builds for other systems"
for target in linux/amd64 linux/arm64 darwin/arm64 darwin/amd64 windows/amd64; do
  CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build ./...
  CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go vet ./runtime/{dynlib,device,webgpu,cuda}
done
CGO_ENABLED=0 go build -tags runner -o /dev/null ./cmd/skald

if [ -n "${CI:-}" ]; then
  git diff --exit-code
fi
echo "check: all is well"
