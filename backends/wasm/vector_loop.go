package wasm

import (
	"maps"

	"skald/middle/imp"
)

// unrolled writes a loop of a few whole vectors without a loop.
func (v *vectors) unrolled(s *imp.For, n int) {
	w := v.writer
	i, outer, known := w.variable(s.Var), w.fixed, v.known
	for first := 0; first < n; first += v.lanes {
		w.constant(i64Const, first)
		w.set(i)
		w.fixed = maps.Clone(outer)
		if w.fixed == nil {
			w.fixed = map[imp.Var]int64{}
		}
		w.fixed[s.Var] = int64(first)
		for _, l := range w.walks {
			l.fixed = w.fixed
		}
		v.known, v.before = maps.Clone(known), first
		v.stms(s.Body)
	}
	w.fixed = outer
	for _, l := range w.walks {
		l.fixed = outer
	}
}

// Note [The rest of a loop]
//
// Iterations that are left over behind whole vectors run one by one, unless the loop can do some of what it has done again: if it reads
// nothing that it writes, the last vectors are as many iterations as fit before the bound.

// repeatable reports whether iterations may run twice.
func (v *vectors) repeatable(s *imp.For) bool {
	written, read := map[imp.Mem]bool{}, map[imp.Mem]bool{}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		if s, ok := s.(*imp.Store); ok {
			written[s.Mem] = true
		}
		imp.WalkExps(s, func(e imp.Exp) {
			if l, ok := e.(*imp.Load); ok {
				read[l.Mem] = true
			}
		})
		return true
	})
	for m := range written { // In any order: one decides.
		if read[m] {
			return false
		}
	}
	return true
}

// again goes back from local i to the last iterations that are whole vectors, and on with the loop.
func (v *vectors) again(l *walk, i, bound uint64) {
	w := v.writer
	by := w.temp(I32)
	w.get(i)
	w.get(bound)
	w.emit(ltS + toI64Compare)
	w.block(ifOp, none)
	w.get(bound)
	w.constant(i64Const, v.lanes)
	w.emit(sub + toI64)
	w.get(i)
	w.emit(sub+toI64, i32WrapI64)
	w.set(by)
	for _, p := range l.order {
		w.get(p.local)
		w.get(by)
		if p.step == 0 {
			w.with(i32Const, uint64(uint32(int(p.at.each)*p.size)))
		} else {
			w.get(p.step - 1)
		}
		w.emit(mul, add)
		w.set(p.local)
	}
	w.get(bound)
	w.constant(i64Const, v.lanes)
	w.emit(sub + toI64)
	w.set(i)
	w.with(br, 1)
	w.emit(end)
	w.release(I32, by)
}

// loop writes the loop: whole vectors, then the rest.
func (v *vectors) loop(s *imp.For) {
	w := v.writer
	i, bound := w.variable(s.Var), w.temp(I64)
	w.exp(s.Bound)
	w.set(bound)
	w.burnt(func() { w.get(bound) })
	l := w.enter(s)
	w.constant(i64Const, 0)
	w.set(i)
	within := func() { // whether there is a whole vector left
		w.get(i)
		w.constant(i64Const, v.lanes)
		w.emit(add + toI64)
		w.get(bound)
		w.emit(leS + toI64Compare)
	}
	within()
	w.block(ifOp, none)
	w.block(loop, none)
	inner := imp.Any(s.Body, imp.MayLoop)
	if inner {
		w.poll()
	}
	w.touch(l, v.lanes)
	v.stms(s.Body)
	w.add(i, v.lanes)
	w.advance(l, v.lanes, everyPointer)
	within()
	w.with(brIf, 0)
	if v.repeatable(s) {
		v.again(l, i, bound)
	}
	w.emit(end, end)
	w.get(i)
	w.get(bound)
	w.emit(ltS + toI64Compare)
	w.block(ifOp, none)
	w.block(loop, none)
	if inner {
		w.poll()
	}
	w.stms(s.Body)
	w.add(i, 1)
	w.advance(l, 1, everyPointer)
	w.get(i)
	w.get(bound)
	w.emit(ltS + toI64Compare)
	w.with(brIf, 0)
	w.emit(end, end)
	w.exit()
	w.release(I64, bound)
}
