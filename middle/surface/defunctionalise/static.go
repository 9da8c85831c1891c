package defunctionalise

import (
	"fmt"
	"strconv"
	"strings"

	"skald/frontend/types"
)

// static is what is known of a value without running the program: nil for a value without functions in it, else a closure or
// a record.
//
//sumtype:decl
type static interface {
	isStatic()
	// key is equal for static values that a copy of a definition can share.
	key() string
	// typ is the type of the value at run time, given its type in the source.
	typ(source types.Type) types.Type
}

// closure is a function value: a definition and what is known of the arguments it has got so far. At run time it is a tuple
// of those arguments (a record with one field "0" if there is one).
type closure struct {
	def  *types.Def
	args []captured
}

// captured is one argument of a closure: its run-time type, and what is known of it.
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

func (*closure) isStatic() {}
func (*record) isStatic()  {}

func (c *closure) key() string {
	var b strings.Builder
	b.WriteString("f" + strconv.Itoa(c.def.Sym.ID) + "(")
	for _, a := range c.args {
		b.WriteString(keyOf(a.static) + ",")
	}
	return b.String() + ")"
}

func (r *record) key() string {
	var b strings.Builder
	b.WriteByte('{')
	for _, f := range r.fields {
		b.WriteString(f.name + ":" + keyOf(f.static) + ",")
	}
	return b.String() + "}"
}

func keyOf(s static) string {
	if s == nil {
		return "_"
	}
	return s.key()
}

func (c *closure) typ(types.Type) types.Type {
	fields := make([]types.Field, len(c.args))
	for i, a := range c.args {
		fields[i] = types.Field{Name: strconv.Itoa(i), Type: a.typ}
	}
	return &types.Record{Fields: fields}
}

func (r *record) typ(source types.Type) types.Type {
	src := types.Force(source).(*types.Record)
	fields := make([]types.Field, len(src.Fields))
	for i, f := range src.Fields {
		fields[i] = types.Field{Name: f.Name, Type: typeOf(r.field(f.Name), f.Type)}
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

// Note [Sizes of captured arrays]
//
// The types of what a closure captured mention sizes of the place where the closure was made. When the closure is passed to a
// definition, or returned from one, those are not in scope: rebind replaces them by fresh ones, which the parameter
// (Param.Sizes) or the call (Ext) binds from the shapes of the captured arrays.

// rebind gives s with fresh sizes in the types of all that it captured, and lists those sizes. Equal sizes stay equal.
func (f *defun) rebind(s static) (static, []*types.Symbol) {
	if s == nil {
		return nil, nil
	}
	var old []types.Size
	var fresh []*types.Symbol
	out := mapSizes(s, func(d types.Size) types.Size {
		if _, isConst := types.ForceSize(d).(*types.SizeConst); isConst {
			return d
		}
		for i, o := range old {
			if types.EqualSize(o, d) {
				return &types.SizeName{Sym: fresh[i]}
			}
		}
		sym := f.fresh(&types.Symbol{Name: "d", Kind: types.ExtSize}, types.I64)
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
