package lift

import (
	"slices"

	"skald/frontend/types"
)

// Note [Narrow captures]
//
// A local function that uses one field of a record captures that field alone: `\x -> net.scale x` becomes
//
//	let scale = net.scale in \x -> scale x
//
// For a record of functions this matters. Package defunctionalise represents a function by what it captured; if the functions of a
// record that is built from two others captured both of these whole, then what stands for it would double with each step.

// narrowed lets d, a local function, capture fields of records of functions where it would capture the records. It returns the new
// definition and the bindings that go before it.
func (l *lifter) narrowed(d *types.Def) (*types.Def, []*types.Let) {
	var lets []*types.Let
	for {
		u := usesIn(d)
		v := u.record()
		if v == nil {
			return d, lets
		}
		parts := map[string]*types.Symbol{}
		rec := types.Force(v.Type).(*types.Record)
		for _, name := range u.fields[v] {
			sym := l.supply.Local(name, rec.Field(name), v.At)
			parts[name] = sym
			lets = append(lets, &types.Let{
				Pat: &types.VarPat{PatInfo: types.PatInfo{Type: sym.Type, At: v.At}, Sym: sym},
				Exp: &types.Project{Info: types.Info{Type: sym.Type, At: v.At}, Exp: refTo(v), Field: name},
			})
		}
		out := *d
		out.Body = replaceFields(d.Body, v, parts)
		d = &out
	}
}

func refTo(s *types.Symbol) *types.Ref {
	return &types.Ref{Info: types.Info{Type: s.Type, At: s.At}, Sym: s}
}

// before puts the bindings lets in front of e.
func before(lets []*types.Let, e types.Exp) types.Exp {
	for i := len(lets) - 1; i >= 0; i-- {
		lets[i].Info = types.Info{Type: e.Base().Type, At: e.Base().At}
		lets[i].Body = e
		e = lets[i]
	}
	return e
}

// replaceFields replaces the fields of v in e by variables.
func replaceFields(e types.Exp, v *types.Symbol, parts map[string]*types.Symbol) types.Exp {
	if p, ok := e.(*types.Project); ok && isRef(p.Exp, v) {
		return &types.Ref{Info: p.Info, Sym: parts[p.Field]}
	}
	return types.MapExp(e, types.Mapper{Exp: func(e types.Exp) types.Exp { return replaceFields(e, v, parts) }})
}

func isRef(e types.Exp, v *types.Symbol) bool {
	ref, ok := e.(*types.Ref)
	return ok && ref.Sym == v
}

// uses says how the records of functions that are free in a definition are used there.
type uses struct {
	bound map[*types.Symbol]bool
	// order lists the records of which fields are used, fields those fields; whole holds the records used as such.
	order  []*types.Symbol
	fields map[*types.Symbol][]string
	whole  map[*types.Symbol]bool
}

func usesIn(d *types.Def) *uses {
	u := &uses{bound: map[*types.Symbol]bool{}, fields: map[*types.Symbol][]string{}, whole: map[*types.Symbol]bool{}}
	for _, s := range types.Binders(d) {
		u.bound[s] = true
	}
	u.exp(d.Body)
	return u
}

// record returns a record of functions of which only fields are used, or nil.
func (u *uses) record() *types.Symbol {
	for _, v := range u.order {
		if !u.whole[v] {
			return v
		}
	}
	return nil
}

func (u *uses) exp(e types.Exp) {
	switch e := e.(type) {
	case *types.Project:
		if ref, ok := e.Exp.(*types.Ref); ok && u.counts(ref.Sym) {
			u.field(ref.Sym, e.Field)
			return
		}
	case *types.Ref:
		if u.counts(e.Sym) {
			u.whole[e.Sym] = true
		}
	default:
	}
	types.MapExp(e, types.Mapper{
		Exp:  func(e types.Exp) types.Exp { u.exp(e); return e },
		Type: func(t types.Type) types.Type { u.typ(t); return t },
	})
}

// counts reports whether v is a record of functions that is free in the definition and no constant of the program.
func (u *uses) counts(v *types.Symbol) bool {
	if u.bound[v] || v.Kind == types.Global || v.Type == nil {
		return false
	}
	_, isRecord := types.Force(v.Type).(*types.Record)
	return isRecord && types.HasFunctions(v.Type)
}

func (u *uses) field(v *types.Symbol, name string) {
	if len(u.fields[v]) == 0 {
		u.order = append(u.order, v)
	}
	if !slices.Contains(u.fields[v], name) {
		u.fields[v] = append(u.fields[v], name)
	}
}

// typ takes a record that a size in a type mentions to be used as a whole.
func (u *uses) typ(t types.Type) {
	for _, d := range types.SizesIn(t) {
		e, ok := d.(*types.SizeExp)
		if !ok {
			continue
		}
		types.Walk(e.Exp, func(e types.Exp) bool {
			if ref, ok := e.(*types.Ref); ok && u.counts(ref.Sym) {
				u.whole[ref.Sym] = true
			}
			return true
		})
	}
}
