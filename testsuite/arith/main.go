package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "arith: run its tests")
	os.Exit(2)
}
