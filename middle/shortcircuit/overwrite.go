package shortcircuit

import (
	"slices"
	"sync"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Note [Arrays that die]
//
// A map on the host, each point of which reads of some array no more than the element that its own result replaces (Note [Own points]),
// overwrites that array if nobody looks at it afterwards: its result gets no block of its own. So a loop that maps an array again and
// again has one block, not two that change places, and an entry point returns the block of a unique parameter. So does a map that changes
// copies of its rows (Note [Own rows]). A copy of such an array is the array itself, and so is what a map makes that copies each element to
// its place.
//
//	let (y_mem_7: mem(f32, device)) = alloc f32 n_1 device
//	let (y_8: [n_1]f32 @y_mem_7{0; 1}) = segmap.grid (i_9 < n_1) (f32) { let (x_10: f32) = index x_4 [i_9] … }
//
//	let (y_8: [n_1]f32 @x_mem_3{0; 1}) = segmap.grid (i_9 < n_1) (f32) { let (x_10: f32) = index x_4 [i_9] … }
//
// Blocks that may be one are a class. A block may be overwritten if
//
//   - no block of its class comes from outside of the function, but as a unique parameter;
//   - behind the map nothing mentions a block of the class, or an array in it, that was there before the map: not in its body, and not in
//     the bodies around it behind the branch or loop that the map is in. What is bound behind the map got what it has from the result;
//   - a loop around the map has the block from its body, or as a parameter, as the only one of the class, and its body knows no other from
//     outside: so what an iteration overwrites is what the one before has left.
//
// A block that was allocated in a body is not known outside of it but as its result, so what is around the body need not be looked at.

// OverwritePass makes results of maps over arrays that die there.
var OverwritePass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "overwrite",
	Doc:  "let maps write their results over arrays that nobody reads afterwards",
	Run:  func(_ *pass.Context, p *core.Prog) *core.Prog { return functions.MapHost(p, overwrite) },
}

// overwriter works on one function.
type overwriter struct {
	*circuit
	foreign []core.Var // blocks that somebody else may look at later
	around  []frame
	becomes core.Subst // what blocks of results become
	frees   core.Frees
}

// frame is a body and the number of one of its statements.
type frame struct {
	body *core.Body
	at   int
}

func overwrite(f *core.Fun) *core.Fun {
	o := &overwriter{circuit: newCircuit(f), foreign: foreignBlocks(f), becomes: core.Subst{}}
	o.body(f.Body)
	if len(o.becomes) == 0 {
		return f
	}
	g := *f
	var wait sync.WaitGroup // for kernels, which are worked on at the same time
	body := o.placed(f.Body, &wait)
	wait.Wait()
	g.Body = o.becomes.Whole(body)
	return &g
}

// foreignBlocks are the blocks of a function's constants, of its parameters that are not unique, and of what calls return.
func foreignBlocks(f *core.Fun) []core.Var {
	var out []core.Var
	for _, g := range f.Globals {
		out = append(out, g.Param.Var)
	}
	for _, q := range f.Params {
		owns := func(a core.Param) bool { return a.Unique && a.Type.IsArray() && a.Type.Layout.Mem == q.Var }
		if q.Type.Kind == core.KindMem && !slices.ContainsFunc(f.Params, owns) {
			out = append(out, q.Var)
		}
	}
	core.Walk(f.Body, func(s *core.Stm) bool {
		if _, ok := s.Exp.(*core.Call); ok {
			out = append(out, core.ParamVars(s.Dst)...)
		}
		return true
	})
	return out
}

// placed is a body, with those inside, without what is not needed in it any more: the allocations of blocks in which nothing lies, and
// copies from a place to itself.
func (o *overwriter) placed(b *core.Body, wait *sync.WaitGroup) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if _, ok := s.Exp.(*core.Alloc); ok && o.becomes[s.Dst[0].Var].Var != 0 {
			continue
		}
		if x := copies(s); x != 0 && o.layout(x).Equal(o.layout(s.Dst[0].Var)) && slices.Equal(o.scope.TypeOf(x).Shape, s.Dst[0].Type.Shape) {
			s = &core.Stm{Dst: s.Dst, Exp: &core.Use{X: core.V(x)}, Aux: s.Aux}
		} else {
			s = o.inside(s, wait)
		}
		out.Stms = append(out.Stms, s)
	}
	return out
}

// inside is placed for the bodies of a statement, which stays itself if it has none.
func (o *overwriter) inside(s *core.Stm, wait *sync.WaitGroup) *core.Stm {
	placed := func() core.Exp {
		return core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return o.placed(b, wait) })
	}
	n := &core.Stm{Dst: s.Dst, Aux: s.Aux}
	if _, ok := s.Exp.(core.Seg); ok {
		wait.Go(func() { n.Exp = placed() })
	} else if n.Exp = placed(); n.Exp == s.Exp {
		return s
	}
	return n
}

// copies is the array of which a statement makes a copy, or 0.
func copies(s *core.Stm) core.Var {
	switch e := core.Match(s.Exp).(type) {
	case *core.Copy:
		return e.Array
	case *core.SegMap:
		if len(e.Body.Stms) != 1 || len(s.Dst) != 1 || !s.Dst[0].Type.IsArray() {
			return 0
		}
		read, ok := e.Body.Stms[0].Exp.(*core.Index)
		if !ok || !e.Body.Res[0].IsVar(e.Body.Stms[0].Dst[0].Var) {
			return 0
		}
		if slices.EqualFunc(read.Slice, e.Space.Ids, func(d core.Dim, id core.Var) bool { return d.Fix && d.Off.IsVar(id) }) {
			return read.Array
		}
	default:
	}
	return 0
}

// body decides for the maps of a body that the host runs, and of the branches and loops in it.
func (o *overwriter) body(b *core.Body) {
	for i, s := range b.Stms {
		o.around = append(o.around, frame{b, i})
		switch e := core.Match(s.Exp).(type) {
		case *core.If, *core.Switch, *core.Loop:
			core.MapBodies(s.Exp, func(in *core.Body) *core.Body { o.body(in); return in })
		case *core.SegMap:
			reads := sync.OnceValue(func() []core.Var { return core.FreeInBody(e.Body).List() })
			for _, q := range s.Dst {
				o.result(s, q, reads)
			}
		case *core.Copy:
			o.result(s, s.Dst[0], func() []core.Var { return []core.Var{e.Array} })
		default:
		}
		o.around = o.around[:len(o.around)-1]
	}
}

// result makes a result over an array that dies there, if one of those that the statement reads does.
func (o *overwriter) result(s *core.Stm, q core.Param, reads func() []core.Var) {
	t := o.scope.TypeOf(q.Var)
	if !t.IsArray() || !o.isFresh(t.Layout.Mem) || !fills(t) || !o.isAlone(t) {
		return
	}
	for _, v := range reads() {
		x := o.scope.TypeOf(v)
		if !x.IsArray() || x.Elem != t.Elem || !slices.Equal(x.Shape, t.Shape) || x.Layout.Mem == t.Layout.Mem || !fills(x) {
			continue
		}
		there := q
		there.Type.Layout = x.Layout
		_, copied := s.Exp.(*core.Copy)
		if (copied || o.ownPoints(s, there) || o.ownRows(s, there)) && o.dies(x.Layout.Mem, t.Layout.Mem) {
			o.replace(t.Layout.Mem, x.Layout.Mem)
			return
		}
	}
}

// fills reports whether an array lies row-major at the start of its block.
func fills(t core.Type) bool { return t.Layout.Equal(core.RowMajor(t.Layout.Mem, t.Shape)) }

// isAlone reports whether the block of an array that lies at its start has no elements behind the array, as those that other parts of a
// literal or concatenation lie in have.
func (o *overwriter) isAlone(t core.Type) bool {
	return o.facts.written(core.PolyProduct(t.Shape)).Equal(o.facts.written(core.PolyOf(o.counts[t.Layout.Mem])))
}

// isFresh reports whether a block is allocated in the body of the map at hand, which is the first to mention an array in it.
func (o *overwriter) isFresh(block core.Var) bool {
	f := o.around[len(o.around)-1]
	for _, s := range slices.Backward(f.body.Stms[:f.at]) {
		if _, ok := s.Exp.(*core.Alloc); ok && s.Dst[0].Var == block {
			return true
		}
		if o.mentions(o.frees.Stm(s), nil, func(in core.Var) bool { return in == block }) {
			return false
		}
	}
	return false
}

// mentions reports whether among some variables, but some of these, is a block, or an array in a block, with a property.
func (o *overwriter) mentions(vs []core.Var, but *core.VarSet, is func(block core.Var) bool) bool {
	return slices.ContainsFunc(vs, func(v core.Var) bool {
		switch t := o.scope.TypeOf(v); {
		case but != nil && but.Has(v):
			return false
		case t.Kind == core.KindMem:
			return is(o.becomes.Operand(core.V(v)).Var)
		case t.IsArray():
			return is(t.Layout.Mem)
		default:
			return false
		}
	})
}

// dies reports whether nothing looks at a block behind the map at hand, whose result may then be there and not in its own block: see Note
// [Arrays that die].
func (o *overwriter) dies(block, own core.Var) bool {
	class := func(b core.Var) bool { return b != own && o.blocks.mayBeOne(b, block) }
	if slices.ContainsFunc(o.foreign, class) {
		return false
	}
	inside := false // whether the block is from inside of the loop that is next
	for k, f := range slices.Backward(o.around) {
		if k < len(o.around)-1 {
			if e, ok := f.body.Stms[f.at].Exp.(*core.Loop); ok {
				inside = inside || slices.Contains(core.ParamVars(e.Params), block)
				if !inside || !o.ownLoop(e, class) {
					return false
				}
			}
		}
		if o.later(f, class) {
			return false
		}
		for _, s := range f.body.Stms[:f.at] {
			if slices.Contains(core.ParamVars(s.Dst), block) {
				if _, ok := s.Exp.(*core.Alloc); ok {
					return true
				}
				inside = true
			}
		}
	}
	return true
}

// later reports whether behind a statement its body mentions what was there before in a class of blocks.
func (o *overwriter) later(f frame, class func(core.Var) bool) bool {
	var since core.VarSet
	for _, q := range f.body.Stms[f.at].Dst {
		since.Add(q.Var)
	}
	for _, s := range f.body.Stms[f.at+1:] {
		if o.mentions(o.frees.Stm(s), &since, class) {
			return true
		}
		for _, q := range s.Dst {
			since.Add(q.Var)
		}
	}
	var res []core.Var
	for _, r := range f.body.Res {
		if r.Var != 0 {
			res = append(res, r.Var)
		}
	}
	return o.mentions(res, &since, class)
}

// ownLoop reports whether a loop has at most one parameter in a class of blocks, and its body knows no such block from outside.
func (o *overwriter) ownLoop(e *core.Loop, class func(core.Var) bool) bool {
	var params core.VarSet
	n := 0
	for _, q := range e.Params {
		params.Add(q.Var)
		if q.Type.Kind == core.KindMem && class(q.Var) {
			n++
		}
	}
	for _, q := range e.Params {
		if t := o.scope.TypeOf(q.Var); t.IsArray() && class(t.Layout.Mem) && !params.Has(t.Layout.Mem) {
			return false
		}
	}
	return n <= 1 && !o.mentions(o.frees.Body(e.Body), &params, class)
}

// replace puts all that lies in a block into another.
func (o *overwriter) replace(block, into core.Var) {
	for _, a := range o.made[block] {
		t := o.scope.TypeOf(a.array)
		l := *t.Layout
		l.Mem = into
		t.Layout = &l
		o.scope.Bind(core.Param{Var: a.array, Type: t})
	}
	o.made[into] = append(o.made[into], o.made[block]...)
	delete(o.made, block)
	for b, x := range o.becomes {
		if x.Var == block {
			o.becomes[b] = core.V(into)
		}
	}
	o.becomes[block] = core.V(into)
	o.blocks.union(block, into)
}
