package migrate

import (
	"slices"

	"skald/middle/core"
)

// writer writes the new code of a function. Its builder holds that of the body at hand.
type writer struct {
	*analysis
	*core.Builder
	uses map[core.Var]int // how many statements and results of the body at hand, with what is inside, mention a variable
}

// body writes a body: neighbouring statements that move become one kernel, in front of the next statement that is not
// a scalar's.
func (w *writer) body(b *core.Body) *core.Body {
	outer, uses := w.Builder, w.uses
	w.Builder, w.uses = outer.Nested(), map[core.Var]int{}
	for _, s := range b.Stms {
		for _, v := range w.frees.Stm(s) {
			w.uses[v]++
		}
	}
	for _, r := range b.Res {
		w.uses[r.Var]++
	}
	g := &group{shapes: w.shapes}
	for _, s := range b.Stms {
		switch _, scalar := s.Exp.(core.Scalar); {
		case w.moved[s]:
			if !g.takes(s) {
				w.flush(g)
				g = &group{shapes: w.shapes}
			}
			g.add(s)
		case scalar && !g.defines(w.frees.Stm(s)):
			w.Add(s)
		default:
			w.flush(g)
			g = &group{shapes: w.shapes}
			w.Add(w.inside(s))
		}
	}
	w.flush(g)
	out := w.Body(b.Res...)
	w.Builder, w.uses = outer, uses
	return out
}

// inside rewrites the bodies in a statement of host code.
func (w *writer) inside(s *core.Stm) *core.Stm {
	if _, ok := s.Exp.(core.Seg); ok {
		return s
	}
	return &core.Stm{Dst: s.Dst, Exp: hostBodies(s.Exp, w.body), Aux: s.Aux}
}

// group is statements that become one kernel. Those that read elements and those that update some do not go together, as a kernel
// may not read what it has consumed.
type group struct {
	*shapes
	stms    []*core.Stm
	reads   bool
	updates []*chain
}

// chain is the updates of one array in a group: of each, the next updates the result.
type chain struct {
	array core.Var // the first that is updated
	dst   core.Param
}

// takes reports whether a statement can join the group.
func (g *group) takes(s *core.Stm) bool {
	_, update := s.Exp.(*core.Update)
	switch {
	case g.makes(g.frees.Stm(s)):
		return false
	case update && g.reads:
		return false
	case g.readsElements(s):
		return len(g.updates) == 0
	}
	return true
}

// makes reports whether the group makes one of some arrays: what reads or updates that is another kernel's.
func (g *group) makes(vs []core.Var) bool {
	return slices.ContainsFunc(g.stms, func(s *core.Stm) bool {
		_, lit := s.Exp.(*core.ArrayLit)
		return lit && slices.Contains(vs, s.Dst[0].Var)
	})
}

// defines reports whether the group defines one of some variables.
func (g *group) defines(vs []core.Var) bool {
	for _, s := range g.stms {
		for _, p := range s.Dst {
			if slices.Contains(vs, p.Var) {
				return true
			}
		}
	}
	return false
}

func (g *group) add(s *core.Stm) {
	g.stms = append(g.stms, s)
	g.reads = g.reads || g.readsElements(s)
	e, ok := s.Exp.(*core.Update)
	if !ok {
		return
	}
	for _, c := range g.updates {
		if c.dst.Var == e.Array {
			c.dst = s.Dst[0]
			return
		}
	}
	g.updates = append(g.updates, &chain{e.Array, s.Dst[0]})
}

// flush writes the kernel of a group.
func (w *writer) flush(g *group) {
	if len(g.stms) == 0 {
		return
	}
	kept := w.kept(g)
	where := core.Aux{Where: g.stms[0].Aux.Where}
	if len(g.updates) == 0 {
		body := w.kernelBody(g, nil, kept)
		w.Add(&core.Stm{Dst: kept, Exp: point(body, core.ParamTypes(kept)), Aux: where})
		return
	}
	var inputs []core.AccInput
	var accs, dst []core.Param
	var accTypes []core.Type
	for _, c := range g.updates {
		inputs = append(inputs, core.AccInput{Shape: w.Scope.TypeOf(c.array).Shape, Arrays: []core.Var{c.array}})
		acc := w.Param("acc", core.Type{})
		acc.Type = core.AccType(acc.Var)
		accs, accTypes = append(accs, acc), append(accTypes, acc.Type)
		dst = append(dst, c.dst)
	}
	ret := append(accTypes, core.ParamTypes(kept)...)
	lambda := w.LambdaOf(accs, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		body := w.kernelBody(g, ps, kept)
		out := make([]core.Param, len(ret))
		for i, t := range ret {
			base := "acc"
			if i >= len(accs) {
				base = w.Fun.Base(kept[i-len(accs)].Var)
			}
			out[i] = b.Param(base, t)
		}
		b.Scope.BindAll(out)
		b.Add(&core.Stm{Dst: out, Exp: point(body, ret), Aux: where})
		return core.Vars(core.ParamVars(out))
	})
	w.Add(&core.Stm{Dst: append(dst, kept...), Exp: &core.WithAcc{Inputs: inputs, Lambda: lambda}, Aux: where})
}

// point is a kernel of one thread.
func point(body *core.Body, ret []core.Type) *core.SegMap { return &core.SegMap{Body: body, Ret: ret} }

// kept are the scalars, literals and certificates of a group that others mention.
func (w *writer) kept(g *group) []core.Param {
	within := map[core.Var]int{}
	for _, s := range g.stms {
		for _, v := range w.frees.Stm(s) {
			within[v]++
		}
	}
	var kept []core.Param
	for _, s := range g.stms {
		for _, p := range s.Dst {
			_, update := s.Exp.(*core.Update)
			if !update && w.uses[p.Var] > within[p.Var] {
				kept = append(kept, p)
			}
		}
	}
	return kept
}

// kernelBody copies the statements of a group, with updates of accumulators for those of arrays. It returns the accumulators at the end
// and what is kept.
func (w *writer) kernelBody(g *group, accs []core.Operand, kept []core.Param) *core.Body {
	last := map[core.Var]core.Operand{} // the accumulator of an array that is updated
	for i, c := range g.updates {
		last[c.array] = accs[i]
	}
	in := w.Nested()
	r := core.NewRenamer(w.Fun, w.Fun, core.Subst{})
	for _, s := range g.stms {
		e, ok := s.Exp.(*core.Update)
		if !ok {
			c := r.Stm(s)
			in.Scope.BindAll(c.Dst)
			in.Add(c)
			continue
		}
		acc := last[e.Array]
		var index []core.Operand
		for _, d := range e.Slice {
			index = append(index, r.Operand(d.Off))
		}
		next := w.Param("acc", w.Scope.OperandType(acc))
		in.Scope.BindAll([]core.Param{next})
		up := &core.UpdateAcc{Acc: acc.Var, Index: index, Values: []core.Operand{r.Operand(e.Value)}}
		aux := s.Aux
		aux.Certs = nil
		for _, c := range s.Aux.Certs {
			aux.Certs = append(aux.Certs, r.Operand(core.V(c)).Var)
		}
		in.Add(&core.Stm{Dst: []core.Param{next}, Exp: up, Aux: aux})
		last[s.Dst[0].Var] = core.V(next.Var)
	}
	var res []core.Operand
	for _, c := range g.updates {
		res = append(res, last[c.dst.Var])
	}
	for _, p := range kept {
		res = append(res, r.Operand(core.V(p.Var)))
	}
	return in.Body(res...)
}
