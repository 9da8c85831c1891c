package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Elements computed where they are read]
//
// What a thread makes by a map, and a loop reads element by element, would go through memory, though the loop can compute it:
//
//	let xs = map f ys                         loop (acc = …) for i < n {
//	loop (acc = …) for i < n {                  let x = f ys[i + 1]
//	  let x = xs[i + 1] …                       …
//
// So it is with rows of a map of maps, or its columns, that another map reads in loops of its own. Each element must be computed about
// once: the loop is in no other, and its places differ from round to round; a place that is the same in all rounds may be read besides. f
// fails nowhere, and what it reads is never overwritten.

// mostMoved is how many statements a function may have that is computed where it is read.
const mostMoved = 300

// computedWhereRead is a body in which elements of maps are computed where they are read: Note [Elements computed where they are read].
func (f *flattener) computedWhereRead(b *core.Body) *core.Body {
	frees := &core.Frees{}
	for i := 0; i < len(b.Stms) && !f.onHost; i++ {
		m := f.movableMapOf(b.Stms[i])
		var moved *core.Body
		switch {
		case m == nil:
		case len(m.levels) == 1:
			moved = f.movedIntoLoop(b, i, m, frees)
		default:
			moved = f.movedIntoMap(b, i, m, frees)
		}
		if moved != nil {
			b, i = moved, i-1
		}
	}
	return b
}

// movableMap is a map of scalars, or a map of such maps.
type movableMap struct {
	levels []*core.Screma
	result core.Var
}

// movableMapOf is the map that a statement is, if its elements could be computed elsewhere.
func (f *flattener) movableMapOf(s *core.Stm) *movableMap {
	m := &movableMap{}
	for inner := s; inner != nil; {
		e, ok := inner.Exp.(*core.Screma)
		if !ok || !onlyMaps(e) || len(inner.Dst) != 1 || len(inner.Aux.Certs) > 0 || len(m.levels) == 2 {
			return nil
		}
		m.levels, m.result, inner = append(m.levels, e), s.Dst[0].Var, nil
		if body := e.Map.Body; !e.Map.Ret[0].IsScalar() {
			if len(body.Stms) != 1 || len(body.Stms[0].Dst) != 1 || !body.Res[0].IsVar(body.Stms[0].Dst[0].Var) {
				return nil
			}
			inner = body.Stms[0]
		}
	}
	body, moves := m.lambda().Body, true
	core.Walk(body, func(s *core.Stm) bool {
		_, soac := s.Exp.(*core.Screma)
		moves = moves && !core.MayFail(s.Exp) && (soac || core.Pure(s.Exp)) && len(s.Aux.Certs) == 0
		return moves
	})
	overwritten := func(v core.Var) bool { return f.TypeOf(core.V(v)).IsArray() && f.aliases.Consumed(v) }
	if !moves || core.CountStms(body) > mostMoved || slices.ContainsFunc(core.FreeInStm(s).List(), overwritten) {
		return nil
	}
	return m
}

// lambda computes an element.
func (m *movableMap) lambda() *core.Lambda { return m.levels[len(m.levels)-1].Map }

// movedIntoLoop is a body whose statement i, the map m, is computed in the loop that reads its elements; nil if there is none.
func (f *flattener) movedIntoLoop(b *core.Body, i int, m *movableMap, frees *core.Frees) *core.Body {
	reads := readsOnce(m.result, &core.Body{Stms: b.Stms[i+1:], Res: b.Res}, frees)
	if reads == nil {
		return nil
	}
	rest := f.computed(b.Stms[i+1:], m.result, reads, frees, func(in *core.Builder, at core.Operand) core.Operand {
		return f.elementOfMaps(in, m, at)
	})
	return &core.Body{Stms: append(slices.Clone(b.Stms[:i]), rest...), Res: b.Res}
}

// movedIntoMap is a body whose statement i, the map of maps m, is computed in the loops of the map that reads its rows or columns; nil if
// there is none, or if anything else needs them.
func (f *flattener) movedIntoMap(b *core.Body, i int, m *movableMap, frees *core.Frees) *core.Body {
	rows, left := m.result, slices.Delete(slices.Clone(b.Stms), i, i+1)
	j := nextUse(left, i, rows, frees)
	if j < 0 {
		return nil
	}
	view, turned := left[j].Exp.(*core.Rearrange)
	if turned {
		if core.FreeInBody(&core.Body{Stms: left[j+1:], Res: b.Res}).Has(rows) || !slices.Equal(view.Perm, []int{1, 0}) {
			return nil
		}
		rows = left[j].Dst[0].Var
		left = slices.Delete(left, j, j+1)
		if j = nextUse(left, j, rows, frees); j < 0 {
			return nil
		}
	}
	s := left[j]
	e, ok := s.Exp.(*core.Screma)
	k := -1
	if ok {
		k = slices.Index(e.Arrays, rows)
	}
	if k < 0 || slices.Contains(e.Arrays[k+1:], rows) || core.FreeInLambda(e.Map).Has(rows) ||
		core.FreeInBody(&core.Body{Stms: left[j+1:], Res: b.Res}).Has(rows) {
		return nil
	}
	reads := readsOnce(e.Map.Params[k].Var, e.Map.Body, frees)
	if reads == nil {
		return nil
	}
	numbers, number := f.Nested(), f.Param("i", core.I64)
	iota := numbers.LetVar("iota", &core.Iota{N: e.Size, Start: core.Int(0), Step: core.Int(1), Type: prim.I64})
	f.defs[iota] = numbers.Stms()[0].Exp
	into := *e
	into.Arrays, into.Map = slices.Clone(e.Arrays), &core.Lambda{Params: slices.Clone(e.Map.Params), Ret: e.Map.Ret}
	into.Arrays[k], into.Map.Params[k] = iota, number
	into.Map.Body = &core.Body{Res: e.Map.Body.Res, Stms: f.computed(e.Map.Body.Stms, e.Map.Params[k].Var, reads, frees,
		func(in *core.Builder, at core.Operand) core.Operand {
			if turned {
				return f.elementOfMaps(in, m, at, core.V(number.Var))
			}
			return f.elementOfMaps(in, m, core.V(number.Var), at)
		})}
	return &core.Body{Stms: slices.Concat(left[:j], numbers.Stms(), []*core.Stm{{Dst: s.Dst, Exp: &into, Aux: s.Aux}}, left[j+1:]), Res: b.Res}
}

// nextUse is the first statement from i on that uses a variable, or -1.
func nextUse(stms []*core.Stm, i int, v core.Var, frees *core.Frees) int {
	for j, s := range stms[i:] {
		if slices.Contains(frees.Stm(s), v) {
			return i + j
		}
	}
	return -1
}

// elementOfMaps computes the element of m at a place.
func (f *flattener) elementOfMaps(b *core.Builder, m *movableMap, at ...core.Operand) core.Operand {
	sub := core.Subst{}
	for n, e := range m.levels {
		for k, p := range e.Map.Params {
			x := b.Param("x", p.Type)
			f.element(b, x, sub.Operand(core.V(e.Arrays[k])).Var, at[n])
			sub[p.Var] = core.V(x.Var)
		}
	}
	return b.Splice(m.lambda().Body, sub)[0]
}

// computed are statements in which element computes what reads of an array did.
func (f *flattener) computed(
	stms []*core.Stm, array core.Var, reads []*core.Stm, frees *core.Frees, element func(b *core.Builder, at core.Operand) core.Operand,
) []*core.Stm {
	var m core.Mapper
	m.Body = func(b *core.Body) *core.Body {
		return &core.Body{Stms: f.computed(b.Stms, array, reads, frees, element), Res: b.Res}
	}
	var out []*core.Stm
	for _, s := range stms {
		if !slices.Contains(frees.Stm(s), array) {
			out = append(out, s)
			continue
		}
		if !slices.Contains(reads, s) {
			out = append(out, &core.Stm{Dst: s.Dst, Exp: core.MapExp(s.Exp, m), Aux: s.Aux})
			continue
		}
		in := f.Nested()
		in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		in.Bind(s.Dst, &core.Use{X: element(in, s.Exp.(*core.Index).Slice[0].Off)})
		out = append(out, in.Stms()...)
	}
	return out
}

// readsOnce are the statements of a body that read elements of an array of one dimension, in one loop and at most one place besides, if
// nothing else is done with it and the loop reads no element twice.
func readsOnce(array core.Var, b *core.Body, frees *core.Frees) []*core.Stm {
	r := &readFinder{array: array, frees: frees, defs: map[core.Var]core.Exp{}}
	if !r.body(b, nil) || r.inLoop != 1 || len(r.reads) > 2 {
		return nil
	}
	return r.reads
}

// readFinder finds where elements of an array are read.
type readFinder struct {
	array  core.Var
	frees  *core.Frees
	reads  []*core.Stm
	inLoop int                   // of them
	defs   map[core.Var]core.Exp // what is computed in the loop; nil for what is not known
}

// body reports whether a body, in a loop unless that is nil, only reads elements.
func (r *readFinder) body(b *core.Body, loop *core.Loop) bool {
	isArray := func(x core.Operand) bool { return x.IsVar(r.array) }
	for _, s := range b.Stms {
		for _, p := range s.Dst {
			r.defs[p.Var] = s.Exp
		}
		if !slices.Contains(r.frees.Stm(s), r.array) {
			continue
		}
		ok := false
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			ok = e.Array == r.array && len(e.Slice) == 1 && e.Slice[0].Fix && (loop == nil || r.moves(e.Slice[0].Off, loop))
			r.reads = append(r.reads, s)
			if loop != nil {
				r.inLoop++
			}
		case *core.Loop:
			ok = loop == nil && e.IsFor() && !slices.ContainsFunc(e.Init, isArray)
			clear(r.defs)
			for _, p := range e.Params {
				r.defs[p.Var] = nil
			}
			ok = ok && r.body(e.Body, e)
		case *core.If:
			ok = r.body(e.Then, loop) && r.body(e.Else, loop)
		}
		if !ok {
			return false
		}
	}
	return !slices.ContainsFunc(b.Res, isArray)
}

// moves reports whether a place in an array differs in all rounds of a loop.
func (r *readFinder) moves(x core.Operand, loop *core.Loop) bool {
	n, ok := r.step(x, loop)
	return ok && n != 0
}

// step is by how much a number grows from round to round of a loop, if it does so evenly.
func (r *readFinder) step(x core.Operand, loop *core.Loop) (int64, bool) {
	def, inside := r.defs[x.Var]
	switch bin, ok := def.(*core.Bin); {
	case x.IsVar(loop.Index.Var):
		return 1, true
	case x.Var == 0 || !inside:
		return 0, true
	case !ok || bin.Type != prim.I64 || bin.Op != prim.Add && bin.Op != prim.Sub:
		return 0, false
	default:
		m, okX := r.step(bin.X, loop)
		n, okY := r.step(bin.Y, loop)
		if bin.Op == prim.Sub {
			n = -n
		}
		return m + n, okX && okY
	}
}
