package types

import (
	"fmt"
	"strings"

	"skald/runtime/prim"
)

// exp prints an expression on one line, as source that may need parentheses where it is an operand.
func (s *sourcePrinter) exp(e Exp) string {
	switch e := e.(type) {
	case *Const:
		return e.Value.String()
	case *ArrayConst:
		parts := make([]string, len(e.Values))
		for i, v := range e.Values {
			parts[i] = v.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *Ref:
		return s.name(e.Sym)
	case *RecordLit:
		return s.recordLit(e)
	case *ArrayLit:
		return "[" + strings.Join(s.exps(e.Elems), ", ") + "]"
	case *Project:
		return s.atom(e.Exp) + "." + e.Field
	case *Construct:
		return "(#" + e.Ctor + s.args(e.Args) + ") : " + s.typeAtom(Represent(WithUnique(e.Type, NotUnique)))
	case *Update:
		return s.update(e)
	case *Index:
		return s.atom(e.Array) + s.dims(e.Dims)
	case *Lambda:
		return s.lambda(e)
	case *Apply:
		return s.apply(e)
	case *Op:
		return s.op(e)
	case *Equal:
		op := " == "
		if e.Negate {
			op = " != "
		}
		return s.atom(e.X) + op + s.atom(e.Y)
	case *Builtin:
		return "intrinsics." + e.Fn.String() + s.args(e.Args)
	case *Range:
		return s.rangeText(e)
	case *Coerce:
		return s.coerce(s.atom(e.Exp), e.Type)
	case *Assert:
		return "assert " + s.atom(e.Cond) + " " + s.atom(e.Body)
	case *Attributed:
		return "#[" + e.Attr.String() + "] " + s.exp(e.Exp)
	case *Hole:
		return "???"
	case *If, *Match, *Let, *LetFun, *Loop:
		return s.inline(e)
	default:
		panic(fmt.Sprintf("types.Source: %T", e))
	}
}

// inline prints on one line what is usually printed on several.
func (s *sourcePrinter) inline(e Exp) string {
	inner := &sourcePrinter{printedNames: s.printedNames}
	s.scoped(func() { inner.block(e) })
	return strings.Join(strings.Fields(inner.b.String()), " ")
}

// atom prints an expression so that it can be an operand of anything.
func (s *sourcePrinter) atom(e Exp) string {
	switch e := e.(type) {
	case *Ref, *RecordLit, *ArrayLit, *ArrayConst, *Hole:
		return s.exp(e)
	case *Const:
		if !e.Value.IsNegative() {
			return s.exp(e)
		}
	default:
	}
	return "(" + s.exp(e) + ")"
}

func (s *sourcePrinter) exps(es []Exp) []string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = s.exp(e)
	}
	return parts
}

func (s *sourcePrinter) args(es []Exp) string {
	var b strings.Builder
	for _, e := range es {
		b.WriteString(" " + s.atom(e))
	}
	return b.String()
}

// apply prints an application. After defunctionalisation the sizes of an argument may be known to equal those of the parameter only from
// what the closure captured; then a coercion says so.
func (s *sourcePrinter) apply(e *Apply) string {
	out := s.atom(e.Fun)
	t := e.Fun.Base().Type
	sub := Subst{Sizes: map[*Symbol]Size{}}
	for _, a := range e.Args {
		arrow, ok := Force(t).(*Arrow)
		if !ok {
			out += " " + s.atom(a)
			continue
		}
		want := sub.inScope(arrow.Param, a.Base().Type)
		if _, isFunction := want.(*Arrow); isFunction || sameSizes(want, a.Base().Type) {
			out += " " + s.atom(a)
		} else {
			out += " (" + s.coerce(s.atom(a), want) + ")"
		}
		if p, ok := Force(arrow.Param).(*Prim); ok && arrow.Name != nil && p.Kind == prim.I64 {
			sub.Sizes[arrow.Name] = ExpToSize(a)
		}
		t = arrow.Ret.Type
	}
	got := sub.inScope(t, e.Type)
	if _, isFunction := got.(*Arrow); !isFunction && len(e.Ext) == 0 && !sameSizes(got, e.Type) {
		return s.coerce(out, e.Type)
	}
	return out
}

// coerce prints a coercion to the sizes of a type, if there is one whose name is in scope.
func (s *sourcePrinter) coerce(text string, t Type) string {
	if s.inSize || !s.showsSizes(t) {
		return text
	}
	return text + " :> " + s.typ(WithUnique(t, NotUnique))
}

// inScope applies s to a parameter's type, and replaces the sizes that the parameter itself binds (Param.Sizes) by those of the argument.
func (s Subst) inScope(param, arg Type) Type {
	args := SizesIn(arg)
	i := -1
	return MapSizes(param, func(d Size) Size {
		i++
		name, ok := d.(*SizeName)
		if ok && name.Sym.Kind == ExtSize && s.Sizes[name.Sym] == nil && i < len(args) {
			return args[i]
		}
		return s.Size(d)
	})
}

// sameSizes reports whether two types that are equal up to sizes have the same sizes as written.
func sameSizes(t, u Type) bool {
	ts, us := SizesIn(t), SizesIn(u)
	if len(ts) != len(us) {
		return true
	}
	for i := range ts {
		if !EqualSize(ts[i], us[i]) {
			return false
		}
	}
	return true
}

func (s *sourcePrinter) recordLit(e *RecordLit) string {
	tuple := Force(e.Type).(*Record).IsTuple()
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = s.exp(f.Exp)
		if !tuple {
			parts[i] = f.Name + " = " + parts[i]
		}
	}
	return bracket(tuple, parts)
}

func (s *sourcePrinter) update(e *Update) string {
	var path strings.Builder
	for i, step := range e.Path {
		switch {
		case step.Dims != nil:
			path.WriteString(s.dims(step.Dims))
		case i == 0:
			path.WriteString(step.Field)
		default:
			path.WriteString("." + step.Field)
		}
	}
	return s.atom(e.Src) + " with " + path.String() + " = " + s.atom(e.Value)
}

func (s *sourcePrinter) dims(ds []Dim) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		switch {
		case d.Index != nil:
			parts[i] = s.exp(d.Index)
		case d.Stride != nil:
			parts[i] = s.maybe(d.Start) + ":" + s.maybe(d.End) + ":" + s.maybe(d.Stride)
		default:
			parts[i] = s.maybe(d.Start) + ":" + s.maybe(d.End)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (s *sourcePrinter) maybe(e Exp) string {
	if e == nil {
		return ""
	}
	return s.atom(e)
}

// lambda prints an anonymous function. It can neither bind sizes nor name those of its result: a let in the body binds the sizes and,
// again, the parameters that show them.
func (s *sourcePrinter) lambda(e *Lambda) string {
	var out string
	s.scoped(func() {
		var syms []*Symbol
		for _, p := range e.Params {
			if len(p.Sizes) > 0 {
				syms = append(syms, PatSymbols(p.Pat)...)
			}
		}
		rebound := s.resized(syms)
		params := make([]string, len(e.Params))
		outer := s.renamed(rebound, func() {
			for i, p := range e.Params {
				params[i] = s.param(p)
			}
		})
		result := s.typeAtom(Represent(e.Ret.Type))
		inner := &sourcePrinter{printedNames: s.printedNames}
		inner.rebind(rebound, outer)
		body := strings.ReplaceAll(inner.b.String(), "\n", " ") + s.exp(e.Body)
		out = "\\" + strings.Join(params, " ") + " : " + result + " -> " + body
	})
	return out
}

func (s *sourcePrinter) op(e *Op) string {
	switch e.Op.Kind {
	case BinaryOp:
		if infix := e.Op.Bin.Symbol(); !isWord(infix) {
			return s.atom(e.Args[0]) + " " + infix + " " + s.atom(e.Args[1])
		}
		return fmt.Sprintf("intrinsics.%s_%s%s", e.Op.Bin, e.Op.Type, s.args(e.Args))
	case CompareOp:
		return s.atom(e.Args[0]) + " " + e.Op.Cmp.Symbol() + " " + s.atom(e.Args[1])
	case UnaryOp:
		if prefix := e.Op.Un.Symbol(); !isWord(prefix) {
			return prefix + s.atom(e.Args[0])
		}
		return fmt.Sprintf("intrinsics.%s_%s%s", e.Op.Un, e.Op.Type, s.args(e.Args))
	case ConvertOp:
		return fmt.Sprintf("intrinsics.%s_to_%s%s", e.Op.Type, e.Op.To, s.args(e.Args))
	case FuncOp:
		return fmt.Sprintf("intrinsics.%s_%s%s", e.Op.Func, e.Op.Type, s.args(e.Args))
	default:
		panic(fmt.Sprintf("types.Source: operator kind %d", e.Op.Kind))
	}
}

func isWord(symbol string) bool { return symbol != "" && symbol[0] >= 'a' && symbol[0] <= 'z' }

func (s *sourcePrinter) rangeText(e *Range) string {
	out := s.atom(e.First)
	if e.Second != nil {
		out += ".." + s.atom(e.Second)
	}
	return out + map[RangeKind]string{Inclusive: "...", UpTo: "..<", DownTo: "..>"}[e.Kind] + s.atom(e.Last)
}
