package wasm

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Pointers]
//
// wazero moves no code out of loops, and checks each access against the end of memory, but for those that have the same address and no
// larger an offset than one before. So an index that grows by the same number in each iteration of a counting loop (linear) has a pointer:
// a local with the address of the element, which is computed before the loop and grows behind each iteration. Accesses whose indices
// differ by constants share one, with offsets. Where the body of a loop is written several times over (rounds), the copies have offsets,
// too, and the first thing in a round is a load from the largest offset that is certain to be accessed (touch): its result is not used, so
// that wazero leaves nothing of it but the check, and needs no other one.

// pointer is a local that goes along with accesses.
type pointer struct {
	local uint64
	mem   imp.Mem
	at    linear
	size  int    // bytes of an element
	step  uint64 // the local with the bytes to the element of the next iteration, if that is no constant; plus one
	least int64  // of the constants in the indices
	first int64  // of those that are certainly accessed,
	most  int64  // and the largest of them,
	sure  bool   // if there is any
}

// offset is whether copies of a body have offsets; else the pointer grows behind each of them.
func (p *pointer) offset() bool {
	return p.step == 0 && p.at.each >= 0 && p.at.each*int64(p.size)*mostCopies < nearBytes/4
}

// walk is a counting loop that is being written.
type walk struct {
	*scope
	pointers map[string]*pointer
	order    []*pointer
	bases    map[string]*base
	copy     int64 // which of the copies of the body is being written
}

// mostCopies is how often the body of a loop is written at most.
const mostCopies = 16

// base is a local with the address of an array, and what an index has that is the same in all iterations. That of an index which has
// nothing of that kind is the array's own.
type base struct {
	mem      imp.Mem
	constant imp.Exp
	local    uint64
}

// noteBase makes a base for an access whose index is not linear.
func (w *writer) noteBase(l *walk, m imp.Mem, index imp.Exp) {
	constant, rest := l.apart(index)
	if constant == nil || rest == nil || len(l.bases) >= mostPointers {
		return
	}
	key := fmt.Sprintf("%d+%s", m, keyOf(constant))
	if l.bases[key] != nil {
		return
	}
	b := &base{mem: m, constant: constant, local: w.local(I32, fmt.Sprintf("base_%dm", len(w.locals)))}
	l.bases[key] = b
	w.get(w.base(m))
	w.narrow32(constant)
	w.scale(w.kernel.Mems[m].Elem.Size())
	w.emit(add)
	w.set(b.local)
}

// based is the base of an access, and the rest of its index.
func (w *writer) based(m imp.Mem, index imp.Exp) (local uint64, rest imp.Exp, ok bool) {
	for i := len(w.walks) - 1; i >= 0; i-- {
		l := w.walks[i]
		if len(l.bases) == 0 {
			continue
		}
		constant, rest := l.apart(index)
		if constant == nil || rest == nil {
			continue
		}
		if b := l.bases[fmt.Sprintf("%d+%s", m, keyOf(constant))]; b != nil {
			return b.local, rest, true
		}
	}
	return 0, nil, false
}

// mostPointers is how many pointers a loop may have: more than there are registers are worse than addresses that are computed.
const mostPointers = 10

// enter computes the pointers of a loop, before it.
func (w *writer) enter(s *imp.For) *walk {
	l := &walk{scope: scopeOf(s, w.fixed), pointers: map[string]*pointer{}, bases: map[string]*base{}}
	w.collect(l, s.Body, surely)
	if len(l.order) > mostPointers {
		l.pointers, l.order = map[string]*pointer{}, nil
	}
	for _, p := range l.order {
		w.point(p)
	}
	w.walks = append(w.walks, l)
	return l
}

// exit ends what enter began.
func (w *writer) exit() { w.walks = w.walks[:len(w.walks)-1] }

// point computes a pointer, and by how much it grows.
func (w *writer) point(p *pointer) {
	constant := int(p.least)*p.size + w.places[p.mem]
	p.local = w.local(I32, fmt.Sprintf("pointer_%dm", len(w.locals)))
	w.get(w.base(p.mem))
	if p.at.rest != nil {
		w.narrow32(p.at.rest)
		w.scale(p.size)
		w.emit(add)
	}
	if constant != 0 {
		w.with(i32Const, uint64(uint32(constant)))
		w.emit(add)
	}
	w.set(p.local)
	if p.at.by == nil {
		return
	}
	step := w.local(I32, fmt.Sprintf("step_%dm", len(w.locals)))
	w.exp(p.at.step())
	w.emit(i32WrapI64)
	w.scale(p.size)
	w.set(step)
	p.step = step + 1
}

// advance moves pointers by some iterations: all, or those that have offsets or not.
func (w *writer) advance(l *walk, iterations int, which func(*pointer) bool) {
	for _, p := range l.order {
		if !which(p) {
			continue
		}
		w.get(p.local)
		if p.step == 0 {
			w.with(i32Const, uint64(uint32(int(p.at.each)*p.size*iterations)))
		} else {
			w.get(p.step - 1)
			if iterations > 1 {
				w.constant(i32Const, iterations)
				w.emit(mul)
			}
		}
		w.emit(add)
		w.set(p.local)
	}
}

func everyPointer(*pointer) bool { return true }

// touch checks the accesses of some iterations.
func (w *writer) touch(l *walk, iterations int) {
	for _, p := range l.order {
		if !p.sure {
			continue
		}
		last := p.most - p.least
		if p.offset() {
			last += p.at.each * int64(iterations-1)
		}
		if last == 0 || last*int64(p.size) >= nearBytes {
			continue
		}
		w.get(p.local)
		w.access(i32Load8U, 0, int(last)*p.size+p.size-1)
		w.emit(drop)
	}
}

// find looks for the pointer of an access, the loop that it belongs to, and the constant in the index.
func (w *writer) find(m imp.Mem, index imp.Exp) (p *pointer, l *walk, constant int64) {
	for i := len(w.walks) - 1; i >= 0; i-- {
		l = w.walks[i]
		at, ok := l.linear(index)
		if !ok {
			return nil, nil, 0
		}
		if at.moves() {
			return l.pointers[pointerKey(m, at)], l, at.constant
		}
	}
	return nil, nil, 0
}

// pointed is the local and the offset of an access that has a pointer.
func (w *writer) pointed(m imp.Mem, index imp.Exp) (local uint64, offset int, ok bool) {
	p, l, constant := w.find(m, index)
	if p == nil {
		return 0, 0, false
	}
	at := constant - p.least
	if p.offset() {
		at += l.copy * p.at.each
	}
	if at < 0 || at*int64(p.size) >= nearBytes {
		return 0, 0, false
	}
	return p.local, int(at) * p.size, true
}

// certain reports whether all iterations access an element, or elements on both sides of it in the same array.
func (w *writer) certain(m imp.Mem, index imp.Exp) bool {
	p, _, constant := w.find(m, index)
	return p != nil && p.sure && constant >= p.first && constant <= p.most
}

func pointerKey(m imp.Mem, at linear) string {
	return fmt.Sprintf("%d[%s+%d+%s]", m, keyOf(at.rest), at.each, keyOf(at.by))
}

// An access happens in each iteration, or perhaps not.
const surely, perhaps = true, false

// collect makes pointers for the accesses of a body: for those that happen in each iteration (sure), and for others.
func (w *writer) collect(l *walk, body []imp.Stm, sure bool) {
	for _, s := range body {
		for _, e := range imp.Exps(s) {
			w.collectExp(l, e, sure)
		}
		switch s := imp.MatchStm(s).(type) {
		case *imp.Store:
			w.note(l, s.Mem, s.Index, 0, sure)
		case *imp.LoadVec:
			w.note(l, s.Mem, s.Index, len(s.Vars)-1, sure)
		case *imp.StoreVec:
			w.note(l, s.Mem, s.Index, len(s.Values)-1, sure)
		case *imp.If:
			w.collect(l, s.Then, perhaps)
			w.collect(l, s.Else, perhaps)
		case *imp.For:
			if n, ok := fixable(s); ok {
				l.fixed = map[imp.Var]int64{s.Var: 0}
				w.collect(l, s.Body, sure)
				l.fixed[s.Var] = n - 1
				w.collect(l, s.Body, sure)
				l.fixed = w.fixed
				break
			}
			w.collect(l, s.Body, perhaps)
		case *imp.While:
			w.collect(l, s.Body, perhaps)
		default:
		}
		sure = sure && !imp.Any([]imp.Stm{s}, imp.MayFail)
	}
}

// collectExp makes pointers for the loads of an expression.
func (w *writer) collectExp(l *walk, e imp.Exp, sure bool) {
	switch e := imp.Match(e).(type) {
	case *imp.Load:
		w.note(l, e.Mem, e.Index, 0, sure)
	case *imp.Select:
		sure = perhaps
	case *imp.Bin:
		sure = sure && e.Op != prim.LogAnd && e.Op != prim.LogOr
	default:
	}
	for _, x := range imp.Children(e) {
		w.collectExp(l, x, sure)
	}
}

// note makes a pointer for an access of some elements more than one, or lets it share one.
func (w *writer) note(l *walk, m imp.Mem, index imp.Exp, more int, sure bool) {
	at, ok := l.linear(index)
	if !ok {
		w.noteBase(l, m, index)
		return
	}
	if !at.moves() {
		return
	}
	key := pointerKey(m, at)
	p := l.pointers[key]
	if p == nil {
		p = &pointer{mem: m, at: at, size: w.kernel.Mems[m].Elem.Size(), least: at.constant}
		l.pointers[key] = p
		l.order = append(l.order, p)
	}
	if far := (at.constant - p.least) * int64(p.size); far > nearBytes/4 || far < -nearBytes/4 {
		return // It has an address of its own: pointed refuses offsets that are too large.
	}
	p.least = min(p.least, at.constant)
	if last := at.constant + int64(more); sure {
		if !p.sure {
			p.first, p.most = at.constant, last
		}
		p.sure, p.first, p.most = true, min(p.first, at.constant), max(p.most, last)
	}
}

// fixable reports whether a parallel loop has few iterations, whose number is known, and may be written without a loop.
func fixable(s *imp.For) (n int64, ok bool) {
	c, ok := s.Bound.(*imp.Const)
	if !ok || !s.Parallel || imp.Any(s.Body, imp.MayLoop) {
		return 0, false
	}
	n = c.Value.Int()
	return n, n > 0 && n <= mostFixed
}

// iterations is how often what a body does most often is done, if that is known: where the loops in it, if there are any, have few
// iterations.
func iterations(body []imp.Stm) (n int64, ok bool) {
	n, ok = 1, true
	imp.Walk(body, func(s imp.Stm) bool {
		if f, isFor := s.(*imp.For); isFor {
			few, isFew := fixable(f)
			n, ok = max(n, few), ok && isFew
		} else {
			ok = ok && !imp.MayLoop(s)
		}
		return ok
	})
	return n, ok
}

// mostFixed is the largest number of such iterations.
const mostFixed = 128
