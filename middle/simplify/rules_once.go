package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Arrays of which one element is read]
//
// An array that only one element is read of, by code that runs as often as that which makes the array, need not be made: the element of a
// map of rows is one of the row that the map's code makes at the index, that of a concatenation is in one of its parts, that of a reshape
// of repeated rows is one of a row. A concatenation need not be made if several elements are read, either: each point of a map would make
// one of its own.
//
//	let (xs) = screma n (ys, zs) map concat
//	let (x) = index xs [i, j]
//
//	let (y) = index ys [i]
//	let (z) = index zs [i]
//	let (row) = concat y z
//	let (x) = index row [j]
//
// So is an element that a map reads, at an index of its own, of what a SOAC of as many elements makes by a few operations: borders of
// segments, say, that others compare with those of their neighbours.
//
//	let (starts, …) = screma n (xs, iota) map fn (x, i): … let (y) = index xs [i - 1] in (x != y, …) …
//	screma n (iota) map fn (i): … let (b) = index starts [i + 1] …
//
//	screma n (iota) map fn (i): … let (x) = index xs [i + 1] let (y) = index xs [i + 1 - 1] let (b) = x != y …

// An argument of core.Builder.Apply.
const renamed = true

// mostBranches is how many branches may take the place of a concatenation.
const mostBranches = 16

// indexParts reads an element of a concatenation of which nothing but elements is read from the part that it lies in, as the index says.
func (s *simplifier) indexParts(e *core.Index, in *core.Concat, is []core.Operand, scalar bool) *result {
	made := s.byElements(e.Array)
	if !scalar || made == nil || (len(in.Arrays)-1)*s.uses[e.Array] > mostBranches || slices.ContainsFunc(in.Arrays, s.overwritten) {
		return nil
	}
	b := s.Nested()
	exp := elementOfParts(b, in.Arrays, is)
	for _, st := range b.Stms() {
		s.add(st)
	}
	return relying(exp, made)
}

func elementOfParts(b *core.Builder, arrays []core.Var, is []core.Operand) core.Exp {
	first := &core.Index{Array: arrays[0], Slice: core.FullSlice(b.TypeOf(core.V(arrays[0])), is...)}
	if len(arrays) == 1 {
		return first
	}
	t := b.TypeOf(core.V(arrays[0]))
	in := func(exp func(b *core.Builder) core.Exp) *core.Body {
		return b.Build(func(b *core.Builder) []core.Operand {
			return b.LetTypes("x", []core.Type{core.ScalarType(t.Elem)}, exp(b))
		})
	}
	return &core.If{
		Cond: b.Cmp(prim.Lt, is[0], t.Shape[0]),
		Then: in(func(*core.Builder) core.Exp { return first }),
		Else: in(func(b *core.Builder) core.Exp {
			return elementOfParts(b, arrays[1:], slices.Concat([]core.Operand{b.Sub64(is[0], t.Shape[0])}, is[1:]))
		}),
	}
}

// indexReplicated reads an element through a reshape of an array that repeats rows, as one of a row: the rest of a division, which the
// certificates of the index let succeed.
func (s *simplifier) indexReplicated(st *core.Stm, e *core.Reshape, is []core.Operand, scalar bool) *result {
	in, ok := s.def(core.V(e.Array)).(*core.Replicate)
	if !ok || !scalar || in.X.IsConst() || s.overwritten(e.Array) || s.overwritten(in.X.Var) || s.once(st.Exp.(*core.Index).Array) == nil {
		return nil
	}
	row := s.TypeOf(in.X)
	if row.Rank() != 1 {
		return nil
	}
	b := s.Nested()
	b.Certs = st.Aux.Certs
	flat := core.Int(0)
	for d, i := range is {
		flat = b.Add64(b.Mul64(flat, e.Shape[d]), i)
	}
	at := b.Bin(prim.Rem, flat, row.Shape[0])
	for _, st := range b.Stms() {
		s.add(st)
	}
	return replace(&core.Index{Array: in.X.Var, Slice: core.Slice{core.Fix(at)}})
}

// indexMap computes an element of a row of a map of which nothing else is read.
func (s *simplifier) indexMap(st *core.Stm, e *core.Index, in *core.Screma, is []core.Operand) *result {
	made := s.once(e.Array)
	if len(is) < 2 || made == nil || !s.onlyMaps(made, in) || len(made.Aux.Attrs)+len(st.Aux.Attrs) > 0 {
		return nil
	}
	k := slices.IndexFunc(made.Dst, func(p core.Param) bool { return p.Var == e.Array })
	if slices.ContainsFunc(made.Dst, func(p core.Param) bool { return p.Var != e.Array && s.uses[p.Var] > 0 }) {
		return nil
	}
	b := s.Nested()
	row := b.Apply(in.Map, renamed, elementsAt(b, in.Arrays, is[0])...)[k]
	for _, part := range b.Stms() {
		part.Aux = withCerts(part.Aux, st.Aux.Certs)
		s.stm(part)
	}
	return replace(&core.Index{Array: s.sub.Operand(row).Var, Slice: e.Slice[1:]})
}

// elementsAt adds code that reads an element of each of some arrays.
func elementsAt(b *core.Builder, arrays []core.Var, at core.Operand) []core.Operand {
	xs := make([]core.Operand, len(arrays))
	for i, a := range arrays {
		xs[i] = b.Let("x", &core.Index{Array: a, Slice: core.FullSlice(b.TypeOf(core.V(a)), at)})
	}
	return xs
}

// onlyMaps reports whether a statement's SOAC does nothing but map arrays that nothing overwrites, and cannot fail.
func (s *simplifier) onlyMaps(st *core.Stm, e *core.Screma) bool {
	return s.stage == core.StageSOACS && len(e.Scans)+len(e.Reds) == 0 && e.Post == nil && len(st.Aux.Certs) == 0 &&
		!core.Any(e.Map.Body, core.MayFail) && !slices.ContainsFunc(core.FreeInExp(e).List(), s.overwritten) &&
		!slices.ContainsFunc(e.Map.Ret, func(t core.Type) bool { return t.Kind == core.KindAcc })
}

// elementsInPlace computes in a loop what it reads, an element each round (in order, or backwards), of a map over numbers that count from
// zero and has as many elements as the loop has rounds; nil if it reads none.
func (s *simplifier) elementsInPlace(e *core.Loop) *core.Loop {
	for i, st := range e.Body.Stms {
		read, ok := st.Exp.(*core.Index)
		if !ok || len(read.Slice) != 1 || !read.Slice[0].Fix || !e.IsFor() {
			continue
		}
		made := s.once(s.sub.Operand(core.V(read.Array)).Var)
		if made == nil {
			continue
		}
		in, ok := made.Exp.(*core.Screma)
		if !ok || len(made.Dst) > 1 || in.Size != s.sub.Operand(e.Bound) || !s.onlyMaps(made, in) || !straight(in.Map.Body.Stms) ||
			slices.ContainsFunc(in.Arrays, func(a core.Var) bool { return !s.countsFromZero(a) }) {
			continue
		}
		b := s.Nested()
		args := make([]core.Operand, len(in.Arrays))
		for k := range args {
			args[k] = read.Slice[0].Off
		}
		x := b.Apply(in.Map, renamed, args...)[0]
		b.Bind(st.Dst, &core.Use{X: x})
		out := *e
		out.Body = &core.Body{Stms: slices.Concat(e.Body.Stms[:i], b.Stms(), e.Body.Stms[i+1:]), Res: e.Body.Res}
		return &out
	}
	return nil
}

// maxAgain and maxReadAgain bound what a map computes and reads again of another: reading what that had stored is one access, too.
const maxAgain, maxReadAgain = 8, 2

// neighbours computes in a map an element that it reads, at an index of its own, of what another SOAC of as many elements makes by a few
// operations; nil if it reads none.
func (s *simplifier) neighbours(e *core.Screma) *core.Screma {
	if s.stage != core.StageSOACS {
		return nil
	}
	for i, st := range e.Map.Body.Stms {
		read, ok := st.Exp.(*core.Index)
		if !ok || len(read.Slice) != 1 || !read.Slice[0].Fix {
			continue
		}
		array := s.sub.Operand(core.V(read.Array)).Var
		made := s.once(array)
		if made == nil || len(made.Aux.Certs) > 0 {
			continue
		}
		in, ok := made.Exp.(*core.Screma)
		if !ok || in.Post != nil || in.Size != s.sub.Operand(e.Size) {
			continue
		}
		again := s.fewOperations(in, slices.IndexFunc(made.Dst, func(p core.Param) bool { return p.Var == array }))
		if again == nil {
			continue
		}
		b := s.Nested()
		b.Certs = st.Aux.Certs
		args := elementsAt(b, in.Arrays, read.Slice[0].Off)
		b.Bind(st.Dst, &core.Use{X: b.Apply(again, renamed, args...)[0]})
		out := *e
		out.Map = &core.Lambda{
			Params: e.Map.Params, Ret: e.Map.Ret,
			Body: &core.Body{Stms: slices.Concat(e.Map.Body.Stms[:i], b.Stms(), e.Map.Body.Stms[i+1:]), Res: e.Map.Body.Res},
		}
		return &out
	}
	return nil
}

// neighboursOfUpdates does so in the maps that update accumulators; nil if they read no such element.
func (s *simplifier) neighboursOfUpdates(e *core.WithAcc) *core.WithAcc {
	for i, st := range e.Lambda.Body.Stms {
		in, ok := st.Exp.(*core.Screma)
		if !ok {
			continue
		}
		if near := s.neighbours(in); near != nil {
			body := &core.Body{Stms: slices.Clone(e.Lambda.Body.Stms), Res: e.Lambda.Body.Res}
			body.Stms[i] = &core.Stm{Dst: st.Dst, Exp: near, Aux: st.Aux}
			return &core.WithAcc{Inputs: e.Inputs, Lambda: &core.Lambda{Params: e.Lambda.Params, Body: body, Ret: e.Lambda.Ret}}
		}
	}
	return nil
}

// fewOperations is the part of a SOAC's map that computes result k, which nothing combines, if that is a few operations on scalars that
// cannot fail, and elements of arrays that nothing overwrites; nil otherwise.
func (s *simplifier) fewOperations(e *core.Screma, k int) *core.Lambda {
	if k < core.Width(e.Scans)+core.Width(e.Reds) || e.Map.Ret[k].IsArray() {
		return nil
	}
	var needed core.VarSet
	needed.Add(e.Map.Body.Res[k].Var)
	stms := core.Needed(e.Map.Body.Stms, &needed)
	operations, reads := 0, 0
	for _, st := range stms {
		read, isRead := st.Exp.(*core.Index)
		switch {
		case len(st.Aux.Certs) > 0 || core.MayFail(st.Exp):
			return nil
		case isRead && !st.Dst[0].Type.IsArray() && !s.overwritten(s.sub.Operand(core.V(read.Array)).Var):
			reads++
		case isScalar(st.Exp):
			operations++
		default:
			return nil
		}
	}
	for i, p := range e.Map.Params {
		if needed.Has(p.Var) && !s.countsFromZero(e.Arrays[i]) {
			if s.overwritten(e.Arrays[i]) || p.Type.IsArray() {
				return nil
			}
			reads++
		}
	}
	if operations > maxAgain || reads > maxReadAgain {
		return nil
	}
	body := &core.Body{Stms: stms, Res: e.Map.Body.Res[k : k+1]}
	return &core.Lambda{Params: e.Map.Params, Body: body, Ret: e.Map.Ret[k : k+1]}
}

func isScalar(e core.Exp) bool {
	_, ok := e.(core.Scalar)
	return ok
}

// straight reports whether code is operations on scalars.
func straight(stms []*core.Stm) bool {
	return !slices.ContainsFunc(stms, func(st *core.Stm) bool { return !isScalar(st.Exp) })
}
