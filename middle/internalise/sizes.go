package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Computed sizes]
//
// The types in a core function's head mention its parameters and results alone. So where a source type there has a size that is
// computed, or that is a constant of the program, the size gets a name: in a parameter it is one that the parameter binds, in the result
// an existential one. The same goes for a size that was left out (Note [Open sizes] in package monomorphise), in each place
// again. Calls then find it from the shape of the argument, or get it as a result; an entry point, which anybody may
// call, checks that it is what the source says.

// nameSizes names the computed sizes in the head of d: see Note [Computed sizes].
func nameSizes(d *types.Def) *types.Def {
	n := &namer{bound: map[*types.Symbol]bool{}}
	out := *d
	out.Params = make([]*types.Param, len(d.Params))
	for _, p := range d.Params {
		for _, s := range append(types.PatSymbols(p.Pat), p.Sizes...) {
			n.bound[s] = true
		}
	}
	for i, p := range d.Params {
		before := len(n.names)
		pat := retype(p.Pat, n.typ)
		out.Params[i] = &types.Param{Sizes: append(p.Sizes[:len(p.Sizes):len(p.Sizes)], n.names[before:]...), Pat: pat}
	}
	// A size that the result shows only as a part of others cannot be read off the result; the sizes computed from it can.
	out.Ret.Ext = nil
	for _, s := range d.Ret.Ext {
		if mentions(d.Ret.Type, s) {
			out.Ret.Ext = append(out.Ret.Ext, s)
			n.bound[s] = true
		}
	}
	ret := &namer{bound: n.bound}
	out.Ret.Type = ret.typ(d.Ret.Type)
	out.Ret.Ext = append(out.Ret.Ext, ret.names...)
	return &out
}

// retype applies f to the type of what p takes; the types of the parts of p, of which nobody asks the sizes, stay.
func retype(p types.Pat, f func(types.Type) types.Type) types.Pat {
	return types.MapPat(p, types.Mapper{Type: f, Pat: func(part types.Pat) types.Pat { return part }})
}

// namer names computed sizes; equal ones get one name.
type namer struct {
	bound map[*types.Symbol]bool
	sizes []types.Size
	names []*types.Symbol // names[i] stands for sizes[i]
}

func (n *namer) typ(t types.Type) types.Type { return mapSizes(t, n.size) }

// mapSizes applies f to the sizes in t that a component of a value shows: those in the type of an accumulator are none.
func mapSizes(t types.Type, f func(types.Size) types.Size) types.Type {
	if _, isAcc := types.Force(t).(*types.Con); isAcc {
		return t
	}
	return types.MapParts(t, func(t types.Type) types.Type { return mapSizes(t, f) }, f)
}

func (n *namer) size(d types.Size) types.Size {
	switch d := d.(type) {
	case *types.SizeConst:
		return d
	case *types.SizeName:
		if n.bound[d.Sym] {
			return d
		}
	case *types.AnySize:
		return n.name(d)
	default:
	}
	for i, named := range n.sizes {
		if types.EqualSize(named, d) {
			return &types.SizeName{Sym: n.names[i]}
		}
	}
	return n.name(d)
}

// name makes a name for d.
func (n *namer) name(d types.Size) types.Size {
	sym := &types.Symbol{Name: "size", Kind: types.ExtSize, Type: types.I64}
	n.sizes, n.names = append(n.sizes, d), append(n.names, sym)
	return &types.SizeName{Sym: sym}
}

// nameOpen names each open size of t (types.AnySize), which the value at hand shows, and lists the names.
func nameOpen(t types.Type) (types.Type, []*types.Symbol) {
	n := &namer{}
	named := mapSizes(t, func(d types.Size) types.Size {
		if _, open := d.(*types.AnySize); open {
			return n.name(d)
		}
		return d
	})
	return named, n.names
}

// checkComputed checks, in an entry point, the named sizes of parameters against what they stand for.
func (s *scope) checkComputed(d *types.Def) {
	if d.Entry == nil {
		return
	}
	for i, p := range d.Params {
		named, source := types.SizesIn(p.Pat.Base().Type), types.SizesIn(types.Represent(d.Entry.Params[i].Type))
		if len(named) != len(source) {
			continue
		}
		for j, size := range named {
			if !s.computed(source[j]) {
				continue
			}
			have := s.size(size)
			same := s.b.Cmp(prim.Eq, have, s.size(source[j]))
			s.b.Certs = append(s.b.Certs, s.check(same, core.Text("Entry point arguments have invalid sizes: one is "), core.Value(have),
				core.Text(" where the type says "+source[j].String()))...)
		}
	}
}

// computed reports whether d is an expression or a constant of the program: see Note [Computed sizes].
func (s *scope) computed(d types.Size) bool {
	switch d := d.(type) {
	case *types.SizeExp:
		return true
	case *types.SizeName:
		_, constant := s.consts[d.Sym]
		return constant
	default:
		return false
	}
}
