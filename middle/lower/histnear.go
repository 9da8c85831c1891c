package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Small inputs of histograms]
//
// A point that looks for its bin in a loop, in a table of bounds for instance, waits for each element that it reads before it knows the
// next. Threads of tables go through many points, so a workgroup copies small arrays that such loops read into its own memory, which
// answers sooner, once for all points. Arrays of constant size alone: beside tables of constant size the room that is left is known.

// nearElements is how many elements such an array has at most.
const nearElements = 128

// near copies small inputs to workgroup memory, and has the code of the points read them there. A barrier follows.
func (t *table) near(k *kernelBuilder, room int) {
	bytes := 0
	for _, op := range t.h.e.Ops {
		bytes += op.Lambda.Ret[0].Elem.Size()
	}
	spare := (t.capacity - room) * bytes
	for _, a := range t.h.smallInputs() {
		typ := t.h.c.l.typeOf(a)
		n, _ := intConst(t.h.c.total(typ.Shape))
		if spare -= int(n) * typ.Elem.Size(); spare < 0 {
			return
		}
		from, copied := k.mem(typ.Layout.Mem), k.shared("copied", imp.Of(typ.Elem), int(n))
		k.stride("j", id(imp.LocalID), idx(int64(t.size)), idx(n), func(j imp.Exp) {
			k.store(copied, j, k.load("x", from, j).exp)
		})
		k.mems[typ.Layout.Mem] = copied
	}
}

// smallInputs are arrays of constant size, few elements of a word or more, that loops of the points' code read, each the only one in its
// block that the code mentions.
func (h *histogram) smallInputs() []core.Var {
	inLoops := &core.VarSet{}
	core.Walk(h.e.Body, func(s *core.Stm) bool {
		l, ok := s.Exp.(*core.Loop)
		if ok {
			inLoops.AddAll(core.FreeInBody(l.Body))
		}
		return !ok
	})
	blocks := map[core.Var]int{}
	arrays := slices.DeleteFunc(core.FreeInBody(h.e.Body).List(), func(v core.Var) bool { return !h.c.l.typeOf(v).IsArray() })
	for _, v := range arrays {
		blocks[h.c.l.typeOf(v).Layout.Mem]++
	}
	return slices.DeleteFunc(arrays, func(v core.Var) bool {
		t := h.c.l.typeOf(v)
		n, constant := intConst(h.c.total(t.Shape))
		return !inLoops.Has(v) || !constant || n < 1 || n > nearElements || t.Elem.Bits() < 32 ||
			blocks[t.Layout.Mem] > 1 || !t.Layout.Equal(core.RowMajor(t.Layout.Mem, t.Shape))
	})
}
