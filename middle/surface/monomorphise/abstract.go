package monomorphise

import (
	"fmt"
	"strconv"

	"skald/frontend/types"
)

// abstraction is what a list of type and size arguments amounts to: the substitution for the parameters, in which each size of a type
// argument is a new symbol; those symbols, which become parameters of the copy; the sizes that a use passes for them; and
// a key that is equal for uses that can share a copy.
type abstraction struct {
	subst   types.Subst
	formals []*types.Symbol
	actuals []types.Size
	key     string
}

func abstract(m *mono, params []*types.TypeParam, args []types.TypeArg) abstraction {
	a := abstraction{subst: types.Subst{
		Types: map[*types.TypeParam]types.Type{},
		Sizes: map[*types.Symbol]types.Size{},
	}}
	if len(args) != len(params) {
		panic(fmt.Sprintf("monomorphise: %d arguments for %d parameters", len(args), len(params)))
	}
	for i, p := range params {
		if p.IsSize() {
			formal := m.freshSize(p.Name)
			a.add(formal, args[i].Size)
			a.subst.Sizes[p.Size] = &types.SizeName{Sym: formal}
			continue
		}
		t := types.MapSizes(args[i].Type, func(d types.Size) types.Size {
			formal := m.freshSize("d")
			a.add(formal, d)
			return &types.SizeName{Sym: formal}
		})
		a.subst.Types[p] = types.WithUnique(t, false)
		a.key += ";" + shape(t)
	}
	return a
}

func (a *abstraction) add(formal *types.Symbol, actual types.Size) {
	a.formals = append(a.formals, formal)
	a.actuals = append(a.actuals, actual)
}

// shape prints t without its sizes and without uniqueness.
func shape(t types.Type) string {
	n := 0
	t = types.MapSizes(types.WithUnique(t, false), func(types.Size) types.Size {
		n++
		return &types.AnySize{}
	})
	return t.String() + "/" + strconv.Itoa(n)
}
