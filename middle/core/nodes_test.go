package core

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// nodes names the kinds of expression: the receivers of the method parts.
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
		file, err := goparser.ParseFile(gotoken.NewFileSet(), path, nil, 0)
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

// sampleNodes returns one expression of each kind that the samples have, by name.
func sampleNodes(t *testing.T) map[string]Exp {
	t.Helper()
	found := map[string]Exp{}
	for name, src := range samples(t) {
		p, err := Parse(src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range p.Funs {
			Walk(f.Body, func(s *Stm) bool {
				found[reflect.TypeOf(s.Exp).Elem().Name()] = s.Exp
				return true
			})
		}
	}
	return found
}

// The text form is read and printed for every kind of expression: the tests of samples look at all of them.
func TestSamplesHaveEveryNode(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(sampleNodes(t))), nodes(t); !slices.Equal(got, want) {
		t.Errorf("the samples have\n%v, not\n%v", got, want)
	}
}

// Translations name groups, so that each node is in one group, and in no other.
func TestEveryNodeIsInOneGroup(t *testing.T) {
	for name, e := range sampleNodes(t) {
		groups := 0
		for _, group := range []reflect.Type{
			reflect.TypeFor[Scalar](), reflect.TypeFor[View](), reflect.TypeFor[Memory](),
			reflect.TypeFor[Control](), reflect.TypeFor[SOAC](), reflect.TypeFor[Seg](),
		} {
			if reflect.TypeOf(e).Implements(group) {
				groups++
			}
		}
		if groups != 1 {
			t.Errorf("%s is in %d groups", name, groups)
		}
	}
}

// Nodes that overwrite arrays say so, and share memory with them: passes would move reads over the writes otherwise.
func TestWhatSharesMemoryWithItsArraysOverwritesThem(t *testing.T) {
	for name, e := range sampleNodes(t) {
		switch Match(e).(type) {
		case View, Control:
			continue // They hand arrays on.
		default:
		}
		dst := make([]Param, 10)
		for i := range dst {
			dst[i] = Param{Var: Var(1000 + i), Type: ArrayOf(I64, Int(1))}
		}
		if w, ok := e.(*WithAcc); ok {
			dst = dst[:len(w.Lambda.Ret)-len(w.Inputs)+len(w.arrays())]
		}
		var shared []Var
		MayShare(&Stm{Dst: dst, Exp: e}, func(p Param, x Operand) {
			if p.Var >= 1000 {
				shared = append(shared, x.Var)
			}
		})
		if d := cmp.Diff(shared, Consumes(e), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s mentions the memory of its arrays again, but not those that it overwrites (-shared +overwritten):\n%s", name, d)
		}
		if len(shared) > 0 && Pure(e) {
			t.Errorf("%s overwrites arrays and is pure", name)
		}
	}
}
