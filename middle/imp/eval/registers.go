package eval

import "skald/middle/imp"

// registers assigns registers to the variables of a kernel. Two variables share one when the first is dead before the
// second is bound, so that a block's registers stay in the processor's cache.
type registers struct {
	of    []int // by variable; register 0 is nobody's
	count int
	free  []int
	needs func(imp.Var) bool
	keep  []bool // bound in several places, or needed at the end
}

// assignRegisters assigns registers to the variables that need one.
func assignRegisters(in *unit, needs func(imp.Var) bool) *registers {
	n := len(in.scope.Vars)
	r := &registers{of: make([]int, n), count: 1, needs: needs, keep: make([]bool, n)}
	for _, e := range in.results {
		imp.WalkExp(e, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				r.keep[v.Var] = true
			}
		})
	}
	seen := make([]bool, n)
	for _, v := range in.params {
		seen[v] = true
		r.bind(v)
	}
	imp.Walk(in.body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			r.keep[v] = r.keep[v] || seen[v]
			seen[v] = true
		}
		return true
	})
	r.body(in.body)
	return r
}

func (r *registers) bind(v imp.Var) {
	if v == 0 || r.of[v] != 0 || !r.needs(v) {
		return
	}
	if n := len(r.free); n > 0 && !r.keep[v] {
		r.of[v] = r.free[n-1]
		r.free = r.free[:n-1]
		return
	}
	r.of[v] = r.count
	r.count++
}

func (r *registers) release(v imp.Var) {
	if r.of[v] != 0 && !r.keep[v] {
		r.free = append(r.free, r.of[v])
	}
}

// body assigns registers to what body binds and frees them behind each one's last use, in the body that binds it.
func (r *registers) body(body []imp.Stm) {
	last := map[imp.Var]int{}
	for i, s := range body {
		mentioned(s, func(v imp.Var) {
			if _, mine := last[v]; mine {
				last[v] = i
			}
		})
		if _, isFor := s.(*imp.For); !isFor {
			for _, v := range imp.Binds(s) {
				last[v] = i
			}
		}
	}
	ends := make([][]imp.Var, len(body))
	for i, s := range body {
		for _, v := range imp.Binds(s) {
			if j, mine := last[v]; mine {
				ends[j] = append(ends[j], v)
				delete(last, v)
			}
		}
		r.stm(s)
		for _, v := range ends[i] {
			r.release(v)
		}
	}
}

func (r *registers) stm(s imp.Stm) {
	for _, v := range imp.Binds(s) {
		r.bind(v)
	}
	for _, b := range imp.Bodies(s) {
		r.body(b)
	}
	if s, ok := s.(*imp.For); ok {
		r.release(s.Var)
	}
}

// mentioned calls f on the variables that s mentions at any depth.
func mentioned(s imp.Stm, f func(imp.Var)) {
	imp.Walk([]imp.Stm{s}, func(s imp.Stm) bool {
		imp.WalkExps(s, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				f(v.Var)
			}
		})
		if set, ok := s.(*imp.Set); ok {
			f(set.Var)
		}
		return true
	})
}
