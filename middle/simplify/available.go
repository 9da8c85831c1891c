package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// available holds expressions computed before, in this body or around it. What comes last is forgotten first.
//
// Most are scalars, and looking for them was a quarter of simplification with their nodes as keys of a map: so these are in a table by
// hash, and are compared as they are. Each slot of first has the number, from 1, of the last of those with its hash, and that the one
// before it.
type available struct {
	values []entry
	first  []int32 // as many as a power of two, or none
	// sketches are those of expressions that are compared by a sketch, and trail these in order.
	sketches map[sketch]*core.Stm
	trail    []sketch
}

// entry is an expression whose hash is known.
type entry struct {
	hash   uint64
	before int32
	stm    *core.Stm
}

// mark is how much is available.
type mark struct{ values, sketches int }

func newAvailable() *available { return &available{sketches: map[sketch]*core.Stm{}} }

func (a *available) mark() mark { return mark{len(a.values), len(a.trail)} }

// forget takes back what has been added since a mark.
func (a *available) forget(m mark) {
	for i := len(a.values) - 1; i >= m.values; i-- {
		v := &a.values[i]
		a.first[v.hash&uint64(len(a.first)-1)] = v.before
		v.stm = nil
	}
	a.values = a.values[:m.values]
	for _, key := range a.trail[m.sketches:] {
		delete(a.sketches, key)
	}
	a.trail = a.trail[:m.sketches]
}

// alike returns the last statement that computes an expression of a hash.
func (a *available) alike(e core.Exp, hash uint64) *core.Stm {
	if len(a.first) == 0 {
		return nil
	}
	for i := a.first[hash&uint64(len(a.first)-1)]; i != 0; i = a.values[i-1].before {
		if v := &a.values[i-1]; v.hash == hash && sameValue(v.stm.Exp, e) {
			return v.stm
		}
	}
	return nil
}

// add adds a statement whose expression has a hash.
func (a *available) add(s *core.Stm, hash uint64) {
	a.values = append(a.values, entry{hash: hash, stm: s})
	if len(a.values) <= len(a.first) {
		a.link(len(a.values) - 1)
		return
	}
	a.first = make([]int32, max(64, 2*len(a.first)))
	for i := range a.values {
		a.link(i)
	}
}

func (a *available) link(i int) {
	slot := &a.first[a.values[i].hash&uint64(len(a.first)-1)]
	a.values[i].before, *slot = *slot, int32(i+1)
}

// find returns the statement noted of a sketch.
func (a *available) find(key sketch) *core.Stm { return a.sketches[key] }

// note adds a statement by a sketch that is not there yet.
func (a *available) note(key sketch, s *core.Stm) {
	a.sketches[key] = s
	a.trail = append(a.trail, key)
}

// hasher is a hash of what has been added to it.
type hasher uint64

func (h hasher) word(w uint64) hasher {
	x := (uint64(h) ^ w) * 0x9e3779b97f4a7c15
	return hasher(x ^ x>>29)
}

func (h hasher) operand(o core.Operand) hasher {
	if o.Var != 0 {
		return h.word(uint64(o.Var) << 8)
	}
	return h.word(o.Const.Word()<<8 ^ uint64(o.Const.Type())<<1 ^ 1)
}

func (h hasher) operands(os ...core.Operand) hasher {
	for _, o := range os {
		h = h.operand(o)
	}
	return h
}

func (h hasher) text(s string) hasher {
	for i := range len(s) {
		h = h.word(uint64(s[i]))
	}
	return h
}

// hashed is the hash of expressions that have the same value where their operands do, and are no more than scalars or views; ok is false of
// others. The hash of commutative operations does not depend on the order of operands.
func hashed(e core.Exp) (hash uint64, ok bool) {
	var h hasher
	switch e := core.Match(e).(type) {
	case *core.Un:
		h = hasher(1).word(uint64(e.Op)<<8 | uint64(e.Type)).operand(e.X)
	case *core.Bin:
		h = hasher(2).word(uint64(e.Op)<<8 | uint64(e.Type))
		if e.Op.Commutative(e.Type) {
			h = h.word(uint64(hasher(0).operand(e.X) + hasher(0).operand(e.Y)))
		} else {
			h = h.operands(e.X, e.Y)
		}
	case *core.Cmp:
		h = hasher(3).word(uint64(e.Op)<<8|uint64(e.Type)).operands(e.X, e.Y)
	case *core.Conv:
		h = hasher(4).word(uint64(e.From)<<8 | uint64(e.To)).operand(e.X)
	case *core.Assert:
		h = hasher(5).operand(e.Cond)
	case *core.Tune:
		h = hasher(6).text(e.Name).text(e.Class)
	case *core.Fact:
		h = hasher(7).text(e.Name)
	case *core.CallFunc:
		h = hasher(8).word(uint64(e.Func)<<8 | uint64(e.Type)).operands(e.Args...)
	case *core.Index:
		h = hasher(9).word(uint64(e.Array))
		for _, d := range e.Slice {
			h = h.operands(d.Off, d.Len, d.Stride)
		}
	case *core.Rearrange:
		h = hasher(10).word(uint64(e.Array))
		for _, d := range e.Perm {
			h = h.word(uint64(d))
		}
	case *core.Reshape:
		h = hasher(11).word(uint64(e.Array)).operands(e.Shape...)
	default:
		return 0, false
	}
	return uint64(h), true
}

// sameValue reports whether two expressions that have hashes have the same value. Of assertions the messages do not matter.
func sameValue(a, b core.Exp) bool {
	switch a := core.Match(a).(type) {
	case *core.Un:
		b, ok := b.(*core.Un)
		return ok && *a == *b
	case *core.Bin:
		b, ok := b.(*core.Bin)
		return ok && (*a == *b || a.Op == b.Op && a.Type == b.Type && a.X == b.Y && a.Y == b.X && a.Op.Commutative(a.Type))
	case *core.Cmp:
		b, ok := b.(*core.Cmp)
		return ok && *a == *b
	case *core.Conv:
		b, ok := b.(*core.Conv)
		return ok && *a == *b
	case *core.Assert:
		b, ok := b.(*core.Assert)
		return ok && a.Cond == b.Cond
	case *core.Tune:
		b, ok := b.(*core.Tune)
		return ok && *a == *b
	case *core.Fact:
		b, ok := b.(*core.Fact)
		return ok && *a == *b
	case *core.CallFunc:
		b, ok := b.(*core.CallFunc)
		return ok && a.Func == b.Func && a.Type == b.Type && slices.Equal(a.Args, b.Args)
	case *core.Index:
		b, ok := b.(*core.Index)
		return ok && a.Array == b.Array && slices.Equal(a.Slice, b.Slice)
	case *core.Rearrange:
		b, ok := b.(*core.Rearrange)
		return ok && a.Array == b.Array && slices.Equal(a.Perm, b.Perm)
	case *core.Reshape:
		b, ok := b.(*core.Reshape)
		return ok && a.Array == b.Array && slices.Equal(a.Shape, b.Shape)
	default:
		return false
	}
}

// repeatable reports whether a statement computes a scalar or a view that may be shared.
func (s *simplifier) repeatable(st *core.Stm) bool {
	switch core.Match(st.Exp).(type) {
	case *core.Index:
		return st.Dst[0].Type.IsScalar() || s.stage != core.StageMemory
	case *core.Rearrange, *core.Reshape:
		return s.stage != core.StageMemory
	default:
		return true
	}
}

// widening is the statement that converts an operand to i64, if there is one.
func (a *available) widening(from prim.Type, x core.Operand) *core.Stm {
	e := &core.Conv{From: from, To: prim.I64, X: x}
	hash, _ := hashed(e)
	return a.alike(e, hash)
}
