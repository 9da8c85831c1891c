package prim

import "fmt"

// UnOp is a unary operator: operand and result have the same type.
type UnOp uint8

// The unary operators.
const (
	Neg UnOp = iota // -x; wraps around at the lowest signed integer, and on unsigned types
	Not             // logical negation of a bool, bitwise complement of an integer
	Abs             // absolute value; the lowest signed integer maps to itself
	Sgn             // -1, 0 or 1; on floats, zeros and NaN are returned as they are

	// NumUnOps is the number of unary operators.
	NumUnOps = int(Sgn) + 1
)

// BinOp is a binary operator whose operands and result have the same type.
type BinOp uint8

// The binary operators.
const (
	Add    BinOp = iota // x + y; integers wrap around
	Sub                 // x - y
	Mul                 // x * y
	Div                 // x / y; integers round towards negative infinity
	Mod                 // x % y; integers: the remainder of Div, with the divisor's sign; floats: C's fmod
	Quot                // x // y; integers only, rounds towards zero
	Rem                 // x %% y; integers only, the remainder of Quot, with the dividend's sign
	Pow                 // x ** y; an integer exponent must not be negative
	Min                 // the lesser; on floats a single NaN is ignored and -0 is below +0
	Max                 // the greater; likewise
	And                 // bitwise and
	Or                  // bitwise or
	Xor                 // bitwise exclusive or
	Shl                 // x << y; a count outside [0, width) makes 0
	Shr                 // x >> y; arithmetic on signed types, logical on unsigned ones
	UShr                // x >>> y; logical whatever the type
	LogAnd              // both operands hold; strict
	LogOr               // either operand holds; strict

	// NumBinOps is the number of binary operators.
	NumBinOps = int(LogOr) + 1
)

// CmpOp is a comparison: two operands of one type, and a bool.
type CmpOp uint8

// The comparisons. With a NaN all are false but Ne. On bools, false is below true.
const (
	Eq CmpOp = iota
	Ne
	Lt
	Le
	Gt
	Ge

	// NumCmpOps is the number of comparisons.
	NumCmpOps = int(Ge) + 1
)

// opInfo is the property table's entry for an operator of any of the three kinds.
type opInfo struct {
	name        string
	symbol      string // how Futhark writes it; empty if it is written by name
	types       typeSet
	commutative typeSet
	fails       typeSet
	neutral     func(Type) Value // nil if there is none on both sides
}

var unTable = [NumUnOps]opInfo{
	Neg: {name: "neg", symbol: "-", types: numericTypes},
	Not: {name: "not", symbol: "!", types: intTypes | boolTypes},
	Abs: {name: "abs", types: numericTypes},
	Sgn: {name: "sgn", types: numericTypes},
}

var binTable = [NumBinOps]opInfo{
	Add: {
		name: "add", symbol: "+", types: numericTypes,
		commutative: numericTypes, neutral: Zero,
	},
	Sub: {name: "sub", symbol: "-", types: numericTypes},
	Mul: {
		name: "mul", symbol: "*", types: numericTypes,
		commutative: numericTypes, neutral: One,
	},
	Div:  {name: "div", symbol: "/", types: numericTypes, fails: intTypes},
	Mod:  {name: "mod", symbol: "%", types: numericTypes, fails: intTypes},
	Quot: {name: "quot", symbol: "//", types: intTypes, fails: intTypes},
	Rem:  {name: "rem", symbol: "%%", types: intTypes, fails: intTypes},
	Pow:  {name: "pow", symbol: "**", types: numericTypes, fails: signedTypes},
	Min: {
		name: "min", types: numericTypes,
		commutative: numericTypes, neutral: Highest,
	},
	Max: {
		name: "max", types: numericTypes,
		commutative: numericTypes, neutral: Lowest,
	},
	And: {
		name: "and", symbol: "&", types: intTypes,
		commutative: intTypes, neutral: allOnes,
	},
	Or: {
		name: "or", symbol: "|", types: intTypes,
		commutative: intTypes, neutral: Zero,
	},
	Xor: {
		name: "xor", symbol: "^", types: intTypes,
		commutative: intTypes, neutral: Zero,
	},
	Shl:  {name: "shl", symbol: "<<", types: intTypes},
	Shr:  {name: "shr", symbol: ">>", types: intTypes},
	UShr: {name: "ushr", symbol: ">>>", types: intTypes},
	LogAnd: {
		name: "logand", symbol: "&&", types: boolTypes,
		commutative: boolTypes, neutral: One,
	},
	LogOr: {
		name: "logor", symbol: "||", types: boolTypes,
		commutative: boolTypes, neutral: Zero,
	},
}

var cmpTable = [NumCmpOps]opInfo{
	Eq: {name: "eq", symbol: "==", types: allTypes, commutative: allTypes},
	Ne: {name: "ne", symbol: "!=", types: allTypes, commutative: allTypes},
	Lt: {name: "lt", symbol: "<", types: allTypes},
	Le: {name: "le", symbol: "<=", types: allTypes},
	Gt: {name: "gt", symbol: ">", types: allTypes},
	Ge: {name: "ge", symbol: ">=", types: allTypes},
}

func allOnes(t Type) Value { return FromWord(t, ^uint64(0)) }

// String returns the operator's name in the textual intermediate languages, such as "neg".
func (op UnOp) String() string { return opName("UnOp", unTable[:], int(op)) }

// Symbol returns the operator as Futhark writes it, or its name if it is written as a function.
func (op UnOp) Symbol() string { return unTable[op].display() }

// Accepts reports whether the operator is defined at t.
func (op UnOp) Accepts(t Type) bool { return unTable[op].types.has(t) }

// String returns the operator's name in the textual intermediate languages, such as "add".
func (op BinOp) String() string { return opName("BinOp", binTable[:], int(op)) }

// Symbol returns the operator as Futhark writes it, or its name if it is written as a function.
func (op BinOp) Symbol() string { return binTable[op].display() }

// Accepts reports whether the operator is defined at t.
func (op BinOp) Accepts(t Type) bool { return binTable[op].types.has(t) }

// Commutative reports whether x op y = y op x holds at t, for every x and y (up to the payload of a NaN).
func (op BinOp) Commutative(t Type) bool { return binTable[op].commutative.has(t) }

// CanFail reports whether the operator fails for some operands of type t.
func (op BinOp) CanFail(t Type) bool { return binTable[op].fails.has(t) }

// Neutral returns the element e with e op x = x op e = x at type t, if there is one. For float addition it is 0.0, which
// is neutral up to the sign of a zero. (The neutral elements of float Min and Max turn NaN into an infinity.)
func (op BinOp) Neutral(t Type) (Value, bool) {
	info := &binTable[op]
	if info.neutral == nil || !info.types.has(t) {
		return Value{}, false
	}
	return info.neutral(t), true
}

// String returns the comparison's name in the textual intermediate languages, such as "lt".
func (op CmpOp) String() string { return opName("CmpOp", cmpTable[:], int(op)) }

// Symbol returns the comparison as Futhark writes it.
func (op CmpOp) Symbol() string { return cmpTable[op].display() }

// Accepts reports whether the comparison is defined at t; all are, at every type.
func (op CmpOp) Accepts(t Type) bool { return cmpTable[op].types.has(t) }

// Negate returns the comparison that holds exactly when op does not. On floats that is right only for Eq and Ne, because
// every ordering is false when an operand is NaN; ok says whether the negation is valid at t.
func (op CmpOp) Negate(t Type) (neg CmpOp, ok bool) {
	neg = [NumCmpOps]CmpOp{Eq: Ne, Ne: Eq, Lt: Ge, Le: Gt, Gt: Le, Ge: Lt}[op]
	return neg, !t.IsFloat() || op == Eq || op == Ne
}

// Swap returns the comparison with its operands exchanged: x op y = y op.Swap() x.
func (op CmpOp) Swap() CmpOp {
	return [NumCmpOps]CmpOp{Eq: Eq, Ne: Ne, Lt: Gt, Le: Ge, Gt: Lt, Ge: Le}[op]
}

// ParseUnOp finds a unary operator by the name that String returns.
func ParseUnOp(name string) (UnOp, bool) { i, ok := opByName(unTable[:], name); return UnOp(i), ok }

// ParseBinOp finds a binary operator by the name that String returns.
func ParseBinOp(name string) (BinOp, bool) { i, ok := opByName(binTable[:], name); return BinOp(i), ok }

// ParseCmpOp finds a comparison by the name that String returns.
func ParseCmpOp(name string) (CmpOp, bool) { i, ok := opByName(cmpTable[:], name); return CmpOp(i), ok }

func (info *opInfo) display() string {
	if info.symbol != "" {
		return info.symbol
	}
	return info.name
}

func opName(kind string, table []opInfo, i int) string {
	if i < len(table) {
		return table[i].name
	}
	return fmt.Sprintf("prim.%s(%d)", kind, i)
}

func opByName(table []opInfo, name string) (int, bool) {
	for i := range table {
		if table[i].name == name {
			return i, true
		}
	}
	return 0, false
}
