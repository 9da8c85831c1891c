package internalise

import (
	"slices"

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
	if len(out.Results) == 1 {
		out.Output = out.Results[0]
	} else {
		out.Output = m.entryValue(d.Entry.Result, len(d.Ret.Ext))
		out.Output.Unique = slices.ContainsFunc(out.Results, func(r core.EntryValue) bool { return r.Unique })
	}
	for _, a := range d.Attrs {
		out.Attrs = append(out.Attrs, core.Attr(a.String()))
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
		out[i] = types.EntryType{Type: f.Type, Unique: r.Unique || types.IsUnique(f.Type), Written: r.Written.Field(f.Name)}
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
	if !transparent(rep) {
		v.Opaque = m.opaque(t.Written, rep)
	}
	return v
}

// transparent reports whether a type is that of scalars or of arrays of them.
func transparent(rep types.Type) bool {
	_, elem := types.Rank(rep)
	_, ok := elem.(*types.Prim)
	return ok
}

// sizeless prints a type with its sizes left out, as entry points show it.
func sizeless(t types.Type) string {
	return types.MapSizes(types.WithUnique(t, types.NotUnique), func(types.Size) types.Size { return &types.AnySize{} }).String()
}
