package skald_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// mentionable are the packages of ours whose types exported signatures of the root package may mention, beside its own.
var mentionable = []string{"skald", "skald/runtime/value", "skald/frontend/diag"}

// What the root package exports is what programs outside this repository depend on: changing it later is dear. A type of another
// package in it would make that package part of the interface, too.
func TestTheInterfaceMentionsFewPackages(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, "skald")
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatal(err, loaded)
	}
	scope := loaded[0].Types.Scope()
	for _, name := range scope.Names() {
		if !ast.IsExported(name) {
			continue
		}
		for _, path := range mentioned(scope.Lookup(name)) {
			t.Errorf("skald.%s mentions %s", name, path)
		}
	}
}

// mentioned lists the packages of ours that an exported object mentions without leave.
func mentioned(o types.Object) []string {
	m := mentions{seen: map[types.Type]bool{}}
	m.of(o.Type())
	if named, ok := o.Type().(*types.Named); ok {
		for method := range named.Methods() {
			if method.Exported() {
				m.of(method.Type())
			}
		}
	}
	slices.Sort(m.found)
	return slices.Compact(m.found)
}

// mentions walks over types.
type mentions struct {
	seen  map[types.Type]bool
	found []string
}

func (m *mentions) of(t types.Type) {
	if m.seen[t] {
		return
	}
	m.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		m.name(t.Obj())
		for arg := range t.TypeArgs().Types() {
			m.of(arg)
		}
		if p := t.Obj().Pkg(); p != nil && p.Path() == "skald" {
			m.of(t.Underlying())
		}
	case *types.Alias:
		m.of(t.Rhs())
	case *types.Pointer:
		m.of(t.Elem())
	case *types.Slice:
		m.of(t.Elem())
	case *types.Array:
		m.of(t.Elem())
	case *types.Chan:
		m.of(t.Elem())
	case *types.Map:
		m.of(t.Key())
		m.of(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				m.of(f.Type())
			}
		}
	case *types.Signature:
		m.of(t.Params())
		m.of(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			m.of(v.Type())
		}
	case *types.Interface:
		for f := range t.ExplicitMethods() {
			m.of(f.Type())
		}
		for e := range t.EmbeddedTypes() {
			m.of(e)
		}
	default: // basic types and type parameters
	}
}

func (m *mentions) name(o *types.TypeName) {
	if p := o.Pkg(); p != nil && (p.Path() == "skald" || strings.HasPrefix(p.Path(), "skald/")) && !slices.Contains(mentionable, p.Path()) {
		m.found = append(m.found, p.Path()+"."+o.Name())
	}
}
