package interp

import (
	"fmt"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Import makes a value of the interpreter.
func Import(v value.Value) Value {
	if v.IsScalar() {
		return Value{word: v.Word(0)}
	}
	a := newArray(v.Shape(), &rtype{kind: primType, prim: v.Elem()})
	for i := range v.Len() {
		a.buf.set(i, Value{word: v.Word(i)})
	}
	return Value{ref: a}
}

// Export makes a plain value of one whose type is primitive or an array of primitives; ok is false for others.
func Export(v Value, t types.Type) (out value.Value, ok bool) {
	rank, elem := types.Rank(types.Represent(t))
	p, ok := elem.(*types.Prim)
	if !ok {
		return value.Value{}, false
	}
	if rank == 0 {
		return value.Scalar(prim.FromWord(p.Kind, v.word)), true
	}
	a := v.array()
	out = value.New(p.Kind, a.shape...)
	for i := range out.Len() {
		out.SetWord(i, a.buf.get(a.off+i).word)
	}
	return out, true
}

// exportAll appends the plain values that v consists of.
func exportAll(out []value.Value, v Value, t types.Type) ([]value.Value, error) {
	t = types.Represent(t)
	rank, elem := types.Rank(t)
	r, isRecord := elem.(*types.Record)
	if !isRecord {
		x, ok := Export(v, t)
		if !ok {
			return nil, fmt.Errorf("a result of type %s cannot be shown as plain values", t)
		}
		return append(out, x), nil
	}
	for i, f := range r.Fields {
		var part Value
		if rank == 0 {
			part = v.record().fields[i]
		} else {
			part = Value{ref: v.array().fields[i]}
		}
		var err error
		if out, err = exportAll(out, part, withRank(f.Type, rank)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// PlainTypes lists the types of the plain values that a value of type t consists of; sizes are left open. ok is false if there are
// parts that no plain value can stand for.
func PlainTypes(t types.Type) (plain []value.Type, ok bool) {
	t = types.Represent(t)
	rank, elem := types.Rank(t)
	switch elem := elem.(type) { //nolint:gochecksumtype // the others are not plain
	case *types.Prim:
		return []value.Type{value.ArrayType(elem.Kind, rank)}, true
	case *types.Record:
		for _, f := range elem.Fields {
			parts, ok := PlainTypes(withRank(f.Type, rank))
			if !ok {
				return nil, false
			}
			plain = append(plain, parts...)
		}
		return plain, true
	default:
		return nil, false
	}
}

// withRank is an array type of elements t; its sizes are of no interest.
func withRank(t types.Type, rank int) types.Type {
	for range rank {
		t = &types.Array{Size: &types.SizeConst{}, Elem: t}
	}
	return t
}

// importAll makes the arguments of an entry point from plain values.
func importAll(d *types.Def, plain []value.Value) ([]Value, error) {
	rest := plain
	args := make([]Value, len(d.Params))
	for i, p := range d.Params {
		var err error
		if args[i], err = importOne(d, p.Pat.Base().Type, &rest, len(plain)); err != nil {
			return nil, fmt.Errorf("argument %d of entry point %q: %w", i, d.Sym.Name, err)
		}
	}
	if len(rest) > 0 {
		return nil, wrongCount(d, len(plain))
	}
	return args, nil
}

func wrongCount(d *types.Def, n int) error {
	return fmt.Errorf("entry point %q takes %d arguments, but was given %d values", d.Sym.Name, len(d.Params), n)
}

// importOne takes the plain values that a value of type t consists of from the front of rest.
func importOne(d *types.Def, t types.Type, rest *[]value.Value, n int) (Value, error) {
	t = types.Represent(t)
	rank, elem := types.Rank(t)
	if r, ok := elem.(*types.Record); ok {
		fields := make([]Value, len(r.Fields))
		for i, f := range r.Fields {
			var err error
			if fields[i], err = importOne(d, withRank(f.Type, rank), rest, n); err != nil {
				return Value{}, err
			}
		}
		if rank == 0 {
			return Value{ref: &record{fields}}, nil
		}
		return zipFields(fields, rank)
	}
	if len(*rest) == 0 {
		return Value{}, wrongCount(d, n)
	}
	v := (*rest)[0]
	*rest = (*rest)[1:]
	p, ok := elem.(*types.Prim)
	if !ok {
		return Value{}, fmt.Errorf("a value of type %s cannot be made from plain values", t)
	}
	if v.Elem() != p.Kind || v.Rank() != rank {
		return Value{}, fmt.Errorf("is of type %s, but %s is expected", v.Type(), t)
	}
	return Import(v), nil
}

// zipFields makes an array of records from the arrays of their fields.
func zipFields(fields []Value, rank int) (Value, error) {
	if len(fields) == 0 {
		return Value{}, fmt.Errorf("the size of an array of empty records is not known")
	}
	a := &array{shape: fields[0].array().shape[:rank]}
	for _, f := range fields {
		if !equalShapes(a.shape, f.array().shape[:rank]) {
			return Value{}, fmt.Errorf("the fields of an array of records differ in size")
		}
		a.fields = append(a.fields, f.array())
	}
	return Value{ref: a}, nil
}
