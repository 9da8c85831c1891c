package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
)

// entry describes an entry point to the outside: how its source parameters and results tile those of the core function.
func (m *module) entry(d *types.Def, f *core.Fun) core.Entry {
	out := core.Entry{Name: d.Entry.Name, Fun: f.Name, Doc: d.Doc}
	first := 0
	for _, p := range d.Params {
		first += len(p.Sizes)
	}
	for _, p := range d.Entry.Params {
		v := m.entryValue(p.EntryType, first)
		v.Name = p.Name
		out.Params = append(out.Params, v)
		first += v.Count
	}
	first = len(d.Ret.Ext)
	for _, r := range splitResult(d.Entry.Result) {
		v := m.entryValue(r, first)
		out.Results = append(out.Results, v)
		first += v.Count
	}
	return out
}

// splitResult makes a result of tuple type several results: callers get them one by one.
func splitResult(r types.EntryType) []types.EntryType {
	rec, ok := types.Force(r.Type).(*types.Record)
	if !ok || !rec.IsTuple() {
		return []types.EntryType{r}
	}
	out := make([]types.EntryType, len(rec.Fields))
	for i, f := range rec.Fields {
		out[i] = types.EntryType{Type: f.Type, Unique: r.Unique || types.IsUnique(f.Type)}
	}
	return out
}

func (m *module) entryValue(t types.EntryType, first int) core.EntryValue {
	text := t.Text
	if text == "" {
		text = sizeless(t.Type)
	}
	rep := types.Represent(t.Type)
	v := core.EntryValue{Type: text, Unique: t.Unique, Opaque: -1, First: first, Count: width(rep)}
	_, elem := types.Rank(t.Type)
	if _, transparent := elem.(*types.Prim); !transparent {
		v.Opaque = m.opaque(text, rep)
	}
	return v
}

// sizeless prints a type with its sizes left out, as entry points show it.
func sizeless(t types.Type) string {
	return types.MapSizes(types.WithUnique(t, false), func(types.Size) types.Size { return &types.AnySize{} }).String()
}

// opaque gives the index of an opaque type, which it adds to the program's list if need be.
func (m *module) opaque(name string, rep types.Type) int {
	for i, t := range m.prog.Types {
		if t.Name == name {
			return i
		}
	}
	o := core.OpaqueType{Name: name}
	for _, c := range components(rep) {
		o.Rep = append(o.Rep, core.ArrayOf(core.ScalarType(c.elem), make([]core.Operand, len(c.dims))...))
	}
	switch t := types.Force(rep).(type) {
	case *types.Record:
		first := 0
		for _, f := range t.Fields {
			n := width(f.Type)
			o.Fields = append(o.Fields, core.OpaqueField{Name: f.Name, Type: sizeless(f.Type), First: first, Count: n})
			first += n
		}
	case *types.Sum:
		l := sumLayout(t)
		for i, c := range t.Ctors {
			variant := core.OpaqueVariant{Name: c.Name, Rep: l.payload[i]}
			for _, a := range c.Args {
				variant.Payload = append(variant.Payload, sizeless(a))
			}
			o.Variants = append(o.Variants, variant)
		}
	default:
	}
	m.prog.Types = append(m.prog.Types, o)
	return len(m.prog.Types) - 1
}
