package wasm

import (
	"fmt"
	"maps"

	"skald/middle/imp"
	"skald/runtime/prim"
)

func (w *writer) stms(body []imp.Stm) {
	for _, s := range body {
		w.stm(s)
	}
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
			w.countingOver(s, func() { w.stms(s.Body) })
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
	w.exp(s.Cond)
	w.block(ifOp, none)
	w.stms(s.Then)
	if len(s.Else) > 0 {
		w.emit(elseOp)
		w.stms(s.Else)
	}
	w.emit(end)
}

// countingOver writes a counting loop, whose body f writes: its bound is evaluated once, and its condition tested at the end.
func (w *writer) countingOver(s *imp.For, f func()) {
	v, bound := w.variable(s.Var), w.temp(I64)
	w.exp(s.Bound)
	w.tee(bound)
	w.constant(i64Const, 0)
	w.emit(gtS + toI64Compare)
	w.block(ifOp, none)
	innermost := !imp.Any(s.Body, isLoop)
	if innermost {
		w.burnt(func() { w.get(bound) })
	}
	outer := w.hoist(s)
	w.constant(i64Const, 0)
	w.set(v)
	w.block(loop, none)
	if !innermost {
		w.poll()
	}
	f()
	w.get(v)
	w.constant(i64Const, 1)
	w.emit(add + toI64)
	w.tee(v)
	w.get(bound)
	w.emit(ltS + toI64Compare)
	w.with(brIf, 0)
	w.emit(end, end)
	w.hoisted = outer
	w.release(I64, bound)
}

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
		for _, e := range imp.Exps(s) {
			imp.WalkExp(e, func(e imp.Exp) {
				key := product(e)
				if key == "" || w.hoisted[key] != 0 || changing[e.(*imp.Bin).X.(*imp.VarExp).Var] || changing[e.(*imp.Bin).Y.(*imp.VarExp).Var] {
					return
				}
				l := w.local(I64, fmt.Sprintf("product_%dm", len(w.locals)))
				w.exp(e)
				w.set(l)
				w.hoisted[key] = l
			})
		}
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

// isLoop reports whether a statement is a loop, or may have one.
func isLoop(s imp.Stm) bool {
	switch imp.MatchStm(s).(type) {
	case *imp.For, *imp.While, *imp.Invoke:
		return true
	default:
		return false
	}
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
	for i, e := range s.Values {
		w.get(w.failure)
		w.exp(e)
		w.word(primOf(w.scope.TypeOf(e)))
		w.access(i64Store, 2, 4*(imp.FailureValues+2*i))
	}
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
	case *imp.Subgroup:
		panic("wasm: no kernel with subgroups is written")
	}
}
