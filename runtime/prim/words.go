package prim

// The tables of word functions, by operator and type; nil where the operator is not defined.
var (
	unWords  [NumTypes][NumUnOps]unary
	binWords [NumTypes][NumBinOps]binary
	cmpWords [NumTypes][NumCmpOps]compare
	fun1     [NumTypes][NumFuncs]unary
	fun2     [NumTypes][NumFuncs]binary
	fun3     [NumTypes][NumFuncs]ternary
)

func init() {
	fillInt[int8, uint8](I8)
	fillInt[int16, uint16](I16)
	fillInt[int32, uint32](I32)
	fillInt[int64, uint64](I64)
	fillInt[uint8, uint8](U8)
	fillInt[uint16, uint16](U16)
	fillInt[uint32, uint32](U32)
	fillInt[uint64, uint64](U64)
	fillFloat[half](F16)
	fillFloat[single](F32)
	fillFloat[double](F64)
	nativeSingle(&binWords[F32])
	nativeDouble(&binWords[F64])
	fillBool()
}

func fillInt[T, U integer](t Type) {
	unWords[t] = intUnary[T]()
	binWords[t] = intBinary[T, U](uint64(t.Bits()))
	cmpWords[t] = intCompare[T]()
	for f := range Func(NumFuncs) {
		fun1[t][f] = intFuncs1(f, t)
		fun2[t][f] = intFuncs2(f, t)
		fun3[t][f] = intFuncs3(f, t)
	}
}

func fillFloat[F floatFormat](t Type) {
	unWords[t] = floatUnary[F](1 << (t.Bits() - 1))
	binWords[t] = floatBinary[F]()
	cmpWords[t] = floatCompare[F]()
	for f := range Func(NumFuncs) {
		fun1[t][f] = floatFuncs1[F](f)
		fun2[t][f] = floatFuncs2[F](f, t)
		fun3[t][f] = floatFuncs3[F](f)
	}
}

func fillBool() {
	unWords[Bool][Not] = func(x uint64) uint64 { return x ^ 1 }
	binWords[Bool][LogAnd] = func(x, y uint64) uint64 { return x & y }
	binWords[Bool][LogOr] = func(x, y uint64) uint64 { return x | y }
	cmpWords[Bool] = intCompare[uint8]()
}

// UnWord returns the operator at a type as a function over canonical words; ok is false if it is not defined there.
func UnWord(op UnOp, t Type) (f func(x uint64) uint64, ok bool) {
	f = unWords[t][op]
	return f, f != nil
}

// BinWord returns the operator at a type as a function over canonical words; ok is false if it is not defined there.
// The function is total: where the operator fails (see [BinFailure]) it is 0.
func BinWord(op BinOp, t Type) (f func(x, y uint64) uint64, ok bool) {
	f = binWords[t][op]
	return f, f != nil
}

// CmpWord returns the comparison at a type as a function over canonical words.
func CmpWord(op CmpOp, t Type) func(x, y uint64) bool { return cmpWords[t][op] }

// FuncWord1 returns a function of one parameter at an instance, over canonical words.
func FuncWord1(f Func, instance Type) (g func(x uint64) uint64, ok bool) {
	g = fun1[instance][f]
	return g, g != nil
}

// FuncWord2 returns a function of two parameters at an instance, over canonical words.
func FuncWord2(f Func, instance Type) (g func(x, y uint64) uint64, ok bool) {
	g = fun2[instance][f]
	return g, g != nil
}

// FuncWord3 returns a function of three parameters at an instance, over canonical words.
func FuncWord3(f Func, instance Type) (g func(x, y, z uint64) uint64, ok bool) {
	g = fun3[instance][f]
	return g, g != nil
}
