package check

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// maxFunctorDepth bounds how deep applications of functors may be nested, one inside the body of the other.
const maxFunctorDepth = 200

func (c *checker) declareModule(b *body, d *syntax.ModDec) {
	c.declare(b, "", d.Name)
	v := &binding{at: d.Name.At}
	before := c.errors()
	ok := c.attempt(func() {
		if len(d.Params) > 0 {
			v.mod = c.parametric(b.scope, b.path, d.Params, d.Sig, d.Body)
			return
		}
		v.mod = c.ascribed(b.scope, b.path, d.Body, d.Sig, d.Name.Text+".")
	})
	v.broken = !ok || v.mod.functor != nil && c.errors() > before
	b.addVal(d.Name.Text, v)
	c.mentionModule(d.Name, v)
}

// ascribed is a module expression, seen through a module type if there is one. Abstract types are shown with name in
// front.
func (c *checker) ascribed(s *scope, path string, e syntax.ModExp, sig syntax.ModTypeExp, name string) *module {
	m := c.modExp(s, path, e)
	if sig == nil {
		return m
	}
	v := c.evalSig(s, sig)
	v.prefix(name)
	return c.match(m, v, sig.Span(), sealing)
}

// parametric makes a functor of several parameters: one after the other.
func (c *checker) parametric(s *scope, path string, params []*syntax.ModParam, sig syntax.ModTypeExp,
	e syntax.ModExp,
) *module {
	return c.newFunctor(s, params[0], func(c *checker, inner *scope) *module {
		if len(params) > 1 {
			return c.parametric(inner, path, params[1:], sig, e)
		}
		return c.ascribed(inner, path, e, sig, "")
	})
}

// newFunctor makes a functor and checks its body once; see Note [Functors].
func (c *checker) newFunctor(s *scope, param *syntax.ModParam, run func(*checker, *scope) *module) *module {
	f := &functor{scope: s, param: param.Name.Text, at: param.Name.At, from: param.Type, run: run}
	if c.replay > 0 { // It was checked where the functor that it is in was defined.
		return &module{functor: f}
	}
	c.dry++
	defer func() { c.dry-- }()
	sig := c.evalSig(s, param.Type)
	sig.prefix(f.param + ".")
	c.mentionModule(param.Name, &binding{at: param.Name.At})
	mod := sig.module()
	if c.functorParam != nil {
		mod = c.functorParam(param, mod)
	}
	c.attempt(func() { run(c, s.with(f.param, &binding{mod: mod, at: param.Name.At, used: true})) })
	return &module{functor: f}
}

// modExp evaluates a module expression.
func (c *checker) modExp(s *scope, path string, e syntax.ModExp) *module {
	switch e := e.(type) {
	case *syntax.ModParens:
		return c.modExp(s, path, e.Body)
	case *syntax.ModVar:
		if len(e.Name.Quals) == 0 && e.Name.Name.Text == "intrinsics" {
			c.fail(e.At, "intrinsics-module", "The 'intrinsics' module may not be used in module expressions.")
		}
		return c.lookupModule(s, e.Name)
	case *syntax.ModBody:
		b := newBody(s, path)
		b.nested = true
		if c.moduleBody == nil || !c.moduleBody(b, e) {
			c.decs(b, e.Decs)
		}
		return &module{scope: b.exports}
	case *syntax.ModImport:
		return c.importFile(path, e.Path, e.PathAt)
	case *syntax.ModAscript:
		return c.ascribed(s, path, e.Mod, e.Sig, "")
	case *syntax.ModLambda:
		return c.newFunctor(s, e.Param, func(c *checker, inner *scope) *module {
			return c.ascribed(inner, path, e.Body, e.Sig, "")
		})
	case *syntax.ModApply:
		fun := c.modExp(s, path, e.Fun)
		if fun.functor == nil {
			c.fail(e.Fun.Span(), "not-parametric", "Cannot apply non-parametric module.")
		}
		return c.applyFunctor(fun.functor, c.modExp(s, path, e.Arg), e.At)
	default:
		panic(fmt.Sprintf("check.modExp: %T", e))
	}
}

// applyFunctor evaluates the body of f again with its parameter bound to arg.
func (c *checker) applyFunctor(f *functor, arg *module, at source.Span) *module {
	return c.applyAt(f, arg, at, "")
}

// applyAt is applyFunctor where messages call the argument's contents by path.
func (c *checker) applyAt(f *functor, arg *module, at source.Span, path string) *module {
	if c.depth >= maxFunctorDepth {
		c.fail(at, "functor-depth", "Applications of parametric modules are nested more than %d deep.", maxFunctorDepth)
	}
	c.depth++
	c.replay++
	defer func() { c.depth--; c.replay-- }()
	sig := c.evalSig(f.scope, f.from)
	param := c.matchAt(arg, sig, at, comparing, path)
	return f.run(c, f.scope.with(f.param, &binding{mod: param, at: f.at, used: true}))
}

func (c *checker) declareSig(b *body, d *syntax.ModTypeDec) {
	c.declare(b, "module type ", d.Name)
	sig := &sigBinding{exp: d.Def, scope: b.scope, at: d.Name.At}
	if !c.inPrelude(d.At) {
		c.dry++
		sig.broken = !c.attempt(func() { c.evalSig(b.scope, d.Def) })
		c.dry--
	}
	if specs, ok := d.Def.(*syntax.ModTypeSpecs); ok {
		for _, spec := range specs.Specs {
			c.ignored(spec.Header().Attrs, "a specification")
		}
	}
	b.addSig(d.Name.Text, sig)
	c.mentionModType(d.Name, sig)
}

// sigValue is a module type, evaluated: what a module must have, with symbols and abstract types of its own. It can
// serve as an abstract module.
type sigValue struct {
	scope   *scope
	items   []sigItem
	functor *functorSpec
}

// sigItem is one specification: exactly one of val, typ and mod is set.
type sigItem struct {
	name string
	val  *types.Symbol
	typ  *typeBinding
	con  *types.TypeCon // of an abstract type
	mod  *sigValue
	at   source.Span // of the name of a module
}

// functorSpec is the type of a functor.
type functorSpec struct {
	param string
	from  syntax.ModTypeExp
	to    syntax.ModTypeExp
	scope *scope
}

// module is the abstract module that s describes.
func (s *sigValue) module() *module {
	if s.functor == nil {
		return &module{scope: s.scope}
	}
	spec := s.functor
	return &module{functor: &functor{
		scope: spec.scope, param: spec.param, from: spec.from,
		run: func(c *checker, inner *scope) *module { return c.evalSig(inner, spec.to).module() },
	}}
}

// prefix puts the name of the module that s describes in front of its abstract types' names, for messages.
func (s *sigValue) prefix(name string) {
	for _, item := range s.items {
		if item.con != nil {
			item.con.Name = name + item.con.Name
		}
		if item.mod != nil {
			item.mod.prefix(name + item.name + ".")
		}
	}
}

// evalSig evaluates a module type; each evaluation makes new abstract types.
func (c *checker) evalSig(s *scope, e syntax.ModTypeExp) *sigValue {
	switch e := e.(type) {
	case *syntax.ModTypeParens:
		return c.evalSig(s, e.Body)
	case *syntax.ModTypeVar:
		b := c.lookupSig(s, e.Name)
		if b.broken {
			panic(silent{})
		}
		return c.evalSig(b.scope, b.exp)
	case *syntax.ModTypeArrow:
		spec := &functorSpec{param: e.Param.Text, from: e.From, to: e.To, scope: s}
		from := c.evalSig(s, e.From)
		c.evalSig(s.with(spec.param, &binding{mod: from.module(), used: true}), e.To)
		return &sigValue{functor: spec}
	case *syntax.ModTypeWith:
		return c.refine(s, e)
	case *syntax.ModTypeSpecs:
		sig := &sigValue{scope: newScope(nil)}
		seen := map[string]source.Span{}
		inner := s
		for _, spec := range e.Specs {
			inner = c.spec(sig, inner, spec, seen)
		}
		return sig
	default:
		panic(fmt.Sprintf("check.evalSig: %T", e))
	}
}

func (c *checker) lookupSig(s *scope, q syntax.QualName) *sigBinding {
	var b *sigBinding
	if len(q.Quals) == 0 {
		b = s.sig(q.Name.Text)
	} else {
		m := c.lookupModBinding(s, q.Quals, q).mod
		if m.functor != nil {
			c.fail(q.Span(), "module-is-parametric", "Module \"%s\" is a parametric module.", q.Quals[len(q.Quals)-1].Text)
		}
		b = m.scope.ownSig(q.Name.Text)
	}
	if b == nil {
		c.fail(q.Span(), "unknown-module-type", "Unknown module type \"%s\".", q)
	}
	c.mentionModType(q.Name, b)
	return b
}

// add puts an item into s and returns the scope for what follows it.
func (s *sigValue) add(inner *scope, item sigItem) *scope {
	s.items = append(s.items, item)
	switch {
	case item.val != nil:
		b := &binding{sym: item.val, used: true}
		s.scope.setVal(item.name, b)
		return inner.with(item.name, b)
	case item.typ != nil:
		s.scope.setType(item.name, item.typ)
		inner = newScope(inner)
		inner.setType(item.name, item.typ)
		return inner
	default:
		b := &binding{mod: item.mod.module(), used: true, at: item.at}
		s.scope.setVal(item.name, b)
		return inner.with(item.name, b)
	}
}

// spec evaluates one specification.
func (c *checker) spec(sig *sigValue, inner *scope, spec syntax.Spec, seen map[string]source.Span) *scope {
	unique := func(space string, name syntax.Name) {
		if prev, ok := seen[space+name.Text]; ok {
			c.failNote(name.At, "duplicate-definition", prev, "Duplicate specification of %s\"%s\": it was "+
				"previously defined.", space, name.Text)
		}
		seen[space+name.Text] = name.At
	}
	switch spec := spec.(type) {
	case *syntax.ValSpec:
		unique("", spec.Name)
		val := c.valSpec(inner, spec)
		c.mentionValue(spec.Name, &binding{sym: val})
		return sig.add(inner, sigItem{name: spec.Name.Text, val: val})
	case *syntax.TypeSpec:
		unique("type ", spec.Name)
		return sig.add(inner, c.typeSpec(inner, spec))
	case *syntax.ModSpec:
		unique("", spec.Name)
		c.mentionModule(spec.Name, &binding{at: spec.Name.At})
		return sig.add(inner, sigItem{name: spec.Name.Text, mod: c.evalSig(inner, spec.Type), at: spec.Name.At})
	case *syntax.IncludeSpec:
		other := c.evalSig(inner, spec.Type)
		if other.functor != nil {
			c.fail(spec.At, "module-is-parametric", "Cannot include parametric module type.")
		}
		for _, item := range other.items {
			if item.typ != nil && sig.scope.types[item.name] != nil {
				c.warn(spec.At, "inclusion-shadows", "Inclusion shadows type \"%s\".", item.name)
			}
			inner = sig.add(inner, item)
		}
		return inner
	default:
		panic(fmt.Sprintf("check.spec: %T", spec))
	}
}

func (c *checker) valSpec(s *scope, spec *syntax.ValSpec) *types.Symbol {
	in := &infer{checker: c, quiet: true}
	params, inner := in.typeParams(s, spec.TypeParams)
	t, ext := in.closedType(inner, spec.Type)
	for _, k := range ext {
		if anonymousParam(t, k) {
			c.report(spec.At, "anonymous-size", "Parameters of functions in a module type have non-anonymous sizes.").
				Hintf("give %s size parameters", spec.Name.Text)
			panic(silent{})
		}
	}
	sym := c.newSymbol(spec.Name.Text, types.Global, t, spec.Name.At)
	sym.Params = params
	return sym
}

// anonymousParam reports whether k is in a parameter of function type t.
func anonymousParam(t types.Type, k *types.Symbol) bool {
	for {
		a, ok := types.Force(t).(*types.Arrow)
		if !ok {
			return false
		}
		if mentionsSize(a.Param, k) {
			return true
		}
		t = a.Ret.Type
	}
}

func (c *checker) typeSpec(s *scope, spec *syntax.TypeSpec) sigItem {
	if spec.Def != nil {
		b := c.abbreviation(s, spec.TypeParams, spec.Def, liftedness(spec.Lift), spec.Name)
		c.mentionType(spec.Name, b)
		return sigItem{name: spec.Name.Text, typ: b}
	}
	in := &infer{checker: c, quiet: true}
	params, _ := in.typeParams(s, spec.TypeParams)
	c.nextCon++
	con := &types.TypeCon{Name: spec.Name.Text, ID: c.nextCon, Params: params, Lifted: liftedness(spec.Lift)}
	b := conBinding(con)
	b.at = spec.Name.At
	c.mentionType(spec.Name, b)
	return sigItem{name: spec.Name.Text, typ: b, con: con}
}

// conBinding makes an abstract type an abbreviation for its constructor.
func conBinding(con *types.TypeCon) *typeBinding {
	args := make([]types.TypeArg, len(con.Params))
	for i, p := range con.Params {
		if p.IsSize() {
			args[i].Size = &types.SizeName{Sym: p.Size}
		} else {
			args[i].Type = &types.Var{Param: p}
		}
	}
	return &typeBinding{params: con.Params, typ: &types.Con{Con: con, Args: args}, lifted: con.Lifted}
}
