// Package dynlib loads shared libraries at run time without cgo, for the devices
// (runtime/webgpu, runtime/cuda). It imports nothing of ours.
//
//	lib, err := dynlib.Open("libcuda.so.1", dynlib.Private)
//	var sym struct{ Init, DeviceGetCount uintptr }
//	missing := lib.Bind("cu", &sym)
package dynlib
