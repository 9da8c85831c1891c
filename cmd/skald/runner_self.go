//go:build !embedded && !runner

package main

// embeddedRunner is empty in a skald that was built by `go build` alone: it is its own runner.
var embeddedRunner []byte
