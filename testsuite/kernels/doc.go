// Package kernels has no code of its own: its test compiles the CUDA C of every
// kernel of our programs, which needs NVRTC but no GPU.
package kernels
