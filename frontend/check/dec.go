package check

import (
	"fmt"
	"slices"

	"skald/frontend/check/sizes"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// decs checks declarations one after the other; one in error does not stop the others.
func (c *checker) decs(b *body, ds []syntax.Dec) {
	for _, d := range ds {
		c.dec(b, d)
	}
}

func (c *checker) dec(b *body, d syntax.Dec) {
	if _, ok := d.(*syntax.ValDec); !ok {
		c.ignored(d.Header().Attrs, "this declaration")
	}
	switch d := d.(type) {
	case *syntax.ValDec:
		c.declareVal(b, d)
	case *syntax.TypeDec:
		c.declareType(b, d)
	case *syntax.ModDec:
		c.declareModule(b, d)
	case *syntax.ModTypeDec:
		c.declareSig(b, d)
	case *syntax.OpenDec:
		c.attempt(func() {
			m := c.modExp(b.scope, b.path, d.Mod)
			if m.functor != nil {
				c.fail(d.Mod.Span(), "module-is-parametric", "A parametric module cannot be opened.")
			}
			b.addAll(m)
		})
	case *syntax.ImportDec:
		local := b.local
		b.local = true
		c.attempt(func() { b.addAll(c.importFile(b.path, d.Path, d.PathAt)) })
		b.local = local
	case *syntax.LocalDec:
		local := b.local
		b.local = true
		c.dec(b, d.Dec)
		b.local = local
	default:
		panic(fmt.Sprintf("check.dec: %T", d))
	}
}

func (c *checker) declareVal(b *body, d *syntax.ValDec) {
	if d.Name.Text == "&&" || d.Name.Text == "||" {
		c.report(d.Name.At, "reserved-operator", "The operator \"%s\" may not be redefined.", d.Name.Text)
		return
	}
	c.declare(b, "", d.Name)
	v := &binding{at: d.Name.At}
	ok := c.attempt(func() {
		if d.Keyword == syntax.KeywordEntry && b.nested {
			c.fail(d.Name.At, "nested-entry", "Entry points stand at top level only; \"%s\" is in a module.", d.Name.Text)
		}
		v.sym = c.valDec(b.scope, d, b.root)
	})
	v.broken = !ok
	b.addVal(d.Name.Text, v)
	c.mentionValue(d.Name, v)
}

func (c *checker) declareType(b *body, d *syntax.TypeDec) {
	c.declare(b, "type ", d.Name)
	t := &typeBinding{at: d.Name.At}
	ok := c.attempt(func() { *t = *c.abbreviation(b.scope, d.TypeParams, d.Def, liftedness(d.Lift), d.Name) })
	t.broken = !ok
	b.addType(d.Name.Text, t)
	c.mentionType(d.Name, t)
}

// abbreviation checks a type definition.
func (c *checker) abbreviation(s *scope, ps []*syntax.TypeParam, te syntax.TypeExp, l types.Liftedness,
	name syntax.Name,
) *typeBinding {
	in := &infer{checker: c, quiet: true}
	params, inner := in.typeParams(s, ps)
	t, ext := in.closedType(inner, te)
	for _, p := range params {
		switch {
		case p.IsSize() && !mentionsSize(t, p.Size):
			if mentioned(t, p.Size) {
				c.fail(p.At, "not-constructive", "No value of type \"%s\" shows its size parameter [%s]: it is the size of arrays in "+
					"functions only.", name.Text, p.Name)
			}
			c.fail(p.At, "unused-size", "The definition of \"%s\" does not use its size parameter [%s].", name.Text, p.Name)
		}
	}
	for _, k := range ext {
		if !shownSize(t, k) {
			c.fail(te.Span(), "anonymous-nonconstructive", "A size that is written [] here is not the size of an array "+
				"outside of functions, so that no value shows it.")
		}
	}
	if !in.declaredAs(inner, te, l) {
		in.checkAbbreviation(t, ext, l, te.Span(), name.Text)
	}
	out := &typeBinding{params: params, ext: ext, typ: t, lifted: l, at: name.At}
	if !slices.ContainsFunc(params, func(p *types.TypeParam) bool { return !p.IsSize() }) {
		out.written = in.written(inner, te)
	}
	return out
}

// checkAbbreviation rejects an abbreviation that stands for more than it is declared to.
func (in *infer) checkAbbreviation(t types.Type, ext []*types.Symbol, l types.Liftedness, at source.Span, name string) {
	if l < types.FullLifted && isFunctional(t) {
		in.fail(at, "functional-type", "Non-lifted type abbreviations may not contain functions. \"%s\" "+
			"stands for\n  %s", name, t)
	}
	if l == types.Unlifted && len(ext) > 0 {
		in.fail(at, "anonymous-size", "Non-lifted type abbreviation \"%s\" stands for arrays of "+
			"anonymous sizes.", name)
	}
	if what, got := mostLifted(t); got > l {
		kind := "functions"
		if got == types.SizeLifted {
			kind = "size-lifted types"
		}
		in.fail(at, "lifted-type", "Non-lifted type abbreviations may not contain %s. What \"%s\" "+
			"stands for mentions the lifted type \"%s\".", kind, name, what)
	}
}

// declaredAs reports whether te is nothing but a name that is declared to stand for what l permits. It may stand for more since a module
// type was refined (type ctx, with ctx = K.ctx); arrays of it are rejected where they are written.
func (in *infer) declaredAs(s *scope, te syntax.TypeExp, l types.Liftedness) bool {
	v, ok := te.(*syntax.TypeVar)
	if !ok {
		return false
	}
	b := in.lookupType(s, v.Name)
	return b != nil && b.lifted <= l
}

// mentioned reports whether k occurs anywhere in the sizes of t.
func mentioned(t types.Type, k *types.Symbol) bool {
	for _, d := range types.SizesIn(t) {
		if e, ok := d.(*types.SizeExp); ok {
			found := false
			types.Walk(e.Exp, func(x types.Exp) bool {
				if r, ok := x.(*types.Ref); ok && r.Sym == k {
					found = true
				}
				return true
			})
			if found {
				return true
			}
		}
	}
	return false
}

// closedType checks a type expression that stands for itself, outside of any definition.
func (in *infer) closedType(s *scope, te syntax.TypeExp) (types.Type, []*types.Symbol) {
	t, ext := in.typeExp(s, te)
	for _, m := range in.metas {
		if m.Bound == nil {
			m.Bound = in.openType(m)
		}
	}
	for _, f := range in.finish {
		f()
	}
	in.finish = nil
	t, err := sizes.Type(in.checker, t)
	if err != nil {
		in.failSizes(err)
	}
	return t, ext
}

func (in *infer) openType(m *types.Meta) types.Type {
	if info := m.Info.(*metaInfo); info.prims != 0 {
		return in.defaultPrim(info, hiddenFromUsers)
	}
	return types.Unit
}
