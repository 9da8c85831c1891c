package evaluate

import (
	"fmt"
	"io"
	"strconv"

	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/value"
)

// Value is a value in FutharkScript, or a function.
type Value struct {
	// Type is its type; nil for a function. Text is how the entry point's source writes it, "" where nothing does.
	Type types.Type
	Text string
	// Parts are the plain values that entry points take and give for it, in the canonical order of fields.
	Parts []value.Value
	// Fun is the entry point that a function calls, and Args its first arguments.
	Fun  string
	Args []Value
	// names and elems are the fields of a record that an expression makes. One with a function in it has no type.
	names []string
	elems []Value
}

// IsFunction reports whether v is a function, which is no value that can be shown.
func (v Value) IsFunction() bool { return v.Fun != "" }

// Plain makes a Value of a scalar or an array.
func Plain(v value.Value) Value {
	var t types.Type = &types.Prim{Kind: v.Elem()}
	for range v.Rank() {
		t = &types.Array{Size: &types.AnySize{}, Elem: t}
	}
	return Value{Type: t, Parts: []value.Value{v}}
}

// Describe is the type of a value, for messages.
func (v Value) Describe() string {
	switch {
	case v.Text != "":
		return v.Text
	case v.Type != nil:
		return v.Type.String()
	case v.IsFunction():
		return "of a function"
	default:
		return "of a record with a function in it"
	}
}

// IsPlain reports whether a value is one scalar or array of scalars.
func (v Value) IsPlain() bool {
	if v.Type == nil || len(v.Parts) != 1 {
		return false
	}
	plain, ok := interp.PlainTypes(v.Type)
	_, isRecord := types.Represent(v.Type).(*types.Record)
	return ok && len(plain) == 1 && !isRecord
}

// record joins values to a record; fields names them.
func record(fields []string, vs []Value) Value {
	parts := map[string]Value{}
	t := &types.Record{}
	whole := true
	for i, name := range fields {
		parts[name] = vs[i]
		t.Fields = append(t.Fields, types.Field{Name: name, Type: vs[i].Type})
		whole = whole && vs[i].Type != nil
	}
	types.SortFields(t.Fields)
	out := Value{}
	for _, f := range t.Fields {
		out.names = append(out.names, f.Name)
		out.elems = append(out.elems, parts[f.Name])
		out.Parts = append(out.Parts, parts[f.Name].Parts...)
	}
	if whole {
		out.Type = t
	}
	return out
}

// Tuple joins values to a tuple; one value alone is itself.
func Tuple(vs ...Value) Value {
	if len(vs) == 1 {
		return vs[0]
	}
	names := make([]string, len(vs))
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	return record(names, vs)
}

// Fields lists the fields of a record; ok is false if v is none, or has parts that no plain value stands for.
func (v Value) Fields() (names []string, parts []Value, ok bool) {
	if v.names != nil {
		return v.names, v.elems, true
	}
	if v.Type == nil {
		return nil, nil, false
	}
	t, ok := types.Represent(v.Type).(*types.Record)
	if !ok {
		return nil, nil, false
	}
	counts, ok := partCounts(t, len(v.Parts))
	if !ok {
		return nil, nil, false
	}
	rest := v.Parts
	for i, f := range t.Fields {
		names = append(names, f.Name)
		parts = append(parts, Value{Type: f.Type, Parts: rest[:counts[i]]})
		rest = rest[counts[i]:]
	}
	return names, parts, true
}

// partCounts says how many of all parts each field of a record has. One field may have parts that are not known from its type, such as
// a sum's: it has what the others leave.
func partCounts(t *types.Record, all int) (counts []int, ok bool) {
	unknown := -1
	for i, f := range t.Fields {
		plain, ok := interp.PlainTypes(f.Type)
		if !ok && unknown >= 0 {
			return nil, false
		}
		if !ok {
			unknown = i
		}
		counts = append(counts, len(plain))
		all -= len(plain)
	}
	if unknown >= 0 {
		counts[unknown] = all
		return counts, all >= 0
	}
	return counts, all == 0
}

// Write writes a value as text: plain values as Futhark's text format has them, tuples and records around them; what has no such form
// as its type.
func (v Value) Write(w io.Writer) error {
	if v.IsPlain() {
		return value.WriteText(w, v.Parts[0])
	}
	names, parts, ok := v.Fields()
	if !ok {
		_, err := io.WriteString(w, "#<"+v.Describe()+">")
		return err
	}
	isTuple := true
	for i, name := range names {
		isTuple = isTuple && name == strconv.Itoa(i)
	}
	begin, end := "{", "}"
	if isTuple {
		begin, end = "(", ")"
	}
	for i, part := range parts {
		label := begin
		if i > 0 {
			label = ", "
		}
		if !isTuple {
			label += names[i] + " = "
		}
		if _, err := io.WriteString(w, label); err != nil {
			return err
		}
		if err := part.Write(w); err != nil {
			return err
		}
	}
	if len(parts) == 0 {
		end = "()"
	}
	_, err := io.WriteString(w, end)
	return err
}
