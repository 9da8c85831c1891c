//go:build !linux

package cpu

import "skald/runtime/dynlib"

// loadCode loads a shared library that is in memory.
func loadCode(code []byte) (dynlib.Library, error) { return loadFile(code) }
