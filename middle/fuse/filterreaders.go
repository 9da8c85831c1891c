package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// readers are the SOACs that read the result of a filter, while they become ones over all elements: Note [Readers of filters].
type readers struct {
	*fuser
	flt *filter
	// kept is how many elements the filter keeps; sizes are all variables that say so of the others of a partition, and first is how many
	// are not of these.
	kept, first core.Operand
	sizes       []core.Operand
	// starts has, for each array of the result, what a point of the filter stores in it. Statements parts make these arrays.
	starts map[core.Var]core.Operand
	parts  []*core.Stm
	// wide has, for arrays of what is kept that scans returned, the same for all elements, and lasts the scans.
	wide  map[core.Var]core.Var
	lasts map[core.Var]*scanned
	// maps has, for arrays that short maps make of what is kept, these maps: readers of one compute it.
	maps map[core.Var]*core.Stm
	// single says that one statement is all that reads the result.
	single bool
	// stored says that the filter still stores what it keeps.
	stored bool
	// late says that readers may need what is only known after the filter, if less than so many of them combine elements.
	late int
	// stms are the statements, of which some are replaced already, and res the results of their body.
	stms []*core.Stm
	res  []core.Operand
}

func (f *fuser) newReaders(stms []*core.Stm, res []core.Operand, flt *filter) *readers {
	return &readers{
		fuser: f, flt: flt, starts: map[core.Var]core.Operand{}, wide: map[core.Var]core.Var{}, lasts: map[core.Var]*scanned{},
		maps: map[core.Var]*core.Stm{}, stms: stms, res: res,
	}
}

// readersOf finds the result of a filter, and copies of it; nil if there is none.
func (f *fuser) readersOf(stms []*core.Stm, res []core.Operand, flt *filter) *readers {
	r := f.newReaders(stms, res, flt)
	whole := core.ParamVars(flt.stm.Dst)
	for _, s := range stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			if len(e.Slice) != 1 || e.Slice[0].Fix || e.Slice[0].Len.IsConst() {
				continue
			}
			k, n := slices.Index(whole, e.Array), e.Slice[0].Len
			if k < 0 || e.Slice[0] != core.Range(core.Int(0), n, core.Int(1)) || len(r.parts) > 0 && n != r.kept {
				continue
			}
			r.kept, r.parts = n, append(r.parts, s)
			r.starts[s.Dst[0].Var] = flt.update.Exp.(*core.UpdateAcc).Values[k]
		case *core.Copy:
			if start, ok := r.starts[e.Array]; ok {
				r.parts, r.starts[s.Dst[0].Var] = append(r.parts, s), start
			}
		default:
		}
	}
	if len(r.parts) == 0 {
		return nil
	}
	return r
}

// bound are the variables that statements bind.
func bound(stms []*core.Stm) []core.Var {
	var vs []core.Var
	for _, s := range stms {
		vs = append(vs, core.ParamVars(s.Dst)...)
	}
	return vs
}

// needs reports whether one of some variables is among operands.
func (*readers) needs(os []core.Operand, vs []core.Var) bool {
	return slices.ContainsFunc(os, func(o core.Operand) bool { return slices.Contains(vs, o.Var) })
}

// ofAll is the statements with all that reads the result of the filter over all elements; nil if something cannot.
func (r *readers) ofAll() []*core.Stm {
	gone := append([]*core.Stm{r.flt.stm}, r.parts...)
	if r.needs(r.res, bound(gone)) {
		return nil
	}
	isReader := func(s *core.Stm) bool {
		return !slices.Contains(gone, s) && slices.ContainsFunc(gone, func(g *core.Stm) bool { return r.uses(s, g) })
	}
	count := 0
	for _, s := range r.stms {
		if isReader(s) {
			count++
		}
	}
	r.single = count == 1
	for _, c := range r.stms[slices.Index(r.stms, r.flt.stm)+1:] {
		must := isReader(c)
		may := slices.ContainsFunc(r.freeIn(c).List(), func(v core.Var) bool { return r.wide[v] != 0 || r.maps[v] != nil })
		if (must || may) && !r.widen(c, func([]*core.Stm) bool { return true }) && must {
			return nil
		}
	}
	if count == 0 {
		return nil
	}
	return slices.DeleteFunc(r.stms, func(s *core.Stm) bool { return slices.Contains(gone, s) })
}

// mostLate is how many kernels over all elements of a filter may take the place of one wait for how many it keeps.
const mostLate = 3

// countNeeded reports whether the host needs how many elements are kept for statements: it does not for what it fills arrays with, for what
// the points of SOACs compute, or for scalars that it does not need either.
func (r *readers) countNeeded(stms []*core.Stm) bool {
	return r.needs(r.res, []core.Var{r.kept.Var}) || slices.ContainsFunc(stms, func(s *core.Stm) bool {
		if !r.freeIn(s).Has(r.kept.Var) {
			return false
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Replicate:
			return slices.Contains(e.Shape, r.kept)
		case *core.Screma:
			return e.Size == r.kept
		case *core.Bin, *core.Cmp, *core.Conv:
			return r.hostNeeds(s.Dst)
		default:
			return true
		}
	})
}

// asStored is the statements with maps and scatters of the result of the filter computed where it is stored, where something else needs it,
// too; nil if there is none.
func (r *readers) asStored() []*core.Stm {
	r.stored = true
	any := false
	for _, c := range r.stms[slices.Index(r.stms, r.flt.stm)+1:] {
		if slices.ContainsFunc(r.parts, func(p *core.Stm) bool { return r.uses(c, p) }) {
			any = r.widen(c, r.withStore) || any
		}
	}
	if !any {
		return nil
	}
	return r.stms
}

// withStore reports whether statements over all elements are part of what stores the result of a filter: maps, and scatters that make no
// bytes, as each takes two atomic operations where memory is made of words. So are reductions and histograms that the host waits for.
func (r *readers) withStore(wide []*core.Stm) bool {
	return !slices.ContainsFunc(wide, func(s *core.Stm) bool {
		switch e := core.Match(s.Exp).(type) {
		case *core.Screma:
			return len(e.Scans) > 0 || len(e.Reds) > 0 && !r.hostNeeds(s.Dst)
		case *core.WithAcc:
			return slices.ContainsFunc(e.Inputs, func(in core.AccInput) bool { return in.Op != nil }) ||
				slices.ContainsFunc(s.Dst, func(q core.Param) bool { return q.Type.Elem.Size() < prim.U32.Size() })
		case *core.Hist:
			return !r.hostWaitsFor(s.Dst)
		default:
			return false
		}
	})
}

// hostWaitsFor reports whether the host needs scalars that statements compute from arrays.
func (r *readers) hostWaitsFor(arrays []core.Param) bool {
	known := &core.VarSet{}
	for _, p := range arrays {
		known.Add(p.Var)
	}
	for _, s := range r.stms {
		if !slices.ContainsFunc(r.freeIn(s).List(), known.Has) {
			continue
		}
		if r.hostNeeds(s.Dst) {
			return true
		}
		for _, p := range s.Dst {
			known.Add(p.Var)
		}
	}
	return false
}

// widen replaces statement c by statements that go over all elements, if there are such and they are good. It reports whether it did.
func (r *readers) widen(c *core.Stm, good func(wide []*core.Stm) bool) bool {
	if wide := r.wider(c); wide != nil && good(wide) && r.replace(c, wide) {
		return true
	}
	for _, q := range c.Dst {
		delete(r.wide, q.Var)
	}
	return false
}

// replace puts statements behind the filter instead of statement c, or where c is if they need what is between. It reports false if
// neither is possible, or if they need something that is only known after the filter and store what is kept, or others read that.
func (r *readers) replace(c *core.Stm, by []*core.Stm) bool {
	i, j := slices.Index(r.stms, r.flt.stm), slices.Index(r.stms, c)
	between := r.stms[i+1 : j]
	if (!r.single || stores(by)) && r.isLate(between, by) {
		if r.late == 0 {
			return false
		}
		if slices.ContainsFunc(by, combines) {
			r.late--
		}
	}
	if !slices.ContainsFunc(between, func(s *core.Stm) bool {
		return slices.ContainsFunc(by, func(b *core.Stm) bool { return r.uses(b, s) || r.conflict(s, b) })
	}) {
		r.stms = slices.Concat(r.stms[:i+1], by, between, r.stms[j+1:])
		return true
	}
	if slices.ContainsFunc(between, func(s *core.Stm) bool { return r.overwritesFor(s, r.flt.stm) }) {
		return false
	}
	r.stms = slices.Concat(r.stms[:j], by, r.stms[j+1:])
	return true
}

// combines reports whether a statement combines elements, which takes kernels of its own.
func combines(s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		return len(e.Scans)+len(e.Reds) > 0
	case *core.Hist:
		return true
	default:
		return false
	}
}

// stores reports whether statements store what is kept in an array, and take the start of that.
func stores(by []*core.Stm) bool {
	return slices.ContainsFunc(by, func(s *core.Stm) bool {
		e, ok := s.Exp.(*core.Index)
		return ok && !e.Slice[0].Fix
	})
}

// isLate reports whether statements, apart from those that take the start of what they have stored, need what is computed from the result
// of the filter: they would be kernels of their own.
func (r *readers) isLate(between, by []*core.Stm) bool {
	known := map[core.Var]bool{r.kept.Var: true, r.first.Var: true}
	for _, size := range r.sizes {
		known[size.Var] = true
	}
	for _, s := range append([]*core.Stm{r.flt.stm}, between...) {
		if s == r.flt.stm || slices.ContainsFunc(r.freeIn(s).List(), func(v core.Var) bool { return known[v] }) {
			for _, p := range s.Dst {
				known[p.Var] = true
			}
		}
	}
	return slices.ContainsFunc(by, func(s *core.Stm) bool {
		_, start := s.Exp.(*core.Index)
		return !start && slices.ContainsFunc(r.freeIn(s).List(), func(v core.Var) bool { return known[v] })
	})
}

// wider is a statement that reads what the filter keeps as statements that go over all elements; nil if it is none that can.
func (r *readers) wider(c *core.Stm) []*core.Stm {
	if size, ok := core.SizeOf(c.Exp); ok && (size != r.kept && !slices.Contains(r.sizes, size) || sequential(c) != sequential(r.flt.stm)) {
		return nil
	}
	if r.readsOtherwise(c) {
		return nil
	}
	switch e := core.Match(c.Exp).(type) {
	case *core.Screma:
		return r.screma(c, e)
	case *core.Hist:
		return r.hist(c, e)
	case *core.WithAcc:
		return r.scatter(c, e)
	case *core.Index, *core.If:
		return r.lastElement(c)
	default:
		return nil
	}
}

// readsOtherwise reports whether a SOAC or a scatter reads arrays of what is kept otherwise than one element at each point.
func (r *readers) readsOtherwise(c *core.Stm) bool {
	e := withoutInputs(c.Exp)
	if acc, ok := e.(*core.WithAcc); ok {
		out, l := *acc, *acc.Lambda
		b := &core.Body{Res: l.Body.Res}
		for _, s := range l.Body.Stms {
			b.Stms = append(b.Stms, &core.Stm{Dst: s.Dst, Exp: withoutInputs(s.Exp), Aux: s.Aux})
		}
		l.Body, out.Lambda = b, &l
		e = &out
	}
	_, soac := core.SizeOf(c.Exp)
	_, acc := e.(*core.WithAcc)
	return (soac || acc) && slices.ContainsFunc(core.FreeInExp(e).List(), func(v core.Var) bool {
		_, start := r.starts[v]
		return start || r.wide[v] != 0
	})
}

// reading is what a lambda reads, at a point of the filter.
type reading struct {
	sub    core.Subst   // parameters of the lambda that the point has anyway
	arrays []core.Var   // arrays of all elements that it reads besides
	params []core.Param // these
	stms   []*core.Stm  // what a point that is kept does before
}

// reads is how the points of a filter read what a SOAC with a lambda reads; nil if they do not have it.
func (r *readers) reads(arrays []core.Var, l *core.Lambda) *reading {
	if !core.OnlyScalars(core.ParamTypes(l.Params)) || !onScalars(l.Body) {
		return nil
	}
	out := &reading{sub: core.Subst{}}
	for k, a := range arrays {
		p := l.Params[k]
		start, is := r.starts[a]
		switch {
		case is:
			out.sub[p.Var] = start
		case r.wide[a] != 0:
			out.arrays, out.params = append(out.arrays, r.wide[a]), append(out.params, p)
		case r.counts(a, r.kept):
			at := r.position()
			out.sub[p.Var], out.stms = core.V(at.Dst[0].Var), append(out.stms, at)
		case r.maps[a] != nil:
			out.sub[p.Var] = r.mapped(out, a)
		default:
			return nil
		}
	}
	return out
}

// mapped adds what a map makes of an element to what a lambda reads.
func (r *readers) mapped(out *reading, a core.Var) core.Operand {
	s := r.maps[a]
	e := s.Exp.(*core.Screma)
	rd := r.reads(e.Arrays, e.Map)
	inner := rd.sub.Body(e.Map.Body)
	l := core.RenameLambda(r.fun, &core.Lambda{
		Params: rd.params, Body: &core.Body{Stms: append(slices.Clip(rd.stms), inner.Stms...), Res: inner.Res}, Ret: e.Map.Ret,
	})
	out.arrays, out.params, out.stms = append(out.arrays, rd.arrays...), append(out.params, l.Params...), append(out.stms, l.Body.Stms...)
	return l.Body.Res[slices.Index(core.ParamVars(s.Dst), a)]
}

// position is a statement that computes how many elements are kept before one that is.
func (r *readers) position() *core.Stm {
	x, y := r.flt.upto, core.Int(1)
	if r.flt.others() {
		x, y = r.flt.index, r.flt.upto
	}
	return &core.Stm{
		Dst: []core.Param{{Var: r.fun.Fresh("at"), Type: core.I64}},
		Exp: &core.Bin{Op: prim.Sub, Type: prim.I64, X: x, Y: y}, Aux: core.Aux{Where: r.flt.stm.Aux.Where},
	}
}

// ifKept is a statement that computes the results of a body, after what the point has for it, if an element is kept, and else returns
// others.
func (r *readers) ifKept(rd *reading, b *core.Body, ts []core.Type, others []core.Operand) *core.Stm {
	inner := rd.sub.Body(b)
	used := core.FreeInBody(&core.Body{Res: inner.Res})
	then := &core.Body{Stms: core.Needed(slices.Concat(rd.stms, inner.Stms), used), Res: inner.Res}
	choice := &core.If{Cond: r.flt.kept, Then: then, Else: &core.Body{Res: others}}
	if r.flt.others() {
		choice.Then, choice.Else = choice.Else, choice.Then
	}
	s := &core.Stm{Exp: choice, Aux: core.Aux{Where: r.flt.stm.Aux.Where}}
	for _, t := range ts {
		s.Dst = append(s.Dst, core.Param{Var: r.fun.Fresh("x"), Type: t})
	}
	return s
}

// lambda is code at a point of the filter as a lambda, with the arrays that it reads, and names of its own.
func (r *readers) lambda(rd *reading, stms []*core.Stm, res []core.Operand, ret []core.Type) ([]core.Var, *core.Lambda) {
	used := core.FreeInBody(&core.Body{Stms: stms, Res: res})
	before := core.Needed(r.flt.points.Map.Body.Stms, used)
	out := &core.Lambda{Body: &core.Body{Stms: append(slices.Clip(before), stms...), Res: res}, Ret: ret}
	var arrays []core.Var
	take := func(params []core.Param, from []core.Var) {
		for k, p := range params {
			if used.Has(p.Var) {
				arrays, out.Params = append(arrays, from[k]), append(out.Params, p)
			}
		}
	}
	take(r.flt.points.Map.Params, r.flt.points.Arrays)
	take(rd.params, rd.arrays)
	return arrays, core.RenameLambda(r.fun, out)
}

// whereKept is a lambda of what is kept as one of all elements, which for the rest returns others.
func (r *readers) whereKept(rd *reading, b *core.Body, ts []core.Type, others []core.Operand) ([]core.Var, *core.Lambda) {
	choice := r.ifKept(rd, b, ts, others)
	return r.lambda(rd, []*core.Stm{choice}, core.Vars(core.ParamVars(choice.Dst)), ts)
}

// shortMap is how many statements a map has at most that each of its readers computes.
const shortMap = 4

// screma is a map, a reduction or a scan of what is kept. What it keeps besides a reduction is a map of its own.
func (r *readers) screma(c *core.Stm, e *core.Screma) []*core.Stm {
	if e.Post != nil || len(e.Scans) > 0 && len(e.Reds) > 0 || !core.OnlyScalars(e.Map.Ret) {
		return nil
	}
	rd := r.reads(e.Arrays, e.Map)
	if rd == nil {
		return nil
	}
	if len(e.Scans) > 0 {
		return r.scan(c, e, rd)
	}
	var out []*core.Stm
	nr := core.Width(e.Reds)
	if nr == 0 && core.CountStms(e.Map.Body) <= shortMap {
		for _, q := range c.Dst {
			r.maps[q.Var] = c
		}
	}
	if nr > 0 {
		b := &core.Body{Stms: e.Map.Body.Stms, Res: e.Map.Body.Res[:nr]}
		arrays, l := r.whereKept(rd, b, e.Map.Ret[:nr], core.Neutrals(e.Reds))
		out = append(out, &core.Stm{
			Dst: c.Dst[:nr], Exp: &core.Screma{Size: r.flt.points.Size, Arrays: arrays, Map: l, Reds: e.Reds}, Aux: r.aux(c),
		})
	}
	if len(c.Dst) > nr {
		out = append(out, r.storing(c, c.Dst[nr:], rd, &core.Body{Stms: e.Map.Body.Stms, Res: e.Map.Body.Res[nr:]})...)
	}
	return out
}

func (r *readers) aux(c *core.Stm) core.Aux { return joinAux(r.flt.stm, c) }

// scan is a scan of what is kept, and what stores its results as the filter stores what it keeps.
func (r *readers) scan(c *core.Stm, e *core.Screma, rd *reading) []*core.Stm {
	ns := core.Width(e.Scans)
	others := slices.Concat(core.Neutrals(e.Scans), blanks(e.Map.Ret[ns:]))
	arrays, l := r.whereKept(rd, e.Map.Body, e.Map.Ret, others)
	all := &core.Stm{Exp: &core.Screma{Size: r.flt.points.Size, Arrays: arrays, Map: l, Scans: e.Scans}, Aux: r.aux(c)}
	stored := &reading{}
	b := &core.Body{}
	for k, q := range c.Dst {
		t := core.ScalarType(q.Type.Elem)
		w := core.Param{Var: r.fun.Fresh(r.fun.Base(q.Var)), Type: core.ArrayOf(t, r.flt.points.Size)}
		p := core.Param{Var: r.fun.Fresh("x"), Type: t}
		all.Dst = append(all.Dst, w)
		r.wide[q.Var] = w.Var
		if scan := scannedIn(c, q.Var); k < ns && scan != nil {
			r.lasts[q.Var] = scan
		}
		stored.arrays, stored.params, b.Res = append(stored.arrays, w.Var), append(stored.params, p), append(b.Res, core.V(p.Var))
	}
	return append([]*core.Stm{all}, r.storing(c, c.Dst, stored, b)...)
}

// hist is a histogram of what is kept.
func (r *readers) hist(c *core.Stm, e *core.Hist) []*core.Stm {
	rd := r.reads(e.Arrays, e.Bucket)
	if rd == nil || !core.OnlyScalars(e.Bucket.Ret) {
		return nil
	}
	none := blanks(e.Bucket.Ret)
	for k := range indices(e) {
		none[k] = core.Int(-1)
	}
	arrays, l := r.whereKept(rd, e.Bucket.Body, e.Bucket.Ret, none)
	return []*core.Stm{{Dst: c.Dst, Exp: &core.Hist{Size: r.flt.points.Size, Arrays: arrays, Ops: e.Ops, Bucket: l}, Aux: r.aux(c)}}
}

// blanks are values of types of scalars that nobody asks for.
func blanks(ts []core.Type) []core.Operand {
	out := make([]core.Operand, len(ts))
	for k, t := range ts {
		out[k] = core.C(prim.Zero(t.Elem))
	}
	return out
}

// storing makes arrays dst, of statement c, of what a body computes of each element that is kept.
func (r *readers) storing(c *core.Stm, dst []core.Param, rd *reading, b *core.Body) []*core.Stm {
	n, where := r.flt.points.Size, core.Aux{Where: c.Aux.Where}
	var ts []core.Type
	for _, q := range dst {
		ts = append(ts, core.ScalarType(q.Type.Elem))
	}
	place, values, choice := r.placed(rd, b, ts)
	acc := r.fun.Fresh("acc")
	accType := core.AccType(acc)
	updated, made := core.Param{Var: r.fun.Fresh("acc"), Type: accType}, core.Param{Var: r.fun.Fresh("acc"), Type: accType}
	update := &core.Stm{
		Dst: []core.Param{updated}, Exp: &core.UpdateAcc{Acc: acc, Index: []core.Operand{place}, Values: values}, Aux: r.flt.update.Aux,
	}
	arrays, l := r.lambda(rd, []*core.Stm{choice, update}, []core.Operand{core.V(updated.Var)}, []core.Type{accType})
	points := &core.Stm{
		Dst: []core.Param{made}, Exp: &core.Screma{Size: n, Arrays: arrays, Map: l}, Aux: r.flt.acc.Lambda.Body.Stms[0].Aux,
	}
	all := &core.Stm{Aux: r.aux(c)}
	var before, behind []*core.Stm
	input := core.AccInput{Shape: r.flt.acc.Inputs[0].Shape}
	for _, q := range dst {
		t := core.ArrayOf(core.ScalarType(q.Type.Elem), n)
		scratch, whole := core.Param{Var: r.fun.Fresh("scratch"), Type: t}, core.Param{Var: r.fun.Fresh("all"), Type: t}
		input.Arrays = append(input.Arrays, scratch.Var)
		before = append(before, &core.Stm{Dst: []core.Param{scratch}, Exp: &core.Scratch{Elem: t.Elem, Shape: t.Shape}, Aux: where})
		all.Dst = append(all.Dst, whole)
		start := core.Slice{core.Range(core.Int(0), r.kept, core.Int(1))}
		behind = append(behind, &core.Stm{Dst: []core.Param{q}, Exp: &core.Index{Array: whole.Var, Slice: start}, Aux: where})
	}
	all.Exp = &core.WithAcc{Inputs: []core.AccInput{input}, Lambda: &core.Lambda{
		Params: []core.Param{{Var: acc, Type: accType}}, Ret: []core.Type{accType},
		Body: &core.Body{Stms: []*core.Stm{points}, Res: []core.Operand{core.V(made.Var)}},
	}}
	return slices.Concat(before, []*core.Stm{all}, behind)
}

// placed is a statement that computes what a body does of an element that is kept, where it is stored, and its values. What the filter
// itself stores is at the same place.
func (r *readers) placed(rd *reading, b *core.Body, ts []core.Type) (place core.Operand, values []core.Operand, choice *core.Stm) {
	if r.stored && r.flt.alone {
		choice = r.ifKept(rd, b, ts, blanks(ts))
		return r.flt.place, core.Vars(core.ParamVars(choice.Dst)), choice
	}
	at := r.position()
	here := *rd
	here.stms = append(slices.Clip(rd.stms), at)
	choice = r.ifKept(&here, &core.Body{Stms: b.Stms, Res: append([]core.Operand{core.V(at.Dst[0].Var)}, b.Res...)},
		append([]core.Type{core.I64}, ts...), append([]core.Operand{core.Int(-1)}, blanks(ts)...))
	values = core.Vars(core.ParamVars(choice.Dst))
	return values[0], values[1:], choice
}

// lastElement is what reads the last element of a scan of what is kept, of the scan of all elements.
func (r *readers) lastElement(c *core.Stm) []*core.Stm {
	v := arrayOfLast(c)
	scan := r.lasts[v]
	if scan == nil || !r.isLastOf(c, scan) {
		return nil
	}
	n := r.flt.points.Size
	aux := core.Aux{Where: c.Aux.Where}
	end := core.Param{Var: r.fun.Fresh("t"), Type: core.I64}
	before := &core.Stm{Dst: []core.Param{end}, Exp: &core.Bin{Op: prim.Sub, Type: prim.I64, X: n, Y: core.Int(1)}, Aux: aux}
	read := &core.Index{Array: r.wide[v], Slice: core.Slice{core.Fix(core.V(end.Var))}}
	if _, ok := c.Exp.(*core.Index); ok {
		return []*core.Stm{before, {Dst: c.Dst, Exp: read, Aux: c.Aux}}
	}
	none, x := core.Param{Var: r.fun.Fresh("c"), Type: core.ScalarType(prim.Bool)}, core.Param{Var: r.fun.Fresh("x"), Type: c.Dst[0].Type}
	return []*core.Stm{
		{Dst: []core.Param{none}, Exp: &core.Cmp{Op: prim.Eq, Type: prim.I64, X: n, Y: core.Int(0)}, Aux: aux},
		{Dst: c.Dst, Aux: c.Aux, Exp: &core.If{
			Cond: core.V(none.Var), Then: &core.Body{Res: scan.op.Neutral},
			Else: &core.Body{Stms: []*core.Stm{before, {Dst: []core.Param{x}, Exp: read, Aux: aux}}, Res: []core.Operand{core.V(x.Var)}},
		}},
	}
}
