package random

import (
	"math/rand/v2"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// arguments makes values for the parameters of the entry point, which begin with n and m.
func (g *generator) arguments(seed uint64, params scope) []value.Value {
	rng := rand.New(rand.NewPCG(seed, 5))
	var out []value.Value
	for i, p := range params {
		if i < 2 {
			out = append(out, value.Scalar(prim.MakeI64(int64(g.sizes[p.name]))))
			continue
		}
		var shape []int
		t := p.typ
		for {
			a, ok := t.(array)
			if !ok {
				break
			}
			shape, t = append(shape, g.sizes[a.size]), a.elem
		}
		elem := t.(scalar).prim()
		v := value.New(elem, shape...)
		for i := range g.elements(p.typ) {
			v.Set(i, number(rng, elem))
		}
		out = append(out, v)
	}
	return out
}

// number makes a value: an integer small or of any size, or a float that is a whole number up to 16 (see Note [Exact floats]).
func number(rng *rand.Rand, t prim.Type) prim.Value {
	switch {
	case t == prim.Bool:
		return prim.MakeBool(rng.IntN(2) == 0)
	case t.IsFloat():
		return prim.MakeFloat(t, float64(rng.IntN(33)-16))
	case rng.IntN(4) == 0:
		return prim.MakeInt(t, int64(rng.Uint64()))
	default:
		return prim.MakeInt(t, int64(rng.IntN(21)-5))
	}
}
