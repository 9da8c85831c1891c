package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Arrays of unknown size]
//
// A kernel cannot allocate: the host makes room for the arrays of all threads
// before it starts (package memory). That works when sizes are known by then,
// or can be computed by another kernel that runs only the scalar code which
// leads to them. A combinator for which it does not work runs as a loop on the
// host, whose body may be parallel again: slowly, but every program runs. So
// does one that calls a recursive function, as kernels call routines alone.

// privateElems is how many elements an array of a thread may have that lives
// in the thread's own memory; operators have no other.
const privateElems = 64

// sizing tells known sizes from unknown ones in the code of a kernel.
type sizing struct {
	inside  map[core.Var]bool // bound in the kernel
	unknown map[core.Var]bool // of these, not computable beforehand
}

// placeable reports whether all arrays that the code of a kernel makes have
// sizes that can be known before it runs.
func placeable(b *core.Body) bool {
	z := &sizing{map[core.Var]bool{}, map[core.Var]bool{}}
	for _, s := range b.Stms {
		if !z.fits(s) {
			return false
		}
		pure := !touchesMemory(s)
		for _, v := range core.FreeInStm(s).List() {
			pure = pure && !z.unknown[v]
		}
		for _, p := range s.Dst {
			z.inside[p.Var] = true
			z.unknown[p.Var] = !pure
		}
	}
	return true
}

// fits checks the arrays that a statement and the bodies in it make. What is
// bound in those bodies is unknown.
func (z *sizing) fits(s *core.Stm) bool {
	switch e := s.Exp.(type) {
	case *core.If, *core.Switch:
		if !z.knownSizes(s.Dst, s.Dst) {
			return false
		}
	case *core.Loop:
		if !z.knownSizes(e.Params, e.Params) {
			return false
		}
		z.hide(e.Params)
		z.hide([]core.Param{e.Index})
	case *core.Scratch, *core.Copy, *core.ArrayLit:
		if !z.knownSizes(s.Dst, nil) {
			return false
		}
	default:
	}
	ok := true
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			ok = ok && z.fits(s)
			z.hide(s.Dst)
		}
		return b
	})
	return ok
}

func (z *sizing) hide(ps []core.Param) {
	for _, p := range ps {
		z.unknown[p.Var] = true
	}
}

// knownSizes reports whether the sizes of arrays among ps are known, and not
// among own.
func (z *sizing) knownSizes(ps, own []core.Param) bool {
	for _, p := range ps {
		for _, n := range p.Type.Shape {
			if z.unknown[n.Var] || n.Var != 0 && slices.Contains(core.ParamVars(own), n.Var) {
				return false
			}
		}
	}
	return true
}

// touchesMemory reports whether a statement makes or changes arrays.
func touchesMemory(s *core.Stm) bool {
	found := false
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		switch s.Exp.(type) {
		case *core.Scratch, *core.Copy, *core.ArrayLit, *core.Update, *core.WithAcc, *core.UpdateAcc:
			found = true
		default:
		}
		return !found
	})
	return found
}

// placeableOperator reports whether the arrays that an operator makes fit the
// memory of a thread.
func placeableOperator(l *core.Lambda) bool {
	ok := true
	core.Walk(l.Body, func(s *core.Stm) bool {
		switch s.Exp.(type) {
		case *core.Scratch, *core.Copy, *core.ArrayLit, *core.If, *core.Switch, *core.Loop:
			for _, p := range s.Dst {
				ok = ok && isPrivate(p.Type)
			}
		default:
		}
		return ok
	})
	return ok
}

func isPrivate(t core.Type) bool {
	n := int64(1)
	for _, size := range t.Shape {
		c, ok := size.ConstInt()
		if !ok {
			return false
		}
		n *= c
	}
	return n <= privateElems
}

// combinator flattens a combinator on the host, or makes a loop of it, when
// the kernels that would come of it cannot be given memory.
func (f *flattener) combinator(s *core.Stm) {
	outer := f.Builder
	f.Builder = outer.Nested()
	f.Where, f.Attrs, f.Certs = outer.Where, outer.Attrs, outer.Certs
	f.unplaceable = false
	f.parallel(&nest{}, s, s.Dst)
	stms, failed := f.Stms(), f.unplaceable
	f.Builder = outer
	f.unplaceable = false
	if !failed {
		f.Add(stms...)
		return
	}
	in := f.Nested()
	f.onHost = true
	switch e := s.Exp.(type) {
	case *core.Screma:
		f.loopOfScrema(in, s, e)
	case *core.Hist:
		f.loopOfHist(in, s, e)
	default:
	}
	f.onHost = false
	for _, s := range in.Stms() {
		f.hostStm(s)
	}
}
