// Package backends is the interface of what prints kernels: one package a
// target, listed in All.
//
// Back ends stand after middle/lower and see middle/imp and shaders, nothing
// above. What they print goes to a device of runtime, together with the calling
// convention in imp.Code.
package backends
