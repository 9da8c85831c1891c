package check

import (
	"fmt"
	"sort"
	"strings"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// mismatch says why two types cannot be made equal.
type mismatch struct {
	text, code string
	hint       string // how to fix it, if that is known better than the code knows it
}

func mismatchf(format string, args ...any) *mismatch {
	return &mismatch{text: fmt.Sprintf(format, args...), code: "type-mismatch"}
}

// equate makes a and b equal or fails; why returns the first lines of the message.
func (in *infer) equate(at source.Span, a, b types.Type, why func() string) {
	if m := in.unify(a, b); m != nil {
		text := m.text
		if why != nil && m.code != "type-too-large" {
			reason := why()
			if m.isWhole(a, b) && strings.Contains(reason, show(a)) && strings.Contains(reason, show(b)) {
				text = "The types do not match."
			}
			text = reason + "\n" + text
		}
		d := in.report(at, m.code, "%s", strings.TrimRight(text, "\n"))
		if m.hint != "" {
			d.Hintf("%s", m.hint)
		}
		panic(silent{})
	}
}

// unify makes a and b equal, sizes and uniqueness aside, or says why they cannot be.
func (in *infer) unify(a, b types.Type) *mismatch {
	a, b = types.Force(a), types.Force(b)
	if a == b {
		return nil
	}
	if m, ok := a.(*types.Meta); ok {
		return in.assign(m, b)
	}
	if m, ok := b.(*types.Meta); ok {
		return in.assign(m, a)
	}
	switch a := a.(type) {
	case *types.Prim:
		if b, ok := b.(*types.Prim); ok && a.Kind == b.Kind {
			return nil
		}
	case *types.Array:
		if b, ok := b.(*types.Array); ok {
			return in.unify(a.Elem, b.Elem)
		}
	case *types.Record:
		if b, ok := b.(*types.Record); ok {
			return in.unifyRecords(a, b)
		}
	case *types.Sum:
		if b, ok := b.(*types.Sum); ok {
			return in.unifySums(a, b)
		}
	case *types.Arrow:
		if b, ok := b.(*types.Arrow); ok {
			if m := in.unify(a.Param, b.Param); m != nil {
				return m
			}
			return in.unify(a.Ret.Type, b.Ret.Type)
		}
	case *types.Var:
		if b, ok := b.(*types.Var); ok && a.Param == b.Param {
			return nil
		}
	case *types.Con:
		if b, ok := b.(*types.Con); ok && a.Con == b.Con && len(a.Args) == len(b.Args) {
			return in.unifyArgs(a.Args, b.Args)
		}
	default:
	}
	return unequal(a, b)
}

// isWhole reports whether m says no more than that a and b differ.
func (m *mismatch) isWhole(a, b types.Type) bool {
	a, b = types.Force(a), types.Force(b)
	return *m == *unequal(a, b) || *m == *unequal(b, a)
}

// unequal says that a and b are different types altogether.
func unequal(a, b types.Type) *mismatch {
	m := mismatchf("Types\n  %s\nand\n  %s\ndo not match.", show(a), show(b))
	m.hint = conversion(a, b)
	return m
}

// conversion says how a value of one of two types becomes one of the other, if both are primitive.
func conversion(a, b types.Type) string {
	p, ok := types.Force(a).(*types.Prim)
	q, okToo := types.Force(b).(*types.Prim)
	switch {
	case !ok || !okToo:
		return ""
	case p.Kind == prim.Bool || q.Kind == prim.Bool:
		return "a comparison, such as x != 0, makes a bool of a number; if or a function such as i32.bool makes a number of a bool"
	default:
		return fmt.Sprintf("%[1]s.%[2]s makes a value of type %[1]s of one of type %[2]s, and %[2]s.%[1]s the other way round", p, q)
	}
}

func (in *infer) unifyArgs(as, bs []types.TypeArg) *mismatch {
	for i := range as {
		if as[i].Type != nil && bs[i].Type != nil {
			if m := in.unify(as[i].Type, bs[i].Type); m != nil {
				return m
			}
		}
	}
	return nil
}

func (in *infer) unifyRecords(a, b *types.Record) *mismatch {
	var unshared []string
	for _, f := range a.Fields {
		if b.Field(f.Name) == nil {
			unshared = append(unshared, f.Name)
		}
	}
	for _, f := range b.Fields {
		if a.Field(f.Name) == nil {
			unshared = append(unshared, f.Name)
		}
	}
	if len(unshared) > 0 {
		sort.Strings(unshared)
		if a.IsTuple() && b.IsTuple() {
			return mismatchf("Types\n  %s\nand\n  %s\ndo not match: tuples of %d and %d elements.",
				show(a), show(b), len(a.Fields), len(b.Fields))
		}
		return mismatchf("Types\n  %s\nand\n  %s\ndo not match.\nUnshared fields: unshared fields: %s.",
			show(a), show(b), strings.Join(unshared, ", "))
	}
	for i, f := range a.Fields {
		if m := in.unify(f.Type, b.Fields[i].Type); m != nil {
			return mismatchf("When matching the types of record field \"%s\":\n%s", f.Name, m.text)
		}
	}
	return nil
}

func (in *infer) unifySums(a, b *types.Sum) *mismatch {
	var unshared []string
	for _, c := range a.Ctors {
		if other, _ := b.Ctor(c.Name); other == nil {
			unshared = append(unshared, "#"+c.Name)
		}
	}
	for _, c := range b.Ctors {
		if other, _ := a.Ctor(c.Name); other == nil {
			unshared = append(unshared, "#"+c.Name)
		}
	}
	if len(unshared) > 0 {
		sort.Strings(unshared)
		return mismatchf("Types\n  %s\nand\n  %s\ndo not match.\nUnshared constructors: %s.",
			show(a), show(b), strings.Join(unshared, ", "))
	}
	for i, c := range a.Ctors {
		if m := in.unifyPayload(c, b.Ctors[i]); m != nil {
			return m
		}
	}
	return nil
}

func (in *infer) unifyPayload(a, b types.Ctor) *mismatch {
	if len(a.Args) != len(b.Args) {
		return mismatchf("Constructors \"#%s\" differ in arity: %d and %d arguments.", a.Name, len(a.Args), len(b.Args))
	}
	for i := range a.Args {
		if m := in.unify(a.Args[i], b.Args[i]); m != nil {
			return mismatchf("When matching the payload of constructor \"#%s\":\n%s", a.Name, m.text)
		}
	}
	return nil
}

// assign makes m stand for t, if its constraints permit.
func (in *infer) assign(m *types.Meta, t types.Type) *mismatch {
	info := m.Info.(*metaInfo)
	if other, ok := t.(*types.Meta); ok {
		return in.join(m, info, other)
	}
	if m := tooLarge(t); m != nil {
		return m
	}
	if occurs(m, t) {
		return mismatchf("Occurs check: the type would have to contain itself, as part of\n  %s", show(t))
	}
	if m := in.checkScope(info, t); m != nil {
		return m
	}
	switch {
	case info.prims != 0:
		p, ok := t.(*types.Prim)
		if !ok || !info.prims.has(p.Kind) {
			return unequal(m, t)
		}
	case info.fields != nil:
		if mm := in.assignRecord(m, info, t); mm != nil {
			return mm
		}
	case info.ctors != nil:
		if mm := in.assignSum(m, info, t); mm != nil {
			return mm
		}
	}
	m.Bound = t
	lower(t, info.lifted)
	return nil
}

// assignRecord makes m, which must have some fields, stand for t.
func (in *infer) assignRecord(m *types.Meta, info *metaInfo, t types.Type) *mismatch {
	r, ok := t.(*types.Record)
	if !ok {
		return mismatchf("Cannot unify\n  %s\nwith type that must be a record with field %s.",
			show(t), fieldsText(info.fields))
	}
	m.Bound = t
	for _, f := range info.fields {
		have := r.Field(f.Name)
		if have == nil {
			m.Bound = nil
			return mismatchf("Cannot unify record type\n  %s\nwith one that must have field \"%s\".", show(t), f.Name)
		}
		if mm := in.unify(f.Type, have); mm != nil {
			return mm
		}
	}
	return nil
}

// assignSum makes m, which must have some constructors, stand for t.
func (in *infer) assignSum(m *types.Meta, info *metaInfo, t types.Type) *mismatch {
	s, ok := t.(*types.Sum)
	if !ok {
		return mismatchf("Cannot unify\n  %s\nwith a sum type.\n"+
			"Cannot unify type with constructors\n  %s", show(t), (&types.Sum{Ctors: info.ctors}).String())
	}
	m.Bound = t
	for _, c := range info.ctors {
		have, _ := s.Ctor(c.Name)
		if have == nil {
			m.Bound = nil
			return mismatchf("Cannot match: sum type\n  %s\nhas no constructor \"#%s\".\nUnshared constructors: #%s.",
				show(t), c.Name, c.Name)
		}
		if mm := in.unifyPayload(c, *have); mm != nil {
			return mm
		}
	}
	return nil
}

// checkScope rejects a type that mentions a type parameter which is not in scope where the variable was made.
func (in *infer) checkScope(info *metaInfo, t types.Type) *mismatch {
	if len(in.paramLevels) == 0 {
		return nil
	}
	var bad *types.TypeParam
	eachLeaf(t, func(leaf types.Type) {
		switch leaf := leaf.(type) {
		case *types.Var:
			if in.paramLevels[leaf.Param] > info.level {
				bad = leaf.Param
			}
		case *types.Meta:
			other := leaf.Info.(*metaInfo)
			other.level = min(other.level, info.level)
		default:
		}
	})
	if bad == nil {
		return nil
	}
	m := mismatchf("Cannot use type\n  %s\nhere (scope violation): type parameter \"%s\" is not in scope.",
		show(t), bad.Name)
	m.code = "scope-violation"
	return m
}

// eachLeaf calls f for the type parameters and unsolved variables in t.
func eachLeaf(t types.Type, f func(types.Type)) {
	switch t := types.Force(t).(type) {
	case *types.Var, *types.Meta:
		f(t)
	default:
		types.AnyPart(t, func(part types.Type) bool {
			eachLeaf(part, f)
			return false
		})
	}
}

// join makes two variables one, with the constraints of both.
func (in *infer) join(m *types.Meta, a *metaInfo, other *types.Meta) *mismatch {
	b := other.Info.(*metaInfo)
	if conflicting(a) != "" && conflicting(b) != "" && conflicting(a) != conflicting(b) {
		if a.fields != nil {
			a, b = b, a
		}
		return mismatchf("Cannot unify what is %s\nwith type that must be %s.", describeMeta(a),
			describeMeta(b))
	}
	if a.prims != 0 && b.prims != 0 && a.prims&b.prims == 0 {
		return unequal(m, other)
	}
	b.lifted, b.level = min(a.lifted, b.lifted), min(a.level, b.level)
	m.Bound = other
	switch {
	case b.prims == 0:
		b.prims = a.prims
	case a.prims != 0:
		b.prims &= a.prims
	}
	for _, f := range a.fields {
		if have := fieldIn(b.fields, f.Name); have != nil {
			if mm := in.unify(f.Type, have); mm != nil {
				return mm
			}
		} else {
			b.fields = append(b.fields, f)
		}
	}
	for _, c := range a.ctors {
		if have, _ := (&types.Sum{Ctors: b.ctors}).Ctor(c.Name); have != nil {
			if mm := in.unifyPayload(c, *have); mm != nil {
				return mm
			}
		} else {
			b.ctors = append(b.ctors, c)
		}
	}
	return nil
}

// conflicting names what sort of type a constraint asks for, if it does.
func conflicting(info *metaInfo) string {
	switch {
	case info.prims != 0:
		return "a primitive type"
	case info.fields != nil:
		return "a record"
	case info.ctors != nil:
		return "a sum type"
	default:
		return ""
	}
}

func fieldIn(fields []types.Field, name string) types.Type {
	for _, f := range fields {
		if f.Name == name {
			return f.Type
		}
	}
	return nil
}

func fieldsText(fields []types.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// lower restricts the variables in t to types as little lifted as l.
func lower(t types.Type, l types.Liftedness) {
	if l == types.FullLifted {
		return
	}
	switch t := types.Force(t).(type) {
	case *types.Meta:
		info := t.Info.(*metaInfo)
		info.lifted = min(info.lifted, l)
	case *types.Arrow, *types.Con:
	default:
		types.AnyPart(t, func(part types.Type) bool {
			lower(part, l)
			return false
		})
	}
}

// occurs reports whether m is part of t.
func occurs(m *types.Meta, t types.Type) bool {
	t = types.Force(t)
	inside := func(part types.Type) bool { return occurs(m, part) }
	if other, ok := t.(*types.Meta); ok {
		return other == m || anyPartWanted(other, inside)
	}
	return types.AnyPart(t, inside)
}

// anyPartWanted reports whether f holds for a type in the fields or constructors that m must have.
func anyPartWanted(m *types.Meta, f func(types.Type) bool) bool {
	info := m.Info.(*metaInfo)
	return types.AnyPart(&types.Record{Fields: info.fields}, f) || types.AnyPart(&types.Sum{Ctors: info.ctors}, f)
}

// maxTypeSize bounds how many parts a type may have. A few lines can ask for types of more parts than there is memory for:
// `let b = (a, a) let c = (b, b)` and so on doubles them each time. Types are measured where one that is large may be put
// into another many times, or becomes that of a definition: when a variable comes to stand for one, when a named type or a function
// is applied, and at the end of a definition.
const maxTypeSize = 1 << 16

// tooLarge is the mismatch for a type of more than maxTypeSize parts, or nil.
func tooLarge(t types.Type) *mismatch {
	left := maxTypeSize
	var measure func(types.Type) bool
	measure = func(t types.Type) bool {
		left--
		t = types.Force(t)
		if m, ok := t.(*types.Meta); ok && left > 0 {
			return anyPartWanted(m, measure)
		}
		return left <= 0 || types.AnyPart(t, measure)
	}
	if !measure(t) {
		return nil
	}
	return &mismatch{text: fmt.Sprintf("A type has more than %d parts.", maxTypeSize), code: "type-too-large"}
}

// checkSize rejects a type of too many parts.
func (c *checker) checkSize(t types.Type, at source.Span) {
	if m := tooLarge(t); m != nil {
		c.fail(at, m.code, "%s", m.text)
	}
}
