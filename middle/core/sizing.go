package core

import (
	"slices"

	"skald/runtime/prim"
)

// Note [Sizes in kernels]
//
// A kernel cannot allocate, so the sizes of the arrays that its points make must be known before it runs, or be computed
// beforehand by another kernel. Sizing is the analysis of both questions: which sizes those are, and what code computes
// them. Flattening asks it before it makes a kernel; package expand emits the code that it returns.

// Sizing knows what code of a kernel can be computed before the kernel runs: what follows from its indices and from what
// is outside of it, by statements of its outer level that neither make nor change arrays.
type Sizing struct {
	ids    []Var
	inside map[Var]bool    // bound in the kernel's body, at any depth
	stms   []*Stm          // of the outer level, so far
	muls   map[Var]*Bin    // products in the kernel's body
	most   map[Var]Operand // what Largest says of sizes in the kernel's body
	by     map[Var]int     // the number in stms, from 1, of the statement that computes a variable beforehand
}

// NewSizing begins the analysis of a kernel over ids with a body.
func NewSizing(ids []Var, b *Body) *Sizing {
	z := &Sizing{ids: ids, inside: map[Var]bool{}, muls: map[Var]*Bin{}, most: map[Var]Operand{}, by: map[Var]int{}}
	Walk(b, func(s *Stm) bool {
		for _, p := range slices.Concat(s.Dst, s.Exp.binders()) {
			z.inside[p.Var] = true
		}
		if e, ok := s.Exp.(*Bin); ok && e.Op == prim.Mul && e.Type == prim.I64 {
			z.muls[s.Dst[0].Var] = e
		}
		if largest, ok := LargestSize(s); ok {
			z.most[s.Dst[0].Var] = largest
		}
		return true
	})
	return z
}

// LargestSize is what a statement says to be the largest that a size is at any point of a kernel (Largest), if it says so.
func LargestSize(s *Stm) (largest Operand, ok bool) {
	if e, is := s.Exp.(*Bin); is && slices.Contains(s.Aux.Attrs, Largest) {
		return e.Y, true
	}
	return Operand{}, false
}

// BindsAny reports whether the statements of a body, at any depth, bind one of vars.
func BindsAny(b *Body, vars *VarSet) bool {
	found := false
	has := func(p Param) bool { return vars.Has(p.Var) }
	Walk(b, func(s *Stm) bool {
		found = found || slices.ContainsFunc(s.Dst, has) || slices.ContainsFunc(s.Exp.binders(), has)
		return !found
	})
	return found
}

// Add goes on to the next statements of the kernel's outer level.
func (z *Sizing) Add(stms ...*Stm) {
	for _, s := range stms {
		z.stms = append(z.stms, s)
		if makes(s) || slices.ContainsFunc(FreeInStm(s).List(), func(v Var) bool { return !z.known(v) }) {
			continue
		}
		for _, p := range s.Dst {
			z.by[p.Var] = len(z.stms)
		}
	}
}

// makes reports whether a statement makes or changes arrays, or may once arrays have places: branches and loops whose results are
// arrays copy them, and so do reshapes. Calls in kernels are of device functions, which take and give scalars.
func makes(s *Stm) bool {
	found := false
	Walk(&Body{Stms: []*Stm{s}}, func(s *Stm) bool {
		switch Match(s.Exp).(type) {
		case *Call:
		case *Reshape:
			found = true
		default:
			_, control := s.Exp.(Control)
			found = found || !Pure(s.Exp) || control && slices.ContainsFunc(s.Dst, func(p Param) bool { return p.Type.IsArray() })
		}
		return !found
	})
	return found
}

func (z *Sizing) known(v Var) bool { return !z.inside[v] || z.by[v] > 0 }

// Factors are the sizes whose product counts are, as far as the kernel's code says so.
func (z *Sizing) Factors(counts ...Operand) []Operand {
	var sizes []Operand
	for _, n := range counts {
		if e := z.muls[n.Var]; e != nil {
			sizes = append(sizes, z.Factors(e.X, e.Y)...)
		} else {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

// Outside reports whether sizes are known where the kernel is, and the same at all of its points.
func (z *Sizing) Outside(sizes []Operand) bool {
	return !slices.ContainsFunc(sizes, func(n Operand) bool {
		return n.Var != 0 && (z.inside[n.Var] || slices.Contains(z.ids, n.Var))
	})
}

// Most are the largest that sizes are at the points of the kernel, as far as Largest says so: one size may differ between points, so that
// the product of these is the largest product, too. ok is false if more do, or one of which it says nothing.
func (z *Sizing) Most(sizes []Operand) (most []Operand, ok bool) {
	most = slices.Clone(sizes)
	var differs Operand
	for i, n := range sizes {
		if z.Outside(sizes[i : i+1]) {
			continue
		}
		largest, known := z.most[n.Var]
		if !known || !z.Outside([]Operand{largest}) || differs.Var != 0 && n != differs {
			return nil, false
		}
		most[i], differs = largest, n
	}
	return most, true
}

// Known reports whether sizes can be computed before the kernel runs.
func (z *Sizing) Known(sizes []Operand) bool {
	return !slices.ContainsFunc(sizes, func(n Operand) bool { return n.Var != 0 && !z.known(n.Var) })
}

// Slice is the code that computes sizes at a point of the kernel; ok is false when they are not known beforehand.
func (z *Sizing) Slice(sizes []Operand) (stms []*Stm, ok bool) {
	if !z.Known(sizes) {
		return nil, false
	}
	need := &VarSet{}
	for _, n := range sizes {
		need.Add(n.Var)
	}
	for _, s := range slices.Backward(z.stms) {
		if slices.ContainsFunc(s.Dst, func(p Param) bool { return need.Has(p.Var) }) {
			stms = append(stms, s)
			need.AddFree(s)
		}
	}
	slices.Reverse(stms)
	return stms, true
}
