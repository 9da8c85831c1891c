package device

import (
	"sync"
	"time"
)

// Health says whether a device still works. What ends it, a loss, a time-out or
// being closed, is kept, and is the answer to every later call. The zero Health is
// that of a device that works.
type Health struct {
	mu     sync.Mutex
	dead   error
	closed bool
}

// Check returns the failure that has ended the device, nil if none has.
func (h *Health) Check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dead
}

// End ends the device with a failure and returns that; if another has ended it
// before, the other.
func (h *Health) End(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dead == nil {
		h.dead = err
	}
	return h.dead
}

// Expire ends the device with a time-out of an operation.
func (h *Health) Expire(op string, after time.Duration) error {
	return h.End(&Error{
		Fault: Timeout, Op: op, Detail: "the device did not finish within " + after.String(),
		Hint: "a kernel may not end; the process has to be ended to free the device",
	})
}

// Close notes that the device is being closed, and reports whether this is the
// first time.
func (h *Health) Close() (first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first = !h.closed
	h.closed = true
	if h.dead == nil {
		h.dead = &Error{Fault: Lost, Op: "use of a closed device", Hint: "open the device again"}
	}
	return first
}
