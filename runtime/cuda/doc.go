// Package cuda runs kernels on NVIDIA's GPUs through the CUDA driver API, and
// compiles CUDA C with NVRTC; both are loaded at run time without cgo, NVRTC only
// if machine code is not kept.
//
// # Place
//
// It implements runtime/device, and imports nothing else of ours but
// runtime/dynlib and runtime/cache. compiler.go is NVRTC, which needs no GPU; code.go
// keeps machine code; driver.go binds the driver; open.go and facts.go find a GPU; the
// rest is the device: memory and transfers (memory.go, transfer.go), results in memory
// of the host (mapped.go), launches (launch.go), many of which are graphs (graph.go),
// waiting and errors (wait.go), events (profile.go) and what they measure (gate.go).
//
// # Invariants
//
// A device has one stream, in which everything happens in call order. The driver
// keeps its current context per thread of the system, so each entry point holds
// its thread and sets the context first. Kernels are compiled without fusing
// multiplications and additions and with IEEE division and square root, so that
// their floating point is that of the interpreter.
//
// # Kernels
//
// A kernel of k buffers and a params block is a function
//
//	extern "C" __global__ void entry(T0 *b0, …, Tk *bk, Params params)
//
// # Example
//
//	dev, err := cuda.Open(cuda.Options{})
//	ks, err := dev.Compile([]device.KernelSpec{{
//		Name: "double", Entry: "main_", Buffers: 1, Workgroup: [3]uint32{64, 1, 1},
//		Source: `extern "C" __global__ void main_(unsigned *x) {
//			x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }`,
//	}})
package cuda
