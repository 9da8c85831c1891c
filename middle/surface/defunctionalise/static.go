package defunctionalise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/frontend/types"
)

// static is what is known of a value without running the program: nil for a value whose type has no function in it, else one of the
// variants.
//
//sumtype:decl
type static interface {
	isStatic()
	// typ is the type of the value at run time, given its type in the source.
	typ(source types.Type) types.Type
}

// closure is a function value: a definition and what is known of the arguments it has got so far. At run time it is a tuple
// of those arguments (a record with one field "0" if there is one).
type closure struct {
	def  *types.Def
	args []captured
}

// captured is one argument of a closure: what is known of it, and a type which with that determines its run-time type (typeOf). Parts of
// the type that follow from what is known are left out (skeleton): a function that captured a function would hold the types of all that
// this one captured twice, and so on.
type captured struct {
	typ    types.Type
	static static
}

// record is a record or tuple that has a function somewhere in it; fields that have none are nil.
type record struct {
	fields []field
}

// field is one field of a record.
type field struct {
	name   string
	static static
}

// variant is a value of a sum type that has functions in some payload: which constructor made it is known, and at run time it is a
// tuple of that constructor's payload.
type variant struct {
	ctor string
	args []static
}

// missing is a function, or a value of a sum type with functions, that is a hole. At run time it is the unit value, if it ever is.
type missing struct{}

func (*closure) isStatic() {}
func (*record) isStatic()  {}
func (*variant) isStatic() {}
func (*missing) isStatic() {}

func (c *closure) typ(types.Type) types.Type {
	ts := make([]types.Type, len(c.args))
	for i, a := range c.args {
		ts[i] = typeOf(a.static, a.typ)
	}
	return numbered(ts)
}

func (r *record) typ(source types.Type) types.Type {
	src := types.Force(source).(*types.Record)
	fields := make([]types.Field, len(src.Fields))
	for i, f := range src.Fields {
		fields[i] = types.Field{Name: f.Name, Type: typeOf(r.field(f.Name), f.Type)}
	}
	return &types.Record{Fields: fields}
}

func (v *variant) typ(source types.Type) types.Type {
	ts := make([]types.Type, len(v.args))
	for i, a := range v.args {
		ts[i] = typeOf(a, v.payload(source, i))
	}
	return numbered(ts)
}

// payload returns the type of one payload, from the sum type or from the type at run time.
func (v *variant) payload(t types.Type, i int) types.Type {
	if sum, ok := types.Force(t).(*types.Sum); ok {
		ctor, _ := sum.Ctor(v.ctor)
		return ctor.Args[i]
	}
	return types.Force(t).(*types.Record).Fields[i].Type
}

func (*missing) typ(types.Type) types.Type { return types.Unit }

// numbered is the record of values of the given types: a tuple, but for a single value as well.
func numbered(ts []types.Type) types.Type {
	fields := make([]types.Field, len(ts))
	for i, t := range ts {
		fields[i] = types.Field{Name: strconv.Itoa(i), Type: t}
	}
	return &types.Record{Fields: fields}
}

// typeOf is the run-time type of a value of the given source type about which s is known.
func typeOf(s static, source types.Type) types.Type {
	if s == nil {
		return source
	}
	return s.typ(source)
}

// skeleton leaves out of t, the run-time type of a value of which s is known, what s tells.
func skeleton(s static, t types.Type) types.Type {
	switch s := s.(type) {
	case nil:
		return t
	case *closure, *missing:
		return types.Unit
	case *record:
		src := types.Force(t).(*types.Record)
		fields := make([]types.Field, len(src.Fields))
		for i, f := range src.Fields {
			fields[i] = types.Field{Name: f.Name, Type: skeleton(s.field(f.Name), f.Type)}
		}
		return &types.Record{Fields: fields}
	case *variant:
		ts := make([]types.Type, len(s.args))
		for i, a := range s.args {
			ts[i] = skeleton(a, s.payload(t, i))
		}
		return numbered(ts)
	default:
		panic(fmt.Sprintf("defunctionalise: %T", s))
	}
}

// field returns what is known of the named field.
func (r *record) field(name string) static {
	for _, f := range r.fields {
		if f.name == name {
			return f.static
		}
	}
	return nil
}

// fieldOf is field for any static value: nothing is known of the fields of a value of which nothing is known.
func fieldOf(s static, name string) static {
	if r, ok := s.(*record); ok {
		return r.field(name)
	}
	return nil
}

// keyOf is equal for lists of static values that a copy of a definition can share. In their run-time types, constant sizes are the
// same then, and other sizes are equal to each other in the same places.
func keyOf(args []static) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteByte(' ')
		writeKey(&b, a)
	}
	var seen []types.Size
	for _, a := range args {
		mapSizes(a, func(d types.Size) types.Size {
			i := slices.IndexFunc(seen, func(o types.Size) bool { return sameSize(o, d) })
			if i < 0 {
				i = len(seen)
				seen = append(seen, d)
			}
			if c, isConst := d.(*types.SizeConst); isConst {
				fmt.Fprintf(&b, " =%d", c.N)
			} else {
				fmt.Fprintf(&b, " %d", i)
			}
			return d
		})
	}
	return b.String()
}

func writeKey(b *strings.Builder, s static) {
	switch s := s.(type) {
	case nil:
		b.WriteByte('_')
	case *closure:
		fmt.Fprintf(b, "f%d(", s.def.Sym.ID)
		for _, a := range s.args {
			writeKey(b, a.static)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *record:
		b.WriteByte('{')
		for _, f := range s.fields {
			b.WriteString(f.name + ":")
			writeKey(b, f.static)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case *variant:
		b.WriteString("#" + s.ctor + "(")
		for _, a := range s.args {
			writeKey(b, a)
			b.WriteByte(',')
		}
		b.WriteByte(')')
	case *missing:
		b.WriteByte('?')
	default:
		panic(fmt.Sprintf("defunctionalise: %T", s))
	}
}

// sameSize reports whether two sizes are known to be equal: one that was left out is equal to none.
func sameSize(a, b types.Size) bool {
	_, open := a.(*types.AnySize)
	return !open && types.EqualSize(a, b)
}

// Note [Sizes of captured arrays]
//
// The types of what a closure captured mention sizes of the place where the closure was made. When the closure is passed to a
// definition, or returned from one, those are not in scope: rebind replaces them by fresh ones, which the parameter
// (Param.Sizes) or the call (Ext) binds from the shapes of the captured arrays.

// rebind returns s with fresh sizes in the types of all that it captured, and lists those sizes. Equal sizes stay equal.
func (f *defun) rebind(s static) (static, []*types.Symbol) {
	if s == nil {
		return nil, nil
	}
	var old []types.Size
	var fresh []*types.Symbol
	out := mapSizes(s, func(d types.Size) types.Size {
		if _, isConst := d.(*types.SizeConst); isConst {
			return d
		}
		for i, o := range old {
			if sameSize(o, d) {
				return &types.SizeName{Sym: fresh[i]}
			}
		}
		sym := f.supply.Like(&types.Symbol{Name: "d", Kind: types.ExtSize}, types.I64)
		old, fresh = append(old, d), append(fresh, sym)
		return &types.SizeName{Sym: sym}
	})
	return out, fresh
}

// mapSizes applies m to the sizes in the types of all that s captured.
func mapSizes(s static, m func(types.Size) types.Size) static {
	switch s := s.(type) {
	case nil:
		return nil
	case *closure:
		args := make([]captured, len(s.args))
		for i, a := range s.args {
			args[i] = captured{types.MapSizes(a.typ, m), mapSizes(a.static, m)}
		}
		return &closure{s.def, args}
	case *record:
		fields := make([]field, len(s.fields))
		for i, fl := range s.fields {
			fields[i] = field{fl.name, mapSizes(fl.static, m)}
		}
		return &record{fields}
	case *variant:
		args := make([]static, len(s.args))
		for i, a := range s.args {
			args[i] = mapSizes(a, m)
		}
		return &variant{s.ctor, args}
	case *missing:
		return s
	default:
		panic(fmt.Sprintf("defunctionalise: %T", s))
	}
}

// makeRecord returns nil where no field has a function in it.
func makeRecord(fields []field) static {
	for _, f := range fields {
		if f.static != nil {
			return &record{fields}
		}
	}
	return nil
}
