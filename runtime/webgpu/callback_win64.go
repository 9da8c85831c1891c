//go:build windows && amd64

package webgpu

import "github.com/ebitengine/purego"

// The C functions that the libraries call back, made once: callbacks are never
// freed. A string view arrives as an address, and every argument and result must
// be of a word's size.
func makeCallbacks() callbacks {
	return callbacks{
		load: purego.NewCallback(loadBlob), store: purego.NewCallback(storeBlob),
		object: purego.NewCallback(func(status, object uintptr, v *foreignView, user, _ uintptr) uintptr {
			deliver(user, result{status: uint32(status), object: object, text: v.String()})
			return 0
		}),
		plain: purego.NewCallback(func(status uintptr, v *foreignView, user, _ uintptr) uintptr {
			deliver(user, result{status: uint32(status), text: v.String()})
			return 0
		}),
		scope: purego.NewCallback(func(status, kind uintptr, v *foreignView, user, _ uintptr) uintptr {
			deliver(user, result{status: uint32(status), kind: uint32(kind), text: v.String()})
			return 0
		}),
		lost: purego.NewCallback(func(_, _ uintptr, v *foreignView, user, _ uintptr) uintptr {
			reportLoss(user, v.String())
			return 0
		}),
		uncaptured: purego.NewCallback(func(_, kind uintptr, v *foreignView, user, _ uintptr) uintptr {
			reportError(user, uint32(kind), v.String())
			return 0
		}),
	}
}
