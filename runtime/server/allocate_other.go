//go:build !linux

package server

import "os"

// allocate sets the size of a file.
func allocate(f *os.File, size int64) error { return f.Truncate(size) }
