package webgpu

import (
	"sync"
	"sync/atomic"
)

// Note [Callbacks]
// ~~~~~~~~~~~~~~~~
// Each signature has one C callback for the life of the process. What belongs to
// a call is found by an integer that travels as user data: a channel for calls
// that answer once, a device for loss and errors. So C never holds a Go pointer,
// and a late callback finds nothing instead of something freed. Text is copied
// inside the callback, since it dies with it. Dawn calls from threads of its own.

// callbacks holds the C addresses: see Note [Callbacks].
type callbacks struct{ object, plain, scope, lost, uncaptured, load, store uintptr }

// result is what a callback was called with.
type result struct {
	status, kind uint32
	object       uintptr
	text         string
}

var (
	callbackTable = sync.OnceValue(makeCallbacks)
	waiting       sync.Map // uintptr → chan result
	owners        sync.Map // uintptr → *Device
	lastHandle    atomic.Uintptr
)

// expect makes a handle for a callback that comes once, and the channel that its
// result arrives on. See Note [Callbacks].
func expect() (uintptr, chan result) {
	id := lastHandle.Add(1)
	ch := make(chan result, 1)
	waiting.Store(id, ch)
	return id, ch
}

func deliver(id uintptr, r result) {
	if ch, ok := waiting.LoadAndDelete(id); ok {
		ch.(chan result) <- r
	}
}

func reportLoss(id uintptr, text string) {
	if d, ok := owners.Load(id); ok {
		d.(*Device).onLost(text)
	}
}

func reportError(id uintptr, kind uint32, text string) {
	if d, ok := owners.Load(id); ok {
		d.(*Device).onError(kind, text)
	}
}
