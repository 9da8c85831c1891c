package monomorphise

import (
	"fmt"
	"slices"
	"strconv"

	"skald/frontend/types"
)

// Note [Open sizes]
//
// A lifted type parameter may stand for values of different sizes. In
//
//	def twice 'a '^b (f: a -> b) (x: a) (y: a) : (b, b) = (f x, f y)
//	def main n m = twice iota n m
//
// b is an array of i64, but no size is right for all of them: the type argument is [d]i64 with a d that nobody binds, or that is bound only
// after the call. Such a size is no argument that could be passed. In the copy of the definition it is left out (types.AnySize): it is,
// in each place, the size that the value there has, which package internalise reads off the value. The same goes for the sizes of an
// abstract type whose values differ in size.
//
// A size parameter for which a use has only such an open size is bound by the copy itself, from the shape of its arguments. So is one whose
// size would have to be computed with the help of functions: each use would compute it again.

// abstraction is what a list of type and size arguments amounts to.
type abstraction struct {
	// subst is for the parameters; each size of a type argument is a new symbol in it, or AnySize.
	subst types.Subst
	// formals are those symbols, which become parameters of the copy; actuals are the sizes that a use passes for them.
	formals []*types.Symbol
	actuals []types.Size
	// shown are the size parameters that the copy binds from the shapes of its arguments.
	shown []*types.Symbol
	// key is equal for uses that can share a copy.
	key string
}

// abstract makes the abstraction for a use of definition d with the given arguments.
func (m *mono) abstract(d *types.Def, args []types.TypeArg) abstraction {
	a := abstraction{subst: types.Subst{
		Types: map[*types.TypeParam]types.Type{},
		Sizes: map[*types.Symbol]types.Size{},
	}}
	if len(args) != len(d.TypeParams) {
		panic(fmt.Sprintf("monomorphise: %d arguments for %d parameters", len(args), len(d.TypeParams)))
	}
	for i, p := range d.TypeParams {
		if p.IsSize() {
			m.abstractSize(&a, d, p, args[i].Size)
		} else {
			m.abstractType(&a, p, args[i].Type)
		}
	}
	return a
}

func (m *mono) abstractSize(a *abstraction, d *types.Def, p *types.TypeParam, actual types.Size) {
	formal := m.freshSize(p.Name)
	a.subst.Sizes[p.Size] = &types.SizeName{Sym: formal}
	open, shown := m.open(actual), slices.ContainsFunc(d.Params, func(q *types.Param) bool {
		return slices.Contains(shownSizes(q.Pat.Base().Type), p.Size)
	})
	switch {
	case shown && (open || passesFunctions(actual)):
		a.shown = append(a.shown, formal)
		a.key += ";shown"
	case open:
		a.subst.Sizes[p.Size] = &types.AnySize{}
		a.key += ";open"
	default:
		a.add(formal, actual)
		a.key += ";"
	}
}

func (m *mono) abstractType(a *abstraction, p *types.TypeParam, actual types.Type) {
	t := types.MapSizes(actual, func(d types.Size) types.Size {
		if m.open(d) {
			return &types.AnySize{}
		}
		formal := m.freshSize("d")
		a.add(formal, d)
		return &types.SizeName{Sym: formal}
	})
	a.subst.Types[p] = types.WithUnique(t, types.NotUnique)
	a.key += ";" + shape(t)
}

func (a *abstraction) add(formal *types.Symbol, actual types.Size) {
	a.formals = append(a.formals, formal)
	a.actuals = append(a.actuals, actual)
}

// open reports whether nobody can pass d: whether it is left out, or mentions a size that is not bound here.
func (m *mono) open(d types.Size) bool {
	if _, left := d.(*types.AnySize); left {
		return true
	}
	return depends(d, func(s *types.Symbol) bool { return m.unborn[s] || !m.bound(s) })
}

// depends reports whether d mentions a symbol from outside of it for which f holds.
func depends(d types.Size, f func(*types.Symbol) bool) bool {
	switch d := d.(type) {
	case *types.SizeName:
		return f(d.Sym)
	case *types.SizeExp:
		inside := map[*types.Symbol]bool{}
		for _, s := range types.ExpBinders(d.Exp) {
			inside[s] = true
		}
		found := false
		types.Walk(d.Exp, func(e types.Exp) bool {
			if ref, ok := e.(*types.Ref); ok && !inside[ref.Sym] {
				found = found || f(ref.Sym)
			}
			return !found
		})
		return found
	default:
		return false
	}
}

// shape prints t with all sizes that are not open alike, and without uniqueness.
func shape(t types.Type) string {
	n := 0
	name := &types.SizeName{Sym: &types.Symbol{Name: "d"}}
	t = types.MapSizes(types.WithUnique(t, types.NotUnique), func(d types.Size) types.Size {
		n++
		if _, open := d.(*types.AnySize); open {
			return d
		}
		return name
	})
	return t.String() + "/" + strconv.Itoa(n)
}
