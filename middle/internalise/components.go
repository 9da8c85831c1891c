package internalise

import (
	"fmt"

	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// component is one scalar or array of scalars that a source type consists of. Dims are its sizes, outermost first.
type component struct {
	elem prim.Type
	dims []types.Size
	// acc says that the component is an accumulator; see Note [Accumulators].
	acc bool
	// inert says that the component has no derivative: the tag of a sum, and what stands for ().
	inert bool
}

// components lists the components of t: see Note [Components].
func components(t types.Type) []component { return appendComponents(nil, t) }

func appendComponents(to []component, t types.Type) []component {
	switch t := types.Force(t).(type) {
	case *types.Prim:
		return append(to, component{elem: t.Kind})
	case *types.Array:
		first := len(to)
		to = appendComponents(to, t.Elem)
		for i := first; i < len(to); i++ {
			to[i].dims = append([]types.Size{t.Size}, to[i].dims...)
		}
		return to
	case *types.Record:
		if len(t.Fields) == 0 {
			return append(to, component{elem: prim.Bool, inert: true})
		}
		for _, f := range t.Fields {
			to = appendComponents(to, f.Type)
		}
		return to
	case *types.Sum:
		return append(to, sumLayout(t).slots...)
	case *types.Con:
		if isAcc(t) {
			return append(to, component{acc: true})
		}
		panic(fmt.Sprintf("internalise: abstract type %s has no representation", t))
	case *types.Arrow, *types.Var, *types.Meta:
		panic(fmt.Sprintf("internalise: type %s has no representation", t))
	default:
		panic(fmt.Sprintf("internalise: %T", t))
	}
}

// width is the number of t's components.
func width(t types.Type) int {
	switch t := types.Force(t).(type) {
	case *types.Array:
		return width(t.Elem)
	case *types.Record:
		n := 0
		for _, f := range t.Fields {
			n += width(f.Type)
		}
		return max(n, 1) // unit has a component, too
	default:
		return len(components(t))
	}
}

// tagType is the type of the tag of a sum type.
func tagType(t *types.Sum) prim.Type {
	if len(t.Ctors) > 127 {
		return prim.I32
	}
	return prim.I8
}

// layout says where the payload of each constructor of a sum type is.
type layout struct {
	slots []component // slot 0 is the tag
	// payload[i] lists the slots of the components of constructor i's payload.
	payload [][]int
}

func sumLayout(t *types.Sum) layout {
	l := layout{slots: []component{{elem: tagType(t), inert: true}}}
	for _, c := range t.Ctors {
		used := map[int]bool{0: true}
		var slots []int
		for _, a := range c.Args {
			for _, comp := range components(a) {
				slots = append(slots, l.place(comp, used))
			}
		}
		l.payload = append(l.payload, slots)
	}
	return l
}

// place finds or makes a slot for a component of a constructor that already uses some.
func (l *layout) place(c component, used map[int]bool) int {
	if len(c.dims) == 0 {
		for i, s := range l.slots {
			if !used[i] && len(s.dims) == 0 && s.elem == c.elem {
				used[i] = true
				l.slots[i].inert = s.inert && c.inert
				return i
			}
		}
	}
	l.slots = append(l.slots, c)
	used[len(l.slots)-1] = true
	return len(l.slots) - 1
}

// fieldRange is the place of a field's components among those of its record.
func fieldRange(t *types.Record, name string) (first, count int, ft types.Type) {
	for _, f := range t.Fields {
		n := width(f.Type)
		if f.Name == name {
			return first, n, f.Type
		}
		first += n
	}
	panic("internalise: no field " + name + " in " + t.String())
}

// coreTypes returns the core types of a value of type t; sizes are looked up or computed in s.
func (s *scope) coreTypes(t types.Type) []core.Type {
	comps := components(t)
	out := make([]core.Type, len(comps))
	for i, c := range comps {
		if c.acc {
			out[i] = s.acc
			continue
		}
		shape := make([]core.Operand, len(c.dims))
		for j, d := range c.dims {
			shape[j] = s.size(d)
		}
		out[i] = core.ArrayOf(core.ScalarType(c.elem), shape...)
	}
	return out
}

// params makes fresh parameters for a value of type t.
func (s *scope) params(base string, t types.Type) []core.Param {
	ts := s.coreTypes(t)
	ps := make([]core.Param, len(ts))
	for i, ct := range ts {
		ps[i] = s.b.Param(base, ct)
		ps[i].Unique = ct.IsArray() && types.IsUnique(t)
	}
	return ps
}

// emptyTypes is coreTypes for a value of which only the zeros are wanted: sizes that are not known are zero.
func (s *scope) emptyTypes(t types.Type) []core.Type {
	return s.coreTypes(types.MapSizes(t, func(d types.Size) types.Size {
		if s.known(d) {
			return d
		}
		return &types.SizeConst{N: 0}
	}))
}

// zero makes a value of core type t that is zero everywhere.
func (s *scope) zero(t core.Type) core.Operand {
	z := core.C(prim.Zero(t.Elem))
	if !t.IsArray() {
		return z
	}
	return s.b.Let("blank", &core.Replicate{Shape: t.Shape, X: z})
}

// ensure converts x to the type t: if its sizes are other operands, which the checker has shown to be equal, by a reshape.
func (s *scope) ensure(x core.Operand, t core.Type) core.Operand {
	if !t.IsArray() || s.b.TypeOf(x).Same(t) {
		return x
	}
	return s.b.Let(s.b.Fun.Base(x.Var), &core.Reshape{Shape: t.Shape, Array: x.Var})
}

// ensureAll is ensure for each of xs.
func (s *scope) ensureAll(xs []core.Operand, ts []core.Type) []core.Operand {
	if len(xs) != len(ts) {
		panic(fmt.Sprintf("internalise: %d values for %d types", len(xs), len(ts)))
	}
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		out[i] = s.ensure(x, ts[i])
	}
	return out
}
