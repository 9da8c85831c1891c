package imp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// nodes names the kinds of statements and expressions: the receivers of the method parts.
func nodes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "parts" {
				continue
			}
			names = append(names, f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name)
		}
	}
	slices.Sort(names)
	return names
}

// Each statement and expression is printed, read and verified somewhere, and its copy is like it.
func TestEveryStatementIsInTheSampleAndCopies(t *testing.T) {
	p, err := imp.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var m imp.Mapper
	m.Exp = func(e imp.Exp) imp.Exp {
		seen[reflect.TypeOf(e).Elem().Name()] = true
		return imp.ExpParts(e, m)
	}
	m.Body = func(body []imp.Stm) []imp.Stm {
		var out []imp.Stm
		for _, s := range body {
			seen[reflect.TypeOf(s).Elem().Name()] = true
			out = append(out, imp.Parts(s, m))
		}
		return out
	}
	copies := func(body []imp.Stm) {
		if d := cmp.Diff(body, m.Body(body), cmpopts.EquateEmpty(), cmp.AllowUnexported(prim.Value{})); d != "" {
			t.Errorf("copies differ:\n%s", d)
		}
	}
	for _, k := range p.Kernels {
		copies(k.Body)
	}
	for _, f := range p.Funs {
		copies(f.Body)
	}
	if got, want := slices.Sorted(maps.Keys(seen)), slices.Compact(nodes(t)); !slices.Equal(got, want) {
		t.Errorf("the sample has\n%v, not\n%v", got, want)
	}
}

// Walks look at the commonest nodes directly: they see what the lists of parts have, in the same order.
func TestWalksSeeWhatTheListsHave(t *testing.T) {
	p, err := imp.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	bodies := make([][]imp.Stm, 0, len(p.Kernels)+len(p.Funs))
	for _, k := range p.Kernels {
		bodies = append(bodies, k.Body)
	}
	for _, f := range p.Funs {
		bodies = append(bodies, f.Body)
	}
	for _, body := range bodies {
		var got, want []any
		imp.Walk(body, func(s imp.Stm) bool {
			got = append(got, s)
			imp.WalkExps(s, func(e imp.Exp) { got = append(got, e) })
			return true
		})
		var exp func(imp.Exp)
		exp = func(e imp.Exp) {
			want = append(want, e)
			for _, x := range imp.Children(e) {
				exp(x)
			}
		}
		var stms func([]imp.Stm)
		stms = func(body []imp.Stm) {
			for _, s := range body {
				want = append(want, s)
				for _, e := range imp.Exps(s) {
					if e != nil {
						exp(e)
					}
				}
				for _, b := range imp.Bodies(s) {
					stms(b)
				}
			}
		}
		stms(body)
		if !slices.Equal(got, want) {
			t.Errorf("walks see %d nodes, the lists have %d:\n%v\n%v", len(got), len(want), got, want)
		}
	}
}
