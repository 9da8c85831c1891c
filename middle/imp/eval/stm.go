package eval

import (
	"fmt"
	"sync/atomic"

	"skald/middle/imp"
)

// compiler compiles one function or kernel.
type compiler struct {
	name  string
	scope imp.Scope
	prog  *Prog // of host code
	// routines are those of a kernel that have been compiled.
	routines map[*imp.Routine]*routine
}

// seq compiles statements to one.
func (c *compiler) seq(body []imp.Stm) stm {
	code := make([]stm, 0, len(body))
	for i := 0; i < len(body); {
		reads, freed, n := readRun(body[i:])
		if len(reads) < 2 {
			freed, n = nil, 0
		} else {
			code = append(code, c.reads(reads))
		}
		if n == 0 {
			freed, n = body[i:i+1], 1
		}
		for _, s := range freed {
			if f := c.stm(s); f != nil {
				code = append(code, f)
			}
		}
		i += n
	}
	return all(code)
}

// all runs statements one after the other.
func all(code []stm) stm {
	switch len(code) {
	case 0:
		return func(*thread) bool { return true }
	case 1:
		return code[0]
	case 2:
		f, g := code[0], code[1]
		return func(t *thread) bool { return f(t) && g(t) }
	case 3:
		f, g, h := code[0], code[1], code[2]
		return func(t *thread) bool { return f(t) && g(t) && h(t) }
	}
	f, g, h, rest := code[0], code[1], code[2], all(code[3:])
	return func(t *thread) bool { return f(t) && g(t) && h(t) && rest(t) }
}

// stm compiles a statement that holds no barrier; nil has no effect.
func (c *compiler) stm(s imp.Stm) stm {
	switch s := s.(type) {
	case *imp.Let:
		return c.set(s.Var, s.Exp)
	case *imp.Set:
		return c.set(s.Var, s.Exp)
	case *imp.If:
		return c.ifStm(s)
	case *imp.For:
		return c.forStm(s)
	case *imp.While:
		cond, body := c.exp(s.Cond), c.seq(s.Body)
		return func(t *thread) bool {
			for cond(t) != 0 {
				if !body(t) {
					return false
				}
			}
			return true
		}
	case *imp.Assert:
		return c.assert(s)
	case *imp.Comment:
		return nil
	case *imp.Store:
		return store(c.array(s.Mem), c.exp(s.Index), c.exp(s.Value))
	case *imp.LoadVec:
		return c.loadVec(s)
	case *imp.StoreVec:
		return c.storeVec(s)
	case *imp.Atomic:
		return c.atomic(s)
	case *imp.AtomicUpdate:
		return c.atomicUpdate(s)
	case *imp.Alloc, *imp.Free, *imp.Copy, *imp.Fill, *imp.Data, *imp.ReadScalar, *imp.WriteScalar, *imp.Launch, *imp.Call,
		*imp.GetConst, *imp.GetTune:
		return c.host(s)
	case *imp.Invoke:
		return c.invoke(s)
	case *imp.Barrier, *imp.Subgroup:
		panic("eval: collective statement in divergent code of " + c.name)
	}
	panic(fmt.Sprintf("eval: unknown statement %T", s))
}

func (c *compiler) set(v imp.Var, value imp.Exp) stm {
	e := c.exp(value)
	if c.scope.Vars[v].Type == imp.Block {
		return setBlock(v, e)
	}
	if from, ok := value.(*imp.VarExp); ok {
		u := from.Var
		return func(t *thread) bool {
			t.regs[v] = t.regs[u]
			return true
		}
	}
	return func(t *thread) bool {
		t.regs[v] = e(t)
		return true
	}
}

func (c *compiler) ifStm(s *imp.If) stm {
	cond, then := c.exp(s.Cond), c.seq(s.Then)
	if len(s.Else) == 0 {
		return func(t *thread) bool { return cond(t) == 0 || then(t) }
	}
	other := c.seq(s.Else)
	return func(t *thread) bool {
		if cond(t) != 0 {
			return then(t)
		}
		return other(t)
	}
}

func (c *compiler) forStm(s *imp.For) stm {
	bound, body, v := c.exp(s.Bound), c.seq(s.Body), s.Var
	return func(t *thread) bool {
		n := int64(bound(t))
		for i := int64(0); i < n; i++ {
			t.regs[v] = uint64(i)
			if !body(t) {
				return false
			}
		}
		return true
	}
}

func (c *compiler) assert(s *imp.Assert) stm {
	cond, values := c.exp(s.Cond), c.exps(s.Values)
	return func(t *thread) bool {
		if cond(t) != 0 {
			return true
		}
		vs := make([]uint64, len(values))
		for i, v := range values {
			vs[i] = v(t)
		}
		t.dead = true
		t.fail().Set(int32(s.Site), vs)
		return false
	}
}

func (t *thread) fail() *Failure {
	if t.group == nil {
		return t.host.Failure()
	}
	return t.group.fail
}

func (c *compiler) loadVec(s *imp.LoadVec) stm {
	a, index := c.array(s.Mem), c.exp(s.Index)
	var base exp = func(t *thread) uint64 { return t.regs[0] }
	ld := load(a, base)
	n := int64(len(s.Vars))
	return func(t *thread) bool {
		i := int64(index(t))
		if i%n != 0 {
			faultf("kernel %s reads %d elements of %s at %d, which is not aligned", a.kernel, n, a.name, i)
		}
		for j, v := range s.Vars {
			t.regs[0] = uint64(i + int64(j))
			t.regs[v] = ld(t)
		}
		return true
	}
}

func (c *compiler) storeVec(s *imp.StoreVec) stm {
	a, index, values := c.array(s.Mem), c.exp(s.Index), c.exps(s.Values)
	n := int64(len(values))
	stores := make([]stm, n)
	for j, v := range values {
		j := uint64(j)
		stores[j] = store(a, func(t *thread) uint64 { return index(t) + j }, v)
	}
	return func(t *thread) bool {
		if i := int64(index(t)); i%n != 0 {
			faultf("kernel %s writes %d elements of %s at %d, which is not aligned", a.kernel, n, a.name, i)
		}
		for _, st := range stores {
			st(t)
		}
		return true
	}
}

func (c *compiler) atomic(s *imp.Atomic) stm {
	a, index, value := c.array(s.Mem), c.exp(s.Index), c.exp(s.Value)
	op := atomicOp(s.Op, a.elem)
	switch {
	case a.shared:
		return sharedAtomic(a, index, value, op, s.Old)
	case s.Op == imp.AtomicAdd && s.Old == 0 && a.elem.IsInt() && a.elem.Size() == 4:
		return func(t *thread) bool {
			i, v := int64(index(t)), value(t)
			atomic.AddUint32(at[uint32](&a, t, i), uint32(v))
			return true
		}
	}
	sw := swap(a)
	return func(t *thread) bool {
		i, v := int64(index(t)), value(t)
		old := sw(t, i, func(old uint64) uint64 { return op(old, v) })
		t.regs[s.Old] = old // register 0 is nobody's
		return true
	}
}

func (c *compiler) atomicUpdate(s *imp.AtomicUpdate) stm {
	a, index := c.array(s.Mem), c.exp(s.Index)
	body, value := c.seq(s.Body), c.exp(s.New)
	sw := swap(a)
	return func(t *thread) bool {
		ok := true
		sw(t, int64(index(t)), func(old uint64) uint64 {
			t.regs[s.Old] = old
			if ok = body(t); !ok {
				return old
			}
			return value(t)
		})
		return ok
	}
}

func (c *compiler) exps(es []imp.Exp) []exp {
	out := make([]exp, len(es))
	for i, e := range es {
		out[i] = c.exp(e)
	}
	return out
}
