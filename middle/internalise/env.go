package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
)

// env says what the variables of the source stand for: those bound in an inner scope first, then those around. Making an inner scope
// costs nothing, however much is in scope.
type env struct {
	outer *env
	// vars maps a variable to its components; none says that the variable is not bound here, whatever it is outside.
	vars map[*types.Symbol][]core.Operand
}

func newEnv(outer *env) *env { return &env{outer, map[*types.Symbol][]core.Operand{}} }

// get returns the components of a variable, or nil if it is not bound.
func (e *env) get(s *types.Symbol) []core.Operand {
	for ; e != nil; e = e.outer {
		if xs, ok := e.vars[s]; ok {
			return xs
		}
	}
	return nil
}

func (e *env) set(s *types.Symbol, xs []core.Operand) { e.vars[s] = xs }

// unbind makes s unbound.
func (e *env) unbind(s *types.Symbol) { e.vars[s] = nil }
