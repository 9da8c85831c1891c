package defunctionalise

import (
	"strconv"

	"skald/frontend/source"
	"skald/frontend/types"
)

// first rewrites an expression whose value has no function in it.
func (f *defun) first(e types.Exp) types.Exp {
	out, s := f.exp(e)
	if s != nil {
		f.ctx.Limit(e.Base().At, "a function here would have to be chosen at run time")
	}
	return out
}

// exp rewrites an expression and tells what is known of its value.
func (f *defun) exp(e types.Exp) (types.Exp, static) {
	switch e := e.(type) {
	case *types.Ref:
		return f.ref(e)
	case *types.Apply:
		return f.apply(e)
	case *types.Let:
		bound, s := f.exp(e.Exp)
		pat := f.bind(e.Pat, s)
		body, r := f.exp(e.Body)
		let := &types.Let{Info: f.info(e.Info, r), Sizes: e.Sizes, Pat: pat, Exp: bound, Body: body}
		return bindSizes(let), r
	case *types.RecordLit:
		return f.recordLit(e)
	case *types.Project:
		rec, s := f.exp(e.Exp)
		r := fieldOf(s, e.Field)
		return &types.Project{Info: f.info(e.Info, r), Exp: rec, Field: e.Field}, r
	case *types.Attributed:
		inner, s := f.exp(e.Exp)
		return &types.Attributed{Info: f.info(e.Info, s), Attr: e.Attr, Exp: inner}, s
	case *types.Assert:
		body, s := f.exp(e.Body)
		return &types.Assert{Info: f.info(e.Info, s), Cond: f.first(e.Cond), Body: body, Text: e.Text}, s
	case *types.Coerce:
		inner, s := f.exp(e.Exp)
		if s != nil {
			return inner, s
		}
		return &types.Coerce{Info: f.info(e.Info, nil), Exp: inner}, nil
	case *types.Update:
		return f.update(e)
	case *types.Construct:
		return f.construct(e)
	case *types.Match:
		return f.match(e)
	case *types.Hole:
		return f.hole(e.Info)
	case *types.Builtin:
		return f.builtin(e), nil
	case *types.Lambda, *types.LetFun:
		f.ctx.Bug(e.Base().At, "a local function is left after lifting")
		return e, nil
	default:
		return types.MapExp(e, f.mapper()), nil
	}
}

// mapper rewrites the parts of an expression that has no function in it.
func (f *defun) mapper() types.Mapper { return types.Mapper{Exp: f.first, Size: f.size, Type: f.typ} }

func (f *defun) typ(t types.Type) types.Type { return types.MapSizes(t, f.size) }

func (f *defun) size(d types.Size) types.Size {
	switch e := d.(type) {
	case *types.SizeExp:
		return types.ExpToSize(f.first(e.Exp))
	case *types.SizeName:
		switch {
		case f.defs[e.Sym] != nil:
			// A constant of the program.
			return types.ExpToSize(f.first(types.SizeToExp(e, e.Sym.At)))
		case f.sizesOf[e.Sym] != nil:
			f.specialise(f.sizesOf[e.Sym], nil)
		}
	default:
	}
	return d
}

// info sets the run-time type of a rewritten expression.
func (f *defun) info(i types.Info, s static) types.Info {
	return types.Info{Type: typeOf(s, f.typ(i.Type)), Ext: i.Ext, At: i.At}
}

// ref rewrites a use of a variable. A definition that takes parameters becomes a closure without arguments.
func (f *defun) ref(e *types.Ref) (types.Exp, static) {
	d, global := f.defs[e.Sym]
	switch {
	case !global:
		if c := f.sizesOf[e.Sym]; c != nil {
			f.specialise(c, nil)
		}
		s := f.env[e.Sym]
		return &types.Ref{Info: f.info(e.Info, s), Sym: e.Sym}, s
	case len(d.Params) > 0:
		c := &closure{def: d}
		return &types.RecordLit{Info: types.Info{Type: c.typ(nil), At: e.At}}, c
	default:
		c := f.specialise(d, nil)
		known, sizes := f.rebind(c.result)
		info := f.info(e.Info, known)
		info.Ext = append(info.Ext, sizes...)
		return &types.Ref{Info: info, Sym: c.def.Sym}, known
	}
}

func (f *defun) recordLit(e *types.RecordLit) (types.Exp, static) {
	fields := make([]types.FieldExp, len(e.Fields))
	statics := make([]field, len(e.Fields))
	for i, fe := range e.Fields {
		x, s := f.exp(fe.Exp)
		fields[i] = types.FieldExp{Name: fe.Name, Exp: x}
		statics[i] = field{fe.Name, s}
	}
	s := makeRecord(statics)
	return &types.RecordLit{Info: f.info(e.Info, s), Fields: fields}, s
}

// update rewrites an update. Where the record has functions in it, a record of all its fields replaces it, since the run-time type of
// the new function may be another.
func (f *defun) update(e *types.Update) (types.Exp, static) {
	if !types.HasFunctions(e.Type) {
		return types.MapExp(e, f.mapper()), nil
	}
	src, s := f.exp(e.Src)
	src, let := f.named(src)
	value, v := f.exp(e.Value)
	out, r := f.replace(src, s, e.Path, arg{value, v}, e.Info.Type)
	return in(let, out), r
}

// replace is src, of type t and of which s is known, with the component at path replaced by value.
func (f *defun) replace(src types.Exp, s static, path []types.Step, value arg, t types.Type) (types.Exp, static) {
	if len(path) == 0 {
		return value.exp, value.static
	}
	at := src.Base().At
	rec, isRecord := types.Force(t).(*types.Record)
	if !isRecord || !types.HasFunctions(t) {
		m := f.mapper()
		steps := make([]types.Step, len(path))
		for i, step := range path {
			steps[i] = types.Step{Field: step.Field}
			if step.Dims != nil {
				steps[i].Dims = m.Dims(step.Dims)
			}
		}
		return &types.Update{Info: types.Info{Type: f.typ(t), At: at}, Src: src, Path: steps, Value: value.exp}, nil
	}
	fields := make([]types.FieldExp, len(rec.Fields))
	known := make([]field, len(rec.Fields))
	for i, fl := range rec.Fields {
		was := fieldOf(s, fl.Name)
		info := types.Info{Type: typeOf(was, f.typ(fl.Type)), At: at}
		now := arg{&types.Project{Info: info, Exp: src, Field: fl.Name}, was}
		if fl.Name == path[0].Field {
			now.exp, now.static = f.replace(now.exp, was, path[1:], value, fl.Type)
		}
		fields[i] = types.FieldExp{Name: fl.Name, Exp: now.exp}
		known[i] = field{fl.Name, now.static}
	}
	r := makeRecord(known)
	return &types.RecordLit{Info: types.Info{Type: typeOf(r, f.typ(t)), At: at}, Fields: fields}, r
}

// apply rewrites an application: the function is known, and gets its arguments one by one until it has them all.
func (f *defun) apply(e *types.Apply) (types.Exp, static) {
	args := make([]arg, len(e.Args))
	for i, a := range e.Args {
		x, s := f.exp(a)
		args[i] = arg{x, s}
	}
	if ref, ok := e.Fun.(*types.Ref); ok {
		if d, ok := f.defs[ref.Sym]; ok && len(d.Params) > 0 {
			return f.call(d, nil, args, e.Info)
		}
	}
	fun, s := f.exp(e.Fun)
	return f.applyTo(fun, s, args, e.Info)
}

// arg is a rewritten argument.
type arg struct {
	exp    types.Exp
	static static
}

// applyTo applies fun, of which s is known, to more arguments.
func (f *defun) applyTo(fun types.Exp, s static, args []arg, info types.Info) (types.Exp, static) {
	switch c := s.(type) {
	case *closure:
		ref, let := f.named(fun)
		body, r := f.call(c.def, projections(ref, c, info.At), args, info)
		return in(let, body), r
	case *missing:
		return f.hole(info)
	default:
		f.ctx.Limit(info.At, "the function applied here would have to be chosen at run time")
		return fun, nil
	}
}

// bindSizes lets a Let bind the sizes that its expression makes (Note [Sizes of captured arrays]).
func bindSizes(let *types.Let) *types.Let {
	if base := let.Exp.Base(); len(base.Ext) > 0 {
		let.Sizes = append(let.Sizes[:len(let.Sizes):len(let.Sizes)], base.Ext...)
		base.Ext = nil
	}
	return let
}

// projections takes the captured arguments out of a closure's record.
func projections(ref types.Exp, c *closure, at source.Span) []arg {
	out := make([]arg, len(c.args))
	for i, a := range c.args {
		info := types.Info{Type: typeOf(a.static, a.typ), At: at}
		out[i] = arg{&types.Project{Info: info, Exp: ref, Field: strconv.Itoa(i)}, a.static}
	}
	return out
}

// call applies d to the arguments that a closure has captured and to more. With too few for d it makes a closure; with too many it
// applies the result, which is a function, to the rest.
func (f *defun) call(d *types.Def, has, more []arg, info types.Info) (types.Exp, static) {
	all := append(has[:len(has):len(has)], more...)
	n := len(d.Params)
	if len(all) < n {
		return makeClosure(d, all, info.At)
	}
	statics := make([]static, n)
	exps := make([]types.Exp, n)
	for i, a := range all[:n] {
		statics[i], exps[i] = a.static, a.exp
	}
	c := f.specialise(d, statics)
	fun := &types.Ref{Info: types.Info{Type: c.def.Sym.Type, At: info.At}, Sym: c.def.Sym}
	known, sizes := f.rebind(c.result)
	if len(all) == n {
		info := f.info(info, known)
		info.Ext = append(info.Ext[:len(info.Ext):len(info.Ext)], sizes...)
		return &types.Apply{Info: info, Fun: fun, Args: exps}, known
	}
	inner := types.Info{Type: typeOf(known, c.def.Ret.Type), Ext: sizes, At: info.At}
	if known == nil {
		f.ctx.Limit(info.At, "the function that %s returns depends on a recursive call", d.Sym.Name)
	}
	return f.applyTo(&types.Apply{Info: inner, Fun: fun, Args: exps}, known, all[n:], info)
}

func makeClosure(d *types.Def, args []arg, at source.Span) (types.Exp, static) {
	c := &closure{def: d, args: make([]captured, len(args))}
	fields := make([]types.FieldExp, len(args))
	for i, a := range args {
		t := skeleton(a.static, a.exp.Base().Type)
		if !types.IsUnique(d.Params[i].Pat.Base().Type) {
			t = types.WithUnique(t, types.NotUnique) // a call of the closure does not consume it
		}
		c.args[i] = captured{t, a.static}
		fields[i] = types.FieldExp{Name: strconv.Itoa(i), Exp: a.exp}
	}
	return &types.RecordLit{Info: types.Info{Type: c.typ(nil), At: at}, Fields: fields}, c
}
