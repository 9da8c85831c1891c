package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// fold adds a result to the word of a thread, as foldText does on devices.
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

// foldText folds the words lo and hi of a result into h.
func foldText(t prim.Type) string {
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

// use is what a span kernel does with results.
type use int

const (
	folding use = iota // Fold those of spanRounds tuples a thread into one word.
	storing            // Store the one of each thread.
)

// spanRounds is how many tuples a thread takes whose results are folded; fewer if there are fewer.
const spanRounds = 1024

// spanSource is the text of a kernel for the tuples first, first+1, … of a function, made from a library. The first
// word of the input is the number of the first tuple, the second that of threads.
func spanSource(isCUDA bool, library string, sig signature, h tupling, u use) string {
	rounds := 1
	if u == folding {
		rounds = int(min(h.total, spanRounds))
	}
	text := wgslSpan
	var result string
	if isCUDA {
		text = cudaSpan
		args := make([]string, len(sig.Params))
		for j, p := range sig.Params {
			args[j] = fmt.Sprintf("(u64)a%d", j)
			if words(p) == 2 {
				args[j] = fmt.Sprintf("((u64)b%d << 32 | a%d)", j, j)
			}
		}
		result = "const u64 r = " + cCall(sig, args) + "; u32 lo = (u32)r; u32 hi = (u32)(r >> 32); (void)hi;\n"
	} else {
		args := make([]string, len(sig.Params))
		for j, p := range sig.Params {
			args[j] = strings.NewReplacer("input[base + 0u]", fmt.Sprintf("a%d", j), "input[base + 1u]", fmt.Sprintf("b%d", j)).
				Replace(decode(p, 0))
		}
		result = fmt.Sprintf("let r = %s(%s);\n", sig.Name, strings.Join(args, ", "))
		if words(sig.Result) == 2 {
			result += "let w = " + encode(sig.Result) + "; var lo = w.x; var hi = w.y;\n"
		} else {
			result += "var lo = " + encode(sig.Result) + ";\n"
		}
	}
	last := "output[t] = h;"
	switch {
	case u == folding:
		result += foldText(sig.Result)
	case words(sig.Result) == 2:
		result, last = result+"output[2u * t] = lo; output[2u * t + 1u] = hi;\n", ""
	default:
		result, last = result+"output[t] = lo;\n", ""
	}
	return library + fmt.Sprintf(text, rounds, rounds, inLanguage(isCUDA, h.text())+result, last)
}

const wgslSpan = `@group(0) @binding(0) var<storage, read_write> input: array<u32>;
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
  if (t >= input[1]) { return; }
  var h = 0u;
  for (var k = 0u; k < %du; k++) {
    let i = input[0] + t * %du + k;
    %s
  }
  %s
}
`

// cudaMix is mix.
const cudaMix = `static __device__ u32 mix(u32 x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}
`

const cudaSpan = cudaMix + `extern "C" __global__ void span(u32 *input, u32 *output) {
  u32 t = (blockIdx.x + blockIdx.y * gridDim.x) * 64 + threadIdx.x;
  if (t >= input[1]) return;
  u32 h = 0;
  for (u32 k = 0; k < %du; k++) {
    const u32 i = input[0] + t * %du + k;
    %s
  }
  %s
}
`

// spanKernel is the kernel for the library's own function in a dialect.
func spanKernel(d shaders.Dialect, sig signature, h tupling, u use) (device.KernelSpec, error) {
	library, err := libraryOf(d, sig)
	if err != nil {
		return device.KernelSpec{}, err
	}
	isCUDA := d.Language == shaders.CUDA
	return spanSpec(sig, spanSource(isCUDA, library, sig, h, u)), nil
}

func spanSpec(sig signature, source string) device.KernelSpec {
	return device.KernelSpec{Name: sig.Name, Entry: "span", Source: source, Buffers: 2, Workgroup: [3]uint32{64, 1, 1}}
}
