package main

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"skald/shaders"
	"skald/testsuite/arith/reference"
)

var hexWord = regexp.MustCompile(`0x([0-9a-f]+)u`)

// table reads the words of a constant array of the library.
func table(t *testing.T, name string) []uint32 {
	t.Helper()
	text, err := shaders.Library(shaders.Portable, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	var words []uint32
	for _, m := range hexWord.FindAllStringSubmatch(text, -1) {
		w, err := strconv.ParseUint(m[1], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, uint32(w))
	}
	return words
}

func TestTablesAreTheSeriesThatTheirCommentsName(t *testing.T) {
	for name, want := range reference.Tables() {
		words := table(t, name)
		var got []uint64
		for i := 0; i+1 < len(words); i += 2 {
			got = append(got, uint64(words[i+1])<<32|uint64(words[i]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is %x, want %x", name, got, want)
		}
	}
	got := table(t, "TABLE_TWO_OVER_PI")
	if want := append(make([]uint32, 3), reference.TwoOverPi(len(got)-3)...); !slices.Equal(got, want) {
		t.Errorf("TABLE_TWO_OVER_PI is %x, want %x", got, want)
	}
}
