// Package kernels has no code of its own: its tests print every kernel of our programs for the profiles of devices, compile the CUDA C,
// which needs NVRTC but no GPU, and translate the WGSL to the languages of other systems, which needs naga (scripts/fetch-naga.sh). One
// compares the kernels of the examples and benchmarks with a recording: a refactoring changes none.
package kernels
