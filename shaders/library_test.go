package shaders

import (
	"slices"
	"strings"
	"testing"
)

// dialects are all languages, and what a WGSL device can have.
func dialects() []Dialect {
	return []Dialect{
		Portable, Native,
		{Language: CUDA},
		{Language: C},
		{Language: WGSL, Int64: true},
		{Language: WGSL, Float16: true},
		{Language: WGSL, Int64: true, Float64: true},
	}
}

func TestEveryFunctionIsDocumentedUnderItsOwnName(t *testing.T) {
	for _, d := range dialects() {
		if err := d.index().err; err != nil {
			t.Fatal(err)
		}
		for _, name := range Names(d) {
			f, _ := Lookup(d, name)
			if !strings.HasPrefix(f.Doc, name+"(") {
				t.Errorf("%v: the comment of %s starts %q", d, name, f.Doc)
			}
		}
	}
}

func TestLibraryHoldsWhatItNeedsAndNothingElse(t *testing.T) {
	text, err := Library(Portable, []string{"div_i64"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fn div_i64(", "fn quotrem_i64(", "fn w_divmod(", "alias I64 = vec2<u32>;"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("want %q once in\n%s", want, text)
		}
	}
	for _, not := range []string{"fn mod_i64(", "f32", "//"} {
		if strings.Contains(text, not) {
			t.Errorf("unwanted %q in\n%s", not, text)
		}
	}
	if strings.Index(text, "fn w_divmod(") > strings.Index(text, "fn div_i64(") {
		t.Error("a function precedes one that it uses")
	}
}

// Reading all of it took 9 ms, a third of what a first kernel took.
func TestDeclarationsAreReadWhenTheyAreAskedFor(t *testing.T) {
	ix := readIndex(Native)
	read := func() (n int) {
		for _, u := range ix.units {
			if u.text != "" {
				n++
			}
		}
		return n
	}
	if n := read(); n != 0 {
		t.Errorf("%d declarations are read before one is asked for", n)
	}
	if ix.unit("div_i64"); read() != 1 {
		t.Errorf("%d declarations are read for one", read())
	}
}

func TestLibraryDoesNotDependOnTheOrderOfNames(t *testing.T) {
	names := Names(Native)
	a, _ := Library(Native, names)
	slices.Reverse(names)
	b, _ := Library(Native, names)
	if a != b {
		t.Error("two orders give two texts")
	}
}

func TestUnknownNameIsAnError(t *testing.T) {
	if _, err := Library(Portable, []string{"frobnicate_i64"}); err == nil {
		t.Error("no error")
	}
}

func TestConversionsBetweenAllTypesExist(t *testing.T) {
	types := strings.Fields("i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool")
	for _, d := range dialects() {
		for _, from := range types {
			for _, to := range types {
				if _, ok := Lookup(d, "conv_"+from+"_"+to); ok != (from != to) {
					t.Errorf("%v: conv_%s_%s: %v", d, from, to, ok)
				}
			}
		}
	}
}

func TestSignaturesAreRead(t *testing.T) {
	f, ok := Lookup(Portable, "ldexp_f64")
	if !ok || !slices.Equal(f.Params, []string{"F64", "i32"}) || f.Result != "F64" {
		t.Errorf("got %v, %+v", ok, f)
	}
}
