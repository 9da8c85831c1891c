package check

import (
	"fmt"
	"testing"
)

// The scope of a file's last declaration is found in few steps from each of thousands of names, and means the innermost of those that are
// called alike.
func TestScopesOfManyDeclarationsAreFewSteps(t *testing.T) {
	b := newBody(newScope(nil), "")
	const n = 20000
	bindings := map[string]*binding{}
	for i := range n {
		name := fmt.Sprint("f", i%(n/2))
		bindings[name] = &binding{}
		b.addVal(name, bindings[name])
		b.addType(name, &typeBinding{})
	}
	depth := 0
	for s := b.scope; s != nil; s = s.outer {
		depth++
	}
	if depth > 20 {
		t.Errorf("%d declarations make a chain of %d scopes", 2*n, depth)
	}
	for name, want := range bindings {
		if b.scope.val(name) != want || b.scope.typ(name) == nil {
			t.Fatalf("%s is not found", name)
		}
	}
}

// So are the scopes of a body with thousands of names, each of which stays as it is.
func TestScopesOfLongBodiesAreFewSteps(t *testing.T) {
	const n = 20000
	s := newScope(nil)
	first := &binding{}
	var kept *scope
	for i := range n {
		b := first
		if i > 0 {
			b = &binding{}
		}
		s = s.with(fmt.Sprint("x", i), b).mergedUpTo(s)
		if i == 0 {
			kept = s
		}
	}
	depth := 0
	for o := s; o != nil; o = o.outer {
		depth++
	}
	if depth > 20 || s.val("x0") != first || s.val("x") != nil {
		t.Errorf("%d names make a chain of %d scopes", n, depth)
	}
	if kept.val("x0") != first || kept.val("x1") != nil {
		t.Error("a scope has changed")
	}
}
