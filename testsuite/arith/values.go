package main

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"skald/runtime/prim"
)

// layout is the number of exponent and fraction bits of a float type.
func layout(t prim.Type) (exponent, fraction uint) {
	switch t {
	case prim.F16:
		return 5, 10
	case prim.F32:
		return 8, 23
	default:
		return 11, 52
	}
}

// special lists the values of a type at which functions tend to go wrong.
func special(t prim.Type) []uint64 {
	var out []uint64
	switch {
	case t == prim.Bool:
		return []uint64{0, 1}
	case t.IsInt():
		bits := uint(t.Bits())
		for _, k := range []uint{0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 47, 52, 53, 63} {
			if k < bits {
				p := uint64(1) << k
				out = append(out, p, p-1, p+1, -p, ^p, p|p<<1)
			}
		}
		out = append(out, 7, 10, 100, 1000003, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa)
	default:
		out = specialFloats(t)
	}
	for i, w := range out {
		out[i] = prim.Canonical(t, w)
	}
	return out
}

// specialOf has specialFloats of each type: random numbers are drawn by the million.
var specialOf = map[prim.Type][]uint64{
	prim.F16: specialFloats(prim.F16), prim.F32: specialFloats(prim.F32), prim.F64: specialFloats(prim.F64),
}

// specialFloats are numbers with special exponents and fractions, of both signs.
func specialFloats(t prim.Type) []uint64 {
	e, f := layout(t)
	bias := uint64(1)<<(e-1) - 1
	ones := uint64(1)<<f - 1
	var out []uint64
	exponents := []uint64{
		0, 1, bias - uint64(f) - 1, bias - 1, bias, bias + 1, bias + uint64(f), 2*bias - 1, 2 * bias, 2*bias + 1,
	}
	for _, exp := range exponents {
		for _, frac := range []uint64{0, 1, ones, 1 << (f - 1), ones >> 1} {
			w := exp<<f | frac
			out = append(out, w, w|1<<(e+f))
		}
	}
	return out
}

// random draws a value: half of all float values have a special exponent, the others any bits or a moderate size; half
// of all integers are short.
func random(r *rand.Rand, t prim.Type) uint64 {
	w := r.Uint64()
	switch {
	case t == prim.Bool:
		return w & 1
	case t.IsInt():
		if r.IntN(2) == 0 {
			w = uint64(int64(w) >> r.IntN(64))
		}
	case r.IntN(2) == 0:
		s := specialOf[t]
		e, f := layout(t)
		exponent := s[r.IntN(len(s))] &^ (uint64(1)<<f - 1) &^ (uint64(1) << (e + f))
		w = w&^((uint64(1)<<e-1)<<f) | exponent
		if r.IntN(4) == 0 {
			w &^= uint64(1)<<(f/2) - 1
		}
	case r.IntN(2) == 0:
		e, f := layout(t)
		bias := uint64(1)<<(e-1) - 1
		w = w&^((uint64(1)<<e-1)<<f) | (bias+uint64(r.IntN(int(e)+3))-uint64(e)/2)<<f
	}
	return prim.Canonical(t, w)
}

// tuples are the arguments to test a function with: all tuples of special values (pairs at most; a third parameter
// takes each in turn), then n random ones.
func tuples(r *rand.Rand, params []prim.Type, n int) []uint64 {
	var out []uint64
	first := special(params[0])
	switch len(params) {
	case 1:
		out = append(out, first...)
	case 2:
		for _, x := range first {
			for _, y := range special(params[1]) {
				out = append(out, x, y)
			}
		}
	default:
		third := special(params[2])
		k := 0
		for _, x := range first {
			for _, y := range special(params[1]) {
				out = append(out, x, y, third[k%len(third)])
				k++
			}
		}
	}
	for range n {
		for _, p := range params {
			out = append(out, random(r, p))
		}
	}
	return out
}

// draw returns random tuples, and with the first seed all special ones before them.
func draw(params []prim.Type, n int, seed uint64) []uint64 {
	args := make([]uint64, n*len(params))
	split(n, func(lo, hi int) {
		source := new(rand.PCG)
		r := rand.New(source)
		for i := lo; i < hi; i++ {
			source.Seed(seed, uint64(i)) // The tuple depends on i alone, not on how the work was split.
			for j, p := range params {
				args[i*len(params)+j] = random(r, p)
			}
		}
	})
	if seed == 1 {
		args = append(tuples(rand.New(rand.NewPCG(seed, 0)), params, 0), args...)
	}
	return args
}

// split calls f for the parts of [0, n) at once, one a processor.
func split(n int, f func(lo, hi int)) {
	parts := min(runtime.GOMAXPROCS(0), max(n, 1))
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { f(n*i/parts, n*(i+1)/parts) })
	}
	wg.Wait()
}
