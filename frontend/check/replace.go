package check

import (
	"fmt"

	"skald/frontend/types"
)

// conReplacer replaces abstract types by what they stand for. A type with existential sizes gets new ones at each
// place: they are bound at the result of a function that is no function itself, or else, as those of parameters, collected
// in ext.
type conReplacer struct {
	*checker
	cons map[*types.TypeCon]*typeBinding
	ext  []*types.Symbol
}

// sig replaces types everywhere in a module type, which is our own evaluation of it.
func (r *conReplacer) sig(s *sigValue) {
	for _, item := range s.items {
		r.ext = nil
		switch {
		case item.val != nil:
			item.val.Type = r.typ(item.val.Type)
			item.val.Params = append(item.val.Params, sizeParams(r.ext)...)
		case item.typ != nil:
			r.binding(item.typ)
		case item.mod.functor == nil:
			r.sig(item.mod)
		}
	}
}

func (r *conReplacer) binding(b *typeBinding) {
	if con, ok := b.typ.(*types.Con); ok && r.cons[con.Con] != nil && isBindingOf(b, con) {
		*b = *r.cons[con.Con]
		return
	}
	b.typ = r.typ(b.typ)
	b.ext = append(b.ext, r.ext...)
}

// isBindingOf reports whether b is the binding of the abstract type itself.
func isBindingOf(b *typeBinding, con *types.Con) bool {
	return len(b.params) == len(con.Con.Params) && (len(b.params) == 0 || b.params[0] == con.Con.Params[0])
}

func (r *conReplacer) typ(t types.Type) types.Type {
	if len(r.cons) == 0 {
		return t
	}
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Var, *types.Meta:
		return t
	case *types.Array:
		return &types.Array{Unique: t.Unique, Size: t.Size, Elem: r.typ(t.Elem)}
	case *types.Record:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: r.typ(f.Type)}
		}
		return &types.Record{Fields: fields}
	case *types.Sum:
		ctors := make([]types.Ctor, len(t.Ctors))
		for i, c := range t.Ctors {
			args := make([]types.Type, len(c.Args))
			for j, a := range c.Args {
				args[j] = r.typ(a)
			}
			ctors[i] = types.Ctor{Name: c.Name, Args: args}
		}
		return &types.Sum{Ctors: ctors}
	case *types.Arrow:
		return &types.Arrow{Name: t.Name, Param: r.typ(t.Param), Ret: r.ret(t.Ret)}
	case *types.Con:
		return r.con(t)
	default:
		panic(fmt.Sprintf("check.conReplacer: %T", t))
	}
}

func (r *conReplacer) ret(t types.RetType) types.RetType {
	if _, ok := types.Force(t.Type).(*types.Arrow); ok {
		return types.RetType{Ext: t.Ext, Type: r.typ(t.Type)}
	}
	outer := r.ext
	r.ext = append([]*types.Symbol{}, t.Ext...)
	out := types.RetType{Type: r.typ(t.Type)}
	out.Ext, r.ext = r.ext, outer
	return out
}

func (r *conReplacer) con(t *types.Con) types.Type {
	args := make([]types.TypeArg, len(t.Args))
	for i, a := range t.Args {
		args[i] = a
		if a.Type != nil {
			args[i].Type = r.typ(a.Type)
		}
	}
	b := r.cons[t.Con]
	if b == nil {
		return &types.Con{Unique: t.Unique, Con: t.Con, Args: args}
	}
	in := &infer{checker: r.checker}
	typ, ext := in.freshExt(b)
	r.ext = append(r.ext, ext...)
	out := types.Bind(b.params, args).Type(typ)
	if t.Unique {
		out = types.WithUnique(out, types.MadeUnique)
	}
	return out
}
