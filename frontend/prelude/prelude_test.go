package prelude

import (
	"regexp"
	"strings"
	"testing"

	"skald/frontend/prelude/gen/render"

	"github.com/google/go-cmp/cmp"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for name, want := range render.Files() {
		got, err := lib.ReadFile("lib/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is stale, run `go generate` (-want +got):\n%s", name, diff)
		}
	}
}

func TestEveryFileIsListed(t *testing.T) {
	entries, err := lib.ReadDir("lib")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(order) {
		t.Errorf("lib has %d files, order lists %d", len(entries), len(order))
	}
}

// Every declaration must be recognisable by its first line, and name its result type: the lazy index depends on it.
func TestDeclarationsStartLinesAndStateTheirTypes(t *testing.T) {
	head := regexp.MustCompile(`^(def|module|module type|#\[inline\])\b|^#\[`)
	for _, f := range Files() {
		for i, line := range strings.Split(f.Text, "\n") {
			switch {
			case line == "", strings.HasPrefix(line, " "), strings.HasPrefix(line, "--"), line == "}":
			case !head.MatchString(line):
				t.Errorf("%s:%d: a declaration begins with %q", f.Name, i+1, line)
			}
			if len(line) > 140 {
				t.Errorf("%s:%d: line of %d bytes", f.Name, i+1, len(line))
			}
		}
		for _, d := range regexp.MustCompile(`(?m)^ *def (\(\S+\)|[^ =])[^=]*=`).FindAllString(f.Text, -1) {
			if !strings.Contains(d, ":") {
				t.Errorf("%s: %q has no type", f.Name, d)
			}
		}
	}
}

func TestEveryNameOfTheLanguageIsDefined(t *testing.T) {
	var all strings.Builder
	for _, f := range Files() {
		all.WriteString(f.Text)
	}
	names := `map map1 map2 map3 map4 map5 reduce reduce_comm hist reduce_by_index reduce_by_index_2d reduce_by_index_3d
		scan all any spread scatter exscan scatter_2d scatter_3d filter partition partition2 flatmap flatmap'
		length null head last tail init take drop sized split reverse (++) concat iota indices rotate replicate rep copy
		manifest flatten flatten_3d flatten_4d unflatten unflatten_3d unflatten_4d transpose and or foldl foldr
		tabulate tabulate_2d tabulate_3d (|>) (<|) (>->) (<-<) flip curry uncurry const id iterate iterate_until
		iterate_while zip zip2 zip3 zip4 zip5 unzip unzip2 unzip3 unzip4 unzip5
		jvp2 vjp2 jmp2 mjp2 jvp vjp jmp mjp with_vjp with_vjp_tape r32 t32 r64 t64 not opaque trace break`
	for _, name := range strings.Fields(names) {
		if !strings.Contains(all.String(), "\ndef "+name+" ") {
			t.Errorf("no definition of %s", name)
		}
	}
	for _, module := range strings.Fields("bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64") {
		if !strings.Contains(all.String(), "\nmodule "+module+":") {
			t.Errorf("no module %s", module)
		}
	}
}
