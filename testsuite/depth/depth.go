// Package depth says how thorough the tests are: those that try many arguments, sizes or devices ask it how many. It imports
// nothing of ours.
//
//	n := depth.Choose(2_000, 20_000, 1_000_000)
//
// SKALD_TEST_DEPTH chooses: unset for `go test`, "full" for `make test`, "deep" for `make test-deep`.
package depth

import (
	"fmt"
	"os"
	"testing"
)

// Depth is how thorough tests are; a deeper one contains all that the ones before it test.
type Depth uint8

// The depths.
const (
	// Quick is that of `go test ./...`: every kind of test once, where it is cheap.
	Quick Depth = iota
	// Full is that of `make test`: every software device, and every variant of it.
	Full
	// Deep is that of `make test-deep`: as many arguments as the evidence for a release needs.
	Deep
)

// Of is the depth that SKALD_TEST_DEPTH names. It panics on another name, so that a typing error cannot weaken the tests.
func Of() Depth {
	switch name := os.Getenv("SKALD_TEST_DEPTH"); name {
	case "", "quick":
		return Quick
	case "full":
		return Full
	case "deep":
		return Deep
	default:
		panic(fmt.Sprintf("SKALD_TEST_DEPTH is %q, not quick, full or deep", name))
	}
}

// Choose returns the number for the depth of this run.
func Choose(quick, full, deep int) int { return [...]int{quick, full, deep}[Of()] }

// Need skips the test where the depth is less, and says so.
func Need(t testing.TB, d Depth) {
	t.Helper()
	if Of() < d {
		t.Skipf("SKIPPED: runs with SKALD_TEST_DEPTH=%s", [...]string{"quick", "full", "deep"}[d])
	}
}
