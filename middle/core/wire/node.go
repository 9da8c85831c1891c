package wire

import (
	"skald/middle/core"
)

func (c *codec) prog(p *core.Prog) {
	enum(c, &p.Stage, int(core.StageChosen)+1, "stage")
	list(c, &p.Types, c.opaque)
	optional(c, &p.Consts, c.fun)
	list(c, &p.Funs, func(f **core.Fun) { pointer(c, f, c.fun) })
	list(c, &p.Entries, c.entry)
}

func (c *codec) opaque(t *core.OpaqueType) {
	c.string(&t.Name)
	list(c, &t.Parts, func(p *core.OpaquePart) {
		c.primitive(&p.Elem)
		list(c, &p.Sizes, c.count)
	})
	c.count(&t.Rank)
	c.string(&t.Elem)
	list(c, &t.Fields, func(f *core.OpaqueField) {
		c.string(&f.Name)
		c.string(&f.Type)
		c.count(&f.First)
		c.count(&f.Count)
	})
	list(c, &t.Variants, func(v *core.OpaqueVariant) {
		c.string(&v.Name)
		list(c, &v.Payload, c.string)
		list(c, &v.Rep, c.count)
	})
}

func (c *codec) entry(e *core.Entry) {
	c.string(&e.Name)
	c.string(&e.Fun)
	c.string(&e.Doc)
	list(c, &e.Params, c.entryValue)
	list(c, &e.Results, c.entryValue)
	c.entryValue(&e.Output)
	list(c, &e.Attrs, c.attr)
}

func (c *codec) entryValue(v *core.EntryValue) {
	c.string(&v.Name)
	c.string(&v.Type)
	c.bool(&v.Unique)
	c.count(&v.Opaque)
	c.count(&v.First)
	c.count(&v.Count)
}

func (c *codec) fun(f *core.Fun) {
	c.string(&f.Name)
	list(c, &f.Attrs, c.attr)
	c.bool(&f.DeviceFunction)
	list(c, &f.Names, c.string)
	// Without names, as in programs made by hand, variables are still numbers.
	if c.vars = len(f.Names); c.vars == 0 {
		c.vars = 1
	}
	list(c, &f.Params, c.param)
	list(c, &f.Ret, c.param)
	list(c, &f.Globals, func(g *core.GlobalRef) {
		c.param(&g.Param)
		c.count(&g.Index)
	})
	pointer(c, &f.Body, c.body)
}

func (c *codec) attr(a *core.Attr) {
	s := string(*a)
	c.string(&s)
	set(c, a, core.Attr(s))
}

func (c *codec) param(p *core.Param) {
	c.variable(&p.Var)
	c.bool(&p.Unique)
	c.typ(&p.Type)
}

func (c *codec) typ(t *core.Type) {
	enum(c, &t.Kind, int(core.KindMem)+1, "kind of type")
	switch t.Kind {
	case core.KindScalar:
		c.primitive(&t.Elem)
	case core.KindArray:
		c.primitive(&t.Elem)
		list(c, &t.Shape, c.operand)
		optional(c, &t.Layout, c.layout)
	case core.KindAcc:
		c.variable(&t.Acc)
	case core.KindMem:
		c.primitive(&t.Elem)
		enum(c, &t.Space, int(core.SpacePrivate)+1, "memory space")
	case core.KindCert:
	}
}

func (c *codec) layout(l *core.Layout) {
	c.variable(&l.Mem)
	c.poly(&l.Offset)
	list(c, &l.Strides, c.poly)
}

func (c *codec) poly(p *core.Poly) {
	list(c, &p.Terms, func(t *core.Term) {
		c.signed(&t.Coef)
		list(c, &t.Vars, c.variable)
	})
}

func (c *codec) body(b *core.Body) {
	list(c, &b.Stms, func(s **core.Stm) { pointer(c, s, c.stm) })
	list(c, &b.Res, c.operand)
}

func (c *codec) bodies(b **core.Body) { pointer(c, b, c.body) }

func (c *codec) stm(s *core.Stm) {
	list(c, &s.Dst, c.param)
	c.exp(&s.Exp)
	c.site(&s.Aux.Where)
	list(c, &s.Aux.Attrs, c.attr)
	list(c, &s.Aux.Certs, c.variable)
}

func (c *codec) lambda(l *core.Lambda) {
	list(c, &l.Params, c.param)
	list(c, &l.Ret, c.typ)
	c.bodies(&l.Body)
}

func (c *codec) operator(op *core.Operator) {
	pointer(c, &op.Lambda, c.lambda)
	list(c, &op.Neutral, c.operand)
	c.bool(&op.Commutative)
}

func (c *codec) histOp(op *core.HistOp) {
	list(c, &op.Shape, c.operand)
	list(c, &op.Dests, c.variable)
	list(c, &op.Neutral, c.operand)
	pointer(c, &op.Lambda, c.lambda)
}

func (c *codec) accInput(in *core.AccInput) {
	list(c, &in.Shape, c.operand)
	list(c, &in.Arrays, c.variable)
	optional(c, &in.Op, c.lambda)
	list(c, &in.Neutral, c.operand)
}

func (c *codec) slice(s *core.Slice) {
	list(c, (*[]core.Dim)(s), func(d *core.Dim) {
		c.bool(&d.Fix)
		c.operand(&d.Off)
		if !d.Fix {
			c.operand(&d.Len)
			c.operand(&d.Stride)
		}
	})
}

func (c *codec) level(l *core.Level) { enum(c, l, int(core.LevelInGroup)+1, "level") }

func (c *codec) tiling(t *core.Tiling) {
	list(c, &t.Rows, c.count)
	list(c, &t.Cols, c.count)
	list(c, &t.Shapes, func(s *core.TileShape) {
		for _, n := range []*int{&s.Rows, &s.Cols, &s.Depth, &s.RegRows, &s.RegCols} {
			c.count(n)
		}
	})
}

func (c *codec) choice(x *core.Choice) {
	list(c, &x.Forms, c.form)
	list(c, &x.Merge, func(fs *[]core.Form) { list(c, fs, c.form) })
}

// form writes or reads a form: of its numbers and flags those that its way has a use for.
func (c *codec) form(f *core.Form) {
	enum(c, &f.Way, core.Ways, "way")
	for _, n := range f.Numbers() {
		c.count(n)
	}
	for _, b := range f.Flags() {
		c.bool(b)
	}
	list(c, &f.When, func(all *[]core.Bound) { list(c, all, c.boundOf) })
}

func (c *codec) boundOf(b *core.Bound) {
	c.count(&b.Times)
	enum(c, &b.X, core.Measures, "measure")
	enum(c, &b.Op, core.Comparisons, "comparison")
	c.count(&b.By)
	enum(c, &b.Y, core.Measures, "measure")
}

// space writes or reads the index space and what all segmented operations share with it.
func (c *codec) space(l *core.Level, s *core.Space, b **core.Body, ret *[]core.Type) {
	c.level(l)
	list(c, &s.Ids, c.variable)
	list(c, &s.Sizes, c.operand)
	if c.variable(&s.Slot); s.Slot != 0 {
		c.operand(&s.Slots)
	}
	c.bodies(b)
	list(c, ret, c.typ)
}
