//go:build runner

package main

import (
	"fmt"
	"os"

	"skald/compiler"
)

// run is what a runner does without a program behind it. By the version in it `skald build --runner` knows a runner of its own.
func run([]string) int {
	fmt.Fprintf(os.Stderr, "%s: this is the runner of %s, which `skald build` puts programs behind; there is none behind it\n",
		os.Args[0], compiler.Version)
	return exitUser
}
