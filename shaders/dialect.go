package shaders

import "embed"

// Language is the language that a library text is written in.
type Language uint8

const (
	// WGSL is the WebGPU shading language.
	WGSL Language = iota
	// CUDA is CUDA C++ as NVRTC compiles it.
	CUDA
	// C is C11 for the CPU.
	C
)

// Dialect says which types a target has. In CUDA and C, i64 and f64 are native. An f16 is in CUDA its 16 bits, on which the GPU computes
// natively, and in C an f32 that is exactly representable as an f16.
type Dialect struct {
	Language Language
	Int64    bool // i64 and u64 are the language's own.
	Float64  bool // f64 is the language's own; counts only beside Int64.
	Float16  bool // f16 is the language's own.
	Fma      bool // The builtin function fma rounds once, of f32.
}

var (
	// Portable is standard WGSL within WebGPU's guaranteed features.
	Portable = Dialect{Language: WGSL}
	// Native is the WGSL of wgpu-native on a GPU that has every type.
	Native = Dialect{Language: WGSL, Int64: true, Float64: true, Float16: true, Fma: true}
)

// normal is the dialect with the implications between its fields applied.
func (d Dialect) normal() Dialect {
	if d.Language != WGSL {
		return Dialect{Language: d.Language, Int64: true, Float64: true}
	}
	d.Float64 = d.Float64 && d.Int64
	return d
}

//go:embed wgsl c
var sources embed.FS

// folders lists where the declarations of a dialect are, in the order of their printing.
func (d Dialect) folders() []string {
	choose := func(native bool, name string) string {
		if native {
			return "wgsl/" + name + "_native"
		}
		return "wgsl/" + name + "_words"
	}
	switch d.Language {
	case CUDA:
		return []string{"c", "c/cuda"}
	case C:
		return []string{"c", "c/host"}
	default:
		return []string{
			"wgsl", choose(d.Int64, "i64"), choose(d.Float64, "f64"), choose(d.Float16, "f16"), choose(d.Fma, "fma"),
		}
	}
}

// preludes stand before the library's text in the languages that need definitions first.
var preludes = [...]string{
	WGSL: "",
	CUDA: `#define SKALD_FN static __device__ __forceinline__
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
`,
	C: `#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define SKALD_FN static inline
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef float f32;
typedef double f64;
typedef float F16;
`,
}
