package cuda

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Note [Times without the host's]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A launch is measured between two events. The host hands over the first, the launch and the second one after the other, and an idle GPU
// takes each as soon as it comes: so the time between the events had what the host takes for a launch, 3 us, and more where the process had
// been waiting for its client. A reduction of 1,000 numbers took 9.9 us by events on an H200, and in one run the kernels of a count 57.0 us
// of which the whole call, by the host's clock, took 56 at best; the same kernels launched again and again, as the lab does, 49.7.
//
// So while launches are measured the stream waits before the first event until the host has handed over the second: for a word in
// page-locked memory to become the number of the launch. The GPU then does all three without a pause.
//
// The driver may have to wait for the stream itself to launch, as when a kernel needs more local memory than the ones before. The stream
// would wait for ever, so a timer lets it go on after a while; that launch is measured as all were before.

// longestGate is for how long a stream waits for the host.
const longestGate = 2 * time.Millisecond

// gate makes the stream wait for the host: see Note [Times without the host's].
type gate struct {
	off   bool
	timer *time.Timer

	mu   sync.Mutex     // What the timer shares.
	word *atomic.Uint32 // In page-locked memory; nil before the first launch, and once it is freed.
	turn uint32         // What the stream waits for.
}

// close makes the stream wait until the gate is opened. The lock is held and the context current.
func (g *gate) close(d *Device) {
	if g.off || g.word == nil && !g.make(d) {
		return
	}
	g.mu.Lock()
	g.turn++
	g.mu.Unlock()
	const isReached = 0 // The word is the number or one that comes after it.
	status := call(d.drv.waits.StreamWaitValue32, d.stream, uintptr(unsafe.Pointer(g.word)), uintptr(g.turn), isReached)
	g.off = status != 0
	g.timer.Reset(longestGate)
}

// make makes the word. Without it no stream waits.
func (g *gate) make(d *Device) bool {
	if g.off = !d.maps; g.off {
		return false
	}
	address, status := d.allocHost(unsafe.Sizeof(*g.word))
	if g.off = status != 0; g.off {
		return false
	}
	g.word = (*atomic.Uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&address)))
	g.word.Store(0)
	g.timer = time.AfterFunc(longestGate, g.let)
	return true
}

// let lets the stream go on.
func (g *gate) let() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.word != nil {
		g.word.Store(g.turn)
	}
}

// open lets the stream go on, if it waits.
func (g *gate) open() {
	if g.word != nil {
		g.timer.Stop()
		g.let()
	}
}

// release frees the word, which a timer that has run out may be about to write. The context is current.
func (g *gate) release(d *Device) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.word != nil {
		call(d.drv.sym.MemFreeHost, uintptr(unsafe.Pointer(g.word)))
		g.word, g.off = nil, true
	}
}
