package interp

// Value is what an expression evaluates to.
//
// A scalar is a canonical word of its primitive type (see runtime/prim); which type that is, the program says.
// Everything else is in ref. A scalar under differentiation has both: its primal value as the word, so that whatever
// needs only that (an index, a condition, a size) need not look further, and its derivative information in ref (see
// ad.go).
type Value struct {
	word uint64
	ref  ref
}

// ref is the part of a value that is not a scalar word.
//
//sumtype:decl
type ref interface{ isRef() }

// record is a record or tuple: the values of its fields in canonical order. It is immutable, though arrays in it may be
// updated in place.
type record struct{ fields []Value }

// sum is a value of a sum type: the number of its constructor in canonical order, and the payload.
type sum struct {
	ctor int
	args []Value
}

// function is a closure: code, the values of the variables that it captured, and the arguments that it has been given
// already.
type function struct {
	code *code
	caps []Value
	args []Value
}

// typeArg is a type that a polymorphic function was given.
type typeArg struct{ t *rtype }

// accumulator is a write-only view of an array (types.ScatterStream, types.HistStream).
type accumulator struct {
	dest *array
	op   *caller // nil for plain writes
}

func (*record) isRef()      {}
func (*sum) isRef()         {}
func (*function) isRef()    {}
func (*typeArg) isRef()     {}
func (*accumulator) isRef() {}
func (*array) isRef()       {}

func intValue(x int64) Value { return Value{word: uint64(x)} }

func boolValue(b bool) Value {
	if b {
		return Value{word: 1}
	}
	return Value{}
}

func (v Value) int() int            { return int(int64(v.word)) }
func (v Value) array() *array       { return v.ref.(*array) }
func (v Value) record() *record     { return v.ref.(*record) }
func (v Value) function() *function { return v.ref.(*function) }

// pair makes a record of two fields with one allocation.
func pair(x, y Value) Value {
	p := &struct {
		record
		space [2]Value
	}{space: [2]Value{x, y}}
	p.fields = p.space[:]
	return Value{ref: &p.record}
}

// tuple makes a record of the given fields.
func tuple(fields ...Value) Value { return Value{ref: &record{fields}} }
