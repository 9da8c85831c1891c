package main

import (
	"fmt"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// cudaWant is the f64 value of a function at x and y in CUDA C: the library of CUDA, which is no code of ours.
var cudaWant = map[string]string{
	"exp": "exp(x)", "exp2": "exp2(x)", "exp10": "exp10(x)", "expm1": "expm1(x)",
	"log": "log(x)", "log2": "log2(x)", "log10": "log10(x)", "log1p": "log1p(x)",
	"sin": "sin(x)", "cos": "cos(x)", "tan": "tan(x)", "asin": "asin(x)", "acos": "acos(x)", "atan": "atan(x)",
	"sinh": "sinh(x)", "cosh": "cosh(x)", "tanh": "tanh(x)",
	"asinh": "asinh(x)", "acosh": "acosh(x)", "atanh": "atanh(x)",
	"sinpi": "sinpi(x)", "cospi": "cospi(x)", "tanpi": "sinpi(x) / cospi(x)",
	"asinpi": "asin(x) / PI", "acospi": "acos(x) / PI", "atanpi": "atan(x) / PI",
	"sqrt": "sqrt(x)", "rsqrt": "1.0 / sqrt(x)", "cbrt": "cbrt(x)",
	"erf": "erf(x)", "erfc": "erfc(x)", "gamma": "tgamma(x)", "lgamma": "lgamma(x)",
	"pow": "pow(x, y)", "atan2": "atan2(x, y)", "atan2pi": "atan2(x, y) / PI", "hypot": "hypot(x, y)",
	"add": "x + y", "sub": "x - y", "mul": "x * y", "div": "x / y",
}

// judgeKernel compares stored results of tuples first, first+1, … with CUDA's f64: output[0] is the worst error in ulp as
// the upper word of an atomic maximum, with the number of the tuple below; output[2] counts results that are NaN or
// infinite where they must not be or the reverse, and output[3] is the number of one of them.
func judgeKernel(op string, t prim.Type) device.KernelSpec {
	x, y := "__uint_as_float(i)", "0.0"
	got, frac, least, bias := "__uint_as_float(results[t])", 23, -126, 127
	if t == prim.F16 {
		x, y = "half(i >> 16)", "half(i & 65535)"
		got, frac, least, bias = "half(results[t])", 10, -14, 15
	}
	floor := least
	if op == "lgamma" {
		floor = 0 // Near its zeros its error is absolute.
	}
	return device.KernelSpec{
		Name: "judge", Entry: "judge", Buffers: 3, Workgroup: [3]uint32{64, 1, 1},
		Source: fmt.Sprintf(`#define PI 3.14159265358979323846
typedef unsigned int u32;
typedef unsigned long long u64;
static __device__ double half(u32 h) {
  int e = (h >> 10) & 31;
  double f = h & 1023;
  double v = e == 31 ? (f == 0 ? 1.0 / 0.0 : 0.0 / 0.0) : e == 0 ? ldexp(f, -24) : ldexp(f + 1024, e - 25);
  return h & 32768 ? -v : v;
}
extern "C" __global__ void judge(u32 *input, u32 *results, u32 *output) {
  u32 t = (blockIdx.x + blockIdx.y * gridDim.x) * 64 + threadIdx.x;
  u32 i = input[0] + t;
  double x = %s, y = %s, got = %s;
  double want = %s;
  (void)y;
  double limit = ldexp(1.0, %d), size = fabs(want);
  if (isnan(want) || isnan(got)) {
    if (!(isnan(want) && isnan(got))) { atomicAdd(output + 2, 1u); output[3] = i; }
    return;
  }
  if (isinf(want) && isinf(x + y) || want == got) {
    if (want != got) { atomicAdd(output + 2, 1u); output[3] = i; }
    return;
  }
  if (size > limit) want = copysign(limit, want);
  if (isinf(got)) got = copysign(limit, got);
  int e = want == 0 ? %d : max(ilogb(want), %d);
  float ulp = (float)(fabs(want - got) / ldexp(1.0, min(e, %d) - %d));
  atomicMax((u64 *)output, (u64)__float_as_uint(ulp) << 32 | i);
}
`, x, y, got, cudaWant[op], bias+1, floor, floor, bias, frac),
	}
}
