package wasm

import "fmt"

// opInfo is what an instruction is called in text, and what follows it.
type opInfo struct {
	name     string
	operands operands
}

// table describes all instructions that are used.
var table = func() map[op]opInfo {
	t := map[op]opInfo{
		unreachable: {"unreachable", nothing}, block: {"block", blockType}, loop: {"loop", blockType}, ifOp: {"if", blockType},
		elseOp: {"else", nothing}, end: {"end", nothing}, br: {"br", label}, brIf: {"br_if", label}, returnOp: {"return", nothing},
		call: {"call", function}, drop: {"drop", nothing}, selectOp: {"select", nothing},
		localGet: {"local.get", local}, localSet: {"local.set", local}, localTee: {"local.tee", local},
		i32Const: {"i32.const", int32Constant}, i64Const: {"i64.const", int64Constant},
		f32Const: {"f32.const", float32Constant}, f64Const: {"f64.const", float64Constant},
		i32Eqz: {"i32.eqz", nothing}, i64Eqz: {"i64.eqz", nothing}, i32WrapI64: {"i32.wrap_i64", nothing},
		i64ExtendI32S: {"i64.extend_i32_s", nothing}, i64ExtendI32U: {"i64.extend_i32_u", nothing},
		f32DemoteF64: {"f32.demote_f64", nothing}, f64PromoteF32: {"f64.promote_f32", nothing},
		i32ReinterpretF: {"i32.reinterpret_f32", nothing}, i64ReinterpretF: {"i64.reinterpret_f64", nothing},
		f32ReinterpretI: {"f32.reinterpret_i32", nothing}, f64ReinterpretI: {"f64.reinterpret_i64", nothing},
		i32Extend8S: {"i32.extend8_s", nothing}, i32Extend16S: {"i32.extend16_s", nothing},
		i64TruncSatF32S: {"i64.trunc_sat_f32_s", nothing}, i64TruncSatF64S: {"i64.trunc_sat_f64_s", nothing},
		i32AtomicLoad: {"i32.atomic.load", access},
	}
	row := func(first op, what operands, names ...string) {
		for i, n := range names {
			t[first+op(i)] = opInfo{n, what}
		}
	}
	row(i32Load, access, "i32.load", "i64.load", "f32.load", "f64.load", "i32.load8_s", "i32.load8_u", "i32.load16_s", "i32.load16_u")
	row(i32Store, access, "i32.store", "i64.store", "f32.store", "f64.store", "i32.store8", "i32.store16")
	row(f32ConvertI32S, nothing, "f32.convert_i32_s", "f32.convert_i32_u", "f32.convert_i64_s", "f32.convert_i64_u")
	row(f64ConvertI32S, nothing, "f64.convert_i32_s", "f64.convert_i32_u", "f64.convert_i64_s", "f64.convert_i64_u")
	typed := func(types [2]string, first [2]op, names ...string) {
		for i, t := range types {
			full := make([]string, len(names))
			for j, n := range names {
				full[j] = t + "." + n
			}
			row(first[i], nothing, full...)
		}
	}
	ints, floats := [2]string{"i32", "i64"}, [2]string{"f32", "f64"}
	typed(ints, [2]op{eq, eq + toI64Compare}, "eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u")
	typed(ints, [2]op{clz, clz + toI64}, "clz", "ctz", "popcnt", "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u",
		"and", "or", "xor", "shl", "shr_s", "shr_u")
	typed(floats, [2]op{feq, feq + toF64Compare}, "eq", "ne", "lt", "gt", "le", "ge")
	typed(floats, [2]op{fabs, fabs + toF64}, "abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt", "add", "sub", "mul", "div",
		"min", "max", "copysign")
	for i, name := range rmwNames {
		for j, width := range rmwWidths {
			full := fmt.Sprintf(width, name)
			if j >= len(rmwWidths)-rmwNarrow {
				full += "_u"
			}
			t[rmwOp(rmw(i), j)] = opInfo{full, access}
		}
	}
	simdTable(t)
	return t
}()

// rmw is what an atomic operation does between reading and writing.
type rmw int

const (
	rmwAdd rmw = iota
	rmwSub
	rmwAnd
	rmwOr
	rmwXor
	rmwXchg
	rmwCmpxchg
)

// rmwNames are the operations, of each of which there is one a width, in this order; the last ones extend what they read by zeros.
var (
	rmwNames  = []string{"add", "sub", "and", "or", "xor", "xchg", "cmpxchg"}
	rmwWidths = []string{"i32.atomic.rmw.%s", "i64.atomic.rmw.%s", "i32.atomic.rmw8.%s", "i32.atomic.rmw16.%s"}
)

const rmwNarrow = 2

// rmwOp is the instruction for an operation at a width, by its place in rmwWidths. The format has seven widths.
func rmwOp(r rmw, width int) op { return prefixed(atomics, 0x1e+7*uint32(r)+uint32(width)) }
