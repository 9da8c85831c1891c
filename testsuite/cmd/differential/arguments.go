package main

import (
	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/value/random"
)

// mostElements bounds arrays: a program may state any size.
const mostElements = 100_000

// bounds are those of random values: small numbers that are not negative, since programs take such for sizes, counts and probabilities.
var bounds = func() *random.Bounds {
	b := random.DefaultBounds()
	for _, t := range prim.AllTypes() {
		text := "0:7"
		switch {
		case t == prim.Bool:
			continue
		case t.IsFloat():
			text = "0.1:2.1"
		}
		if err := b.Set(t, text); err != nil {
			panic(err)
		}
	}
	return b
}()

// arguments makes values for the parameters of an entry point; arrays have n elements in each dimension that is not stated. It is false
// for parameters of other types.
func arguments(seed uint64, e *types.Entry, n int) ([]value.Value, bool) {
	var out []value.Value
	for i, p := range e.Params {
		t, ok := sized(p.Type, n)
		if !ok {
			return nil, false
		}
		out = append(out, random.Make(bounds, t, seed+uint64(i)))
	}
	return out, true
}

// sized is the type of values for a parameter.
func sized(t types.Type, n int) (value.Type, bool) {
	var dims []int
	elements := 1
	for {
		a, ok := types.Force(t).(*types.Array)
		if !ok {
			break
		}
		d := n
		if c, ok := a.Size.(*types.SizeConst); ok {
			d = int(c.N)
		}
		if elements *= d; elements < 1 || elements > mostElements {
			return value.Type{}, false
		}
		dims = append(dims, d)
		t = a.Elem
	}
	elem, ok := types.Force(t).(*types.Prim)
	if !ok {
		return value.Type{}, false
	}
	return value.Type{Elem: elem.Kind, Dims: dims}, true
}
