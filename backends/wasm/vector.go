package wasm

import (
	"fmt"
	"maps"
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Vectors]
//
// Iterations of a parallel loop do not depend on each other, so several of them, the lanes, run together in vectors of 128 bits: what has
// one value for all of them (strides says so) is computed once, a number that grows by a constant from lane to lane by its value in the
// first, and everything else in vectors, which stay in locals in inner loops, too. Iterations that are left over run one by one.
//
// All elements in vectors have one width, so that a vector of booleans, a mask with all bits of a lane equal, fits all of them. Where lanes
// go different ways both are taken, with a mask: what is bound there is bound for all, and what is set changes where the mask is; a branch
// is left out if no lane takes it, so that what it reads is near what some lane reads. Neighbours in memory are one access; what lies apart
// is read element by element. A loop that needs more than this is written as it is: the attempt is taken back (vectors.failed).

// vectors writes a parallel loop by lanes.
type vectors struct {
	*writer
	strides *strides
	width   int // bits of an element
	lanes   int // iterations at a time
	each    int // vectors of a value
	values  map[imp.Var][]uint64
	mask    []uint64             // the lanes that run; nil for all
	uses    map[imp.Var]int      // how often the loop names variables
	masks   map[imp.Exp][]uint64 // the conditions that were computed
	known   map[string][]uint64  // vectors and addresses that were computed before, by what they are
	lasting map[string][]uint64  // addresses, and steps between them, that are known in what follows of a loop that is written out, too
	before  int                  // iterations of that loop which were written
	lanesOf *scope               // by which indices grow from lane to lane
	failed  bool
}

// vectorBits is the size of a vector.
const vectorBits = 128

// attempt is what has to be put back when a loop cannot be written by lanes.
type attempt struct {
	code   code
	writer writer
	free   map[Type][]uint64
	vars   []uint64
	number int
}

// parallel writes a parallel loop in vectors, or reports that it cannot be.
func (w *writer) parallel(s *imp.For) bool {
	strides := stridesOf(w.kernel, s)
	width := strides.width()
	if width == 0 || w.function != nil {
		return false
	}
	before := attempt{*w.code, *w, map[Type][]uint64{}, slices.Clone(w.vars), len(w.module.imports)}
	for t, l := range w.free {
		before.free[t] = slices.Clone(l)
	}
	v := &vectors{
		writer: w, strides: strides, width: width, each: strides.registers(width),
		values: map[imp.Var][]uint64{}, known: map[string][]uint64{}, lasting: map[string][]uint64{}, lanesOf: scopeOf(s, w.fixed),
		masks: map[imp.Exp][]uint64{}, uses: map[imp.Var]int{},
	}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		imp.WalkExps(s, func(e imp.Exp) {
			if x, ok := e.(*imp.VarExp); ok {
				v.uses[x.Var]++
			}
		})
		return true
	})
	n, few := fixable(s)
	for few && v.each > 1 && n%int64(v.each*vectorBits/width) != 0 {
		v.each /= 2
	}
	v.lanes = v.each * vectorBits / width
	if few && n%int64(v.lanes) == 0 {
		v.unrolled(s, int(n))
	} else {
		v.loop(s)
	}
	if v.failed {
		*w.code = before.code
		c := w.code
		*w = before.writer
		w.code, w.free, w.vars = c, before.free, before.vars
		w.module.imports = w.module.imports[:before.number]
		return false
	}
	return true
}

// fail notes that the loop cannot be written by lanes.
func (v *vectors) fail() { v.failed = true }

// nested writes statements in which what was known before is known, and behind which nothing more is.
func (v *vectors) nested(body []imp.Stm) {
	known, lasting := v.known, v.lasting
	v.known, v.lasting = maps.Clone(known), maps.Clone(lasting)
	v.stms(body)
	v.known, v.lasting = known, lasting
}

func (v *vectors) stms(body []imp.Stm) {
	outer := len(v.addresses)
	for _, s := range body {
		if v.failed {
			return
		}
		v.stm(s)
	}
	v.addresses = v.addresses[:outer]
}

func (v *vectors) stm(s imp.Stm) {
	switch s := imp.MatchStm(s).(type) {
	case *imp.Let:
		v.let(s)
	case *imp.Set:
		v.change(s)
	case *imp.If:
		v.branch(s)
	case *imp.For:
		if s.Parallel || !v.strides.Uniform(s.Bound) {
			v.fail()
			return
		}
		v.writer.countingOver(s, v.each, func() { v.nested(s.Body) })
	case *imp.Store:
		v.store(s)
	case *imp.Comment:
	default:
		v.fail()
	}
}

// let binds a variable: a local if it is a number that is known from that of the first lane, else vectors. What can be computed for each
// lane from its number is computed where it is used, unless it is one of these.
func (v *vectors) let(s *imp.Let) {
	if v.strides.scalar(s.Var) {
		v.writer.stm(s)
		return
	}
	if v.strides.numbered(&imp.VarExp{Var: s.Var}) && primOf(v.kernel.Vars[s.Var].Type).Bits() != v.width {
		return
	}
	key := v.loaded(s)
	if known := v.known[key]; known != nil {
		v.values[s.Var] = known
		return
	}
	locals := v.fresh(s.Var)
	for r, l := range slices.Backward(locals) { // wazero checks the last address alone
		v.exp(s.Exp, r)
		v.set(l)
	}
	if key != "" {
		v.known[key] = locals
	}
}

// loaded says what a variable is that is read from memory which nobody writes, and not set again; else it is empty.
func (v *vectors) loaded(s *imp.Let) string {
	e, ok := s.Exp.(*imp.Load)
	if !ok || v.strides.Defs[s.Var] == nil {
		return ""
	}
	if d := v.kernel.Mems[e.Mem]; d.Space != imp.Global || d.Access != imp.Read {
		return ""
	}
	return v.strides.key(e)
}

// fresh are the locals of a variable that is vectors.
func (v *vectors) fresh(x imp.Var) []uint64 {
	if v.values[x] == nil {
		v.values[x] = make([]uint64, v.each)
		for r := range v.each {
			v.values[x][r] = v.local(V128, fmt.Sprintf("%s_%dm", v.varNames[x], len(v.locals)))
		}
	}
	return v.values[x]
}

// change sets a variable where the mask is. All vectors are computed before the first is set: the variable may be in the expression.
func (v *vectors) change(s *imp.Set) {
	locals := v.values[s.Var]
	if locals == nil {
		v.fail()
		return
	}
	for r, l := range locals {
		v.exp(s.Exp, r)
		if v.mask != nil {
			v.get(l)
			v.get(v.mask[r])
			v.emit(v128Bitselect)
		}
		v.set(l)
	}
}

// branch writes a branch that all lanes take together, or both of its bodies with masks.
func (v *vectors) branch(s *imp.If) {
	if v.strides.Uniform(s.Cond) {
		v.writer.exp(s.Cond)
		v.block(ifOp, none)
		v.nested(s.Then)
		v.emit(elseOp)
		v.nested(s.Else)
		v.emit(end)
		return
	}
	if v.convert(s) {
		return
	}
	outer := v.mask
	taken, left := v.temps128(), v.temps128()
	for r := range v.each {
		v.exp(s.Cond, r)
		v.set(taken[r])
		if outer == nil {
			v.get(taken[r])
			v.emit(v128Not)
		} else {
			v.get(outer[r])
			v.get(taken[r])
			v.emit(v128AndNot)
		}
		v.set(left[r])
		if outer != nil {
			v.get(outer[r])
			v.get(taken[r])
			v.emit(v128And)
			v.set(taken[r])
		}
	}
	v.masked(taken, s.Then)
	v.masked(left, s.Else)
	v.mask = outer
	v.release(V128, taken...)
	v.release(V128, left...)
}

func (v *vectors) temps128() []uint64 {
	out := make([]uint64, v.each)
	for r := range out {
		out[r] = v.temp(V128)
	}
	return out
}

// masked writes a body for the lanes of a mask, if there is one.
func (v *vectors) masked(mask []uint64, body []imp.Stm) {
	if len(body) == 0 {
		return
	}
	v.mask = mask
	for r, l := range mask {
		v.get(l)
		if r > 0 {
			v.emit(v128Or)
		}
	}
	v.emit(v128AnyTrue)
	v.block(ifOp, none)
	v.nested(body)
	v.emit(end)
}

// store writes neighbours.
func (v *vectors) store(s *imp.Store) {
	t := v.kernel.Mems[s.Mem].Elem
	n, ok := v.strides.Of(s.Index)
	if !ok || n != 1 || v.mask != nil || t.Bits() != v.width || v.kernel.Mems[s.Mem].Access == imp.AtomicAccess {
		v.fail()
		return
	}
	at, offset := v.place(s.Mem, s.Index)
	for r := v.each - 1; r >= 0; r-- {
		v.get(at)
		v.exp(s.Value, r)
		if t == prim.Bool {
			v.ones()
			v.emit(v128And)
		}
		v.access(v128Store, alignment(t), offset+r*vectorBits/8)
	}
}

// ones pushes vectors of the integer 1.
func (v *vectors) ones() {
	v.repeated(map[int]prim.Type{8: prim.U8, 16: prim.U16, 32: prim.U32, 64: prim.U64}[v.width], 1)
}

// place is the local with the address of the first lane's element, less an offset.
func (v *vectors) place(m imp.Mem, index imp.Exp) (at uint64, offset int) {
	if at, offset, ok := v.pointed(m, index); ok {
		return at, offset
	}
	rest, offset := v.split(m, index)
	if rest == nil {
		return v.base(m), offset
	}
	key := fmt.Sprintf("&%d[%s]", m, v.strides.key(rest))
	if known := v.known[key]; known != nil {
		return known[0], offset
	}
	if more := v.address(m, rest) - v.places[m]; more != 0 {
		v.constant(i32Const, more)
		v.emit(add)
	}
	l := v.local(I32, fmt.Sprintf("place_%dm", len(v.locals)))
	v.set(l)
	v.known[key] = []uint64{l}
	return l, offset
}
