package types

import (
	"fmt"
	"strings"
)

// Intrinsic is one of the polymorphic operations that the prelude's sources reach as `intrinsics.NAME` and that no Futhark text
// could define. Scalar functions are not here: they are Ops.
type Intrinsic uint8

// The intrinsics. Their names and types are those of intrinsicTable; Builtin.TypeArgs follows the type and size parameters of the type
// there.
const (
	NoIntrinsic Intrinsic = iota
	Map
	Reduce
	// ReduceComm is Reduce with a commutative operator.
	ReduceComm
	// Scan is inclusive.
	Scan
	// Hist1D and its kin ignore indices outside the destination. Their first argument is a hint of how often a bin is hit.
	Hist1D
	Hist2D
	Hist3D
	// Scatter1D and its kin ignore indices outside the destination.
	Scatter1D
	Scatter2D
	Scatter3D
	// FlatMap concatenates what its function returns, which may differ in length, with the descriptors of the segments.
	FlatMap
	Zip
	Unzip
	Concat
	Flatten
	// Unflatten checks at run time that the shapes fit.
	Unflatten
	Transpose
	// Manifest is a copy in row-major order.
	Manifest
	Replicate
	AccWrite
	ScatterStream
	HistStream
	// JVP is a forward-mode derivative.
	JVP
	// VJP is a reverse-mode derivative.
	VJP
	// JMP is JVP for several directions at once.
	JMP
	// MJP is VJP for several directions at once.
	MJP
	// WithVJP is a function with a derivative of the programmer's own.
	WithVJP
	// FlatIndex2D and its kin are slices by offset and strides.
	FlatIndex2D
	FlatIndex3D
	FlatIndex4D
	FlatUpdate2D
	FlatUpdate3D
	FlatUpdate4D
)

// intrinsicTable is what there is to know of each intrinsic: its name in the module `intrinsics`, its type as a declaration of a
// value has it, and which of its arguments are functions, of how many arguments each.
var intrinsicTable = [...]struct {
	name, typ string
	functions map[int]int
}{
	Map:        {"map", "'a 'b [n] : (f: a -> b) -> (as: [n]a) -> *[n]b", map[int]int{0: 1}},
	Reduce:     {"reduce", "'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a", map[int]int{0: 2}},
	ReduceComm: {"reduce_comm", "'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a", map[int]int{0: 2}},
	Scan:       {"scan", "'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a", map[int]int{0: 2}},
	Hist1D:     {"hist_1d", "'a [k] [n] : i64 -> *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a", map[int]int{2: 2}},
	Hist2D: {
		"hist_2d",
		"'a [k] [l] [n] : i64 -> *[k][l]a -> (a -> a -> a) -> a -> [n](i64, i64) -> [n]a -> *[k][l]a",
		map[int]int{2: 2},
	},
	Hist3D: {
		"hist_3d",
		"'a [k] [l] [m] [n] : i64 -> *[k][l][m]a -> (a -> a -> a) -> a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a",
		map[int]int{2: 2},
	},
	Scatter1D: {"scatter", "'a [k] [n] : *[k]a -> [n]i64 -> [n]a -> *[k]a", nil},
	Scatter2D: {"scatter_2d", "'a [k] [l] [n] : *[k][l]a -> [n](i64, i64) -> [n]a -> *[k][l]a", nil},
	Scatter3D: {"scatter_3d", "'a [k] [l] [m] [n] : *[k][l][m]a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a", nil},
	FlatMap: {
		"flatmap",
		"'a 'b 'c [n] : (a -> ?[k].([k]b, c)) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)",
		map[int]int{0: 1},
	},
	Zip:       {"zip", "'a 'b [n] : [n]a -> [n]b -> *[n](a, b)", nil},
	Unzip:     {"unzip", "'a 'b [n] : [n](a, b) -> ([n]a, [n]b)", nil},
	Concat:    {"concat", "'a [n] [m] : [n]a -> [m]a -> *[n + m]a", nil},
	Flatten:   {"flatten", "'a [n] [m] : [n][m]a -> [n * m]a", nil},
	Unflatten: {"unflatten", "'a [n] [m] : [n * m]a -> [n][m]a", nil},
	Transpose: {"transpose", "'a [n] [m] : [n][m]a -> [m][n]a", nil},
	Manifest:  {"manifest", "'a : a -> *a", nil},
	Replicate: {"replicate", "'a : (n: i64) -> a -> *[n]a", nil},
	AccWrite:  {"acc_write", "[k] 'a : *acc ([k]a) -> i64 -> a -> *acc ([k]a)", nil},
	ScatterStream: {
		"scatter_stream",
		"'a 'b [k] [n] : *[k]a -> (*acc ([k]a) -> b -> acc ([k]a)) -> [n]b -> *[k]a",
		map[int]int{1: 2},
	},
	HistStream: {
		"hist_stream",
		"'a 'b [k] [n] : *[k]a -> (a -> a -> a) -> a -> (*acc ([k]a) -> b -> acc ([k]a)) -> [n]b -> *[k]a",
		map[int]int{1: 2, 3: 2},
	},
	JVP:         {"jvp2", "'a 'b : (a -> b) -> a -> a -> (b, b)", map[int]int{0: 1}},
	VJP:         {"vjp2", "'a 'b : (a -> b) -> a -> b -> (b, a)", map[int]int{0: 1}},
	JMP:         {"jmp2", "'a 'b [n] : (a -> b) -> a -> [n]a -> (b, [n]b)", map[int]int{0: 1}},
	MJP:         {"mjp2", "'a 'b [n] : (a -> b) -> a -> [n]b -> (b, [n]a)", map[int]int{0: 1}},
	WithVJP:     {"with_vjp", "'a 'b : (a -> b) -> (b -> b -> a) -> a -> b", map[int]int{0: 1, 1: 2}},
	FlatIndex2D: {"flat_index_2d", "'a [n] : [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l].[k][l]a", nil},
	FlatIndex3D: {
		"flat_index_3d",
		"'a [n] : [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l][m].[k][l][m]a", nil,
	},
	FlatIndex4D: {
		"flat_index_4d",
		"'a [n] : [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l][m][p].[k][l][m][p]a", nil,
	},
	FlatUpdate2D: {"flat_update_2d", "'a [n] [k] [l] : *[n]a -> i64 -> i64 -> i64 -> [k][l]a -> *[n]a", nil},
	FlatUpdate3D: {"flat_update_3d", "'a [n] [k] [l] [m] : *[n]a -> i64 -> i64 -> i64 -> i64 -> [k][l][m]a -> *[n]a", nil},
	FlatUpdate4D: {
		"flat_update_4d",
		"'a [n] [k] [l] [m] [p] : *[n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> [k][l][m][p]a -> *[n]a", nil,
	},
}

// String returns the name under which the prelude's sources reach the intrinsic.
func (i Intrinsic) String() string { return intrinsicTable[i].name }

// IsParallel reports whether the intrinsic runs a function on the elements of an array or updates elements at many indices: whether it
// is a parallel operation in the sense of the language, or has some inside.
func (i Intrinsic) IsParallel() bool {
	switch i {
	case Scatter1D, Scatter2D, Scatter3D:
		return true
	case AccWrite:
		return false
	default:
		return len(intrinsicTable[i].functions) > 0
	}
}

// Intrinsics maps the names of the module `intrinsics` to the intrinsics.
func Intrinsics() map[string]Intrinsic {
	m := make(map[string]Intrinsic, len(intrinsicTable))
	for i := NoIntrinsic + 1; int(i) < len(intrinsicTable); i++ {
		m[i.String()] = i
	}
	return m
}

// IntrinsicDeclarations declares the module `intrinsics`, a line for each intrinsic, in the syntax of module types.
func IntrinsicDeclarations() string {
	var b strings.Builder
	for _, d := range intrinsicTable[NoIntrinsic+1:] {
		fmt.Fprintf(&b, "val %s %s\n", d.name, d.typ)
	}
	return b.String()
}

// FunctionArity returns how many arguments the i-th argument of the intrinsic takes, or 0 if that is not a function.
func (i Intrinsic) FunctionArity(arg int) int { return intrinsicTable[i].functions[arg] }
