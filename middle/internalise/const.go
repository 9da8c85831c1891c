package internalise

import (
	"fmt"

	"skald/frontend/types"
	"skald/middle/core"
)

// constant says where a constant is: its components are these operands of the constants' function.
type constant struct {
	comps []core.Operand
}

// constant translates a definition without parameters into statements of the constants' function.
func (m *module) constant(d *types.Def) {
	if m.constFun == nil {
		m.constFun = &core.Fun{Name: m.constName()}
		m.constBody = m.scopeFor(m.constFun)
	}
	s := m.constBody
	s.at(d.At)
	xs := s.exp(d.Body)
	s.bindSizes(d.Ret.Ext, d.Ret.Type, xs)
	for _, size := range d.Ret.Ext {
		m.consts[size] = constant{s.env.get(size)}
	}
	xs = s.ensureAll(xs, s.coreTypes(d.Ret.Type))
	s.set(d.Sym, xs...)
	m.consts[d.Sym] = constant{xs}
}

// constName returns a name for the constants' function that no function of the program has: "constants" where it can.
func (m *module) constName() string {
	taken := make(map[string]bool, len(m.defs))
	for sym := range m.defs {
		taken[sym.Name] = true
	}
	name := "constants"
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("constants_%d", i)
	}
	return name
}

// export returns the index of the result of the constants' function that is variable v.
func (m *module) export(v core.Var) int {
	i, ok := m.constVars[v]
	if !ok {
		i = len(m.exported)
		m.constVars[v] = i
		m.exported = append(m.exported, v)
	}
	return i
}

// global returns the components of a constant in a function: variables that are bound at its entry. Sizes that their types mention are
// bound likewise.
func (s *scope) global(sym *types.Symbol, c constant) []core.Operand {
	if s.b.Fun == s.constFun {
		return c.comps
	}
	out := make([]core.Operand, len(c.comps))
	for i, x := range c.comps {
		out[i] = s.globalOperand(sym.Name, x)
	}
	s.set(sym, out...)
	return out
}

func (s *scope) globalOperand(name string, x core.Operand) core.Operand {
	if x.IsConst() {
		return x
	}
	index := s.export(x.Var)
	for _, g := range s.b.Fun.Globals {
		if g.Index == index {
			return core.V(g.Param.Var)
		}
	}
	t := s.constBody.b.TypeOf(x)
	shape := make([]core.Operand, len(t.Shape))
	for i, d := range t.Shape {
		shape[i] = s.globalOperand("n", d)
	}
	if t.IsArray() {
		t = t.WithShape(shape)
	}
	p := s.b.Param(name, t)
	s.b.Fun.Globals = append(s.b.Fun.Globals, core.GlobalRef{Param: p, Index: index})
	return core.V(p.Var)
}

// finishConsts completes the constants' function: its results are what the other functions use.
func (m *module) finishConsts() {
	if m.constFun == nil {
		return
	}
	s := m.constBody
	// A result's type mentions the results that are its sizes.
	ret := make([]core.Param, len(m.exported))
	named := core.Subst{}
	for i, v := range m.exported {
		ret[i].Var = m.constFun.Fresh(m.constFun.Base(v))
		named[v] = core.V(ret[i].Var)
	}
	for i, v := range m.exported {
		ret[i].Type = named.Type(s.b.TypeOf(core.V(v)))
	}
	m.constFun.Ret = ret
	m.constFun.Body = s.b.Body(core.Vars(m.exported)...)
	m.prog.Consts = m.constFun
}
