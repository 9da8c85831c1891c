//go:build runner

package main

import (
	"fmt"
	"os"
)

// run is what a runner does without a program behind it.
func run([]string) int {
	fmt.Fprintf(os.Stderr, "%s: this is the runner that `skald build` puts programs behind; there is none behind it\n", os.Args[0])
	return exitUser
}
