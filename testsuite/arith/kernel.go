package main

import (
	"encoding/binary"
	"fmt"
	"strings"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// signature is a library function with the types of its parameters and result.
type signature struct {
	Name   string
	Params []prim.Type
	Result prim.Type
}

// words is how many 32-bit words a value of the type takes in the test buffers.
func words(t prim.Type) int {
	if t.Bits() == 64 {
		return 2
	}
	return 1
}

// dialectOf chooses the library's dialect for a device.
func dialectOf(f *device.Facts) shaders.Dialect {
	if f.Kernels == cuda.Language {
		return shaders.Dialect{Language: shaders.CUDA}
	}
	return shaders.Dialect{Language: shaders.WGSL, Int64: f.I64, Float64: f.F64, Float16: f.F16, Fma: f.FusesFma()}
}

// decode is the expression that reads a value of a type at word i of the input.
func decode(t prim.Type, i int) string {
	w := fmt.Sprintf("input[base + %du]", i)
	pair := fmt.Sprintf("vec2<u32>(%s, input[base + %du])", w, i+1)
	switch t {
	case prim.I8, prim.I16, prim.I32:
		return "bitcast<i32>(" + w + ")"
	case prim.U8, prim.U16, prim.U32:
		return w
	case prim.I64:
		return "i64_of_w(" + pair + ")"
	case prim.U64:
		return "u64_of_w(" + pair + ")"
	case prim.F16:
		return "from_bits_f16(" + w + ")"
	case prim.F32:
		return "bitcast<f32>(" + w + ")"
	case prim.F64:
		return "f64_of_w(" + pair + ")"
	case prim.Bool:
		return w + " != 0u"
	default:
		panic("arith: type " + t.String())
	}
}

// encode is the expression for the words of a result r.
func encode(t prim.Type) string {
	switch t {
	case prim.I8, prim.I16, prim.I32:
		return "bitcast<u32>(r)"
	case prim.U8, prim.U16, prim.U32:
		return "r"
	case prim.I64:
		return "w_of_i64(r)"
	case prim.U64:
		return "w_of_u64(r)"
	case prim.F16:
		return "to_bits_f16(r)"
	case prim.F32:
		return "bitcast<u32>(r)"
	case prim.F64:
		return "w_of_f64(r)"
	case prim.Bool:
		return "select(0u, 1u, r)"
	default:
		panic("arith: type " + t.String())
	}
}

// helpers are the library functions that encode and decode need.
func helpers(types ...prim.Type) []string {
	var names []string
	for _, t := range types {
		switch t {
		case prim.I64:
			names = append(names, "i64_of_w", "w_of_i64")
		case prim.U64:
			names = append(names, "u64_of_w", "w_of_u64")
		case prim.F16:
			names = append(names, "from_bits_f16", "to_bits_f16")
		case prim.F64:
			names = append(names, "f64_of_w", "w_of_f64")
		default:
		}
	}
	return names
}

// kernel is a kernel that applies the function to every tuple of its input.
func kernel(d shaders.Dialect, s signature) (device.KernelSpec, error) {
	if d.Language == shaders.CUDA {
		library, err := libraryOf(d, s)
		return cudaKernel(library, s), err
	}
	library, err := libraryOf(d, s)
	if err != nil {
		return device.KernelSpec{}, err
	}
	var args []string
	width := 0
	for _, p := range s.Params {
		args = append(args, decode(p, width))
		width += words(p)
	}
	var b strings.Builder
	b.WriteString(library)
	b.WriteString(`@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
`)
	outWords := words(s.Result)
	fmt.Fprintf(&b, "  let i = id.x + id.y * n.x * 64u;\n  if (i >= arrayLength(&output) / %du) { return; }\n", outWords)
	fmt.Fprintf(&b, "  let base = i * %du;\n  let r = %s(%s);\n", width, s.Name, strings.Join(args, ", "))
	if outWords == 1 {
		fmt.Fprintf(&b, "  output[i] = %s;\n}\n", encode(s.Result))
	} else {
		fmt.Fprintf(&b, "  let w = %s;\n  output[2u * i] = w.x;\n  output[2u * i + 1u] = w.y;\n}\n", encode(s.Result))
	}
	return device.KernelSpec{
		Name: s.Name, Source: b.String(), Entry: "main", Buffers: 2, Workgroup: [3]uint32{64, 1, 1},
	}, nil
}

// apply runs the function, in a dialect that the device understands, for every tuple of args, which holds one canonical
// word for each parameter in turn.
func apply(dev device.Device, d shaders.Dialect, s signature, args []uint64) ([]uint64, error) {
	spec, err := kernel(d, s)
	if err != nil {
		return nil, err
	}
	return applyKernel(dev, spec, s, args)
}

// applyKernel runs a kernel of kernel.
func applyKernel(dev device.Device, spec device.KernelSpec, s signature, args []uint64) ([]uint64, error) {
	kernels, err := dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	n := len(args) / len(s.Params)
	width := 0
	for _, p := range s.Params {
		width += 4 * words(p)
	}
	in := make([]byte, n*width)
	split(n, func(lo, hi int) {
		part := in[lo*width : lo*width : hi*width]
		for i, a := range args[lo*len(s.Params) : hi*len(s.Params)] {
			part = appendWord(part, s.Params[i%len(s.Params)], a)
		}
	})
	out := make([]byte, n*4*words(s.Result))
	if err := run(dev, kernels[0], n, in, out); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	results := make([]uint64, n)
	split(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if words(s.Result) == 2 {
				results[i] = binary.LittleEndian.Uint64(out[8*i:])
			} else {
				results[i] = prim.Canonical(s.Result, uint64(binary.LittleEndian.Uint32(out[4*i:])))
			}
		}
	})
	return results, nil
}

func appendWord(b []byte, t prim.Type, w uint64) []byte {
	if words(t) == 2 {
		return binary.LittleEndian.AppendUint64(b, w)
	}
	return binary.LittleEndian.AppendUint32(b, uint32(w))
}

// run launches a kernel of one input and one output over n elements.
func run(dev device.Device, k device.Kernel, n int, in, out []byte) error {
	input, err := dev.Alloc(int64(len(in)))
	if err != nil {
		return err
	}
	defer dev.Free(input)
	output, err := dev.Alloc(int64(len(out)))
	if err != nil {
		return err
	}
	defer dev.Free(output)
	if err := dev.Upload(input, 0, in); err != nil {
		return err
	}
	groups := (n + 63) / 64
	const across = 1 << 15
	var params []byte
	if k.Spec().Params > 0 {
		params = binary.LittleEndian.AppendUint32(nil, uint32(n))
	}
	err = dev.Launch(device.Launch{
		Kernel: k, Params: params,
		Groups: [3]uint32{uint32(min(groups, across)), uint32((groups + across - 1) / across), 1},
		Buffers: []device.Binding{
			{Buffer: input, Size: int64(len(in))}, {Buffer: output, Size: int64(len(out))},
		},
	})
	if err != nil {
		return err
	}
	return dev.Download(device.Region{Buffer: output, Data: out})
}
