package check

import (
	"fmt"

	"skald/frontend/check/sizes"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// exp elaborates an expression: names are resolved, types are found up to sizes, derived forms become simpler ones.
func (in *infer) exp(s *scope, e syntax.Exp) types.Exp {
	at := e.Span()
	switch e := e.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.CharLit, *syntax.BoolLit:
		return in.literal(e, asWritten)
	case *syntax.StringLit:
		return stringLit(e)
	case *syntax.Parens:
		x := in.exp(s, e.Body)
		x.Base().At = at
		return x
	case *syntax.Var:
		return in.variable(s, e.Name)
	case *syntax.Hole:
		return &types.Hole{Info: types.Info{Type: in.anyType(at), At: at}}
	case *syntax.OpenIn:
		return in.openIn(s, e)
	case *syntax.TupleLit:
		return in.tuple(s, e)
	case *syntax.RecordLit:
		return in.record(s, e)
	case *syntax.ArrayLit:
		return in.arrayLit(s, e)
	case *syntax.Project:
		return in.project(in.exp(s, e.Exp), e.Field)
	case *syntax.Constr:
		return in.construct(s, e)
	case *syntax.Apply:
		return in.apply(s, e)
	case *syntax.Negate:
		return in.negate(s, e)
	case *syntax.Not:
		return in.not(s, e)
	case *syntax.Index:
		return in.index(s, e)
	case *syntax.Update:
		return in.update(in.exp(s, e.Src), s, e.Path, e.Value, at)
	case *syntax.Range:
		return in.rangeExp(s, e)
	case *syntax.Ascript:
		return in.ascript(s, e)
	case *syntax.Coerce:
		return in.coerce(s, e)
	case *syntax.Assert:
		return in.assert(s, e)
	case *syntax.AttrExp:
		x := in.exp(s, e.Exp)
		return &types.Attributed{Info: types.Info{Type: x.Base().Type, At: at}, Attr: in.expAttr(e.Attr), Exp: x}
	case *syntax.BinOp:
		return in.binOp(s, e)
	case *syntax.Section:
		return in.operator(s, e.Op, at)
	case *syntax.LeftSection:
		return in.leftSection(s, e)
	case *syntax.RightSection:
		return in.rightSection(s, e)
	case *syntax.PathSection:
		return in.pathSection(s, e)
	default:
		return in.control(s, e)
	}
}

// control is exp for functions, binders and control flow.
func (in *infer) control(s *scope, e syntax.Exp) types.Exp {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *syntax.Lambda:
		return in.lambda(s, e)
	case *syntax.LetPat:
		return in.letPat(s, e)
	case *syntax.LetFun:
		return in.letFun(s, e)
	case *syntax.LetWith:
		return in.letWith(s, e)
	case *syntax.If:
		return in.ifExp(s, e)
	case *syntax.Loop:
		return in.loop(s, e)
	case *syntax.Match:
		return in.match(s, e)
	default:
		panic(fmt.Sprintf("check.exp: %T", e))
	}
}

// want elaborates an expression whose type must be t.
func (in *infer) want(s *scope, e syntax.Exp, t types.Type, what string) types.Exp {
	x := in.exp(s, e)
	in.equate(e.Span(), t, x.Base().Type, func() string { return what + "\n" + expected(t, x.Base().Type) })
	return x
}

func (in *infer) exps(s *scope, es []syntax.Exp) []types.Exp {
	out := make([]types.Exp, len(es))
	for i, e := range es {
		out[i] = in.exp(s, e)
	}
	return out
}

func (in *infer) openIn(s *scope, e *syntax.OpenIn) types.Exp {
	m := in.lookupModule(s, e.Module)
	if m.functor != nil {
		in.fail(e.Module.Span(), "module-is-parametric", "Module \"%s\" is a parametric module.", e.Module)
	}
	inner := &scope{outer: s, vals: m.scope.vals, types: m.scope.types, sigs: m.scope.sigs, source: m.scope.source}
	return in.exp(inner, e.Body)
}

func (in *infer) tuple(s *scope, e *syntax.TupleLit) types.Exp {
	elems := in.exps(s, e.Elems)
	if len(elems) == 1 {
		return elems[0]
	}
	fields := make([]types.FieldExp, len(elems))
	ts := make([]types.Field, len(elems))
	for i, x := range elems {
		fields[i] = types.FieldExp{Name: fmt.Sprint(i), Exp: x}
		ts[i] = types.Field{Name: fields[i].Name, Type: x.Base().Type}
	}
	return &types.RecordLit{Info: types.Info{Type: &types.Record{Fields: ts}, At: e.At}, Fields: fields}
}

func (in *infer) record(s *scope, e *syntax.RecordLit) types.Exp {
	fields := make([]types.FieldExp, len(e.Fields))
	ts := make([]types.Field, len(e.Fields))
	for i, f := range e.Fields {
		for _, g := range e.Fields[:i] {
			if g.Name.Text == f.Name.Text {
				in.failNote(f.At, "duplicate-field", g.At,
					"Field \"%s\" previously defined in the same record.", f.Name.Text)
			}
		}
		fields[i] = types.FieldExp{Name: f.Name.Text, Exp: in.exp(s, f.Value)}
		ts[i] = types.Field{Name: f.Name.Text, Type: fields[i].Exp.Base().Type}
	}
	types.SortFields(ts)
	return &types.RecordLit{Info: types.Info{Type: &types.Record{Fields: ts}, At: e.At}, Fields: fields}
}

func (in *infer) arrayLit(s *scope, e *syntax.ArrayLit) types.Exp {
	if e.Uniform && len(e.Elems) > 16 {
		return in.constArray(e)
	}
	elem := in.elemType(e.At)
	elems := make([]types.Exp, len(e.Elems))
	for i, x := range e.Elems {
		elems[i] = in.exp(s, x)
		in.equate(x.Span(), elem, elems[i].Base().Type, func() string {
			return "The elements of an array must have the same type.\n" + expected(elem, elems[i].Base().Type)
		})
	}
	in.checkElem(elem, notExistential, e.At)
	return &types.ArrayLit{Info: types.Info{Type: in.array(1, elem), At: e.At}, Elems: elems}
}

// constArray elaborates a long array of literals of one kind.
func (in *infer) constArray(e *syntax.ArrayLit) types.Exp {
	first := in.literal(e.Elems[0], asWritten)
	elem := first.Type
	out := &types.ArrayConst{Info: types.Info{Type: in.array(1, elem), At: e.At}}
	in.later(func() {
		t := types.Force(elem).(*types.Prim).Kind
		out.Values = make([]prim.Value, len(e.Elems))
		for i, x := range e.Elems {
			out.Values[i] = in.decode(x, t, asWritten)
		}
	})
	return out
}

func stringLit(e *syntax.StringLit) types.Exp {
	values := make([]prim.Value, len(e.Value))
	for i := range len(e.Value) {
		values[i] = prim.MakeU8(e.Value[i])
	}
	t := &types.Array{Size: anySize, Elem: types.U8}
	return &types.ArrayConst{Info: types.Info{Type: t, At: e.At}, Values: values}
}

func (in *infer) project(x types.Exp, field syntax.Name) types.Exp {
	return &types.Project{
		Info: types.Info{Type: in.fieldType(x.Base().Type, field.Text, field.At), At: x.Base().At.To(field.At)},
		Exp:  x, Field: field.Text,
	}
}

// fieldType returns the type of a field of a record of type t, which may not be known yet.
func (in *infer) fieldType(t types.Type, name string, at source.Span) types.Type {
	if r, ok := types.Force(t).(*types.Record); ok {
		if ft := r.Field(name); ft != nil {
			return ft
		}
	}
	ft := in.anyType(at)
	r := in.meta(at, metaInfo{fields: []types.Field{{Name: name, Type: ft}}, lifted: types.FullLifted})
	in.equate(at, t, r, func() string {
		return fmt.Sprintf("Attempt to access field \"%s\" of a value of type\n  %s", name, show(t))
	})
	return ft
}

func (in *infer) construct(s *scope, e *syntax.Constr) types.Exp {
	args := in.exps(s, e.Args)
	c := types.Ctor{Name: e.Name.Text}
	for _, a := range args {
		c.Args = append(c.Args, a.Base().Type)
	}
	t := in.meta(e.At, metaInfo{ctors: []types.Ctor{c}, lifted: types.FullLifted})
	return &types.Construct{Info: types.Info{Type: t, At: e.At}, Ctor: e.Name.Text, Args: args}
}

func (in *infer) index(s *scope, e *syntax.Index) types.Exp {
	array := in.exp(s, e.Array)
	dims, slices := in.dims(s, e.Indices)
	elem := in.elemType(e.At)
	in.equate(e.Array.Span(), array.Base().Type, in.array(len(dims), elem), func() string {
		return fmt.Sprintf("Cannot index a value of type\n  %s\nwith %s.", show(array.Base().Type),
			count(len(dims), "index", "indices"))
	})
	return &types.Index{Info: types.Info{Type: in.array(slices, elem), At: e.At}, Array: array, Dims: dims}
}

// dims elaborates the indices of an array and counts the slices among them.
func (in *infer) dims(s *scope, ds []*syntax.DimIndex) ([]types.Dim, int) {
	out := make([]types.Dim, len(ds))
	slices := 0
	opt := func(e syntax.Exp) types.Exp {
		if e == nil {
			return nil
		}
		return in.want(s, e, types.I64, "The bounds of a slice must be i64.")
	}
	for i, d := range ds {
		if d.Fix != nil {
			out[i].Index = in.want(s, d.Fix, in.primType(d.At, anySigned), "An index must be a signed integer.")
			continue
		}
		slices++
		out[i] = types.Dim{Start: opt(d.Start), End: opt(d.End), Stride: opt(d.Stride)}
	}
	return out, slices
}

// update elaborates src with path = value.
func (in *infer) update(src types.Exp, s *scope, path []syntax.Step, value syntax.Exp, at source.Span) types.Exp {
	out := &types.Update{Info: types.Info{Type: src.Base().Type, At: at}, Src: src}
	t := src.Base().Type
	for _, step := range path {
		switch step := step.(type) {
		case *syntax.StepField:
			t = in.fieldType(t, step.Field.Text, step.At)
			out.Path = append(out.Path, types.Step{Field: step.Field.Text})
		case *syntax.StepIndex:
			dims, slices := in.dims(s, step.Indices)
			elem := in.elemType(step.At)
			in.equate(step.At, t, in.array(len(dims), elem), func() string {
				return "An update by index needs an array.\n" + expected(in.array(len(dims), elem), t)
			})
			t = in.array(slices, elem)
			out.Path = append(out.Path, types.Step{Dims: dims})
		default:
			panic(fmt.Sprintf("check.update: %T", step))
		}
	}
	out.Value = in.exp(s, value)
	in.equate(value.Span(), out.Value.Base().Type, t, func() string {
		what := "The new value"
		if last, ok := path[len(path)-1].(*syntax.StepField); ok {
			what = fmt.Sprintf("The new value of record field \"%s\"", last.Field.Text)
		}
		return fmt.Sprintf("%s has the wrong type. It is\n  %s\nbut what it replaces is\n  %s", what,
			show(out.Value.Base().Type), show(t))
	})
	return out
}

func (in *infer) rangeExp(s *scope, e *syntax.Range) types.Exp {
	elem := in.primType(e.At, anyInt)
	out := &types.Range{Info: types.Info{Type: in.array(1, elem), At: e.At}}
	out.Kind = [...]types.RangeKind{types.Inclusive, types.UpTo, types.DownTo}[e.Kind]
	const what = "The parts of a range must be integers of the same type."
	out.First = in.want(s, e.Start, elem, what)
	if e.Second != nil {
		out.Second = in.want(s, e.Second, elem, what)
	}
	out.Last = in.want(s, e.End, elem, what)
	return out
}

func (in *infer) ascript(s *scope, e *syntax.Ascript) types.Exp {
	x := in.exp(s, e.Exp)
	t, _ := in.typeExp(s, e.Type)
	plain := strip(t)
	in.equate(e.At, plain, x.Base().Type, func() string {
		return "Expression does not have expected type, that of its ascription.\n" + expected(t, x.Base().Type)
	})
	return &types.Attributed{
		Info: types.Info{Type: t, At: e.At}, Attr: types.Attr{Name: sizes.Ascription}, Exp: x,
	}
}

func (in *infer) coerce(s *scope, e *syntax.Coerce) types.Exp {
	x := in.exp(s, e.Exp)
	t, _ := in.typeExp(s, e.Type)
	in.equate(e.At, strip(t), x.Base().Type, func() string {
		return "The expression cannot be coerced.\n" + expected(t, x.Base().Type)
	})
	return &types.Coerce{Info: types.Info{Type: t, At: e.At}, Exp: x}
}

func (in *infer) assert(s *scope, e *syntax.Assert) types.Exp {
	cond := in.want(s, e.Cond, types.Bool, "The condition of an assertion must be a bool.")
	body := in.exp(s, e.Body)
	return &types.Assert{
		Info: types.Info{Type: body.Base().Type, At: e.At}, Cond: cond, Body: body, Text: e.Cond.Span().Text(),
	}
}
