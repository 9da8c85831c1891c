package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// mostElements bounds arrays whose size the program states.
const mostElements = 5000

// arguments makes values for the parameters of an entry point; arrays have n elements in each dimension that is not stated. It is false
// for parameters of other types.
func arguments(r *rand.Rand, e *types.Entry, n int) ([]value.Value, bool) {
	var out []value.Value
	for _, p := range e.Params {
		var b strings.Builder
		if !write(&b, r, p.Type, n) {
			return nil, false
		}
		vs, err := value.ParseAll(b.String())
		if err != nil {
			return nil, false
		}
		out = append(out, vs...)
	}
	return out, true
}

// write writes a value of type t as text.
func write(b *strings.Builder, r *rand.Rand, t types.Type, n int) bool {
	switch t := types.Force(t).(type) {
	case *types.Prim:
		b.WriteString(scalar(r, t.Kind))
		return true
	case *types.Array:
		k := n
		if c, ok := types.ForceSize(t.Size).(*types.SizeConst); ok {
			k = int(c.N)
		}
		if k < 1 || k > mostElements {
			return false
		}
		for i := range k {
			b.WriteString([]string{"[", ", "}[min(i, 1)])
			if !write(b, r, t.Elem, n) {
				return false
			}
		}
		b.WriteString("]")
		return true
	default:
		return false
	}
}

// scalar is a small number that is not negative: programs take such for sizes, counts and probabilities.
func scalar(r *rand.Rand, t prim.Type) string {
	switch {
	case t == prim.Bool:
		return []string{"false", "true"}[r.IntN(2)]
	case t.IsFloat():
		return fmt.Sprintf("%.3f%s", 0.1+2*r.Float64(), t)
	default:
		return fmt.Sprintf("%d%s", r.IntN(8), t)
	}
}
