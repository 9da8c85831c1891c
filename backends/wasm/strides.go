package wasm

import (
	"fmt"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// strides says of the expressions in a parallel loop by how much they grow from one iteration to the next.
type strides struct {
	kernel   *imp.Kernel
	loop     *imp.For
	own      map[imp.Var]bool    // what the body binds
	defs     map[imp.Var]imp.Exp // of that, what is bound once
	counters map[imp.Var]bool    // what counts inner loops
}

func stridesOf(k *imp.Kernel, s *imp.For) *strides {
	out := &strides{kernel: k, loop: s, own: map[imp.Var]bool{}, defs: map[imp.Var]imp.Exp{}, counters: map[imp.Var]bool{}}
	set := map[imp.Var]bool{}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			out.own[v] = true
		}
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let:
			out.defs[s.Var] = s.Exp
		case *imp.For:
			out.counters[s.Var] = true
		case *imp.Set:
			set[s.Var] = true
		default:
		}
		return true
	})
	for v := range set {
		delete(out.defs, v)
	}
	return out
}

// of is by how much an expression grows from one lane to the next, if that is the same constant everywhere.
func (t *strides) of(e imp.Exp) (n int64, ok bool) {
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		switch def, isDef := t.defs[e.Var]; {
		case e.Var == t.loop.Var:
			return 1, true
		case isDef:
			return t.of(def)
		default:
			return 0, !t.own[e.Var] || t.counters[e.Var]
		}
	case *imp.Conv:
		n, ok := t.of(e.X)
		return n, ok && (n == 0 || primOf(e.From).Bits() == 64 && primOf(e.To).Bits() == 64 && e.From.IsInt() && e.To.IsInt())
	case *imp.Bin:
		return t.ofBin(e)
	case *imp.Load: // what it reads may change, but not while a loop or branch is entered
		d := t.kernel.Mems[e.Mem]
		n, ok := t.of(e.Index)
		return 0, ok && n == 0 && d.Space == imp.Global && d.Access == imp.Read
	default:
	}
	for _, x := range imp.Children(e) {
		if n, ok := t.of(x); !ok || n != 0 {
			return 0, false
		}
	}
	return 0, true
}

func (t *strides) ofBin(e *imp.Bin) (n int64, ok bool) {
	x, xok := t.of(e.X)
	y, yok := t.of(e.Y)
	if !xok || !yok || x == 0 && y == 0 {
		return 0, xok && yok
	}
	if primOf(e.Type).Bits() != 64 || !e.Type.IsInt() {
		return 0, false
	}
	byX, constantX := e.X.(*imp.Const)
	byY, constantY := e.Y.(*imp.Const)
	switch {
	case e.Op == prim.Add:
		return x + y, true
	case e.Op == prim.Sub:
		return x - y, true
	case e.Op == prim.Mul && constantY:
		return x * byY.Value.Int(), true
	case e.Op == prim.Mul && constantX:
		return y * byX.Value.Int(), true
	}
	return 0, false
}

// uniform reports whether an expression has one value for all lanes.
func (t *strides) uniform(e imp.Exp) bool {
	n, ok := t.of(e)
	return ok && n == 0
}

// scalar reports whether a variable of the body is a local: it is the same for all lanes, or grows by a constant.
func (t *strides) scalar(v imp.Var) bool {
	def, ok := t.defs[v]
	if !ok {
		return false
	}
	_, ok = t.of(def)
	return ok
}

// numbered reports whether an expression is a number of 64 bits that a lane computes from its number and what all have.
func (t *strides) numbered(e imp.Exp) bool {
	if _, ok := t.of(e); ok {
		return true
	}
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		def, ok := t.defs[e.Var]
		return ok && t.numbered(def)
	case *imp.Bin:
		ints := e.Type.IsInt() && primOf(e.Type).Bits() == 64
		return ints && (e.Op == prim.Add || e.Op == prim.Sub || e.Op == prim.Mul) && t.numbered(e.X) && t.numbered(e.Y)
	case *imp.Conv:
		return primOf(e.From).Bits() == 64 && primOf(e.To).Bits() == 64 && e.From.IsInt() && e.To.IsInt() && t.numbered(e.X)
	default:
		return false
	}
}

// affine reports whether a numbered expression grows by the same from each lane to the next.
func (t *strides) affine(e imp.Exp) bool {
	switch e := imp.Match(t.inlined(e)).(type) {
	case *imp.Bin:
		return t.affine(e.X) && t.affine(e.Y) && (e.Op != prim.Mul || t.uniform(e.X) || t.uniform(e.Y))
	default:
		return true
	}
}

// inlined is a numbered expression in which no variable is left that is not a local.
func (t *strides) inlined(e imp.Exp) imp.Exp {
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		if def, ok := t.defs[e.Var]; ok && !t.uniform(e) {
			return t.inlined(def)
		}
	case *imp.Bin:
		return &imp.Bin{Op: e.Op, Type: e.Type, X: t.inlined(e.X), Y: t.inlined(e.Y)}
	case *imp.Conv:
		return t.inlined(e.X)
	default:
	}
	return e
}

// width is that of the elements in vectors: of all expressions that are neither the same for all lanes nor numbers of lanes, and of what
// is stored. It is zero where there are several, or none.
func (t *strides) width() int {
	width, same := 0, true
	note := func(p prim.Type) {
		same = same && (width == 0 || width == p.Bits())
		width = p.Bits()
	}
	var exp func(e imp.Exp)
	exp = func(e imp.Exp) {
		if t.numbered(e) {
			return
		}
		if l, ok := e.(*imp.Load); ok {
			note(t.kernel.Mems[l.Mem].Elem) // a boolean in memory has a byte
			return
		}
		if p := primOf(t.kernel.Scope().TypeOf(e)); p != prim.Bool {
			note(p)
		}
		for _, x := range imp.Children(e) {
			exp(x)
		}
	}
	imp.Walk(t.loop.Body, func(s imp.Stm) bool {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Store:
			note(t.kernel.Mems[s.Mem].Elem)
			exp(s.Value)
			return true
		case *imp.Let:
			if p := primOf(t.kernel.Vars[s.Var].Type); t.defs[s.Var] == nil && p != prim.Bool {
				note(p) // It is set again.
			}
		default:
		}
		for _, e := range imp.Exps(s) {
			exp(e)
		}
		return true
	})
	if !same {
		return 0
	}
	return width
}

// registers is how many vectors each value has: several, so that what is the same for all lanes is computed less often and additions
// need not wait for each other, unless there are so many values that most would be in memory.
func (t *strides) registers(width int) int {
	values := 0
	for v := range t.own {
		if !t.scalar(v) && !t.counters[v] {
			values++
		}
	}
	switch {
	case values > manyValues:
		return 1
	case width < 32: // the iterations that are left over are many
		return 2
	}
	return 4
}

// manyValues are those of which there is one vector each. Four were best in all of benchmarks/processor.csv, of one to eight.
const manyValues = 32

// key says what a number is, the same for equal ones.
func (t *strides) key(whole imp.Exp) string {
	switch e := imp.Match(whole).(type) {
	case *imp.Const:
		return e.Value.String()
	case *imp.VarExp:
		if def, ok := t.defs[e.Var]; ok {
			if v, isVar := def.(*imp.VarExp); isVar {
				return t.key(v)
			}
		}
		return fmt.Sprintf("v%d", e.Var)
	case *imp.Bin:
		return fmt.Sprintf("%d(%s,%s)", e.Op, t.key(e.X), t.key(e.Y))
	case *imp.Load:
		return fmt.Sprintf("@%d[%s]", e.Mem, t.key(e.Index))
	default:
		var parts []string
		for _, x := range imp.Children(whole) {
			parts = append(parts, t.key(x))
		}
		return fmt.Sprintf("%p(%s)", whole, strings.Join(parts, ","))
	}
}
