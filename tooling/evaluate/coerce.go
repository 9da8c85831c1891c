package evaluate

import (
	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// coerceAll makes signed integers in scripts fit the entry point that they are given to: `f 10` is right also where f
// takes an i64 or a float. Where the arguments are not one for each parameter, nothing is done.
func coerceAll(entry *types.Entry, args []value.Value) []value.Value {
	if len(entry.Params) != len(args) {
		return args
	}
	out := make([]value.Value, len(args))
	for i, p := range entry.Params {
		out[i] = args[i]
		if _, elem := types.Rank(types.Represent(p.Type)); elem != nil {
			if t, ok := elem.(*types.Prim); ok {
				out[i] = coerce(args[i], t.Kind)
			}
		}
	}
	return out
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
