package syntax_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/syntax"
)

func TestOutlineHasImportsAndDefinitions(t *testing.T) {
	tree, sink := parse("a.fut", `import "a"
local def f x = x
module m = f (import "b") { type t = i32 entry g = 1 }
local local open (\(p: S) -> import "c") : T
module type s = { val hidden : i32 }
def (+^) a b = a
`)
	if sink.HasErrors() {
		t.Fatal(sink.All()[0])
	}
	var imports, definitions []string
	for _, i := range syntax.Imports(tree) {
		imports = append(imports, i.Path+" "+i.At.Text())
	}
	for _, d := range syntax.Definitions(tree) {
		definitions = append(definitions, d.Kind+" "+d.Name.Text)
	}
	if d := cmp.Diff([]string{`a "a"`, `b "b"`, `c "c"`}, imports); d != "" {
		t.Error(d)
	}
	want := "value f, module m, type t, value g, module type s, value +^"
	if d := cmp.Diff(want, strings.Join(definitions, ", ")); d != "" {
		t.Error(d)
	}
}
