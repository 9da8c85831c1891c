package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
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
	"rsqrt": "1.0 / sqrt(x)", "cbrt": "cbrt(x)",
	"erf": "erf(x)", "erfc": "erfc(x)", "gamma": "tgamma(x)", "lgamma": "lgamma(x)",
	"pow": "pow(x, y)", "atan2": "atan2(x, y)", "atan2pi": "atan2(x, y) / PI", "hypot": "hypot(x, y)",
}

// cudaExact is, likewise, what exact functions of f16 and f32 give when rounded once more: sums, products, quotients
// and roots survive rounding to f64 first (Figueroa, "When is double rounding innocuous?", 1995).
var cudaExact = map[string]string{
	"add": "x + y", "sub": "x - y", "mul": "x * y", "div": "x / y", "sqrt": "sqrt(x)",
	"mod": "fmod(x, y)", "recip": "1.0 / x",
	"floor": "floor(x)", "ceil": "ceil(x)", "trunc": "trunc(x)", "round": "rint(x)", "neg": "-x", "abs": "fabs(x)",
	"lt": "x < y", "le": "x <= y", "eq": "x == y", "isnan": "isnan(x)", "isinf": "isinf(x)",
}

// ownLibrary is the judge where CUDA has nothing: the library's text for CUDA, which shares none with that for WGSL.
const ownLibrary = "the library in CUDA C"

// exactJudge is the text in CUDA C of what an exact function is compared with, under the name of the function, and says
// what it is.
func exactJudge(sig signature) (library, what string, err error) {
	cut := strings.LastIndexByte(sig.Name, '_')
	op, t := sig.Name[:cut], sig.Params[0]
	d := shaders.Dialect{Language: shaders.CUDA}
	infixed, isInfix := operatorOf(sig)
	library, err = shaders.Library(d, cBits)
	switch {
	case cudaExact[op] != "" && (t == prim.F16 || t == prim.F32):
		return library + narrowed(sig, cudaExact[op]), "CUDA's f64", err
	case isInfix && words(t) == 2:
		return library + asFunction(d, sig, infixed), "CUDA's operator", err
	default:
		library, err = shaders.Library(d, append([]string{sig.Name}, cBits...))
		return library, ownLibrary, err
	}
}

// narrowed is a function of f16 or f32 that is computed in f64 and rounded by the hardware.
func narrowed(sig signature, want string) string {
	body := "(f64)a"
	if len(sig.Params) == 2 {
		body += ", (f64)b"
	} else {
		body += ", 0.0"
	}
	body = "f64_" + sig.Name + "(" + body + ")"
	result := "f64"
	switch sig.Result {
	case prim.F16:
		body = "rounded(" + body + ")"
	case prim.F32:
		body = "__double2float_rn(" + body + ")"
	default:
		result = "bool"
	}
	return fmt.Sprintf(`static __device__ F16 rounded(f64 x) {
  unsigned short h;
  asm("cvt.rn.f16.f64 %%0, %%1;" : "=h"(h) : "d"(x));
  return from_bits_f16(h);
}
static __device__ %s f64_%s(f64 x, f64 y) { return %s; }
`, result, sig.Name, want) + cudaFunction(sig, body)
}

// cudaFunction declares a function of a and b.
func cudaFunction(sig signature, body string) string {
	name := func(t prim.Type) string {
		switch t {
		case prim.Bool:
			return "bool"
		case prim.F16:
			return "F16"
		default:
			return t.String()
		}
	}
	params := make([]string, len(sig.Params))
	for i, p := range sig.Params {
		params[i] = name(p) + " " + string(rune('a'+i))
	}
	return fmt.Sprintf("SKALD_FN %s %s(%s) { return %s; }\n", name(sig.Result), sig.Name, strings.Join(params, ", "), body)
}

// wantSignature is the judge of an inexact function as a function of its own.
func wantSignature(x inexact) signature {
	return signature{"want", []prim.Type{prim.F64, prim.F64}[:len(x.sig.Params)], prim.F64}
}

// wantLibrary declares the function want.
func wantLibrary(x inexact, op string) (string, error) {
	library, err := shaders.Library(shaders.Dialect{Language: shaders.CUDA}, cBits)
	params := "f64 x, f64 y"
	if len(x.sig.Params) == 1 {
		params = "f64 x"
	}
	return "#define PI 3.14159265358979323846\n" + library +
		"static __device__ f64 want(" + params + ") { return " + cudaWant[op] + "; }\n", err
}

const (
	classes     = 4       // Differences of 1, 2, 3 and more ulps are kept apart.
	kept        = 256     // Tuples that are kept of each class.
	judgeGroups = 1 << 12 // Workgroups of a launch; each thread takes many tuples.
)

// judgeKernel compares stored results of the tuples first, first+1, … with CUDA's f64. The input is first and the
// number of tuples. found[0] is the tuple with the worst error, whose bits as an f32 in ulps are found[1]; found[2]
// counts results that are NaN or infinite where they must not be or the reverse, and found[3] is one of these; then
// come the counts of the classes, and from word 8 on some tuples of each.
func judgeKernel(x inexact, op string, h tupling) (device.KernelSpec, error) {
	library, err := wantLibrary(x, op)
	if err != nil {
		return device.KernelSpec{}, err
	}
	t := x.sig.Result
	read := func(lo, hi string) string {
		switch t {
		case prim.F16:
			return "(f64)from_bits_f16(" + lo + ")"
		case prim.F32:
			return "(f64)from_bits_f32(" + lo + ")"
		default:
			return "from_bits_f64((u64)" + hi + " << 32 | " + lo + ")"
		}
	}
	got := read("results[n]", "")
	if t == prim.F64 {
		got = read("results[2 * n]", "results[2 * n + 1]")
	}
	y, call := "0.0", "want(x)"
	if len(x.sig.Params) == 2 {
		y, call = read("a1", "b1"), "want(x, y)"
	}
	source := library + cudaMix + errorText(x) + fmt.Sprintf(judgeText, kept, classes,
		inLanguage(forCUDA, h.text()), read("a0", "b0"), y, got, call)
	return device.KernelSpec{
		Name: "judge", Entry: "judge", Source: source, Buffers: 3, Workgroup: [3]uint32{64, 1, 1},
	}, nil
}

// errorText declares error_of, which measures a result in ulps of a type against the judge's value; -1 is a wrong
// result. An infinite result counts as the first number beyond the largest, as does a value beyond that. x + y is
// infinite if an argument is.
func errorText(x inexact) string {
	exp, frac := layout(x.sig.Result)
	least := 2 - 1<<(exp-1)
	if x.absolute {
		least = 0
	}
	return fmt.Sprintf(`enum { LEAST = %d, MOST = %d, FRACTION = %d };
static __device__ f32 error_of(f64 want, f64 got, f64 x, f64 y) {
  if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0.0f : -1.0f;
  if (want == got) return 0.0f;
  if (isinf(want) && isinf(x + y)) return -1.0f;
  const int e = min(want == 0 ? LEAST : max(ilogb(want), LEAST), MOST);
  f64 unit = ldexp(1.0, e - FRACTION);
  if (fabs(want) >= 1) { // By halves, so that nothing is infinite.
    const f64 limit = ldexp(1.0, MOST);
    unit /= 2;
    want = fabs(want / 2) > limit ? copysign(limit, want) : want / 2;
    got = fabs(got / 2) > limit ? copysign(limit, got) : got / 2;
  }
  return (f32)(fabs(want - got) / unit);
}
`, least, 1<<(exp-1)-1, frac)
}

// judgeText takes what is kept, and expressions.
const judgeText = `enum { KEPT = %d, CLASSES = %d };
extern "C" __global__ void judge(u32 *input, u32 *results, u32 *found) {
  volatile u32 *seen = found;
  for (u32 n = blockIdx.x * 64 + threadIdx.x; n < input[1]; n += gridDim.x * 64) {
    const u32 i = input[0] + n;
    %s
    const f64 x = %s, y = %s, got = %s;
    f32 e = error_of(%s, got, x, y);
    if (e < 0) {
      atomicAdd(found + 2, 1u);
      found[3] = i;
      continue;
    }
    if (e > from_bits_f32(seen[1])) atomicMax((u64 *)found, (u64)to_bits_f32(e) << 32 | i);
    const int c = e < CLASSES ? (int)e : CLASSES;
    if (c > 0 && seen[3 + c] < KEPT) {
      u32 p = atomicAdd(found + 3 + c, 1u);
      if (p < KEPT) found[8 + (c - 1) * KEPT + p] = i;
    }
  }
}
`
