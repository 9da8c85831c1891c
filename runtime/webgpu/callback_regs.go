//go:build !(windows && amd64)

package webgpu

import "github.com/ebitengine/purego"

// The C functions that the libraries call back, made once: callbacks are never
// freed. A string view arrives in two registers.
func makeCallbacks() callbacks {
	text := func(p, n uintptr) string { return foreignView{p, n}.String() }
	return callbacks{
		load: purego.NewCallback(loadBlob), store: purego.NewCallback(storeBlob),
		object: purego.NewCallback(func(status uint32, object, p, n, user, _ uintptr) {
			deliver(user, result{status: status, object: object, text: text(p, n)})
		}),
		plain: purego.NewCallback(func(status uint32, p, n, user, _ uintptr) {
			deliver(user, result{status: status, text: text(p, n)})
		}),
		scope: purego.NewCallback(func(status, kind uint32, p, n, user, _ uintptr) {
			deliver(user, result{status: status, kind: kind, text: text(p, n)})
		}),
		lost: purego.NewCallback(func(_ uintptr, _ uint32, p, n, user, _ uintptr) {
			reportLoss(user, text(p, n))
		}),
		uncaptured: purego.NewCallback(func(_ uintptr, kind uint32, p, n, user, _ uintptr) {
			reportError(user, kind, text(p, n))
		}),
	}
}
