package types

import (
	"sort"
	"strconv"

	"skald/runtime/prim"
)

// Type is the type of an expression.
//
//	t ::= prim | [d]t | {f: t, ...} | #c t ... | ... | (x: t) -> ?[k].t | 'a | T args
//
//sumtype:decl
type Type interface {
	isType()
	// String prints the type as source text.
	String() string
}

// Prim is a primitive type.
type Prim struct{ Kind prim.Type }

// Array is an array of one dimension more than Elem. Unique is set where the type was written `*[d]t` in a parameter
// (it is consumed) or a result (it has no aliases); it takes no part in type equality.
type Array struct {
	Unique bool
	Size   Size
	Elem   Type
}

// Record is a record or tuple type: the fields of a tuple are named "0", "1", ... and unit has none. Fields are in canonical
// order (SortFields), so that equal types have equal lists.
type Record struct{ Fields []Field }

// Field is one field of a record type.
type Field struct {
	Name string
	Type Type
}

// Sum is a sum type; constructors are sorted by name.
type Sum struct{ Ctors []Ctor }

// Ctor is one constructor of a sum type with the types of its payload.
type Ctor struct {
	Name string
	Args []Type
}

// Arrow is a function of one argument. Name, if not nil, is the symbol by which sizes in Ret refer to the argument.
type Arrow struct {
	Name  *Symbol
	Param Type
	Ret   RetType
}

// RetType is the type of a result together with the existential sizes that each application makes again: `?[k].t`.
type RetType struct {
	Ext  []*Symbol
	Type Type
}

// Var is an occurrence of a type parameter.
type Var struct {
	Unique bool
	Param  *TypeParam
}

// Con is an abstract type applied to its arguments; transparent abbreviations are expanded by the checker.
type Con struct {
	Unique bool
	Con    *TypeCon
	Args   []TypeArg
}

// TypeArg is an argument of a type constructor: exactly one of Type and Size is set.
type TypeArg struct {
	Type Type
	Size Size
}

// TypeCon is an abstract type: one that a module ascription sealed.
type TypeCon struct {
	Name   string
	ID     int
	Params []*TypeParam
	Lifted Liftedness
	// Repr is what the type stands for, in terms of Params. If Lifted permits values of different sizes, it may mention sizes that nothing
	// binds: they are those of the value at hand.
	// It is nil only while a functor's body is checked against its
	// abstract parameter, which never reaches a Prog.
	Repr Type
}

// Meta is a unification variable. Only the checker makes it; a checked Prog contains none.
type Meta struct {
	ID    int
	Bound Type // nil while unsolved
	// Info belongs to the checker: level, constraints, where it came from. If it is a fmt.Stringer, it says how the
	// variable is printed while unsolved.
	Info any
}

// Liftedness says what a type parameter may stand for, in increasing permissiveness.
type Liftedness uint8

// The three kinds of type parameter: 't, '~t and '^t.
const (
	Unlifted   Liftedness = iota // no functions, one size for all values
	SizeLifted                   // no functions, sizes may differ between values
	FullLifted                   // anything
)

func (*Prim) isType()   {}
func (*Array) isType()  {}
func (*Record) isType() {}
func (*Sum) isType()    {}
func (*Arrow) isType()  {}
func (*Var) isType()    {}
func (*Con) isType()    {}
func (*Meta) isType()   {}

// Size is a size in a type: an i64.
//
//	d ::= 12 | n | (exp) | []
//
//sumtype:decl
type Size interface {
	isSize()
	// String prints the size as it is between brackets.
	String() string
}

// SizeConst is a constant size.
type SizeConst struct{ N int64 }

// SizeName is a size given by a variable of type i64.
type SizeName struct{ Sym *Symbol }

// SizeExp is a size given by an expression of type i64 that is neither a constant nor a variable. Two such sizes are equal
// when their expressions are equal as written (EqualExp).
type SizeExp struct{ Exp Exp }

// AnySize is a size left out: `[]t`. A checked Prog contains none. In a monomorphic one it is the size that the value at hand
// has, whatever that is (Note [Open sizes] in package monomorphise).
type AnySize struct{}

func (*SizeConst) isSize() {}
func (*SizeName) isSize()  {}
func (*SizeExp) isSize()   {}
func (*AnySize) isSize()   {}

// Scalar types that the checker and the passes mention often.
var (
	I32  Type = &Prim{prim.I32}
	I64  Type = &Prim{prim.I64}
	U8   Type = &Prim{prim.U8}
	Bool Type = &Prim{prim.Bool}
)

// Unit is the type of ().
var Unit Type = &Record{}

// Tuple makes the tuple type of ts. One type alone is itself: there are no 1-tuples.
func Tuple(ts ...Type) Type {
	if len(ts) == 1 {
		return ts[0]
	}
	fields := make([]Field, len(ts))
	for i, t := range ts {
		fields[i] = Field{strconv.Itoa(i), t}
	}
	return &Record{fields}
}

// IsTuple reports whether t's fields are named 0, 1, ... in order; unit counts as a tuple, {0: t} does not.
func (t *Record) IsTuple() bool {
	if len(t.Fields) == 1 {
		return false
	}
	for i, f := range t.Fields {
		if f.Name != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// Field returns the type of the named field, or nil.
func (t *Record) Field(name string) Type {
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return nil
}

// Ctor returns the named constructor and its place in the list, or nil and -1.
func (t *Sum) Ctor(name string) (*Ctor, int) {
	for i := range t.Ctors {
		if t.Ctors[i].Name == name {
			return &t.Ctors[i], i
		}
	}
	return nil, -1
}

// SortFields puts fields in canonical order: numeric names by value and before others, the rest by bytes.
func SortFields(fields []Field) {
	sort.SliceStable(fields, func(i, j int) bool { return FieldLess(fields[i].Name, fields[j].Name) })
}

// FieldLess is the canonical order of field names.
func FieldLess(a, b string) bool {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return x < y
	case errX == nil || errY == nil:
		return errX == nil
	default:
		return a < b
	}
}

// Func makes the curried function type from params to ret.
func Func(ret RetType, params ...Type) Type {
	t := ret
	for i := len(params) - 1; i >= 0; i-- {
		t = RetType{Type: &Arrow{Param: params[i], Ret: t}}
	}
	return t.Type
}

// Force returns t with solved unification variables at its head removed.
func Force(t Type) Type {
	m, ok := t.(*Meta)
	if !ok || m.Bound == nil {
		return t
	}
	return m.force()
}

// force finds what a solved variable stands for. Variables on the way are made to stand for it at once: a chain of operators makes a
// chain of variables as long, which would otherwise be gone through again for each of them.
func (t *Meta) force() Type {
	end := t.Bound
	for {
		next, ok := end.(*Meta)
		if !ok || next.Bound == nil {
			break
		}
		end = next.Bound
	}
	for {
		next, ok := t.Bound.(*Meta)
		if !ok || next.Bound == nil {
			return end
		}
		t.Bound = end
		t = next
	}
}

// Rank returns the number of dimensions that t has as an array, and the type of its elements.
func Rank(t Type) (int, Type) {
	rank := 0
	for {
		a, ok := Force(t).(*Array)
		if !ok {
			return rank, Force(t)
		}
		rank++
		t = a.Elem
	}
}
