package wasm

import "skald/runtime/prim"

// The instructions of vectors that do not depend on the type of elements.
var (
	v128Load      = prefixed(vector, 0x00)
	v128Store     = prefixed(vector, 0x0b)
	v128Const     = prefixed(vector, 0x0c)
	v128Not       = prefixed(vector, 0x4d)
	v128And       = prefixed(vector, 0x4e)
	v128AndNot    = prefixed(vector, 0x4f)
	v128Or        = prefixed(vector, 0x50)
	v128Xor       = prefixed(vector, 0x51)
	v128Bitselect = prefixed(vector, 0x52)
	v128AnyTrue   = prefixed(vector, 0x53)

	v128Load32Zero = prefixed(vector, 0x5c)
	v128Load64Zero = prefixed(vector, 0x5d)
)

// shape is the type of a vector's elements, as far as instructions tell types apart.
type shape int

const (
	i8x16 shape = iota
	i16x8
	i32x4
	i64x2
	f32x4
	f64x2
)

var shapeNames = [...]string{"i8x16", "i16x8", "i32x4", "i64x2", "f32x4", "f64x2"}

// shapeOf is the shape of vectors of a type; booleans are masks, of which no instruction asks.
func shapeOf(t prim.Type) shape {
	switch {
	case t == prim.F32:
		return f32x4
	case t == prim.F64:
		return f64x2
	case t.Bits() == 64:
		return i64x2
	case t.Bits() == 32:
		return i32x4
	case t.Bits() == 16:
		return i16x8
	default:
		return i8x16
	}
}

// simd lists, by name and shape, the codes of instructions; a shape that is not there has none.
var simd = map[string]map[shape]uint32{
	"splat":        {i8x16: 0x0f, i16x8: 0x10, i32x4: 0x11, i64x2: 0x12, f32x4: 0x13, f64x2: 0x14},
	"replace_lane": {i8x16: 0x17, i16x8: 0x1a, i32x4: 0x1c, i64x2: 0x1e, f32x4: 0x20, f64x2: 0x22},
	"eq":           {i8x16: 0x23, i16x8: 0x2d, i32x4: 0x37, i64x2: 0xd6, f32x4: 0x41, f64x2: 0x47},
	"ne":           {i8x16: 0x24, i16x8: 0x2e, i32x4: 0x38, i64x2: 0xd7, f32x4: 0x42, f64x2: 0x48},
	"lt_s":         {i8x16: 0x25, i16x8: 0x2f, i32x4: 0x39, i64x2: 0xd8},
	"lt_u":         {i8x16: 0x26, i16x8: 0x30, i32x4: 0x3a},
	"gt_s":         {i8x16: 0x27, i16x8: 0x31, i32x4: 0x3b, i64x2: 0xd9},
	"gt_u":         {i8x16: 0x28, i16x8: 0x32, i32x4: 0x3c},
	"le_s":         {i8x16: 0x29, i16x8: 0x33, i32x4: 0x3d, i64x2: 0xda},
	"le_u":         {i8x16: 0x2a, i16x8: 0x34, i32x4: 0x3e},
	"ge_s":         {i8x16: 0x2b, i16x8: 0x35, i32x4: 0x3f, i64x2: 0xdb},
	"ge_u":         {i8x16: 0x2c, i16x8: 0x36, i32x4: 0x40},
	"lt":           {f32x4: 0x43, f64x2: 0x49},
	"gt":           {f32x4: 0x44, f64x2: 0x4a},
	"le":           {f32x4: 0x45, f64x2: 0x4b},
	"ge":           {f32x4: 0x46, f64x2: 0x4c},
	"abs":          {i8x16: 0x60, i16x8: 0x80, i32x4: 0xa0, i64x2: 0xc0, f32x4: 0xe0, f64x2: 0xec},
	"neg":          {i8x16: 0x61, i16x8: 0x81, i32x4: 0xa1, i64x2: 0xc1, f32x4: 0xe1, f64x2: 0xed},
	"shl":          {i8x16: 0x6b, i16x8: 0x8b, i32x4: 0xab, i64x2: 0xcb},
	"shr_s":        {i8x16: 0x6c, i16x8: 0x8c, i32x4: 0xac, i64x2: 0xcc},
	"shr_u":        {i8x16: 0x6d, i16x8: 0x8d, i32x4: 0xad, i64x2: 0xcd},
	"add":          {i8x16: 0x6e, i16x8: 0x8e, i32x4: 0xae, i64x2: 0xce, f32x4: 0xe4, f64x2: 0xf0},
	"sub":          {i8x16: 0x71, i16x8: 0x91, i32x4: 0xb1, i64x2: 0xd1, f32x4: 0xe5, f64x2: 0xf1},
	"mul":          {i16x8: 0x95, i32x4: 0xb5, i64x2: 0xd5, f32x4: 0xe6, f64x2: 0xf2},
	"div":          {f32x4: 0xe7, f64x2: 0xf3},
	"min_s":        {i8x16: 0x76, i16x8: 0x96, i32x4: 0xb6},
	"min_u":        {i8x16: 0x77, i16x8: 0x97, i32x4: 0xb7},
	"max_s":        {i8x16: 0x78, i16x8: 0x98, i32x4: 0xb8},
	"max_u":        {i8x16: 0x79, i16x8: 0x99, i32x4: 0xb9},
	"min":          {f32x4: 0xe8, f64x2: 0xf4},
	"max":          {f32x4: 0xe9, f64x2: 0xf5},
	"sqrt":         {f32x4: 0xe3, f64x2: 0xef},
	"ceil":         {f32x4: 0x67, f64x2: 0x74},
	"floor":        {f32x4: 0x68, f64x2: 0x75},
	"trunc":        {f32x4: 0x69, f64x2: 0x7a},
	"nearest":      {f32x4: 0x6a, f64x2: 0x94},

	"convert_i32x4_s": {f32x4: 0xfa},
	"convert_i32x4_u": {f32x4: 0xfb},
}

// simdTable describes the instructions of vectors.
func simdTable(t map[op]opInfo) {
	t[v128Load], t[v128Store] = opInfo{"v128.load", access}, opInfo{"v128.store", access}
	t[v128Load32Zero], t[v128Load64Zero] = opInfo{"v128.load32_zero", access}, opInfo{"v128.load64_zero", access}
	t[v128Const] = opInfo{"v128.const i8x16", constant128}
	for o, name := range map[op]string{
		v128Not: "not", v128And: "and", v128AndNot: "andnot", v128Or: "or", v128Xor: "xor", v128Bitselect: "bitselect", v128AnyTrue: "any_true",
	} {
		t[o] = opInfo{"v128." + name, nothing}
	}
	for name, codes := range simd {
		what := nothing
		if name == "replace_lane" {
			what = lane
		}
		for s, code := range codes {
			t[prefixed(vector, code)] = opInfo{shapeNames[s] + "." + name, what}
		}
	}
}
