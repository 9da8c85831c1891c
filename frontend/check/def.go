package check

import (
	"fmt"
	"slices"
	"strconv"

	"skald/frontend/consume"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// valDec checks the declaration of a function or value and adds its definition to the program.
// root says that it may be an entry point.
func (c *checker) valDec(s *scope, d *syntax.ValDec, root bool) (sym *types.Symbol) {
	sym = c.newSymbol(d.Name.Text, types.Global, nil, d.Name.At)
	in := &infer{checker: c, quiet: c.inPrelude(d.At)}
	def := in.define(s, d, sym)
	if root && c.isEntry(d) {
		in.entryPoint(s, d, def)
	}
	c.addDef(def)
	if in.attributed && c.dry == 0 {
		c.attributed = append(c.attributed, def)
	}
	return sym
}

// isEntry reports whether a declaration of the root file is an entry point.
func (c *checker) isEntry(d *syntax.ValDec) bool {
	if d.Keyword == syntax.KeywordEntry || d.Name.Text == "main" {
		return true
	}
	for _, name := range c.entries {
		if name == d.Name.Text {
			return true
		}
	}
	return false
}

// elaborate is the first half of checking a definition.
func (in *infer) elaborate(s *scope, d *syntax.ValDec, sym *types.Symbol) *types.Def {
	typeParams, inner := in.typeParams(s, d.TypeParams)
	params, inner := in.params(inner, typeParams, d.Params)
	def := &types.Def{Sym: sym, TypeParams: typeParams, Params: params, At: d.At}
	if len(params) > 0 {
		// A function is in scope of its own body, where it has one type.
		in.self = sym
		sym.Type = in.anyType(d.Name.At)
		// In the prelude, x + y in the definition of an operator + means the one that is built in.
		builtin := in.inPrelude(d.At) && overloads[d.Name.Text] != nil
		if !builtin && !shadowed(inner, s, d.Name.Text) {
			inner = inner.with(d.Name.Text, &binding{sym: sym, at: d.Name.At, used: true})
		}
	}
	def.Ret = in.declaredResult(inner, d.Result, d.At)
	def.Body = in.exp(inner, d.Body)
	in.checkResult(def.Ret, def.Body)
	whole := arrowType(params, def.Body.Base().Type)
	if in.self != nil {
		in.equate(d.Name.At, sym.Type, whole, func() string { return recursionMismatch(s, d.Name.Text) })
	}
	def.Recursive = in.selfUsed
	in.checkSize(whole, d.Name.At)
	for _, m := range in.metas {
		in.checkSize(m, m.Info.(*metaInfo).at)
	}
	in.solve(def, whole)
	for _, f := range in.finish {
		f()
	}
	sym.Type, sym.Params = whole, def.TypeParams
	return def
}

// recursionMismatch says that calls of a function in its own body do not fit it; perhaps another function of that name was meant.
func recursionMismatch(outer *scope, name string) string {
	text := "Recursive calls do not fit the definition."
	if outer.val(name) != nil {
		text += fmt.Sprintf("\nIn its own definition \"%s\" is the function itself, not the one that was defined before it.", name)
	}
	return text
}

// shadowed reports whether a parameter has the definition's own name.
func shadowed(inner, outer *scope, name string) bool {
	for s := inner; s != outer && s != nil; s = s.outer {
		if s.ownVal(name) != nil {
			return true
		}
	}
	return false
}

// solve decides the types that inference left open: those in the definition's own type become parameters, literals
// get their defaults, the rest do not matter.
func (in *infer) solve(def *types.Def, whole types.Type) {
	open := map[*types.Meta]bool{}
	var order []*types.Meta
	eachMeta(whole, func(m *types.Meta) {
		if !open[m] {
			open[m] = true
			order = append(order, m)
		}
	})
	for _, m := range in.metas {
		if m.Bound != nil {
			continue
		}
		info := m.Info.(*metaInfo)
		switch {
		case info.prims != 0:
			m.Bound = in.defaultPrim(info, open[m])
		case info.fields != nil:
			in.fail(info.at, "ambiguous-type", "Type is ambiguous: any record with %s would do here.", fieldsText(info.fields))
		case info.ctors != nil:
			in.fail(info.at, "ambiguous-type", "Type is ambiguous: any sum type with %s would do here.", (&types.Sum{Ctors: info.ctors}).String())
		case !open[m]:
			m.Bound = types.Unit
		}
	}
	for _, m := range order {
		if m.Bound == nil {
			info := m.Info.(*metaInfo)
			p := &types.TypeParam{Name: in.paramName(def), Lifted: info.lifted, At: info.at}
			m.Bound = &types.Var{Param: p}
			def.TypeParams = append(def.TypeParams, p)
		}
	}
}

// paramName makes a name for an inferred type parameter.
func (in *infer) paramName(def *types.Def) string {
	for n := 0; ; n++ {
		name := "t" + strconv.Itoa(n)
		if !slices.ContainsFunc(def.TypeParams, func(p *types.TypeParam) bool { return p.Name == name }) {
			return name
		}
	}
}

// An argument of defaultPrim.
const hiddenFromUsers = false

// defaultPrim chooses a type for literals whose use does not decide it.
func (in *infer) defaultPrim(info *metaInfo, visible bool) types.Type {
	var t prim.Type
	switch {
	case info.prims.has(prim.I32):
		t = prim.I32
	case info.prims.has(prim.F64):
		t = prim.F64
	default:
		if only, ok := info.prims.only(); ok {
			return &types.Prim{Kind: only}
		}
		in.fail(info.at, "ambiguous-type", "Type is ambiguous: it may be any of %s.", info.prims)
	}
	if visible {
		in.warn(info.at, "defaulted-type", "Defaulting ambiguous type to %s.", t)
	}
	return &types.Prim{Kind: t}
}

// eachMeta calls f for every unsolved variable in t, from left to right.
func eachMeta(t types.Type, f func(*types.Meta)) {
	switch t := types.Force(t).(type) {
	case *types.Meta:
		f(t)
		info := t.Info.(*metaInfo)
		eachMeta(&types.Record{Fields: info.fields}, f)
	case *types.Array:
		eachMeta(t.Elem, f)
	case *types.Record:
		for _, field := range t.Fields {
			eachMeta(field.Type, f)
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				eachMeta(a, f)
			}
		}
	case *types.Arrow:
		eachMeta(t.Param, f)
		eachMeta(t.Ret.Type, f)
	case *types.Con:
		for _, a := range t.Args {
			if a.Type != nil {
				eachMeta(a.Type, f)
			}
		}
	default:
	}
}

// afterSizes checks what needs the whole type, and fills in what the definition says about itself.
func (in *infer) afterSizes(d *syntax.ValDec, def *types.Def) {
	def.Attrs = in.defAttrs(d)
	if d.Doc != nil {
		def.Doc = d.Doc.Text
	}
	if def.Recursive {
		in.checkRecursion(def)
	}
	if !in.inPrelude(d.At) {
		in.checkConsumption(def)
	}
	in.lowerIntrinsics(def)
}

// checkConsumption reports all violations at once.
func (in *infer) checkConsumption(def *types.Def) {
	errs := consume.Def(def, consume.Facts{
		Declared: func(at source.Span) bool { return in.declared[at] },
		Ascribed: func(sym *types.Symbol) bool { return in.ascribed[sym] },
		Infix:    in.Infix,
	})
	if in.replay > 0 {
		// The body of a functor was checked where it is defined; that its abstract types are now known makes no
		// difference.
		return
	}
	for _, e := range errs {
		d := in.report(e.At, e.Code, "%s", e.Msg)
		if e.Note.Valid() {
			d.Note(e.Note, "It was consumed here.")
		}
	}
	if len(errs) > 0 {
		panic(silent{})
	}
}
