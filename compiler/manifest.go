package compiler

import (
	"slices"
	"strings"

	"skald/middle/core"
	"skald/runtime/manifest"
	"skald/targets"
)

// Manifest describes what the program shows to the outside. Tuning parameters, which depend on the device, are not in it; Describe
// adds them.
func (p *Program) Manifest() (*manifest.Program, error) {
	ir, err := p.ir()
	if err != nil {
		return nil, err
	}
	out := &manifest.Program{}
	for _, t := range ir.Types {
		out.Types = append(out.Types, manifestType(&t))
	}
	for _, e := range ir.Entries {
		f := ir.Fun(e.Fun)
		entry := manifest.Entry{Name: e.Name, Doc: e.Doc}
		for _, v := range e.Params {
			entry.Inputs = append(entry.Inputs, manifestValue(ir, v, f.Params))
		}
		entry.Output = manifestValue(ir, e.Output, f.Ret)
		for _, a := range e.Attrs {
			entry.Attrs = append(entry.Attrs, string(a))
		}
		out.Entries = append(out.Entries, entry)
	}
	addArrays(out)
	return out, nil
}

// addArrays adds the types of arrays of scalars that values have or consist of.
func addArrays(p *manifest.Program) {
	seen := map[string]bool{}
	var arrays []*manifest.Type
	add := func(name string) {
		if t := manifest.Transparent(name); t != nil && t.Kind == manifest.Array && !seen[name] {
			seen[name] = true
			arrays = append(arrays, t)
		}
	}
	for _, e := range p.Entries {
		for _, v := range e.Inputs {
			add(v.Type)
		}
		add(e.Output.Type)
	}
	for _, t := range p.Types {
		for _, f := range t.Fields {
			add(f.Type)
		}
		for _, v := range t.Variants {
			for _, name := range v.Payload {
				add(name)
			}
		}
	}
	p.Types = append(arrays, p.Types...)
}

// manifestValue describes a parameter or result, which is one or more of the core values ps.
func manifestValue(ir *core.Prog, v core.EntryValue, ps []core.Param) manifest.Value {
	out := manifest.Value{Name: v.Name, Unique: v.Unique}
	if v.Opaque >= 0 {
		out.Type = ir.Types[v.Opaque].Name
		return out
	}
	n := 0
	for _, param := range ps {
		if param.Type.Kind == core.KindMem {
			continue
		}
		if n == v.First {
			out.Type = strings.Repeat("[]", len(param.Type.Shape)) + param.Type.Elem.String()
		}
		n++
	}
	return out
}

func manifestType(t *core.OpaqueType) *manifest.Type {
	out := &manifest.Type{Name: t.Name, Kind: manifest.Opaque, Elem: t.Elem, Rank: t.Rank}
	for _, part := range t.Parts {
		out.Parts = append(out.Parts, manifest.Part(part))
	}
	for _, f := range t.Fields {
		out.Fields = append(out.Fields, manifest.Field(f))
	}
	for _, v := range t.Variants {
		out.Variants = append(out.Variants, manifest.Variant{Name: v.Name, Payload: v.Payload, Parts: v.Rep})
	}
	switch {
	case t.Rank > 0:
		out.Kind = manifest.Array
	case len(t.Variants) > 0:
		out.Kind = manifest.Sum
	case len(t.Fields) > 0 || t.Name == "()":
		out.Kind = manifest.Record
	}
	return out
}

// Describe is Manifest with the tuning parameters that the program has on any of the targets, by the first profile of each.
func (p *Program) Describe() (*manifest.Program, error) {
	out, err := p.Manifest()
	if err != nil {
		return nil, err
	}
	for _, t := range targets.All {
		low, err := p.Lower(targets.FindProfile(t.Profiles[0].Name))
		if err != nil {
			continue // compiling for the device will say so
		}
		for _, tune := range low.Tunes {
			param := manifest.Param{Name: tune.Name, Class: tune.Class}
			if !slices.Contains(out.Tuning, param) {
				out.Tuning = append(out.Tuning, param)
			}
		}
		for i := range out.Entries {
			e := &out.Entries[i]
			for _, tune := range low.TunesOf(e.Name) {
				if !slices.Contains(e.Tuning, tune.Name) {
					e.Tuning = append(e.Tuning, tune.Name)
				}
			}
		}
	}
	return out, nil
}
