package interp

import (
	"fmt"
	"strings"

	"skald/frontend/types"
)

// sizeReader reads a size off a value; false means that this value does not show it. The value is depth dimensions
// inside of arrays, where its own shape is the rest of theirs.
type sizeReader func(v Value, depth int) (int, bool)

// bindSizes compiles the binding of size symbols to what values of type t show. It is nil if there are none.
func (s *scope) bindSizes(syms []*types.Symbol, t types.Type) func(f *frame, v Value) {
	if len(syms) == 0 {
		return nil
	}
	t = types.Represent(t)
	slots := make([]int, len(syms))
	readers := make([][]sizeReader, len(syms))
	for i, sym := range syms {
		slots[i] = s.bind(sym)
		readers[i] = readersOf(t, sym)
	}
	return func(f *frame, v Value) {
		for i, slot := range slots {
			n := -1
			for _, read := range readers[i] {
				if k, ok := read(v, 0); ok {
					n = k
					break
				}
			}
			f.slots[slot] = intValue(int64(n))
		}
	}
}

// readersOf lists the places in t that show sym.
func readersOf(t types.Type, sym *types.Symbol) []sizeReader {
	switch t := types.Force(t).(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Array:
		return arrayReaders(t, sym)
	case *types.Record:
		var readers []sizeReader
		for i, f := range t.Fields {
			for _, read := range readersOf(f.Type, sym) {
				readers = append(readers, func(v Value, depth int) (int, bool) {
					if depth > 0 {
						return read(Value{ref: v.array().fields[i]}, depth)
					}
					return read(v.record().fields[i], 0)
				})
			}
		}
		return readers
	case *types.Sum:
		return sumReaders(t, sym)
	case *types.Prim, *types.Arrow, *types.Var, *types.Con:
		return nil
	default:
		panic(fmt.Sprintf("interp: sizes of %T", t))
	}
}

func arrayReaders(t *types.Array, sym *types.Symbol) []sizeReader {
	var readers []sizeReader
	if d, ok := t.Size.(*types.SizeName); ok && d.Sym == sym {
		readers = append(readers, func(v Value, depth int) (int, bool) { return v.array().shape[depth], true })
	}
	for _, read := range readersOf(t.Elem, sym) {
		readers = append(readers, func(v Value, depth int) (int, bool) { return read(v, depth+1) })
	}
	return readers
}

func sumReaders(t *types.Sum, sym *types.Symbol) []sizeReader {
	var readers []sizeReader
	for ctor, c := range t.Ctors {
		for i, arg := range c.Args {
			for _, read := range readersOf(arg, sym) {
				readers = append(readers, func(v Value, depth int) (int, bool) {
					u, ok := someElement(v, depth)
					if !ok || u.ref.(*sum).ctor != ctor {
						return 0, false
					}
					return read(u.ref.(*sum).args[i], 0)
				})
			}
		}
	}
	return readers
}

// someElement is an element of an array of the given depth; sums do not show sizes in the shapes of arrays around them.
func someElement(v Value, depth int) (Value, bool) {
	if depth == 0 {
		return v, true
	}
	a := v.array()
	if product(a.shape) == 0 {
		return Value{}, false
	}
	return a.buf.get(a.off), true
}

// coerce compiles `e :> t`.
func (s *scope) coerce(e *types.Coerce) eval {
	x := s.exp(e.Exp)
	t, known := s.typeOf(e.Type)
	st := s.site(e.At)
	return func(f *frame) Value {
		v := x(f)
		want := known
		if want == nil {
			want = t(f)
		}
		if !fits(v, 0, want) {
			f.m.fail(st.at, "Value of shape %s cannot match shape of type \"%s\".", shapeText(v, want), want)
		}
		return v
	}
}

// fits reports whether the shape of v, depth dimensions inside of arrays, is that of t.
func fits(v Value, depth int, t *rtype) bool {
	switch t.kind {
	case arrayType:
		a := v.array()
		if t.dim >= 0 && a.shape[depth] != t.dim {
			return false
		}
		return fits(v, depth+1, t.elem)
	case recordType:
		for i, field := range t.fields {
			if depth > 0 {
				if !fits(Value{ref: v.array().fields[i]}, depth, field) {
					return false
				}
			} else if !fits(v.record().fields[i], 0, field) {
				return false
			}
		}
		return true
	case sumType:
		u, ok := someElement(v, depth)
		if !ok {
			return true
		}
		for i, arg := range t.ctors[u.ref.(*sum).ctor] {
			if !fits(u.ref.(*sum).args[i], 0, arg) {
				return false
			}
		}
		return true
	default:
		return true
	}
}

// shapeText describes v, which is of type t up to sizes, by its own sizes.
func shapeText(v Value, t *rtype) string {
	return t.sizedBy(v, 0).String()
}

// sizedBy is t with the sizes that v shows.
func (t *rtype) sizedBy(v Value, depth int) *rtype {
	switch t.kind {
	case arrayType:
		return &rtype{kind: arrayType, dim: v.array().shape[depth], elem: t.elem.sizedBy(v, depth+1)}
	case recordType:
		out := &rtype{kind: recordType, names: t.names, fields: make([]*rtype, len(t.fields))}
		for i, field := range t.fields {
			if depth > 0 {
				out.fields[i] = field.sizedBy(Value{ref: v.array().fields[i]}, depth)
			} else {
				out.fields[i] = field.sizedBy(v.record().fields[i], 0)
			}
		}
		return out
	default:
		return t
	}
}

// String prints the type as source text.
func (t *rtype) String() string {
	switch t.kind {
	case primType:
		return t.prim.String()
	case arrayType:
		if t.dim < 0 {
			return "[]" + t.elem.String()
		}
		return fmt.Sprintf("[%d]%s", t.dim, t.elem)
	case recordType:
		return t.recordText()
	case sumType:
		ctors := make([]string, len(t.ctors))
		for i, args := range t.ctors {
			ctors[i] = "#" + t.names[i]
			for _, a := range args {
				ctors[i] += " " + a.String()
			}
		}
		return "(" + strings.Join(ctors, " | ") + ")"
	default:
		return "function"
	}
}

func (t *rtype) recordText() string {
	parts := make([]string, len(t.fields))
	if t.isTuple() {
		for i, f := range t.fields {
			parts[i] = f.String()
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	for i, f := range t.fields {
		parts[i] = t.names[i] + ": " + f.String()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (t *rtype) isTuple() bool {
	for i, name := range t.names {
		if name != fmt.Sprint(i) {
			return false
		}
	}
	return len(t.names) != 1
}
