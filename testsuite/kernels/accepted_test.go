package kernels

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
)

// Note [Accepted kernels]
// ~~~~~~~~~~~~~~~~~~~~~~~
// NVRTC takes a tenth of a second for a kernel, eleven minutes for those of all our programs, as much again for their wide forms, and all
// that for each GPU. What it takes of a text does not change, so a list for each GPU has a hash of each kernel that it has compiled, and
// tests compile those that the list lacks: every kernel of our programs is compiled, those that have not changed once. A sample of those in
// the list is compiled all the same, which finds a list that is wrong, and an NVRTC that takes less. `make nvrtc` compiles what the lists
// lack and writes them again: that of full tests, or, where it is told to, those of deep ones. Deep tests compile all for the first GPU,
// with no list; the texts for the others are nearly all the same, but the compiler is another one: what a GPU has no instruction for, too
// much workgroup memory and impossible bounds on registers are only found when machine code is made.
//
// naga has lists, too, for each profile whose kernels it translates, which `make naga` writes. It takes six thousandths of a second for a
// kernel, so where a list lacks many no test fails: some of them are translated.

// accept is what `make nvrtc` and `make naga` set; parts is for machines where one run must end before all are compiled.
var (
	accept = flag.Bool("accept", false, "compile all kernels that the lists of accepted ones lack, and write these lists")
	parts  = flag.Int("parts", 1, "accept only one in so many of them: what the list lacks is less the next time")
)

const (
	// first is the profile that all kernels are compiled for in full tests, and others are those of deep ones.
	first = "sm_90"
	// hashLength is how much of a hash is enough to tell ten thousand kernels apart: one in 10^8 texts would be taken for another.
	hashLength = 10
	// mostLacking is how many kernels full tests compile that the list lacks.
	mostLacking = 200
)

var others = []string{"sm_80", "sm_75"}

// unnamed is the text of a kernel without the comment that says what it is.
func unnamed(source string) string {
	_, text, _ := strings.Cut(source, "\n#define")
	return text
}

// list has what a tool has accepted of the kernels for a profile: a hash a line, in order.
type list struct {
	tool, profile string
	hashes        map[string]bool
}

// file is where a list is.
func (l *list) file() string { return filepath.Join("testdata", l.tool, l.profile+".txt") }

// hashFor is what lists have of a kernel that NVRTC compiles for a profile: it depends on the text and on NVRTC's options.
func hashFor(profile string) func(device.KernelSpec) string {
	return func(s device.KernelSpec) string {
		return cuda.CodeName(&device.KernelSpec{Source: unnamed(s.Source)}, profile)[:hashLength]
	}
}

// readList reads the list of a tool for a profile; it is empty where there is none.
func readList(t *testing.T, tool, profile string) *list {
	t.Helper()
	l := &list{tool, profile, map[string]bool{}}
	text, err := os.ReadFile(l.file())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for hash := range strings.FieldsSeq(string(text)) {
		l.hashes[hash] = true
	}
	return l
}

// write writes the list, of those among some kernels that it has and that were accepted.
func write[T any](t *testing.T, l *list, hash func(T) string, all, accepted []T) {
	t.Helper()
	for _, x := range accepted {
		l.hashes[hash(x)] = true
	}
	var hashes []string
	for _, x := range all {
		if h := hash(x); l.hashes[h] {
			hashes = append(hashes, h+"\n")
		}
	}
	slices.Sort(hashes)
	if err := os.WriteFile(l.file(), []byte(strings.Join(slices.Compact(hashes), "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// split are the kernels that a list lacks, and those that it has.
func split[T any](t *testing.T, l *list, hash func(T) string, all []T) (lacking, known []T) {
	t.Helper()
	for _, x := range all {
		if l.hashes[hash(x)] {
			known = append(known, x)
		} else {
			lacking = append(lacking, x)
		}
	}
	t.Logf("%s lacks %d of %d kernels", l.file(), len(lacking), len(all))
	return lacking, known
}

// oneIn are the first of each n kernels.
func oneIn[T any](n int, xs []T) []T {
	var out []T
	for i := 0; i < len(xs); i += n {
		out = append(out, xs[i])
	}
	return out
}
