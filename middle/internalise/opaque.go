package internalise

import (
	"slices"
	"strconv"

	"skald/frontend/types"
	"skald/middle/core"
)

// Note [Names of types]
// ~~~~~~~~~~~~~~~~~~~~~
// The world outside knows a type by its name: as it was written, without sizes, or printed if nobody wrote it. A field or an element of a
// type that was written as a record, sum or array, or as an abbreviation of a record or sum, has the name that it was written with there.
// Types of scalars and arrays of them are known by what they are, whatever abbreviates them.

// typeName adds a type to the program's list, if it belongs there, and returns its name.
func (m *module) typeName(w *types.Written, rep types.Type) string {
	if transparent(rep) {
		return sizeless(rep)
	}
	return m.prog.Types[m.opaque(w, rep)].Name
}

// opaque returns the index of an opaque type, which it adds to the program's list, behind the types of its parts, if need be.
func (m *module) opaque(w *types.Written, rep types.Type) int {
	o := core.OpaqueType{Name: sizeless(rep), Parts: opaqueParts(rep)}
	if w != nil {
		o.Name = w.String()
	}
	if i, ok := m.knownOpaque(&o); ok {
		return i
	}
	switch t := types.Force(rep).(type) {
	case *types.Record:
		o.Fields = m.fields(w, t, 0)
	case *types.Sum:
		l := sumLayout(t)
		for i, c := range t.Ctors {
			variant := core.OpaqueVariant{Name: c.Name, Rep: l.payload[i]}
			for j, a := range c.Args {
				variant.Payload = append(variant.Payload, m.typeName(w.Payload(c.Name, j), a))
			}
			o.Variants = append(o.Variants, variant)
		}
	case *types.Array:
		rank, elem := types.Rank(t)
		row := w.Row(rank)
		o.Rank, o.Elem = rank, m.typeName(row, elem)
		if rec, ok := elem.(*types.Record); ok {
			o.Fields = m.fields(row, rec, rank)
		}
	default:
	}
	if i, ok := m.knownOpaque(&o); ok { // what has the name of its only part
		return i
	}
	m.prog.Types = append(m.prog.Types, o)
	return len(m.prog.Types) - 1
}

// knownOpaque finds a type of this name. Sizes that are constant in one of its uses alone are not constant. A name that stands for two
// types, of different modules, is the first one's; the other gets a number.
func (m *module) knownOpaque(o *core.OpaqueType) (int, bool) {
	base := o.Name
	for n := 2; ; n++ {
		i := slices.IndexFunc(m.prog.Types, func(t core.OpaqueType) bool { return t.Name == o.Name })
		if i < 0 {
			return 0, false
		}
		if mergeSizes(m.prog.Types[i].Parts, o.Parts) {
			return i, true
		}
		o.Name = base + "_" + strconv.Itoa(n)
	}
}

// mergeSizes makes sizes unknown in known that are others in parts. It reports whether the two are alike otherwise.
func mergeSizes(known, parts []core.OpaquePart) bool {
	alike := func(a, b core.OpaquePart) bool { return a.Elem == b.Elem && len(a.Sizes) == len(b.Sizes) }
	if !slices.EqualFunc(known, parts, alike) {
		return false
	}
	fresh := 0
	for _, p := range known {
		fresh = min(fresh, slices.Min(append([]int{0}, p.Sizes...)))
	}
	for i, p := range known {
		for j := range p.Sizes {
			if p.Sizes[j] != parts[i].Sizes[j] {
				fresh--
				p.Sizes[j] = fresh
			}
		}
	}
	return true
}

// fields lists the fields of a record, or those of an array of records of the given rank.
func (m *module) fields(w *types.Written, t *types.Record, rank int) []core.OpaqueField {
	var out []core.OpaqueField
	first := 0
	for _, f := range t.Fields {
		rep := f.Type
		for range rank {
			rep = &types.Array{Size: &types.AnySize{}, Elem: rep}
		}
		n := width(f.Type)
		out = append(out, core.OpaqueField{Name: f.Name, Type: m.typeName(w.Field(f.Name).Array(rank), rep), First: first, Count: n})
		first += n
	}
	return out
}

// opaqueParts lists the components of a type, with numbers for sizes that are not constant.
func opaqueParts(rep types.Type) []core.OpaquePart {
	var out []core.OpaquePart
	var seen []types.Size
	for _, c := range components(rep) {
		p := core.OpaquePart{Elem: c.elem}
		for _, d := range c.dims {
			if n, ok := d.(*types.SizeConst); ok {
				p.Sizes = append(p.Sizes, int(n.N))
				continue
			}
			i := slices.IndexFunc(seen, func(s types.Size) bool { return sameSize(s, d) })
			if i < 0 {
				i = len(seen)
				seen = append(seen, d)
			}
			p.Sizes = append(p.Sizes, -1-i)
		}
		out = append(out, p)
	}
	return out
}

// sameSize reports whether two sizes are one variable.
func sameSize(a, b types.Size) bool {
	x, ok := a.(*types.SizeName)
	if !ok {
		return false
	}
	y, ok := b.(*types.SizeName)
	return ok && x.Sym == y.Sym
}
