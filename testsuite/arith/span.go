package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// Note [Spans]
//
// Arguments of the large sweeps are never sent to a device: a thread makes them from the number of its tuple. A span
// kernel applies a function to the tuples first, first+1, …, rounds of them a thread, and either stores the results or
// folds those of a thread into one word. Stored results of WGSL go to CUDA, whose f64 functions judge them. Folded ones
// are for exact functions: two devices, or a device and package prim, agree on all tuples when they agree on all words.
// Unlike a cross sweep, which has the library's own f64 functions as judge on one device, this judge shares no code
// with what it judges.
//
// The text that makes tuples and folds results is the same in WGSL, CUDA C and (spanWords, fold) Go, down to the operators.

// tupling says how tuples are made from their numbers.
type tupling int

const (
	bits32   tupling = iota // One f32, whose bits are the number.
	halves                  // Two f16: the halves of the number.
	scramble                // Words scrambled from the number, a quarter of them each with a range of values cut down.
)

// mix is a bijection of words (the finaliser of MurmurHash3).
func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

// spanWords makes the words of argument number j of tuple i, as spanArg does on devices.
func spanWords(t prim.Type, i uint32, j int) (lo, hi uint32) {
	k := uint32(3 * j)
	lo, hi = mix(i^mix(k+1)), mix(i^mix(k+2))
	m := mix(i ^ mix(k+3))
	if t == prim.F64 {
		return scrambleFloat(lo, hi, m)
	}
	switch m & 3 {
	case 1:
		hi = 0
	case 2:
		hi = 0xffffffff
	case 3:
		lo, hi = lo&(1<<(m>>8&31)-1), 0
	}
	return lo, hi
}

// scrambleFloat gives a quarter of all values exponents near that of 1, a quarter the least and greatest exponents, and
// a quarter exponents near that of 1 and 20 bits of fraction.
func scrambleFloat(lo, hi, m uint32) (uint32, uint32) {
	near := hi&0x800fffff | (1015+(m>>8&15))<<20
	switch m & 3 {
	case 1:
		hi = near
	case 2:
		e := m >> 8 & 3
		hi = hi&0x800fffff | (e&1+(e>>1)*2046)<<20
	case 3:
		lo, hi = 0, near
	}
	return lo, hi
}

// fold adds a result to the word of a thread.
func fold(h uint32, t prim.Type, w uint64) uint32 {
	lo, hi := uint32(w), uint32(w>>32)
	if t == prim.F64 && (hi&0x7fffffff > 0x7ff00000 || hi&0x7fffffff == 0x7ff00000 && lo != 0) {
		lo, hi = 0, 0x7ff80000
	}
	if t == prim.F32 && lo&0x7fffffff > 0x7f800000 || t == prim.F16 && lo&0x7fff > 0x7c00 {
		lo = 0x7e00
	}
	h = (h ^ lo) * 16777619
	if words(t) == 2 {
		h = (h ^ hi) * 16777619
	}
	return h ^ h>>15
}

// spanArg is the text, in WGSL or CUDA C, that makes argument j, whose words are variables from width on.
func spanArg(t prim.Type, how tupling, j, width int) string {
	a, b := fmt.Sprintf("a%d", width), fmt.Sprintf("a%d", width+1)
	switch how {
	case bits32:
		return "LET " + a + " = i;\n"
	case halves:
		return fmt.Sprintf("LET %s = (i >> %du) & 65535u;\n", a, 16*(1-j))
	case scramble:
	}
	k := uint32(3 * j)
	s := fmt.Sprintf("VAR %s = mix(i ^ %du); VAR %s = mix(i ^ %du); LET m%d = mix(i ^ %du);\n",
		a, mix(k+1), b, mix(k+2), j, mix(k+3))
	if t == prim.F64 {
		s += "LET nearJ = (B & 0x800fffffu) | ((1015u + ((mJ >> 8u) & 15u)) << 20u); LET eJ = (mJ >> 8u) & 3u;\n" +
			"if ((mJ & 3u) == 1u) { B = nearJ; }\n" +
			"if ((mJ & 3u) == 2u) { B = (B & 0x800fffffu) | (((eJ & 1u) + (eJ >> 1u) * 2046u) << 20u); }\n" +
			"if ((mJ & 3u) == 3u) { A = 0u; B = nearJ; }\n"
	} else {
		s += "if ((mJ & 3u) == 1u) { B = 0u; }\nif ((mJ & 3u) == 2u) { B = 0xffffffffu; }\n" +
			"if ((mJ & 3u) == 3u) { A = A & ((1u << ((mJ >> 8u) & 31u)) - 1u); B = 0u; }\n"
	}
	return strings.NewReplacer("LET", "LET", "VAR", "VAR", "A", a, "B", b, "J", fmt.Sprint(j)).Replace(s)
}

// spanFold is the text that folds the words lo and hi of a result.
func spanFold(t prim.Type) string {
	s := ""
	switch t {
	case prim.F16:
		s = "if ((lo & 0x7fffu) > 0x7c00u) { lo = 0x7e00u; }\n"
	case prim.F32:
		s = "if ((lo & 0x7fffffffu) > 0x7f800000u) { lo = 0x7e00u; }\n"
	case prim.F64:
		s = "if ((hi & 0x7fffffffu) > 0x7ff00000u || ((hi & 0x7fffffffu) == 0x7ff00000u && lo != 0u)) " +
			"{ lo = 0u; hi = 0x7ff80000u; }\n"
	default:
	}
	s += "h = (h ^ lo) * 16777619u;\n"
	if words(t) == 2 {
		s += "h = (h ^ hi) * 16777619u;\n"
	}
	return s + "h = h ^ (h >> 15u);\n"
}

// spanKernel applies a function to rounds tuples a thread, and stores the one result or the fold of all. The number of
// the first tuple is the first word of the input.
func spanKernel(d shaders.Dialect, sig signature, how tupling, rounds int) (device.KernelSpec, error) {
	names := append(helpers(append(sig.Params, sig.Result)...), sig.Name)
	read := func() (string, error) { return shaders.Library(d, names) }
	if d.Language == shaders.CUDA {
		read = func() (string, error) { return cudaLibrary(sig) }
	}
	library, err := read()
	if err != nil {
		return device.KernelSpec{}, err
	}
	var body strings.Builder
	var args []string
	width := 0
	for j, p := range sig.Params {
		body.WriteString(spanArg(p, how, j, width))
		if words(p) == 2 && d.Language == shaders.CUDA {
			args = append(args, fmt.Sprintf("((u64)a%d << 32 | a%d)", width+1, width))
		} else if d.Language == shaders.CUDA {
			args = append(args, fmt.Sprintf("(u64)a%d", width))
		} else {
			args = append(args, inputWord.ReplaceAllStringFunc(decode(p, width), func(w string) string {
				return "a" + strings.Trim(strings.TrimPrefix(w, "input[base + "), "u]")
			}))
		}
		if width += words(p); how == scramble && words(p) == 1 {
			width++ // scramble makes two words; the second is not used.
		}
	}
	if rounds == 1 {
		body.WriteString("RESULT\nh = lo;\n")
	} else {
		body.WriteString("RESULT\n" + spanFold(sig.Result))
	}
	spec := device.KernelSpec{Name: sig.Name, Entry: "span", Buffers: 2, Workgroup: [3]uint32{64, 1, 1}}
	if d.Language == shaders.CUDA {
		spec.Source = library + cudaSpan(body.String(), cCall(sig, args), rounds)
	} else {
		spec.Source = library + wgslSpan(body.String(), sig, args, rounds)
		if d.Float16 {
			spec.Source = "enable f16;\n" + spec.Source
		}
	}
	return spec, nil
}

func wgslSpan(body string, sig signature, args []string, rounds int) string {
	result := fmt.Sprintf("let r = %s(%s);\n", sig.Name, strings.Join(args, ", "))
	if words(sig.Result) == 2 {
		result += "let w = " + encode(sig.Result) + ";\nvar lo = w.x; var hi = w.y;"
	} else {
		result += "var lo = " + encode(sig.Result) + ";"
	}
	body = strings.NewReplacer("LET", "let", "VAR", "var", "RESULT", result).Replace(body)
	return fmt.Sprintf(`@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
fn mix(y: u32) -> u32 {
  var x = y;
  x = (x ^ (x >> 16u)) * 0x85ebca6bu;
  x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
  return x ^ (x >> 16u);
}
@compute @workgroup_size(64)
fn span(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
  let t = id.x + id.y * n.x * 64u;
  if (t >= arrayLength(&output)) { return; }
  var h = 0u;
  for (var k = 0u; k < %du; k++) {
    let i = input[0] + t * %du + k;
    %s
  }
  output[t] = h;
}
`, rounds, rounds, body)
}

// cudaSpan relies on launches of whole workgroups.
func cudaSpan(body, call string, rounds int) string {
	result := "u64 r = " + call + "; u32 lo = (u32)r; u32 hi = (u32)(r >> 32); (void)hi;"
	body = strings.NewReplacer("LET", "const u32", "VAR", "u32", "RESULT", result).Replace(body)
	return fmt.Sprintf(`static __device__ u32 mix(u32 x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}
extern "C" __global__ void span(u32 *input, u32 *output) {
  u32 t = (blockIdx.x + blockIdx.y * gridDim.x) * 64 + threadIdx.x;
  u32 h = 0;
  for (u32 k = 0; k < %du; k++) {
    u32 i = input[0] + t * %du + k;
    %s
  }
  output[t] = h;
}
`, rounds, rounds, body)
}
