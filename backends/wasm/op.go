package wasm

// Type is the type of a value on the stack or in a local.
type Type byte

// The types, by their codes in the binary format.
const (
	I32  Type = 0x7f
	I64  Type = 0x7e
	F32  Type = 0x7d
	F64  Type = 0x7c
	V128 Type = 0x7b
)

// none is the type of a block without a result.
const none Type = 0x40

func (t Type) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	default:
		return ""
	}
}

// op is an instruction, by its code in the binary format: one byte, or a prefix and a number behind it.
type op uint32

// prefixed makes the code of an instruction with a prefix.
func prefixed(prefix byte, code uint32) op { return op(prefix)<<16 | op(code) }

// The prefixes.
const (
	misc    = 0xfc
	vector  = 0xfd
	atomics = 0xfe
)

// operands is what follows an instruction's code.
type operands uint8

const (
	nothing operands = iota
	blockType
	label    // how many blocks further out
	function // an index
	local    // an index
	access   // alignment and offset
	int32Constant
	int64Constant
	float32Constant // its bits
	float64Constant
	lane
	constant128 // sixteen bytes
)

// Control flow, locals and constants.
const (
	unreachable op = 0x00
	block       op = 0x02
	loop        op = 0x03
	ifOp        op = 0x04
	elseOp      op = 0x05
	end         op = 0x0b
	br          op = 0x0c
	brIf        op = 0x0d
	returnOp    op = 0x0f
	call        op = 0x10
	drop        op = 0x1a
	selectOp    op = 0x1b
	localGet    op = 0x20
	localSet    op = 0x21
	localTee    op = 0x22
	i32Const    op = 0x41
	i64Const    op = 0x42
	f32Const    op = 0x43
	f64Const    op = 0x44
)

// Memory.
const (
	i32Load    op = 0x28
	i64Load    op = 0x29
	f32Load    op = 0x2a
	f64Load    op = 0x2b
	i32Load8S  op = 0x2c
	i32Load8U  op = 0x2d
	i32Load16S op = 0x2e
	i32Load16U op = 0x2f
	i32Store   op = 0x36
	i64Store   op = 0x37
	f32Store   op = 0x38
	f64Store   op = 0x39
	i32Store8  op = 0x3a
	i32Store16 op = 0x3b
)

// Conversions, and what is not at the same distance for i32 and i64, or f32 and f64.
const (
	i32Eqz          op = 0x45
	i64Eqz          op = 0x50
	i32WrapI64      op = 0xa7
	i64ExtendI32S   op = 0xac
	i64ExtendI32U   op = 0xad
	f32ConvertI32S  op = 0xb2
	f32ConvertI32U  op = 0xb3
	f32ConvertI64S  op = 0xb4
	f32ConvertI64U  op = 0xb5
	f32DemoteF64    op = 0xb6
	f64ConvertI32S  op = 0xb7
	f64ConvertI32U  op = 0xb8
	f64ConvertI64S  op = 0xb9
	f64ConvertI64U  op = 0xba
	f64PromoteF32   op = 0xbb
	i32ReinterpretF op = 0xbc
	i64ReinterpretF op = 0xbd
	f32ReinterpretI op = 0xbe
	f64ReinterpretI op = 0xbf
	i32Extend8S     op = 0xc0
	i32Extend16S    op = 0xc1
	i64TruncSatF32S    = op(misc)<<16 | 4
	i64TruncSatF64S    = op(misc)<<16 | 6
)

// The operators of i32; those of i64 have codes that are larger by toI64, or for comparisons by toI64Compare.
const (
	eq           op = 0x46
	ne           op = 0x47
	ltS          op = 0x48
	ltU          op = 0x49
	gtS          op = 0x4a
	gtU          op = 0x4b
	leS          op = 0x4c
	leU          op = 0x4d
	geS          op = 0x4e
	geU          op = 0x4f
	clz          op = 0x67
	ctz          op = 0x68
	popcnt       op = 0x69
	add          op = 0x6a
	sub          op = 0x6b
	mul          op = 0x6c
	divS         op = 0x6d
	divU         op = 0x6e
	remS         op = 0x6f
	remU         op = 0x70
	and          op = 0x71
	or           op = 0x72
	xor          op = 0x73
	shl          op = 0x74
	shrS         op = 0x75
	shrU         op = 0x76
	toI64           = 0x79 - clz
	toI64Compare    = 0x51 - eq
)

// The operators of f32; those of f64 have codes that are larger by toF64, or for comparisons by toF64Compare.
const (
	feq          op = 0x5b
	fne          op = 0x5c
	flt          op = 0x5d
	fgt          op = 0x5e
	fle          op = 0x5f
	fge          op = 0x60
	fabs         op = 0x8b
	fneg         op = 0x8c
	fceil        op = 0x8d
	ffloor       op = 0x8e
	ftrunc       op = 0x8f
	fnearest     op = 0x90
	fsqrt        op = 0x91
	fadd         op = 0x92
	fsub         op = 0x93
	fmul         op = 0x94
	fdiv         op = 0x95
	fmin         op = 0x96
	fmax         op = 0x97
	fcopysign    op = 0x98
	toF64           = 0x99 - fabs
	toF64Compare    = 0x61 - feq
)

// Atomic operations of an i32; rmw returns the other ones.
const (
	i32AtomicLoad    = op(atomics)<<16 | 0x10
	i32AtomicCmpxchg = op(atomics)<<16 | 0x48
)

// instruction is an instruction with what follows it.
type instruction struct {
	op op
	a  uint64 // the first operand; of an access the offset
	b  uint64 // of an access the alignment, as a power of two
}
