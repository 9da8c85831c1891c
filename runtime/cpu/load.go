package cpu

import (
	"os"
	"path/filepath"

	"skald/runtime/dynlib"
)

// loadFile loads a shared library by way of a file in a folder that only the user may enter.
func loadFile(code []byte) (dynlib.Library, error) {
	dir, err := scratch()
	if err != nil {
		return dynlib.Library{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind is in the folder for such files
	path := filepath.Join(dir, "code.so")
	if err := os.WriteFile(path, code, 0o700); err != nil {
		return dynlib.Library{}, err
	}
	return dynlib.Open(path, dynlib.Private)
}
