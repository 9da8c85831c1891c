package imp

import "skald/runtime/prim"

// Strides says of the expressions in a parallel loop by how much they grow from one iteration to the next: neighbouring lanes of a vector
// are neighbouring iterations.
type Strides struct {
	Kernel   *Kernel
	Loop     *For
	Own      map[Var]bool // what the body binds
	Counters map[Var]bool // what counts inner loops
	Defs     map[Var]Exp  // what is bound once in the body, as far as who asks relies on it
	// of are the answers for variables of Defs: code that names each variable twice would be gone through as often as there are paths.
	of map[Var]stride
}

// stride is by how much an expression grows, if ok.
type stride struct {
	n  int64
	ok bool
}

// StridesOf is about a parallel loop of a kernel. Defs is empty; definitions are there before it is asked for what they are part of.
func StridesOf(k *Kernel, loop *For) *Strides {
	t := &Strides{Kernel: k, Loop: loop, Own: map[Var]bool{}, Counters: map[Var]bool{}, Defs: map[Var]Exp{}, of: map[Var]stride{}}
	Walk(loop.Body, func(s Stm) bool {
		for _, v := range Binds(s) {
			t.Own[v] = true
		}
		if f, ok := s.(*For); ok {
			t.Counters[f.Var] = true
		}
		return true
	})
	return t
}

// Uniform reports whether an expression has one value for all lanes.
func (t *Strides) Uniform(e Exp) bool {
	n, ok := t.Of(e)
	return ok && n == 0
}

// Of is by how much an expression grows from one lane to the next, if that is the same constant everywhere.
func (t *Strides) Of(e Exp) (n int64, ok bool) {
	switch e := Match(e).(type) {
	case *VarExp:
		switch def, isDef := t.Defs[e.Var]; {
		case e.Var == t.Loop.Var:
			return 1, true
		case isDef:
			s, known := t.of[e.Var]
			if !known {
				s.n, s.ok = t.Of(def)
				t.of[e.Var] = s
			}
			return s.n, s.ok
		default:
			return 0, !t.Own[e.Var] || t.Counters[e.Var]
		}
	case *Conv:
		n, ok := t.Of(e.X)
		return n, ok && (n == 0 || isLong(e.From) && isLong(e.To))
	case *Bin:
		return t.ofBin(e)
	case *Load: // what it reads may change, but not while a loop or branch is entered
		d := t.Kernel.Mems[e.Mem]
		return 0, t.Uniform(e.Index) && d.Space == Global && d.Access == Read
	default:
	}
	for _, x := range Children(e) {
		if !t.Uniform(x) {
			return 0, false
		}
	}
	return 0, true
}

func (t *Strides) ofBin(e *Bin) (n int64, ok bool) {
	x, xok := t.Of(e.X)
	y, yok := t.Of(e.Y)
	if !xok || !yok || x == 0 && y == 0 {
		return 0, xok && yok
	}
	if !isLong(e.Type) {
		return 0, false
	}
	byX, constantX := e.X.(*Const)
	byY, constantY := e.Y.(*Const)
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

// isLong reports whether a type is one of integers of 64 bits, which do not wrap where they number elements.
func isLong(t Type) bool { return t.IsInt() && t.Prim().Bits() == 64 }
