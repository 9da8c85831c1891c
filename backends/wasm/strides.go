package wasm

import (
	"fmt"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// strides is imp.Strides with what vectors are chosen by.
type strides struct {
	*imp.Strides
	numbers map[imp.Var]bool // whether variables are numbered, as far as that was asked
}

func stridesOf(k *imp.Kernel, s *imp.For) *strides {
	out := &strides{imp.StridesOf(k, s), map[imp.Var]bool{}}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		if s, ok := s.(*imp.Let); ok {
			out.Defs[s.Var] = s.Exp
		}
		return true
	})
	imp.Walk(s.Body, func(s imp.Stm) bool {
		if s, ok := s.(*imp.Set); ok {
			delete(out.Defs, s.Var)
		}
		return true
	})
	return out
}

// scalar reports whether a variable of the body is a local: it is the same for all lanes, or grows by a constant.
func (t *strides) scalar(v imp.Var) bool {
	def, ok := t.Defs[v]
	if !ok {
		return false
	}
	_, ok = t.Of(def)
	return ok
}

// numbered reports whether an expression is a number of 64 bits that a lane computes from its number and what all have.
func (t *strides) numbered(e imp.Exp) bool {
	if _, ok := t.Of(e); ok {
		return true
	}
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		is, known := t.numbers[e.Var]
		if def, ok := t.Defs[e.Var]; ok && !known {
			is = t.numbered(def)
			t.numbers[e.Var] = is
		}
		return is
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
		return t.affine(e.X) && t.affine(e.Y) && (e.Op != prim.Mul || t.Uniform(e.X) || t.Uniform(e.Y))
	default:
		return true
	}
}

// inlined is a numbered expression in which no variable is left that is not a local.
func (t *strides) inlined(e imp.Exp) imp.Exp {
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		if def, ok := t.Defs[e.Var]; ok && !t.Uniform(e) {
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
			note(t.Kernel.Mems[l.Mem].Elem) // a boolean in memory has a byte
			return
		}
		if p := primOf(t.Kernel.Scope().TypeOf(e)); p != prim.Bool {
			note(p)
		}
		for _, x := range imp.Children(e) {
			exp(x)
		}
	}
	imp.Walk(t.Loop.Body, func(s imp.Stm) bool {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Store:
			note(t.Kernel.Mems[s.Mem].Elem)
			exp(s.Value)
			return true
		case *imp.Let:
			if p := primOf(t.Kernel.Vars[s.Var].Type); t.Defs[s.Var] == nil && p != prim.Bool {
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
	for v := range t.Own {
		if !t.scalar(v) && !t.Counters[v] {
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
		if def, ok := t.Defs[e.Var]; ok {
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
