package types

import (
	"fmt"
	"strings"

	"skald/runtime/prim"
)

// ExpText prints a small expression on one line, for sizes in types and messages; what has no short form prints as "...".
func ExpText(e Exp) string {
	switch e := e.(type) {
	case *Const:
		return e.Value.String()
	case *Ref:
		return e.Sym.Name
	case *Project:
		return expAtom(e.Exp) + "." + e.Field
	case *Apply:
		return expAtom(e.Fun) + spaced(e.Args)
	case *Builtin:
		return e.Fn.String() + spaced(e.Args)
	case *Op:
		return opText(e)
	case *Index:
		dims := make([]string, len(e.Dims))
		for i, d := range e.Dims {
			if d.Index == nil {
				return "..."
			}
			dims[i] = ExpText(d.Index)
		}
		return expAtom(e.Array) + "[" + strings.Join(dims, ", ") + "]"
	case *RecordLit:
		parts := make([]string, len(e.Fields))
		for i, f := range e.Fields {
			parts[i] = ExpText(f.Exp)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case *ArrayLit:
		return listText(e.Elems, ExpText)
	case *ArrayConst:
		return listText(e.Values, prim.Value.String)
	case *Construct:
		return "#" + e.Ctor + spaced(e.Args)
	default:
		return "..."
	}
}

// listText prints the first elements of an array.
func listText[T any](elems []T, text func(T) string) string {
	const shown = 8
	var parts []string
	for _, x := range elems[:min(shown, len(elems))] {
		parts = append(parts, text(x))
	}
	if len(elems) > shown {
		parts = append(parts, "...")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func opText(e *Op) string {
	switch e.Op.Kind {
	case BinaryOp:
		return fmt.Sprintf("%s %s %s", expAtom(e.Args[0]), e.Op.Bin.Symbol(), expAtom(e.Args[1]))
	case CompareOp:
		return fmt.Sprintf("%s %s %s", expAtom(e.Args[0]), e.Op.Cmp.Symbol(), expAtom(e.Args[1]))
	case UnaryOp:
		return e.Op.Un.String() + " " + expAtom(e.Args[0])
	case ConvertOp:
		return fmt.Sprintf("%s.%s%s", e.Op.To, e.Op.Type, spaced(e.Args))
	case FuncOp:
		return e.Op.Func.String() + spaced(e.Args)
	default:
		panic(fmt.Sprintf("types.ExpText: operator kind %d", e.Op.Kind))
	}
}

func spaced(args []Exp) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(" " + expAtom(a))
	}
	return b.String()
}

// expAtom prints e so that it can stand as an argument.
func expAtom(e Exp) string {
	s := ExpText(e)
	switch e.(type) {
	case *Const, *Ref, *Project, *Index, *RecordLit, *ArrayLit, *ArrayConst:
		return s
	default:
	}
	if s == "..." {
		return s
	}
	return "(" + s + ")"
}
