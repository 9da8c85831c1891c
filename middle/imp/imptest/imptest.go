// Package imptest is what tests of packages that make or print kernels share.
package imptest

import (
	"os"
	"testing"

	"skald/middle/imp"
)

// Kernels returns the kernels of a text, which are verified.
func Kernels(t *testing.T, text string) []*imp.Kernel {
	t.Helper()
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range p.Kernels {
		if err := imp.VerifyKernel(k); err != nil {
			t.Fatal(err)
		}
	}
	return p.Kernels
}

// Kernel returns the first kernel of a text.
func Kernel(t *testing.T, text string) *imp.Kernel {
	t.Helper()
	return Kernels(t, text)[0]
}

// KernelsOf returns the kernels of a file.
func KernelsOf(t *testing.T, path string) []*imp.Kernel {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Kernels(t, string(src))
}
