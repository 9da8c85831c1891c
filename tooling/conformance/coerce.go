package conformance

import (
	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// coerceAll makes signed integers in scripts fit the entry point that they are given to: `f 10` is right also where f
// takes an i64 or a float. Where the arguments are not one for each parameter, nothing is done.
func coerceAll(prog *types.Prog, entry string, args []value.Value) []value.Value {
	for _, d := range prog.Entries() {
		if d.Entry.Name != entry || len(d.Entry.Params) != len(args) {
			continue
		}
		out := make([]value.Value, len(args))
		for i, p := range d.Entry.Params {
			out[i] = args[i]
			if _, elem := types.Rank(types.Represent(p.Type)); elem != nil {
				if t, ok := elem.(*types.Prim); ok {
					out[i] = coerce(args[i], t.Kind)
				}
			}
		}
		return out
	}
	return args
}

func coerce(v value.Value, to prim.Type) value.Value {
	if v.Elem() == to || !v.Elem().IsSigned() || !to.IsSigned() && to != prim.F32 && to != prim.F64 {
		return v
	}
	out := value.New(to, v.Shape()...)
	for i := range v.Len() {
		out.Set(i, prim.Convert(to, v.At(i)))
	}
	return out
}
