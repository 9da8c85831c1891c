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
	case *types.Builtin:
		return f.builtin(e), nil
	case *types.Lambda, *types.LetFun:
		f.ctx.Bug(e.Base().At, "a local function is left after lifting")
		return e, nil
	default:
		return types.MapExp(e, types.Mapper{Exp: f.first, Size: f.size, Type: f.typ}), nil
	}
}

func (f *defun) typ(t types.Type) types.Type { return types.MapSizes(t, f.size) }

func (f *defun) size(d types.Size) types.Size {
	switch e := types.ForceSize(d).(type) {
	case *types.SizeExp:
		return types.ExpToSize(f.first(e.Exp))
	case *types.SizeName:
		if f.defs[e.Sym] != nil {
			// A constant of the program.
			return types.ExpToSize(f.first(types.SizeToExp(e, e.Sym.At)))
		}
	default:
	}
	return d
}

// info gives a rewritten expression its run-time type.
func (f *defun) info(i types.Info, s static) types.Info {
	t := typeOf(s, i.Type)
	if s == nil {
		t = f.typ(t)
	}
	return types.Info{Type: t, Ext: i.Ext, At: i.At}
}

// ref rewrites a use of a variable. A definition that takes parameters becomes a closure without arguments.
func (f *defun) ref(e *types.Ref) (types.Exp, static) {
	d, global := f.defs[e.Sym]
	switch {
	case !global:
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

// update rewrites an update. Where the record has functions in it, the path is a chain of fields, and what is known of the replaced one
// changes with it.
func (f *defun) update(e *types.Update) (types.Exp, static) {
	src, s := f.exp(e.Src)
	value, v := f.exp(e.Value)
	path := make([]types.Step, len(e.Path))
	m := types.Mapper{Exp: f.first}
	for i, step := range e.Path {
		path[i] = step
		if step.Dims != nil {
			path[i].Dims = m.Dims(step.Dims)
		}
	}
	r := replaced(s, path, v, e.Info.Type)
	return &types.Update{Info: f.info(e.Info, r), Src: src, Path: path, Value: value}, r
}

// replaced is what is known of a value of type t after the component at path has been replaced by one of which v is known.
func replaced(s static, path []types.Step, v static, t types.Type) static {
	if len(path) == 0 {
		return v
	}
	rec, ok := types.Force(t).(*types.Record)
	if !ok || path[0].Dims != nil {
		return s
	}
	fields := make([]field, len(rec.Fields))
	for i, fl := range rec.Fields {
		known := fieldOf(s, fl.Name)
		if fl.Name == path[0].Field {
			known = replaced(known, path[1:], v, fl.Type)
		}
		fields[i] = field{fl.Name, known}
	}
	return makeRecord(fields)
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
	c, ok := s.(*closure)
	if !ok {
		f.ctx.Limit(e.At, "the function applied here would have to be chosen at run time")
		return e, nil
	}
	return f.callClosure(fun, c, args, e.Info)
}

// arg is a rewritten argument.
type arg struct {
	exp    types.Exp
	static static
}

// callClosure applies the closure c, whose run-time record is fun, to more arguments.
func (f *defun) callClosure(fun types.Exp, c *closure, args []arg, info types.Info) (types.Exp, static) {
	if ref, ok := fun.(*types.Ref); ok || len(c.args) == 0 {
		return f.call(c.def, projections(ref, c, info.At), args, info)
	}
	sym := f.fresh(&types.Symbol{Name: "closure"}, c.typ(nil))
	ref := &types.Ref{Info: types.Info{Type: sym.Type, At: info.At}, Sym: sym}
	body, s := f.call(c.def, projections(ref, c, info.At), args, info)
	pat := &types.VarPat{PatInfo: types.PatInfo{Type: sym.Type, At: info.At}, Sym: sym}
	let := &types.Let{Info: types.Info{Type: body.Base().Type, At: info.At}, Pat: pat, Exp: fun, Body: body}
	return bindSizes(let), s
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
		info := types.Info{Type: a.typ, At: at}
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
	next, ok := known.(*closure)
	if !ok {
		f.ctx.Bug(info.At, "%s has a function as result, but which is not known", d.Sym.Name)
		return fun, nil
	}
	return f.callClosure(&types.Apply{Info: inner, Fun: fun, Args: exps}, next, all[n:], info)
}

func makeClosure(d *types.Def, args []arg, at source.Span) (types.Exp, static) {
	c := &closure{def: d, args: make([]captured, len(args))}
	fields := make([]types.FieldExp, len(args))
	for i, a := range args {
		c.args[i] = captured{a.exp.Base().Type, a.static}
		fields[i] = types.FieldExp{Name: strconv.Itoa(i), Exp: a.exp}
	}
	return &types.RecordLit{Info: types.Info{Type: c.typ(nil), At: at}, Fields: fields}, c
}
