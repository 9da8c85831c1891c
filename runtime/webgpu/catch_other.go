//go:build !(linux && amd64)

package webgpu

// caught calls a function of up to three arguments. Here a panic of the library
// ends the process; see Note [Panics of the library].
//
//go:uintptrescapes
func caught(fn, a, b, c uintptr) bool {
	call(fn, a, b, c)
	return true
}
