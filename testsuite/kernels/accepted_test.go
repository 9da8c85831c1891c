package kernels

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/testsuite/depth"
)

// Note [Accepted kernels]
// ~~~~~~~~~~~~~~~~~~~~~~~
// NVRTC takes a tenth of a second for a kernel, eleven minutes for those of all our programs. What it takes of a text does not change, so a
// list has a hash of each kernel that it has compiled, and full tests compile those that the list lacks: every kernel of our programs is
// compiled, those that have not changed once. A sample of those in the list is compiled all the same, which finds a list that is wrong, and
// an NVRTC that takes less. `make nvrtc` compiles what the list lacks and writes it again.

// accept is what `make nvrtc` sets.
var accept = flag.Bool("accept", false, "compile all kernels that the list of accepted ones lacks, and write the list")

const (
	// first is the profile that all kernels are compiled for.
	first = "sm_90"
	// acceptedFile is the list: a hash a line, in order.
	acceptedFile = "testdata/nvrtc.txt"
	// hashLength is how much of a hash is enough to tell ten thousand kernels apart: one in 10^8 texts would be taken for another.
	hashLength = 10
	// mostLacking is how many kernels full tests compile that the list lacks.
	mostLacking = 200
)

// unnamed is the text of a kernel without the comment that says what it is.
func unnamed(source string) string {
	_, text, _ := strings.Cut(source, "\n#define")
	return text
}

// hashOf is what the list has of a kernel: it depends on the text and on NVRTC's options.
func hashOf(s *device.KernelSpec) string {
	return cuda.CodeName(&device.KernelSpec{Source: unnamed(s.Source)}, first)[:hashLength]
}

// accepted are the hashes of the list; none where it is not there.
func accepted(t *testing.T) map[string]bool {
	t.Helper()
	list, err := os.ReadFile(acceptedFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for hash := range strings.FieldsSeq(string(list)) {
		out[hash] = true
	}
	return out
}

// writeAccepted writes the list.
func writeAccepted(t *testing.T, specs []device.KernelSpec) {
	t.Helper()
	var hashes []string
	for i := range specs {
		hashes = append(hashes, hashOf(&specs[i])+"\n")
	}
	slices.Sort(hashes)
	if err := os.WriteFile(acceptedFile, []byte(strings.Join(hashes, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstChoice are the kernels that are compiled for the first profile.
func firstChoice(t *testing.T, specs []device.KernelSpec) []device.KernelSpec {
	t.Helper()
	switch {
	case deep:
		return specs
	case depth.Of() < depth.Full && !*accept:
		return oneIn(32, specs)
	}
	listed := accepted(t)
	var lacking, known []device.KernelSpec
	for _, s := range specs {
		if listed[hashOf(&s)] {
			known = append(known, s)
		} else {
			lacking = append(lacking, s)
		}
	}
	t.Logf("%s lacks %d of %d kernels", acceptedFile, len(lacking), len(specs))
	if len(lacking) > mostLacking && !*accept {
		t.Fatalf("%s lacks %d of %d kernels, more than %d: run `make nvrtc`", acceptedFile, len(lacking), len(specs), mostLacking)
	}
	return append(lacking, oneIn(32, known)...)
}

// oneIn are the first of each n kernels.
func oneIn[T any](n int, xs []T) []T {
	var out []T
	for i := 0; i < len(xs); i += n {
		out = append(out, xs[i])
	}
	return out
}
