package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// cValue is the C expression for a value of a type from a 64-bit word.
func cValue(t prim.Type, w string) string {
	switch {
	case t.IsFloat():
		return fmt.Sprintf("from_bits_%s(%s)", t, w)
	case t == prim.Bool:
		return "(" + w + " != 0)"
	case t == prim.I64:
		return "(i64)" + w
	case t == prim.U64:
		return w
	case t.IsSigned():
		return "(i32)" + w
	default:
		return "(u32)" + w
	}
}

// cCall is the C expression for the canonical word of s applied to the 64-bit words in args.
func cCall(s signature, args []string) string {
	values := make([]string, len(args))
	for i, a := range args {
		values[i] = cValue(s.Params[i], a)
	}
	call := fmt.Sprintf("%s(%s)", s.Name, strings.Join(values, ", "))
	if s.Result.IsFloat() {
		call = fmt.Sprintf("to_bits_%s(%s)", s.Result, call)
	}
	return "(u64)" + call
}

// cBits names the functions that cCall uses.
var cBits = []string{"to_bits_f16", "from_bits_f16", "to_bits_f32", "from_bits_f32", "to_bits_f64", "from_bits_f64"}

// cudaKernel is kernel in CUDA C, for a function that the library declares; the number of tuples is its only parameter.
func cudaKernel(library string, s signature) device.KernelSpec {
	var args []string
	width := 0
	for _, p := range s.Params {
		if words(p) == 2 {
			args = append(args, fmt.Sprintf("((u64)input[base + %d] << 32 | input[base + %d])", width+1, width))
		} else {
			args = append(args, fmt.Sprintf("(u64)input[base + %d]", width))
		}
		width += words(p)
	}
	store := "output[i] = (u32)r;"
	if words(s.Result) == 2 {
		store = "output[2 * i] = (u32)r;\n  output[2 * i + 1] = (u32)(r >> 32);"
	}
	source := library + fmt.Sprintf(`extern "C" __global__ void apply(u32 *input, u32 *output, u32 n) {
  u32 i = (blockIdx.x + blockIdx.y * gridDim.x) * 64 + threadIdx.x;
  if (i >= n) return;
  u64 base = (u64)i * %d;
  u64 r = %s;
  %s
}
`, width, cCall(s, args), store)
	return device.KernelSpec{
		Name: s.Name, Source: source, Entry: "apply", Buffers: 2, Params: 4, Workgroup: [3]uint32{64, 1, 1},
	}
}
