// Command gen writes the prelude's modules of numbers, which differ only in their type, from the templates beside it.
// It is run by `go generate` in frontend/prelude; a test there checks that the files are current.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"skald/frontend/prelude/gen/render"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen DIR")
		os.Exit(2)
	}
	for name, text := range render.Files() {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
