package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// unifier makes the sizes of two types equal. The types are known to be equal up to sizes and uniqueness.
type unifier struct {
	*solver
	at source.Span
	// onSizes is what to do with two sizes.
	onSizes func(u *unifier, a, b types.Size, bound []*types.Symbol)
}

// unify makes want, the type that is expected, and got equal in their sizes, or fails.
func (s *solver) unify(at source.Span, want, got types.Type) {
	u := &unifier{s, at, (*unifier).equate}
	u.types(want, got, wantFirst, nil)
}

// An argument of types: which side's sizes come first.
const wantFirst = true

// types unifies a and b. forward says that a is the expected type; it flips below the left of an arrow. bound are the
// symbols bound by the arrows around.
func (u *unifier) types(a, b types.Type, forward bool, bound []*types.Symbol) {
	a, b = types.Force(a), types.Force(b)
	switch a := a.(type) {
	case *types.Prim, *types.Var, *types.Meta:
		return
	case *types.Array:
		if b, ok := b.(*types.Array); ok {
			u.pair(a.Size, b.Size, forward, bound)
			u.types(a.Elem, b.Elem, forward, bound)
			return
		}
	case *types.Record:
		if b, ok := b.(*types.Record); ok && len(a.Fields) == len(b.Fields) {
			for i := range a.Fields {
				u.types(a.Fields[i].Type, b.Fields[i].Type, forward, bound)
			}
			return
		}
	case *types.Sum:
		if b, ok := b.(*types.Sum); ok && len(a.Ctors) == len(b.Ctors) {
			for i := range a.Ctors {
				for j := range a.Ctors[i].Args {
					u.types(a.Ctors[i].Args[j], b.Ctors[i].Args[j], forward, bound)
				}
			}
			return
		}
	case *types.Arrow:
		if b, ok := b.(*types.Arrow); ok {
			u.arrows(a, b, forward, bound)
			return
		}
	case *types.Con:
		if b, ok := b.(*types.Con); ok && len(a.Args) == len(b.Args) {
			for i := range a.Args {
				if a.Args[i].Size != nil {
					u.pair(a.Args[i].Size, b.Args[i].Size, forward, bound)
				} else {
					u.types(a.Args[i].Type, b.Args[i].Type, forward, bound)
				}
			}
			return
		}
	}
	u.failMatch(u.at, "type-mismatch", "Types\n  %s\nand\n  %s\ndo not match.", u.show(a), u.show(b))
}

// pair unifies two sizes, that of the expected type first.
func (u *unifier) pair(a, b types.Size, forward bool, bound []*types.Symbol) {
	if !forward {
		a, b = b, a
	}
	u.onSizes(u, u.size(a), u.size(b), bound)
}

func (u *unifier) arrows(a, b *types.Arrow, forward bool, bound []*types.Symbol) {
	u.checkDiet(a, b, forward)
	kindA, kindB := flexible, unknown
	if !forward {
		kindA, kindB = unknown, flexible
	}
	exts := append(append([]*types.Symbol{}, a.Ret.Ext...), b.Ret.Ext...)
	saved := make([]*sizeVar, len(exts))
	for i, k := range exts {
		saved[i] = u.vars[k]
		kind := kindA
		if i >= len(a.Ret.Ext) {
			kind = kindB
		}
		u.vars[k] = &sizeVar{kind: kind, level: u.level, at: u.at}
	}
	ret := b.Ret.Type
	inner := append(append([]*types.Symbol{}, bound...), exts...)
	name, nameB := u.binder(a.Name), u.binder(b.Name)
	if name != nil {
		inner = append(inner, name)
	}
	if nameB != nil {
		inner = append(inner, nameB)
		if name != nil && name != nameB {
			ret = u.sameBinder(name, nameB, ret)
		}
	}
	u.types(a.Param, b.Param, !forward, bound)
	u.types(a.Ret.Type, ret, forward, inner)
	for i, k := range exts {
		u.absorbExt(k, saved[i])
	}
	for i, k := range exts {
		if saved[i] == nil {
			delete(u.vars, k)
		} else {
			u.vars[k] = saved[i]
		}
	}
}

// sameBinder makes b, the parameter of a function type that ret is the result of, the parameter a of another. It returns ret with a. If
// instantiation made b, then sizes of that instance may be linked to a, so that its type gets the name a, too.
func (u *unifier) sameBinder(a, b *types.Symbol, ret types.Type) types.Type {
	if v := u.vars[b]; v != nil && v.kind == binder {
		v.link = nameSize(a)
		u.binders[a] = true
	}
	return renameSize(ret, b, a)
}

// checkDiet rejects a function that consumes where one that observes is wanted, and one whose result has aliases
// where one without is.
func (u *unifier) checkDiet(a, b *types.Arrow, forward bool) {
	want, got := a, b
	if !forward {
		want, got = b, a
	}
	if types.IsUnique(got.Param) && !types.IsUnique(want.Param) {
		u.failMatch(u.at, "unify-consuming-param",
			"One function would be consuming its argument, the other not:\n  %s\nand\n  %s",
			u.show(want.Param), u.show(got.Param))
	}
	if types.IsUnique(want.Ret.Type) && !types.IsUnique(got.Ret.Type) && !isPlain(got.Ret.Type) {
		u.failMatch(u.at, "unify-return-uniqueness", "Return types\n  %s\nand\n  %s\nhave incompatible uniqueness.",
			u.show(want.Ret.Type), u.show(got.Ret.Type))
	}
}

// plain is the type of a value of type t once it has been made: what was unique about it is the business of its
// maker.
func plain(t types.Type) types.Type {
	if types.IsUnique(t) {
		return types.WithUnique(t, types.NotUnique)
	}
	return t
}

// isPlain reports whether values of t can have no aliases.
func isPlain(t types.Type) bool {
	_, ok := types.Force(t).(*types.Prim)
	return ok
}

// absorbExt marks the instance that the flexible existential k was linked to, if any, as existential itself.
func (u *unifier) absorbExt(k *types.Symbol, before *sizeVar) {
	v := u.vars[k]
	if v == nil || v.link == nil {
		return
	}
	n, ok := u.size(v.link).(*types.SizeName)
	if !ok {
		return
	}
	if w := u.vars[n.Sym]; w != nil && w.kind == instance && w.lifted != types.Unlifted {
		w.kind, w.source = absorbed, k
		if before != nil && before.kind == unknown {
			w.computed, w.computedAt = true, before.at
		}
	}
}

func renameSize(t types.Type, from, to *types.Symbol) types.Type {
	s := types.Subst{Sizes: map[*types.Symbol]types.Size{from: nameSize(to)}}
	return s.Type(t)
}

func mentionsAny(d types.Size, syms []*types.Symbol) bool {
	if len(syms) == 0 {
		return false
	}
	for _, sym := range sizeSymbols(d) {
		if slices.Contains(syms, sym) {
			return true
		}
	}
	return false
}

// open returns the variable that d is, if it may still be linked.
func (u *unifier) open(d types.Size) (*types.Symbol, *sizeVar) {
	n, ok := d.(*types.SizeName)
	if !ok {
		return nil, nil
	}
	v := u.vars[n.Sym]
	if v == nil || v.link != nil || (v.kind != flexible && v.kind != instance) {
		return nil, nil
	}
	return n.Sym, v
}

// equate makes a and b the same size, or fails.
func (u *unifier) equate(a, b types.Size, bound []*types.Symbol) {
	if types.EqualSize(a, b) {
		return
	}
	if pairs, ok := u.similar(a, b); ok {
		for _, p := range pairs {
			u.equate(u.size(p[0]), u.size(p[1]), bound)
		}
		return
	}
	if u.linkIfFree(a, b, bound) || u.linkIfFree(b, a, bound) ||
		u.linkBinder(a, b, bound) || u.linkBinder(b, a, bound) ||
		u.absorb(a, b, bound) || u.absorb(b, a, bound) || u.equateLong(a, b, bound) {
		return
	}
	note := ""
	if u.isInstance(a) && mentionsAny(b, bound) || u.isInstance(b) && mentionsAny(a, bound) {
		note = "\nA type parameter would stand for a type containing anonymous sizes."
	}
	err := u.mismatch(u.at, "size-mismatch", "Sizes \"%s\" and \"%s\" do not match.%s%s%s",
		a, b, note, u.origin(a), u.origin(b))
	u.tellApart(err, a, b)
	panic(err)
}

// tellApart says where two unknown sizes of one name arise.
func (s *solver) tellApart(err *Error, a, b types.Size) {
	x, ok1 := a.(*types.SizeName)
	y, ok2 := b.(*types.SizeName)
	if !ok1 || !ok2 || x.Sym.Name != y.Sym.Name {
		return
	}
	for i, sym := range []*types.Symbol{x.Sym, y.Sym} {
		if v := s.vars[sym]; v != nil && v.kind == unknown && v.at.Valid() {
			which := [...]string{"first", "second"}[i]
			err.Notes = append(err.Notes, Note{v.at, fmt.Sprintf("the %s \"%s\" is computed here", which, sym.Name)})
		}
	}
}

// origin says where an unknown size comes from.
func (s *solver) origin(d types.Size) string {
	n, ok := d.(*types.SizeName)
	if !ok {
		return ""
	}
	if v := s.vars[n.Sym]; v != nil && v.kind == unknown {
		what := "is unknown until it is computed"
		if v.usage != "" {
			what = v.usage
		}
		return "\nThe size \"" + n.Sym.Name + "\" " + what + "."
	}
	return ""
}

func (u *unifier) linkIfFree(a, b types.Size, bound []*types.Symbol) bool {
	sym, v := u.open(a)
	if sym == nil || mentionsAny(b, bound) && !slices.Contains(bound, sym) {
		return false
	}
	u.link(sym, v, b)
	return true
}

// link records that sym is d, after checking that d makes sense where sym was made.
func (u *unifier) link(sym *types.Symbol, v *sizeVar, d types.Size) {
	for _, other := range writtenSymbols(d) {
		if other == sym {
			u.failMatch(u.at, "occurs-check", "Occurs check: cannot instantiate size \"%s\" with \"%s\".", sym.Name, d)
		}
		w := u.vars[other]
		if w == nil || w.level < v.level {
			continue
		}
		if w.kind == param {
			u.failMatch(u.at, "scope-violation",
				"Cannot link size \"%s\" to \"%s\" (scope violation), because \"%s\" is not in scope where "+
					"\"%s\" arises.",
				sym.Name, d, other.Name, sym.Name)
		}
		w.level = v.level
	}
	v.link = d
}

// linkBinder links an instance to the parameter of a function type, when that is one of the instantiated type itself.
func (u *unifier) linkBinder(a, b types.Size, bound []*types.Symbol) bool {
	sym, v := u.open(a)
	if sym == nil || v.kind != instance || slices.Contains(bound, sym) {
		return false
	}
	for _, other := range sizeSymbols(b) {
		if slices.Contains(bound, other) && !u.binders[other] {
			return false
		}
	}
	v.link = b
	return true
}

// absorb marks an instance as existential; see Note [Absorbed sizes].
func (u *unifier) absorb(a, b types.Size, bound []*types.Symbol) bool {
	n, ok := a.(*types.SizeName)
	if !ok || slices.Contains(bound, n.Sym) || !mentionsAny(b, bound) {
		return false
	}
	v := u.vars[n.Sym]
	if v == nil {
		return false
	}
	if v.kind == absorbed {
		return true
	}
	if v.kind != instance || v.lifted == types.Unlifted {
		return false
	}
	v.kind = absorbed
	if m, ok := b.(*types.SizeName); ok {
		v.source = m.Sym
	}
	for _, other := range sizeSymbols(b) {
		if w := u.vars[other]; w != nil && w.kind == unknown {
			v.computed, v.computedAt = true, u.at
		}
	}
	return true
}

func (u *unifier) isInstance(d types.Size) bool {
	n, ok := d.(*types.SizeName)
	if !ok {
		return false
	}
	v := u.vars[n.Sym]
	return v != nil && (v.kind == instance || v.kind == absorbed)
}
