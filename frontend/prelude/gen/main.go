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
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write writes all files to a folder.
func write(dir string) error {
	for name, text := range render.Files() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
