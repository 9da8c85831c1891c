package wasm

import (
	"fmt"
	"maps"

	"skald/middle/imp"
	"skald/runtime/prim"
)

func (w *writer) stms(body []imp.Stm) {
	outer := len(w.addresses)
	for _, s := range body {
		w.stm(s)
	}
	w.addresses = w.addresses[:outer]
}

// stm writes a statement.
func (w *writer) stm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Let:
		w.exp(s.Exp)
		w.set(w.variable(s.Var))
	case *imp.Set:
		w.exp(s.Exp)
		w.set(w.variable(s.Var))
	case *imp.If:
		w.branch(s)
	case *imp.For:
		if !s.Parallel || !w.parallel(s) {
			w.countingOver(s, 1, func() { w.stms(s.Body) })
		}
	case *imp.While:
		w.while(s)
	case *imp.Assert:
		w.assert(s)
	case *imp.Comment:
	case *imp.Invoke:
		w.invoke(s)
	case imp.AccessStm:
		w.accessStm(s)
	case imp.CollectiveStm:
		w.collective(s)
	case imp.HostStm:
		panic(fmt.Sprintf("wasm: %T in kernel %s", s, w.kernel.Name))
	}
}

func (w *writer) branch(s *imp.If) {
	if w.always(s.Cond) {
		w.stms(s.Then)
		return
	}
	w.exp(s.Cond)
	w.block(ifOp, none)
	w.stms(s.Then)
	if len(s.Else) > 0 {
		w.emit(elseOp)
		w.stms(s.Else)
	}
	w.emit(end)
}

// always reports whether a condition is that a small number is less than a larger one than its type has: a byte that is the index of one of
// 256 bins, say.
func (w *writer) always(cond imp.Exp) bool {
	c, ok := cond.(*imp.Cmp)
	if !ok || c.Op != prim.Lt || !isLong(c.Type) {
		return false
	}
	bound, ok := c.Y.(*imp.Const)
	x := c.X
	if v, isVar := x.(*imp.VarExp); isVar {
		x = w.defs[v.Var]
	}
	from, isConv := x.(*imp.Conv)
	if !ok || !isConv {
		return false
	}
	t := primOf(from.From)
	return t.IsUnsigned() && t.Bits() < 32 && bound.Value.Int() >= 1<<t.Bits()
}

// countingOver writes a counting loop, whose body f writes, with so many instructions for each operation: its bound is evaluated once, and
// its condition tested at the end.
func (w *writer) countingOver(s *imp.For, each int, f func()) {
	v, bound := w.variable(s.Var), w.temp(I64)
	w.exp(s.Bound)
	w.tee(bound)
	w.constant(i64Const, 0)
	w.emit(gtS + toI64Compare)
	w.block(ifOp, none)
	inside, innermost := iterations(s.Body)
	if innermost {
		w.burnt(func() {
			w.get(bound)
			if inside > 1 {
				w.constant(i64Const, int(inside))
				w.emit(mul + toI64)
			}
		})
	}
	outer := w.hoist(s)
	l := w.enter(s)
	w.constant(i64Const, 0)
	w.set(v)
	again := func(iterations int) { // whether there are so many left
		w.get(v)
		w.constant(i64Const, iterations)
		w.emit(add + toI64)
		w.get(bound)
		w.emit(leS + toI64Compare)
	}
	if !imp.Any(s.Body, imp.MayLoop) {
		for _, copies := range copiesOf(s, each) {
			again(copies)
			w.block(ifOp, none)
			w.rounds(l, v, copies, again, f)
			w.emit(end)
		}
	} else {
		w.rounds(l, v, 1, again, func() {
			if !innermost {
				w.poll()
			}
			f()
		})
	}
	w.exit()
	w.emit(end)
	w.hoisted = outer
	w.release(I64, bound)
}

// rounds writes a loop of some iterations at a time, at least once.
func (w *writer) rounds(l *walk, v uint64, copies int, again func(iterations int), f func()) {
	w.block(loop, none)
	w.touch(l, copies)
	for c := range copies {
		l.copy = int64(c)
		f()
		w.add(v, 1)
		w.advance(l, 1, func(p *pointer) bool { return !p.offset() })
	}
	l.copy = 0
	w.advance(l, copies, (*pointer).offset)
	again(copies)
	w.with(brIf, 0)
	w.emit(end)
}

// copiesOf is how often the body of an innermost loop is written in each of the loops that do its iterations one after the other: more
// often if it is small, so that less is done for the loop itself and for its checks. What one loop leaves the next one does. A scan of 10^7
// i32 takes 11.5 ms with four copies, 8.7 with eight, 7.9 with 16 (processor time of one thread, huge pages, 2026-11-28). Loops that set
// nothing are copies of few elements as a rule, and many: with 16 copies of their bodies fft's module would be 1.7 times as large.
func copiesOf(s *imp.For, each int) (copies []int) {
	size, carried := 0, false
	imp.Walk(s.Body, func(s imp.Stm) bool {
		if _, ok := s.(*imp.Set); ok {
			carried = true
		}
		size += each
		return true
	})
	c, fixed := s.Bound.(*imp.Const)
	for _, l := range copied {
		if size <= l.size && (carried || !l.carried) && !(fixed && c.Value.Int() < int64(l.copies)) {
			copies = append(copies, l.copies)
		}
	}
	return append(copies, 1)
}

// copied says how often bodies of at most a size, in operations, are written: all, or those that set variables for the next iteration.
var copied = []struct {
	copies, size int
	carried      bool
}{{mostCopies, 6, true}, {4, 64, false}}

// hoist computes, before a loop, the products of indices that are the same in all iterations, which wazero would compute in each. It
// returns what was hoisted before, for the code behind the loop.
func (w *writer) hoist(s *imp.For) (outer map[string]uint64) {
	outer = w.hoisted
	w.hoisted = maps.Clone(outer)
	if w.hoisted == nil {
		w.hoisted = map[string]uint64{}
	}
	changing := map[imp.Var]bool{s.Var: true}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			changing[v] = true
		}
		if s, ok := s.(*imp.Set); ok {
			changing[s.Var] = true
		}
		return true
	})
	imp.Walk(s.Body, func(s imp.Stm) bool {
		imp.WalkExps(s, func(e imp.Exp) {
			key := product(e)
			if key == "" || w.hoisted[key] != 0 || changing[e.(*imp.Bin).X.(*imp.VarExp).Var] || changing[e.(*imp.Bin).Y.(*imp.VarExp).Var] {
				return
			}
			l := w.local(I64, fmt.Sprintf("product_%dm", len(w.locals)))
			w.exp(e)
			w.set(l)
			w.hoisted[key] = l
		})
		return true
	})
	return outer
}

// product names the product of two indices; it is empty of other expressions.
func product(e imp.Exp) string {
	b, ok := e.(*imp.Bin)
	if !ok || b.Op != prim.Mul || !b.Type.IsInt() || primOf(b.Type).Bits() != 64 {
		return ""
	}
	x, xok := b.X.(*imp.VarExp)
	y, yok := b.Y.(*imp.VarExp)
	if !xok || !yok {
		return ""
	}
	return fmt.Sprintf("%d*%d", x.Var, y.Var)
}

func (w *writer) while(s *imp.While) {
	w.block(block, none)
	w.block(loop, none)
	w.exp(s.Cond)
	w.emit(i32Eqz)
	w.with(brIf, 1)
	w.poll()
	w.stms(s.Body)
	w.with(br, 0)
	w.emit(end, end)
}

// assert writes an assertion: the first that fails notes its site and values, as imp.FailureWords describes.
func (w *writer) assert(s *imp.Assert) {
	w.exp(s.Cond)
	w.emit(i32Eqz)
	w.block(ifOp, none)
	w.get(w.failure)
	w.constant(i32Const, 0)
	w.constant(i32Const, int(s.Site)+1)
	w.access(i32AtomicCmpxchg, 2, 0)
	w.emit(i32Eqz)
	w.block(ifOp, none)
	w.uncertain++
	for i, e := range s.Values {
		w.get(w.failure)
		w.exp(e)
		w.word(primOf(w.scope.TypeOf(e)))
		w.access(i64Store, 2, 4*(imp.FailureValues+2*i))
	}
	w.uncertain--
	w.emit(end)
	w.leave()
	w.emit(end)
}

// word makes the canonical word of a value.
func (w *writer) word(t prim.Type) {
	switch {
	case t == prim.F32:
		w.emit(i32ReinterpretF, i64ExtendI32U)
	case t == prim.F64:
		w.emit(i64ReinterpretF)
	case t.Bits() == 64:
	case t.IsSigned():
		w.emit(i64ExtendI32S)
	default:
		w.emit(i64ExtendI32U)
	}
}

// invoke writes a call of a device function, whose frame is behind this one's.
func (w *writer) invoke(s *imp.Invoke) {
	f := w.functions[s.DeviceFunction]
	w.called = max(w.called, f.frame)
	w.get(w.failure)
	w.get(w.frame)
	if w.own > 0 {
		w.constant(i32Const, w.own)
		w.emit(add)
	}
	for _, e := range s.Args {
		w.exp(e)
	}
	w.with(call, f.index)
	failed := uint64(0)
	if s.DeviceFunction.Fails {
		failed = w.temp(I32)
		w.set(failed)
	}
	for i := len(s.Dst) - 1; i >= 0; i-- {
		w.set(w.variable(s.Dst[i]))
	}
	if s.DeviceFunction.Fails {
		w.get(failed)
		w.block(ifOp, none)
		w.leave()
		w.emit(end)
		w.release(I32, failed)
	}
}

// collective writes a statement at which threads wait for each other: of a workgroup of one thread, which waits for nobody.
func (w *writer) collective(s imp.CollectiveStm) {
	switch s := s.(type) {
	case *imp.Barrier:
	case *imp.UniformLoad:
		w.load(s.Mem, s.Index)
		w.set(w.variable(s.Var))
	case *imp.Subgroup, *imp.SubgroupUpdate:
		panic("wasm: no kernel with subgroups is written")
	}
}
