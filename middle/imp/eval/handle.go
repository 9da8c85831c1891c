package eval

import "skald/middle/imp"

// See imp's Note [Blocks are counted]. A register of type Block holds a handle,
// or zero when it holds none.

// hold puts a handle, which comes with a reference, into a register.
func (t *thread) hold(v imp.Var, block uint64) {
	t.drop(v)
	t.regs[v] = block
}

func (t *thread) drop(v imp.Var) {
	if b := t.regs[v]; b != 0 {
		t.host.Release(b)
	}
	t.regs[v] = 0
}

// dropAll drops the handles that the registers of a function hold.
func (t *thread) dropAll(f *imp.Fun) {
	for v, info := range f.Vars {
		if info.Type == imp.Block {
			t.drop(imp.Var(v))
		}
	}
}

// setBlock makes a register hold what another one does.
func setBlock(v imp.Var, e exp) stm {
	return func(t *thread) bool {
		b := e(t)
		if b != 0 {
			t.host.Retain(b)
		}
		t.hold(v, b)
		return true
	}
}
