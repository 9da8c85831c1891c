package internalise

import (
	"slices"

	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// exp translates an expression and returns the components of its value. It binds the sizes that are born there. What is made behind it
// has the place that the builder had before.
func (s *scope) exp(e types.Exp) []core.Operand {
	before := s.b.Where
	switch e.(type) {
	case *types.Const, *types.Ref: // no statement comes of them
	default:
		s.at(e.Base().At)
	}
	xs := s.naked(e)
	if ext := e.Base().Ext; len(ext) > 0 {
		s.bindSizes(ext, e.Base().Type, xs)
	}
	s.b.Where = before
	return xs
}

// naked is exp for an expression whose sizes the caller binds.
func (s *scope) naked(e types.Exp) []core.Operand {
	switch e := e.(type) {
	case *types.Const:
		return []core.Operand{core.C(e.Value)}
	case *types.ArrayConst:
		return s.arrayConst(e)
	case *types.Ref:
		return s.lookup(e.Sym, e.At)
	case *types.RecordLit:
		return s.recordLit(e)
	case *types.ArrayLit:
		return s.arrayLit(e)
	case *types.Project:
		first, n, _ := fieldRange(types.Force(e.Exp.Base().Type).(*types.Record), e.Field)
		return s.exp(e.Exp)[first : first+n]
	case *types.Construct:
		return s.construct(e)
	case *types.Update:
		return s.update(e)
	case *types.Index:
		return s.index(e)
	case *types.Apply:
		return s.apply(e)
	case *types.Op:
		return []core.Operand{s.op(e)}
	case *types.Equal:
		return []core.Operand{s.equal(e)}
	case *types.Builtin:
		return s.builtin(e)
	case *types.Range:
		return []core.Operand{s.rangeExp(e)}
	case *types.Coerce:
		return s.coerce(e)
	case *types.Assert:
		return s.assert(e)
	case *types.Attributed:
		return s.attributed(e)
	case *types.Hole:
		return s.hole(e)
	default:
		return s.control(e)
	}
}

// control is exp for binders and control flow.
func (s *scope) control(e types.Exp) []core.Operand {
	switch e := e.(type) {
	case *types.Let:
		return s.let(e)
	case *types.If:
		return s.ifExp(e)
	case *types.Match:
		return s.matchExp(e)
	case *types.Loop:
		return s.loop(e)
	default:
		s.ctx.Bug(e.Base().At, "%T cannot be internalised", e)
		return nil
	}
}

// scalar translates an expression of primitive type.
func (s *scope) scalar(e types.Exp) core.Operand { return s.exp(e)[0] }

// let binds a pattern, and the sizes that the shape of its value shows: those in the type of the expression, and those that
// the pattern names.
func (s *scope) let(e *types.Let) []core.Operand {
	for {
		xs := s.exp(e.Exp)
		s.bindSizes(s.bindShown(e.Sizes, e.Exp.Base().Type, xs), e.Pat.Base().Type, xs)
		if v, ok := e.Pat.(*types.VarPat); ok {
			s.rename(v.Sym.Name, xs)
		}
		s.bind(e.Pat, xs)
		next, ok := e.Body.(*types.Let)
		if !ok {
			return s.exp(e.Body)
		}
		e = next
	}
}

// rename sets the name of a variable that has just been made to the one in the source.
func (s *scope) rename(name string, xs []core.Operand) {
	for _, x := range xs {
		if !x.IsConst() && generated[s.b.Fun.Base(x.Var)] {
			s.b.Fun.Names[x.Var] = name
		}
	}
}

// generated holds the base names that this package and the builder give to intermediate results.
var generated = map[string]bool{"t": true, "c": true, "r": true, "x": true, "blank": true}

func (s *scope) recordLit(e *types.RecordLit) []core.Operand {
	parts := make(map[string][]core.Operand, len(e.Fields))
	for _, f := range e.Fields {
		parts[f.Name] = s.exp(f.Exp)
	}
	if len(e.Fields) == 0 {
		return []core.Operand{core.Bool(false)}
	}
	var out []core.Operand
	for _, f := range types.Force(e.Type).(*types.Record).Fields {
		out = append(out, parts[f.Name]...)
	}
	return out
}

// construct makes a value of a sum type: the tag, the payload in its slots, and zero in the others.
func (s *scope) construct(e *types.Construct) []core.Operand {
	sum := types.Force(e.Type).(*types.Sum)
	_, tag := sum.Ctor(e.Ctor)
	l := sumLayout(sum)
	out := make([]core.Operand, len(l.slots))
	filled := make([]bool, len(l.slots))
	out[0], filled[0] = core.C(intValue(l.slots[0].elem, int64(tag))), true
	slots := l.payload[tag]
	for _, a := range e.Args {
		for _, x := range s.exp(a) {
			out[slots[0]], filled[slots[0]] = x, true
			slots = slots[1:]
		}
	}
	ts := s.emptyTypes(sum)
	for i := range out {
		if !filled[i] {
			out[i] = s.zero(ts[i])
		}
	}
	return out
}

// intValue is the integer n as a value of type t.
func intValue(t prim.Type, n int64) prim.Value { return prim.Convert(t, prim.MakeI64(n)) }

func (s *scope) op(e *types.Op) core.Operand {
	args := make([]core.Operand, len(e.Args))
	for i, a := range e.Args {
		args[i] = s.scalar(a)
	}
	switch op := e.Op; op.Kind {
	case types.UnaryOp:
		return s.b.Un(op.Un, args[0])
	case types.BinaryOp:
		return s.binary(op, args[0], args[1])
	case types.CompareOp:
		return s.b.Cmp(op.Cmp, args[0], args[1])
	case types.ConvertOp:
		return s.b.Conv(args[0], op.To)
	case types.FuncOp:
		return s.b.Let("t", &core.CallFunc{Func: op.Func, Type: op.Type, Args: args})
	default:
		s.ctx.Bug(e.At, "operator of kind %d", op.Kind)
		return core.Operand{}
	}
}

// binary applies a binary operator behind its check.
func (s *scope) binary(op types.ScalarOp, x, y core.Operand) core.Operand {
	if !op.Bin.CanFail(op.Type) || y.IsConst() && prim.BinFailure(op.Bin, op.Type, y.Const.Word()) == nil {
		return s.b.Bin(op.Bin, x, y)
	}
	zero := core.C(prim.Zero(op.Type))
	var ok core.Operand
	var msg string
	if op.Bin == prim.Pow {
		ok, msg = s.b.Cmp(prim.Ge, y, zero), "negative exponent"
	} else {
		ok, msg = s.b.Cmp(prim.Ne, y, zero), "division by zero"
	}
	var out core.Operand
	s.checked(s.check(ok, core.Text(msg)), func() {
		out = s.b.Let("t", &core.Bin{Op: op.Bin, Type: op.Type, X: x, Y: y})
	})
	return out
}

// equal compares two values of any type: component by component, arrays by a reduction after their sizes.
func (s *scope) equal(e *types.Equal) core.Operand {
	xs, ys := s.exp(e.X), s.exp(e.Y)
	all := core.Bool(true)
	for i := range xs {
		all = s.and(all, s.equalComponent(xs[i], ys[i]))
	}
	if e.Negate {
		return s.b.Un(prim.Not, all)
	}
	return all
}

func (s *scope) and(x, y core.Operand) core.Operand {
	switch {
	case x == core.Bool(true):
		return y
	case y == core.Bool(true):
		return x
	default:
		return s.b.Bin(prim.LogAnd, x, y)
	}
}

func (s *scope) equalComponent(x, y core.Operand) core.Operand {
	tx, ty := s.b.TypeOf(x), s.b.TypeOf(y)
	if !tx.IsArray() {
		return s.b.Cmp(prim.Eq, x, y)
	}
	sameShape := s.equalShapes(tx.Shape, ty.Shape)
	if sameShape == core.Bool(true) {
		return s.equalArrays(x, y, tx)
	}
	out := s.b.If("same", sameShape, []core.Type{core.BoolType},
		func(b *core.Builder) []core.Operand {
			in := s.in(b)
			return []core.Operand{in.equalArrays(x, in.ensure(y, tx), tx)}
		},
		func(*core.Builder) []core.Operand { return []core.Operand{core.Bool(false)} })
	return out[0]
}

// equalArrays compares arrays of the same shape, flat.
func (s *scope) equalArrays(x, y core.Operand, t core.Type) core.Operand {
	n := s.b.Product(t.Shape...)
	flat := func(a core.Operand) core.Var {
		if t.Rank() == 1 {
			return a.Var
		}
		return s.b.LetVar("flat", &core.Reshape{Shape: []core.Operand{n}, Array: a.Var})
	}
	bools := []core.Type{core.BoolType, core.BoolType}
	elem := core.ScalarType(t.Elem)
	same := s.b.Lambda("x", []core.Type{elem, elem}, bools[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Cmp(prim.Eq, ps[0], ps[1])}
	})
	and := s.b.Lambda("b", bools, bools[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(prim.LogAnd, ps[0], ps[1])}
	})
	return s.b.Let("same", &core.Screma{
		Size: n, Arrays: []core.Var{flat(x), flat(y)}, Map: same,
		Reds: []core.Operator{{Lambda: and, Neutral: []core.Operand{core.Bool(true)}, Commutative: true}},
	})
}

// apply translates a call. Arguments are given the types of the parameters; the existential sizes of the result are its
// first results.
func (s *scope) apply(e *types.Apply) []core.Operand {
	ref, ok := e.Fun.(*types.Ref)
	if !ok || s.defs[ref.Sym] == nil {
		s.ctx.Bug(e.At, "a call of something that is no definition")
	}
	d := s.defs[ref.Sym]
	if s.withAccs[d.Sym] {
		return s.inlined(d, e)
	}
	var sizes, args []core.Operand
	callee := *s
	callee.env = newEnv(nil) // the callee's types mention its parameters and constants alone
	for i, p := range d.Params {
		xs := s.exp(e.Args[i])
		t := p.Pat.Base().Type
		callee.bindSizes(p.Sizes, t, xs)
		for _, size := range p.Sizes {
			sizes = append(sizes, callee.env.get(size)...)
		}
		xs = callee.ensureAll(xs, callee.coreTypes(t))
		callee.bind(p.Pat, xs)
		args = append(args, xs...)
	}
	dst := callee.results(d.Ret)
	for i := range dst {
		dst[i].Unique = false
	}
	s.b.Bind(dst, &core.Call{Fun: d.Sym.Name, Args: append(sizes, args...)})
	return core.Vars(core.ParamVars(dst[len(d.Ret.Ext):]))
}

func (s *scope) attributed(e *types.Attributed) []core.Operand {
	in := *s
	if e.Attr.Name == "unsafe" && !s.ctx.Safe {
		in.unsafe = true
	}
	old := s.b.Attrs
	s.b.Attrs = append(old[:len(old):len(old)], core.Attr(e.Attr.String()))
	xs := in.exp(e.Exp)
	s.b.Attrs = old
	switch e.Attr.Name {
	case "trace":
		s.trace(e, xs)
	case "scratch":
		return s.scratch(xs)
	case "blank":
		return s.blank(xs)
	}
	if t := e.Attr; t.Name == "param" && len(t.Args) == 1 && len(xs) == 1 && s.b.TypeOf(xs[0]).Equal(core.I64) {
		return s.tunable(t.Args[0].String(), xs[0])
	}
	return xs
}

// scratch are arrays of undefined contents in the place of xs, which have their sizes and are not computed.
func (s *scope) scratch(xs []core.Operand) []core.Operand {
	out := slices.Clone(xs)
	for i, x := range xs {
		if t := s.b.TypeOf(x); t.IsArray() {
			out[i] = s.b.Let("scratch", &core.Scratch{Elem: t.Elem, Shape: t.Shape})
		}
	}
	return out
}

// blank are zeros in the place of xs, which are not computed.
func (s *scope) blank(xs []core.Operand) []core.Operand {
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		out[i] = s.zero(s.b.TypeOf(x))
	}
	return out
}

// tunable is the tuning parameter called name, or x if nobody sets it.
func (s *scope) tunable(name string, x core.Operand) []core.Operand {
	set := s.b.Let("param", &core.Tune{Name: name, Class: core.ClassParam})
	unset := s.b.Cmp(prim.Eq, set, core.Int(core.TuneUnset))
	return s.b.If("param", unset, []core.Type{core.I64},
		func(*core.Builder) []core.Operand { return []core.Operand{x} },
		func(*core.Builder) []core.Operand { return []core.Operand{set} })
}
