// Package emulated runs programs on CUDA without a GPU: its tests compile an
// emulation of NVIDIA's driver and of NVRTC, which skald loads as it does the real
// ones, and run the examples on the target cuda.
//
// The compiler (emulation/compiler.cpp) hands CUDA C to the system's C++ compiler,
// with emulation/device.h in place of what CUDA has beyond C++. The driver
// (emulation/driver.cpp) runs one workgroup after the other; the threads of one
// that has barriers are coroutines, which meet at each. So a kernel's results are
// those of a GPU, but for races, what a warp does in step, and speed. Memory that
// was not written is full of nonsense.
package emulated
