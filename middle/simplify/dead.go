package simplify

import (
	"slices"

	"skald/middle/core"
)

// sweeper removes what is not needed, from the end of the code to its start.
type sweeper struct {
	fun     *core.Fun
	stage   core.Stage
	live    []bool // by variable, in all bodies at once: no two bind the same
	changed bool
	depth   int // how many statements usedBy is inside of
	// uses marks what a part of the program mentions, bodies in it left out.
	uses core.Mapper
	// swept are the parallel operations that stay as they are, and before those of the round before. settled are those that the round has
	// left as they were, with the variables that they mention. Those in both need not be gone through: see Note [Settled operations].
	swept, before map[*core.Stm]bool
	settled       map[*core.Stm][]core.Var
	// parts says that checks that nothing kept relies on go, too: see Note [Parts of a body].
	parts bool
}

func newSweeper(f *core.Fun, stage core.Stage) *sweeper {
	w := &sweeper{fun: f, stage: stage, live: make([]bool, len(f.Names)), swept: map[*core.Stm]bool{}}
	w.uses = core.Mapper{
		Operand: func(o core.Operand) core.Operand { w.mark(o); return o },
		Body:    func(b *core.Body) *core.Body { return b },
	}
	return w
}

// function removes dead code from a function's new body: statements without a result that is used, and unused results of statements.
func (w *sweeper) function(b *core.Body) (out *core.Body, changed bool) {
	for _, p := range w.fun.Ret {
		w.uses.Type(p.Type)
	}
	out = w.body(b)
	return out, w.changed
}

func (w *sweeper) mark(o core.Operand) { w.live[o.Var] = true }

func (w *sweeper) body(b *core.Body) *core.Body {
	for _, r := range b.Res {
		w.mark(r)
	}
	out := make([]*core.Stm, 0, len(b.Stms))
	inside := w.body
	for _, old := range slices.Backward(b.Stms) {
		needed := slices.ContainsFunc(old.Dst, func(p core.Param) bool { return w.live[p.Var] })
		if !needed && !w.mustStay(old) {
			w.changed = true
			continue
		}
		if w.stays(old) {
			out = append(out, old)
			continue
		}
		s := w.trim(old)
		if exp := w.withoutInputs(core.MapBodies(s.Exp, inside)); exp != s.Exp {
			s = &core.Stm{Dst: s.Dst, Aux: s.Aux, Exp: exp}
		}
		if s == old && core.Parallel(s.Exp) {
			w.swept[s] = true
		}
		w.uses.VisitStm(s)
		out = append(out, s)
	}
	slices.Reverse(out)
	if slices.Equal(out, b.Stms) {
		return b
	}
	return &core.Body{Stms: out, Res: b.Res}
}

// stays reports whether an operation, with all that it returns, stays as it is without a look at it, and marks what it mentions.
func (w *sweeper) stays(s *core.Stm) bool {
	free, ok := w.settled[s]
	if !ok || !w.before[s] || w.stage != core.StageMemory && slices.ContainsFunc(s.Dst, func(p core.Param) bool { return !w.live[p.Var] }) {
		return false
	}
	for _, v := range free {
		w.live[v] = true
	}
	w.swept[s] = true
	return true
}

// mustStay reports whether a statement does something besides returning results:
// it fails, or writes memory that others see.
func (w *sweeper) mustStay(s *core.Stm) bool {
	if w.stage == core.StageMemory && slices.ContainsFunc(s.Dst, func(p core.Param) bool {
		return p.Type.IsArray() || p.Type.Kind == core.KindAcc
	}) {
		return true
	}
	return !w.parts && s.Any(func(e core.Exp) bool {
		return core.MayFail(e) || w.stage == core.StageMemory && !core.Pure(e) && !makesOnly(e)
	})
}

// withoutInputs drops inputs of a SOAC that its swept lambda does not use.
func (w *sweeper) withoutInputs(e core.Exp) core.Exp {
	used := func(l *core.Lambda) ([]bool, bool) {
		keep := make([]bool, len(l.Params))
		for i, p := range l.Params {
			keep[i] = w.live[p.Var]
		}
		return keep, slices.Contains(keep, false)
	}
	without := func(l *core.Lambda, keep []bool) *core.Lambda {
		return &core.Lambda{Params: core.Kept(l.Params, keep), Body: l.Body, Ret: l.Ret}
	}
	switch e := core.Match(e).(type) {
	case *core.Screma:
		if keep, some := used(e.Map); some {
			w.changed = true
			out := *e
			out.Arrays, out.Map = core.Kept(e.Arrays, keep), without(e.Map, keep)
			return &out
		}
	case *core.Hist:
		if keep, some := used(e.Bucket); some {
			w.changed = true
			return &core.Hist{Size: e.Size, Arrays: core.Kept(e.Arrays, keep), Ops: e.Ops, Bucket: without(e.Bucket, keep)}
		}
	default:
	}
	return e
}

// makesOnly reports whether e makes memory and writes nothing to it.
func makesOnly(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.Alloc, *core.Scratch:
		return true
	default:
		return false
	}
}

// needed says which elements of ps are live; a size that another element
// mentions is.
func (w *sweeper) needed(ps []core.Param) []bool {
	keep := make([]bool, len(ps))
	for range ps {
		for i, p := range ps {
			if !keep[i] && w.live[p.Var] {
				keep[i] = true
				w.uses.Type(p.Type)
			}
		}
	}
	return keep
}

// trim drops results that are not live. At the memory stage results hang
// together and stay.
func (w *sweeper) trim(s *core.Stm) *core.Stm {
	if w.stage == core.StageMemory {
		return s
	}
	keep := w.needed(s.Dst)
	if e, ok := s.Exp.(*core.Loop); ok && slices.Contains(keep, false) {
		keep = w.loopNeeds(e, keep)
	}
	if !slices.Contains(keep, false) {
		return s
	}
	exp := w.without(s.Exp, keep)
	if exp == nil {
		return s
	}
	w.changed = true
	return &core.Stm{Dst: core.Kept(s.Dst, keep), Exp: exp, Aux: s.Aux}
}

// without returns an expression that lacks the results not kept, or nil.
func (w *sweeper) without(e core.Exp, keep []bool) core.Exp {
	res := func(b *core.Body) *core.Body { return &core.Body{Stms: b.Stms, Res: core.Kept(b.Res, keep)} }
	switch e := core.Match(e).(type) {
	case *core.If:
		return &core.If{Cond: e.Cond, Then: res(e.Then), Else: res(e.Else)}
	case *core.Switch:
		cases := make([]core.Case, len(e.Cases))
		for i, c := range e.Cases {
			cases[i] = core.Case{Value: c.Value, Body: res(c.Body)}
		}
		return &core.Switch{On: e.On, Cases: cases, Default: res(e.Default)}
	case *core.Loop:
		out := *e
		out.Params, out.Init, out.Body = core.Kept(e.Params, keep), core.Kept(e.Init, keep), res(e.Body)
		return &out
	case *core.SegMap:
		out := *e
		out.Body, out.Ret = res(e.Body), core.Kept(e.Ret, keep)
		return &out
	case *core.Screma:
		return w.scremaWithout(e, keep)
	case *core.WithAcc:
		return w.withAccWithout(e, keep)
	case *core.Derivative:
		return derivativeWithout(e, keep)
	default:
	}
	return nil
}

// derivativeWithout makes the arguments inert whose adjoints are not needed, or the results whose tangents are not: nothing is computed for
// them, and their integers do not make integers matter (Note [Derivatives by integers]). It notes in keep that all results stay.
func derivativeWithout(e *core.Derivative, keep []bool) core.Exp {
	out := *e
	inert := &out.InertResults
	if e.Reverse {
		inert = &out.InertArgs
	}
	before := *inert
	*inert = slices.Clone(before)
	for i, needed := range keep[len(e.Body.Res):] {
		if !needed && !slices.Contains(before, i) {
			*inert = append(*inert, i)
		}
	}
	for i := range keep {
		keep[i] = true
	}
	if len(*inert) == len(before) {
		return nil
	}
	return &out
}

// withAccWithout drops results besides arrays, accumulators of which no array is needed, and arrays of accumulators without an operator of
// which others are. It notes in keep what stays nevertheless: one accumulator at least, those that are left in the swept body since
// statements do not return less, and all arrays of one with an operator.
func (w *sweeper) withAccWithout(e *core.WithAcc, keep []bool) core.Exp {
	inputs, rest := accumulatorsKept(e, keep)
	changed := w.changed
	for more := true; more && slices.Contains(inputs, false); {
		swept := w.body(&core.Body{Stms: e.Lambda.Body.Stms, Res: core.Kept(e.Lambda.Body.Res, slices.Concat(inputs, rest))})
		more = keepAccumulators(inputs, e.Lambda.Params, core.FreeInBody(swept))
	}
	w.changed = changed
	updated := map[core.Var][]bool{} // by accumulator, the arrays that stay
	var out core.WithAcc
	k := 0
	for i, in := range e.Inputs {
		part := keep[k : k+len(in.Arrays)]
		k += len(in.Arrays)
		if !inputs[i] {
			continue
		}
		if in.Op != nil || !slices.Contains(part, true) {
			for j := range part {
				part[j] = true
			}
		}
		if slices.Contains(part, false) {
			updated[e.Lambda.Params[i].Var] = part
			in.Arrays = core.Kept(in.Arrays, part)
		}
		out.Inputs = append(out.Inputs, in)
	}
	if !slices.Contains(keep, false) {
		return nil
	}
	body := withoutValues(e.Lambda.Body, updated)
	results := slices.Concat(inputs, rest)
	out.Lambda = &core.Lambda{
		Params: core.Kept(e.Lambda.Params, inputs), Ret: core.Kept(e.Lambda.Ret, results),
		Body: &core.Body{Stms: body.Stms, Res: core.Kept(body.Res, results)},
	}
	return &out
}

// withoutValues drops the values that a body updates arrays with that do not stay. Types of accumulators name the first one.
func withoutValues(b *core.Body, updated map[core.Var][]bool) *core.Body {
	if len(updated) == 0 {
		return b
	}
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := &core.Stm{Dst: s.Dst, Aux: s.Aux, Exp: core.MapBodies(s.Exp, func(in *core.Body) *core.Body {
			return withoutValues(in, updated)
		})}
		if e, ok := s.Exp.(*core.UpdateAcc); ok && updated[s.Dst[0].Type.Acc] != nil {
			n.Exp = &core.UpdateAcc{Acc: e.Acc, Index: e.Index, Values: core.Kept(e.Values, updated[s.Dst[0].Type.Acc])}
		}
		out.Stms = append(out.Stms, n)
	}
	return out
}

// loopNeeds extends what is kept of a loop by the parameters that those kept
// depend on.
func (w *sweeper) loopNeeds(e *core.Loop, keep []bool) []bool {
	index := map[core.Var]int{}
	for i, p := range e.Params {
		index[p.Var] = i
	}
	need := func(vs *core.VarSet) {
		for _, v := range vs.List() {
			if i, ok := index[v]; ok {
				keep[i] = true
			}
		}
	}
	if !e.IsFor() {
		keep[index[e.While]] = true
	}
	used := &needs{stms: make([]part, len(e.Body.Stms))}
	for range e.Params {
		before := slices.Clone(keep)
		w.addUsed(used, e.Body, core.Kept(e.Body.Res, keep))
		need(&used.vars)
		for i, p := range e.Params {
			if keep[i] {
				need(core.FreeInType(p.Type))
			}
		}
		if slices.Equal(before, keep) {
			break
		}
	}
	return keep
}

// usedFor is what the statements of a body use that some results, or what the
// statements do besides, need.
func (w *sweeper) usedFor(b *core.Body, res []core.Operand) *core.VarSet {
	used := &needs{stms: make([]part, len(b.Stms))}
	w.addUsed(used, b, res)
	return &used.vars
}

// needs is what usedFor says of a body, for results that become more: what is used, and what is known of each statement.
type needs struct {
	vars core.VarSet
	stms []part
}

// part is what is known of a statement in a body of which results are asked for.
type part uint8

const (
	unasked  part = iota
	asked         // it does nothing but return results
	complete      // all that it mentions is used
)

// addUsed adds to what is used what further results need.
func (w *sweeper) addUsed(used *needs, b *core.Body, res []core.Operand) {
	for _, r := range res {
		used.vars.Add(r.Var)
	}
	for i, s := range slices.Backward(b.Stms) {
		known := &used.stms[i]
		switch {
		case *known == complete:
			continue
		case *known == unasked && w.mustStay(s):
			used.vars.AddFree(s)
			*known = complete
			continue
		}
		*known = asked
		if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return used.vars.Has(p.Var) }) && w.usedBy(s, &used.vars) {
			*known = complete // Note [Unused parts of operators]
		}
	}
}

// scremaWithout drops kept values, and what no used value of a reduction or scan depends on. Everything stays when there is a post lambda.
func (w *sweeper) scremaWithout(e *core.Screma, keep []bool) core.Exp {
	if e.Post != nil {
		return nil
	}
	// Results are reductions, scans, kept values; the lambda returns scans first.
	nr, ns := core.Width(e.Reds), core.Width(e.Scans)
	out := *e
	out.Reds = w.operatorsWithout(e.Reds, keep[:nr])
	out.Scans = w.operatorsWithout(e.Scans, keep[nr:nr+ns])
	if !slices.Contains(keep, false) {
		return nil
	}
	mapKeep := slices.Concat(keep[nr:nr+ns], keep[:nr], keep[nr+ns:])
	out.Map = &core.Lambda{
		Params: e.Map.Params, Ret: core.Kept(e.Map.Ret, mapKeep),
		Body: &core.Body{Stms: e.Map.Body.Stms, Res: core.Kept(e.Map.Body.Res, mapKeep)},
	}
	return &out
}

// operatorsWithout are operators on what is kept of their values, which becomes all that this depends on.
func (w *sweeper) operatorsWithout(ops []core.Operator, keep []bool) []core.Operator {
	var out []core.Operator
	for _, op := range ops {
		part := keep[:len(op.Neutral)]
		keep = keep[len(op.Neutral):]
		w.operatorNeeds(op, part)
		if slices.Contains(part, true) {
			out = append(out, operatorWithout(op, part))
		}
	}
	return out
}
