package wire

import (
	"encoding/binary"

	"skald/middle/core"
)

// Structure returns what an expression is, as bytes that two expressions share exactly if they differ in the names of what they bind and
// in the places that they come from, and name maps what else they use to the same variables. What traces, or has a node that the format
// does not know, shares them with itself alone.
func Structure(e core.Exp, attrs []core.Attr, name func(core.Var) core.Var) []byte {
	c := &codec{numbers: map[string]int{}, structure: &structure{free: core.FreeInExp(e), name: name, bound: map[core.Var]int{}}}
	c.exp(&e)
	list(c, &attrs, c.attr)
	return c.out
}

// structure says how a codec writes variables where names do not matter: those that an expression binds by the order in which it
// mentions them.
type structure struct {
	free  *core.VarSet
	name  func(core.Var) core.Var
	bound map[core.Var]int
}

// append writes a variable, or the zero that means none.
func (s *structure) append(out []byte, v core.Var) []byte {
	if v == 0 || s.free.Has(v) {
		return binary.AppendVarint(out, int64(s.name(v)))
	}
	n, ok := s.bound[v]
	if !ok {
		n = len(s.bound) + 1
		s.bound[v] = n
	}
	return binary.AppendVarint(out, -int64(n))
}
