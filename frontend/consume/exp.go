package consume

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// exp checks e and returns its aliases.
func (c *checker) exp(e types.Exp) *value {
	t := e.Base().Type
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Const, *types.ArrayConst, *types.Hole:
		return noAliases(t)
	case *types.Op, *types.ArrayLit, *types.Equal, *types.Range:
		types.Children(e, func(x types.Exp) { c.exp(x) })
		return noAliases(t)
	case *types.Ref:
		return c.observe(e)
	case *types.RecordLit:
		return c.record(e)
	case *types.Project:
		return c.project(e)
	case *types.Construct:
		return c.construct(e)
	case *types.Index:
		v := c.exp(e.Array)
		c.dims(e.Dims)
		return withAliases(t, v.all())
	case *types.Update:
		return c.update(e)
	case *types.Coerce:
		return c.exp(e.Exp)
	case *types.Attributed:
		return c.exp(e.Exp)
	case *types.Assert:
		c.exp(e.Cond)
		return c.exp(e.Body)
	case *types.Lambda:
		return c.lambda(e)
	case *types.Apply:
		return c.apply(e)
	case *types.If:
		return c.ifExp(e)
	case *types.Match:
		return c.match(e)
	case *types.Let:
		return c.let(e)
	case *types.LetFun:
		return c.letFun(e)
	case *types.Loop:
		return c.loop(e)
	default:
		panic(fmt.Sprintf("consume.exp: %T", e))
	}
}

func (c *checker) dims(dims []types.Dim) {
	for _, d := range dims {
		for _, e := range []types.Exp{d.Index, d.Start, d.End, d.Stride} {
			if e != nil {
				c.exp(e)
			}
		}
	}
}

// observe is a use of a variable. A global value is its own alias, but functions and instances of polymorphic values
// have none.
func (c *checker) observe(e *types.Ref) *value {
	known := c.vars[e.Sym]
	if known == nil {
		if e.Sym.Kind != types.Global || c.isInstance(e) {
			return noAliases(e.Type)
		}
		return build(e.Type, "", func(t types.Type, path string) set {
			if _, ok := t.(*types.Array); ok {
				return set{{sym: e.Sym, path: path}: true}
			}
			return nil
		})
	}
	c.checkUse(e.At, known.als.all())
	return known.als
}

// isInstance reports whether a global value is made for this use: its sizes are those of local variables.
func (c *checker) isInstance(e *types.Ref) bool {
	if len(e.Sym.Params) == 0 {
		return false
	}
	for _, d := range types.SizesIn(e.Type) {
		if n, ok := d.(*types.SizeName); ok && n.Sym.Kind != types.Global {
			return true
		}
	}
	return false
}

func (c *checker) record(e *types.RecordLit) *value {
	r := types.Force(e.Type).(*types.Record)
	v := &value{typ: r, fields: make([]*value, len(r.Fields))}
	for _, f := range e.Fields {
		x := c.exp(f.Exp)
		for i := range r.Fields {
			if r.Fields[i].Name == f.Name {
				v.fields[i] = x
			}
		}
	}
	return v
}

func (c *checker) project(e *types.Project) *value {
	v := c.exp(e.Exp)
	r, ok := v.typ.(*types.Record)
	if ok {
		for i, f := range r.Fields {
			if f.Name == e.Field {
				return v.fields[i]
			}
		}
	}
	return withAliases(e.Type, v.all())
}

func (c *checker) construct(e *types.Construct) *value {
	v := noAliases(e.Type)
	_, n := v.typ.(*types.Sum).Ctor(e.Ctor)
	for i, a := range e.Args {
		v.ctors[n][i] = c.exp(a)
	}
	return v
}

func (c *checker) update(e *types.Update) *value {
	indexed := false
	for _, s := range e.Path {
		c.dims(s.Dims)
		indexed = indexed || s.Dims != nil
	}
	val := c.exp(e.Value)
	src := c.exp(e.Src)
	if !indexed {
		return updateField(src, e.Path, val)
	}
	if src.all().intersects(val.all()) {
		c.fail(e.Value.Base().At, "update-aliases",
			"An in-place update of\n  %s\nwrites a value that may share memory with it:\n  %s\n"+
				"Hint: write a copy of the value.",
			types.ExpText(e.Src), types.ExpText(e.Value))
	}
	c.consume(e.At, src.all())
	return noAliases(e.Type)
}

func updateField(src *value, path []types.Step, val *value) *value {
	if len(path) == 0 {
		return val
	}
	r, ok := src.typ.(*types.Record)
	if !ok {
		return src
	}
	out := &value{typ: src.typ, fields: append([]*value{}, src.fields...)}
	for i, f := range r.Fields {
		if f.Name == path[0].Field {
			out.fields[i] = updateField(out.fields[i], path[1:], val)
		}
	}
	return out
}

// function checks a function and returns its own value: a closure over the variables that it mentions.
func (c *checker) function(params []*types.Param, body types.Exp, at source.Span, ret *types.RetType) *value {
	var als set
	c.inside(func() {
		var syms []*types.Symbol
		for _, p := range params {
			c.paramSizes(p.Pat.Base().Type)
			c.bindParam(p.Pat)
			syms = append(syms, types.PatSymbols(p.Pat)...)
		}
		als = c.freeAliases(body, syms)
		var v *value
		c.contain(func() { v = c.exp(body) })
		c.checkResult(at, params, ret.Type, v)
		c.checkGlobals(at, params, v)
		if !c.facts.Declared(at) {
			ret.Type = inferUnique(params, ret.Type, v)
		}
	})
	return &value{als: als}
}

// paramSizes checks the size expressions in the type of a parameter: they may not consume anything.
func (c *checker) paramSizes(t types.Type) {
	for _, d := range types.SizesIn(t) {
		if e, ok := d.(*types.SizeExp); ok {
			c.inside(func() { c.exp(e.Exp) })
		}
	}
}

// freeAliases is the aliases of the variables that e mentions and that are in scope, without some.
func (c *checker) freeAliases(e types.Exp, without []*types.Symbol) set {
	var als set
	types.Walk(e, func(x types.Exp) bool {
		if ref, ok := x.(*types.Ref); ok {
			if known := c.vars[ref.Sym]; known != nil && !slices.Contains(without, ref.Sym) {
				als = als.union(known.als.all())
			}
		}
		return true
	})
	return als
}

func (c *checker) lambda(e *types.Lambda) *value {
	v := c.function(e.Params, e.Body, e.At, &e.Ret)
	e.Type = withResult(e.Type, len(e.Params), e.Ret.Type)
	v.typ = e.Type
	return v
}

func (c *checker) letFun(e *types.LetFun) *value {
	d := e.Def
	v := c.function(d.Params, d.Body, d.At, &d.Ret)
	d.Sym.Type = withResult(d.Sym.Type, len(d.Params), d.Ret.Type)
	if len(d.Params) == 0 {
		v = noAliases(d.Sym.Type)
	}
	v.typ = types.Force(d.Sym.Type)
	c.bind(d.Sym, v, notConsumable)
	return c.exp(e.Body)
}

func (c *checker) let(e *types.Let) *value {
	var v *value
	used := c.contain(func() { v = c.exp(e.Exp) })
	c.addConsumed(used)
	if t := e.Exp.Base().Type; used != nil && types.HasFunctions(t) {
		c.fail(e.Exp.Base().At, "contains-consumption",
			"Something is consumed in an expression whose value has functions; consumption must not be part "+
				"of it:\n  %s", t)
	}
	c.bindPat(e.Pat, v)
	return unscope(c.exp(e.Body), types.PatSymbols(e.Pat))
}

// branch removes from the aliases of a choice what any of its branches consumed.
func branch(v *value, used *consumption) *value {
	if used == nil {
		return v
	}
	return v.mapSets(func(s set) set {
		out := set{}
		for a := range s {
			if !used.has(a.sym) {
				out[a] = true
			}
		}
		return out
	})
}

func (c *checker) ifExp(e *types.If) *value {
	c.exp(e.Cond)
	var then, els *value
	a := c.contain(func() { then = c.exp(e.Then) })
	b := c.contain(func() { els = c.exp(e.Else) })
	c.addConsumed(a)
	c.addConsumed(b)
	return branch(branch(combine(then, els), a), b)
}

func (c *checker) match(e *types.Match) *value {
	x := c.exp(e.Exp)
	var out *value
	var used []*consumption
	for _, k := range e.Cases {
		var v *value
		used = append(used, c.contain(func() {
			c.bindPat(k.Pat, x)
			v = unscope(c.exp(k.Body), types.PatSymbols(k.Pat))
		}))
		if out == nil {
			out = v
		} else {
			out = combine(out, v)
		}
	}
	for _, u := range used {
		c.addConsumed(u)
		out = branch(out, u)
	}
	return out
}

// argument is an argument that has been checked.
type argument struct {
	exp types.Exp
	val *value
}

func (c *checker) apply(e *types.Apply) *value {
	fun := c.exp(e.Fun)
	diets := make([]bool, len(e.Args))
	t := fun.typ
	for i := range e.Args {
		a, ok := types.Force(t).(*types.Arrow)
		if !ok {
			break
		}
		diets[i] = types.IsUnique(a.Param)
		t = a.Ret.Type
	}
	vals := make([]*value, len(e.Args))
	var others []argument
	infix, _ := c.facts.Infix(e.At)
	for k := range e.Args {
		i := len(e.Args) - 1 - k
		if infix {
			i = k
		}
		vals[i] = c.arg(others, diets[i], e.Args[i])
		others = append(others, argument{e.Args[i], vals[i]})
	}
	result := &types.Symbol{Name: "result", ID: -1 - len(c.results)}
	c.results[result] = c.describeResult(e)
	fun = fun.addAll(set{{sym: result, free: true}: true})
	for _, v := range vals {
		fun = applyTo(fun, v, e.Type)
	}
	return fun
}

func (c *checker) describeResult(e *types.Apply) string {
	if ref, ok := e.Fun.(*types.Ref); ok {
		return fmt.Sprintf("result of applying \"%s\" (at %s)", ref.Sym.Name, e.At)
	}
	return fmt.Sprintf("result of application at %s", e.At)
}

// arg checks an argument; consume says that the function consumes it.
func (c *checker) arg(others []argument, consume bool, e types.Exp) *value {
	var v *value
	used := c.contain(func() { v = c.exp(e) })
	c.addConsumed(used)
	at := e.Base().At
	if t := e.Base().Type; used != nil && types.HasFunctions(t) {
		c.fail(at, "consuming-argument", "Argument of functional type\n  %s\ncontains consumption, which is not "+
			"allowed.", t)
	}
	if !consume {
		return v
	}
	c.noSelfAliases(at, v)
	c.consume(at, v.all())
	for _, a := range v.all().sorted() {
		for _, o := range others {
			if !a.free && o.val.mentions(a.sym) {
				c.fail(at, "argument-aliases", "Argument is consumed, but aliases\n  %s\nwhich is also aliased "+
					"by other argument\n  %s",
					a.sym.Name, types.ExpText(o.exp))
				return v
			}
		}
	}
	return v
}

func (v *value) mentions(sym *types.Symbol) bool {
	for a := range v.all() {
		if a.sym == sym && !a.free {
			return true
		}
	}
	return false
}

func (c *checker) noSelfAliases(at source.Span, v *value) {
	seen := set{}
	for _, part := range v.parts() {
		if seen.intersects(part) {
			c.fail(at, "self-aliasing-arg", "A consuming parameter takes parts that share no memory; this "+
				"argument is self-aliased.")
			return
		}
		seen = seen.union(part)
	}
}

// applyTo is the aliases of the result of applying fun to arg; t is its type if fun's does not say.
func applyTo(fun, arg *value, t types.Type) *value {
	a, ok := types.Force(fun.typ).(*types.Arrow)
	if !ok {
		return withAliases(t, fun.all().union(arg.all()))
	}
	return resultOf(fun.als, a.Ret.Type, types.IsUnique(a.Param), arg)
}

// resultOf is the aliases of the result of a function of type ret: none where it is unique, else those of the closure
// and of an argument that is not consumed.
func resultOf(closure set, ret types.Type, consumed bool, arg *value) *value {
	als := closure
	if !consumed {
		als = als.union(arg.all())
	}
	return build(ret, "", func(t types.Type, _ string) set {
		if types.IsUnique(t) {
			return nil
		}
		return als
	})
}
