package types

// Intrinsic is one of the polymorphic operations that the prelude's sources reach as `intrinsics.NAME` and that no Futhark text
// could define. Scalar functions are not here: they are Ops.
type Intrinsic uint8

// The intrinsics, each with its type. Builtin.TypeArgs follows the parameters in the order in which they are listed here.
const (
	NoIntrinsic Intrinsic = iota
	// Map: 'a 'b [n] (f: a -> b) (as: [n]a) : *[n]b.
	Map
	// Reduce: 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : a.
	Reduce
	// ReduceComm is Reduce with a commutative operator.
	ReduceComm
	// Scan: 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a, inclusive.
	Scan
	// Hist1D: 'a [k] [n] (rf: i64) (dest: *[k]a) (op) (ne: a) (is: [n]i64) (as: [n]a) : *[k]a; indices outside are ignored.
	Hist1D
	// Hist2D: 'a [k] [l] [n] (rf: i64) (dest: *[k][l]a) (op) (ne: a) (is: [n](i64, i64)) (as: [n]a) : *[k][l]a.
	Hist2D
	// Hist3D: 'a [k] [l] [m] [n], as Hist2D with three indices.
	Hist3D
	// Scatter1D: 'a [k] [n] (dest: *[k]a) (is: [n]i64) (as: [n]a) : *[k]a; indices outside are ignored.
	Scatter1D
	// Scatter2D: 'a [k] [l] [n] (dest: *[k][l]a) (is: [n](i64, i64)) (as: [n]a).
	Scatter2D
	// Scatter3D: 'a [k] [l] [m] [n], as Scatter2D with three indices.
	Scatter3D
	// Partition: 'a [n] (k: i32) (f: a -> i32) (as: [n]a) : ([n]a, [k]i64): as by class, stable, and where each class begins.
	Partition
	// FlatMap: 'a 'b [n] (f: a -> ?[m].[m]b) (as: [n]a) : ?[k].[k]b, irregular.
	FlatMap
	// Zip: 'a 'b [n] (as: [n]a) (bs: [n]b) : [n](a, b).
	Zip
	// Unzip: 'a 'b [n] (xs: [n](a, b)) : ([n]a, [n]b).
	Unzip
	// Concat: 'a [n] [m] (as: [n]a) (bs: [m]a) : *[n+m]a.
	Concat
	// Flatten: 'a [n] [m] (as: [n][m]a) : [n*m]a.
	Flatten
	// Unflatten: 'a [n] [m] (as: [n*m]a) : [n][m]a; the shapes are checked at run time.
	Unflatten
	// Transpose: 'a [n] [m] (as: [n][m]a) : [m][n]a.
	Transpose
	// Manifest: 'a (x: a) : *a, a copy in row-major order.
	Manifest
	// Replicate: 'a (n: i64) (x: a) : *[n]a.
	Replicate
	// AccWrite: 'a [k] (acc: *acc ([k]a)) (i: i64) (v: a) : *acc.
	AccWrite
	// ScatterStream: 'a 'b [k] [n] (dest: *[k]a) (f: *acc -> b -> acc) (bs: [n]b) : *[k]a.
	ScatterStream
	// HistStream: 'a 'b [k] [n] (dest: *[k]a) (op) (ne: a) (f: *acc -> b -> acc) (bs: [n]b) : *[k]a.
	HistStream
	// JVP: 'a 'b (f: a -> b) (x: a) (x': a) : (b, b), forward-mode derivative.
	JVP
	// VJP: 'a 'b (f: a -> b) (x: a) (y': b) : (b, a), reverse-mode derivative.
	VJP
	// JMP: 'a 'b [n] (f: a -> b) (x: a) (xs': [n]a) : (b, [n]b), JVP for several directions at once.
	JMP
	// MJP: 'a 'b [n] (f: a -> b) (x: a) (ys': [n]b) : (b, [n]a), VJP for several directions at once.
	MJP
	// WithVJP: a function with a derivative of the programmer's own.
	WithVJP
	// FlatIndex2D and its kin: experimental LMAD slices.
	FlatIndex2D
	FlatIndex3D
	FlatIndex4D
	FlatUpdate2D
	FlatUpdate3D
	FlatUpdate4D
)

// intrinsicNames gives each intrinsic's name in the module `intrinsics`.
var intrinsicNames = [...]string{
	Map:           "map",
	Reduce:        "reduce",
	ReduceComm:    "reduce_comm",
	Scan:          "scan",
	Hist1D:        "hist_1d",
	Hist2D:        "hist_2d",
	Hist3D:        "hist_3d",
	Scatter1D:     "scatter",
	Scatter2D:     "scatter_2d",
	Scatter3D:     "scatter_3d",
	Partition:     "partition",
	FlatMap:       "flatmap",
	Zip:           "zip",
	Unzip:         "unzip",
	Concat:        "concat",
	Flatten:       "flatten",
	Unflatten:     "unflatten",
	Transpose:     "transpose",
	Manifest:      "manifest",
	Replicate:     "replicate",
	AccWrite:      "acc_write",
	ScatterStream: "scatter_stream",
	HistStream:    "hist_stream",
	JVP:           "jvp2",
	VJP:           "vjp2",
	JMP:           "jmp2",
	MJP:           "mjp2",
	WithVJP:       "with_vjp",
	FlatIndex2D:   "flat_index_2d",
	FlatIndex3D:   "flat_index_3d",
	FlatIndex4D:   "flat_index_4d",
	FlatUpdate2D:  "flat_update_2d",
	FlatUpdate3D:  "flat_update_3d",
	FlatUpdate4D:  "flat_update_4d",
}

// String returns the name under which the prelude's sources reach the intrinsic.
func (i Intrinsic) String() string { return intrinsicNames[i] }

// Intrinsics maps the names of the module `intrinsics` to the intrinsics.
func Intrinsics() map[string]Intrinsic {
	m := make(map[string]Intrinsic, len(intrinsicNames))
	for i, name := range intrinsicNames {
		if name != "" {
			m[name] = Intrinsic(i)
		}
	}
	return m
}

// FunctionArity returns how many arguments the i-th argument of the intrinsic takes, or 0 if that is not a function.
func (i Intrinsic) FunctionArity(arg int) int {
	arities, ok := functionArities[i]
	if !ok {
		return 0
	}
	return arities[arg]
}

// functionArities lists, for each intrinsic that takes functions, which of its arguments are functions of how many arguments.
var functionArities = map[Intrinsic]map[int]int{
	Map:           {0: 1},
	Reduce:        {0: 2},
	ReduceComm:    {0: 2},
	Scan:          {0: 2},
	Hist1D:        {2: 2},
	Hist2D:        {2: 2},
	Hist3D:        {2: 2},
	Partition:     {1: 1},
	FlatMap:       {0: 1},
	ScatterStream: {1: 2},
	HistStream:    {1: 2, 3: 2},
	JVP:           {0: 1},
	VJP:           {0: 1},
	JMP:           {0: 1},
	MJP:           {0: 1},
	WithVJP:       {0: 1, 1: 2},
}
