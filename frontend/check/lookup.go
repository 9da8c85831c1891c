package check

import (
	"fmt"
	"sort"
	"strings"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/runtime/prim"
)

// lookupVal finds the value that a qualified name begins with; the rest are fields of it.
func (in *infer) lookupVal(s *scope, q syntax.QualName) (*binding, []syntax.Name) {
	names := append(append([]syntax.Name{}, q.Quals...), q.Name)
	if first := names[0].Text; first[0] == '_' && len(first) > 1 {
		in.fail(q.Span(), "underscore-use", "Use of \"%s\": names that begin with an underscore may not be used.", q)
	}
	for i, n := range names {
		var b *binding
		if i == 0 {
			b = s.val(n.Text)
		} else {
			b = s.ownVal(n.Text)
		}
		if b == nil {
			in.unknownName(s, q, n, i)
		}
		b.used = true
		if b.mod == nil {
			in.mentionValue(n, b)
		}
		switch {
		case b.broken:
			panic(silent{})
		case b.mod == nil:
			if i > 0 && s == in.internal {
				in.warn(q.Span(), "intrinsics-use",
					"A name of \"intrinsics\" is not meant for programs: its type and meaning may change.")
			}
			return b, names[i+1:]
		case i == len(names)-1:
			in.fail(q.Span(), "module-as-value", "\"%s\" is a module, not a value: Unknown variable \"%s\".", q, q)
		case b.mod.functor != nil:
			in.fail(n.At, "module-is-parametric", "Module \"%s\" is a parametric module.", n.Text)
		}
		in.mentionModule(n, b)
		s = b.mod.scope
	}
	panic("check.lookupVal: a name without parts")
}

func (in *infer) unknownName(s *scope, q syntax.QualName, n syntax.Name, i int) {
	kind := "name"
	if i < len(q.Quals) {
		kind = "module"
	}
	text := fmt.Sprintf("Unknown %s \"%s\".", kind, q)
	if i > 0 {
		text += fmt.Sprintf("\nModule \"%s\" has no \"%s\".", q.Quals[i-1].Text, n.Text)
	}
	in.failNear(n.At, "unknown-name", text, n.Text, s.visible(i == 0))
}

// failNear is fail with the name that was perhaps meant, of those that may stand there.
func (c *checker) failNear(at source.Span, code, text, name string, names []string) {
	d := c.report(at, code, "%s", text)
	if near := nearest(name, names); near != "" {
		d.Hintf("Did you mean \"%s\"?", near).Replace(lastName(at, name), near)
	}
	panic(silent{})
}

// lastName is the place of a name at the end of a qualified one.
func lastName(at source.Span, name string) source.Span {
	if strings.HasSuffix(at.Text(), name) {
		at.Start = at.End - int32(len(name))
	}
	return at
}

// unknownType rejects a name that no type has.
func (c *checker) unknownType(s *scope, q syntax.QualName) {
	text := fmt.Sprintf("Unknown type \"%s\".", q)
	if n := len(q.Quals); n > 0 {
		text += fmt.Sprintf("\nModule \"%s\" has no type \"%s\".", q.Quals[n-1].Text, q.Name.Text)
		c.failNear(q.Span(), "unknown-type", text, q.Name.Text, nil)
	}
	names := make([]string, 0, 2*len(prim.AllTypes()))
	for _, t := range prim.AllTypes() {
		names = append(names, t.String())
	}
	for ; s != nil; s = s.outer {
		for name := range s.types {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	c.failNear(q.Span(), "unknown-type", text, q.Name.Text, names)
}

// Whether visible lists the scopes around, too.
const withOuter, withoutOuter = true, false

// visible lists the names of values in s, and with outer also those of the scopes around it.
func (s *scope) visible(outer bool) []string {
	var names []string
	for ; s != nil; s = s.outer {
		if s.one != nil {
			names = append(names, s.name)
		}
		for name := range s.vals {
			names = append(names, name)
		}
		if s.source != nil {
			names = append(names, s.source.names()...)
		}
		if !outer {
			break
		}
	}
	sort.Strings(names)
	return names
}

// nearest finds the name that differs least from the one written, if any is close.
func nearest(name string, names []string) string {
	best, limit := "", 1+len(name)/4
	if len(name) < 3 {
		return ""
	}
	for _, n := range names {
		if d := distance(name, n, limit); d <= limit && n != name {
			best, limit = n, d-1
		}
	}
	return best
}

// distance is the number of edits between a and b, or more than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// lookupModule finds a module by its qualified name.
func (c *checker) lookupModule(s *scope, q syntax.QualName) *module {
	b := c.lookupModBinding(s, append(append([]syntax.Name{}, q.Quals...), q.Name), q)
	return b.mod
}

func (c *checker) lookupModBinding(s *scope, names []syntax.Name, q syntax.QualName) *binding {
	var b *binding
	for i, n := range names {
		if i == 0 {
			b = s.val(n.Text)
		} else {
			b = s.ownVal(n.Text)
		}
		if b == nil || b.mod == nil && !b.broken {
			c.failNear(n.At, "unknown-module", fmt.Sprintf("Unknown module \"%s\".", q), n.Text, s.visible(i == 0))
		}
		b.used = true
		if b.broken {
			panic(silent{})
		}
		c.mentionModule(n, b)
		if i < len(names)-1 {
			if b.mod.functor != nil {
				c.fail(n.At, "module-is-parametric", "Module \"%s\" is a parametric module.", n.Text)
			}
			s = b.mod.scope
		}
	}
	return b
}

// lookupType finds a type by its qualified name, or returns nil.
func (c *checker) lookupType(s *scope, q syntax.QualName) *typeBinding {
	if len(q.Quals) == 0 {
		return s.typ(q.Name.Text)
	}
	b := c.lookupModBinding(s, q.Quals, q)
	if b.mod.functor != nil {
		c.fail(q.Span(), "module-is-parametric", "Module \"%s\" is a parametric module.", q.Quals[len(q.Quals)-1].Text)
	}
	return b.mod.scope.ownType(q.Name.Text)
}

// noteLocal remembers a local variable, to warn if nothing mentions it.
func (in *infer) noteLocal(b *binding, name syntax.Name) {
	if in.quiet || name.Text == "" || name.Text[0] == '_' {
		return
	}
	in.later(func() {
		if !b.used {
			if d := in.warn(name.At, "unused-name", "Unused variable \"%s\".", name.Text); d != nil {
				d.Replace(name.At, "_"+name.Text)
			}
		}
	})
}

// failNote is fail with a note at another place.
func (c *checker) failNote(at source.Span, code string, other source.Span, format string, args ...any) {
	c.report(at, code, format, args...).Note(other, "The other one is here.")
	panic(silent{})
}
