package webgpu

import (
	"runtime"
	"time"
	"unsafe"
)

// Note [Waiting]
// ~~~~~~~~~~~~~~
// Dawn waits for a future, with a time-out. wgpu-native aborts the process there;
// it answers from within wgpuDevicePoll, which either returns at once or waits for
// the whole queue, however long. So: poll for a while,
// then wait inside the library; with a time-out, on a goroutine of its own, which
// an endless kernel keeps (the device is given up then anyway). Yielding between two polls
// hands the processor to another thread and back, which took 20 to 40 of the 80 µs of a small call on
// a machine with 16 cores; so it is done only where somebody needs the processor.
// Waiting inside the library costs 30 to 240 µs more than polling, for the system wakes the thread up: medians of calls polled for 0.2 and
// for 5 ms are 825 and 647 µs (lavaMD), 878 and 617 (OptionPricing), 854 and 609 (crystal), 3,285 and 2,993 (hotspot; H200, 2026-11-23).

// For how long a wait polls before it blocks. A software driver needs the processor for something better.
const (
	pollingTime    = 5 * time.Millisecond
	pollingTimeCPU = 30 * time.Microsecond
)

// await waits until the answer has come; false after the time-out, of which 0
// means none. See Note [Waiting].
func (c *connection) await(a answer, timeout time.Duration) (result, bool) {
	if c.lib.native {
		return c.awaitPolling(a, timeout)
	}
	ns := ^uint64(0)
	if timeout > 0 {
		ns = uint64(timeout)
	}
	w := &futureWaitInfo{future: a.future}
	call(c.lib.sym.InstanceWaitAny, c.instance, 1, uintptr(unsafe.Pointer(w)), uintptr(ns))
	select {
	case r := <-a.ch:
		return r, true
	default:
		return result{}, false
	}
}

// awaitPolling polls until the answer is there: see Note [Waiting].
func (c *connection) awaitPolling(a answer, timeout time.Duration) (result, bool) {
	start := time.Now()
	polling := pollingTime
	if c.software {
		polling = pollingTimeCPU
	}
	yield := c.software || runtime.GOMAXPROCS(0) == 1
	for {
		select {
		case r := <-a.ch:
			return r, true
		default:
		}
		if c.broken.Load() {
			return result{}, false
		}
		if time.Since(start) > polling {
			break
		}
		c.poll(withoutWaiting)
		if yield {
			runtime.Gosched()
		}
	}
	if timeout == 0 {
		return c.awaitBlocking(a, time.Time{})
	}
	type outcome struct {
		r  result
		ok bool
	}
	done := make(chan outcome, 1)
	go func() {
		r, ok := c.awaitBlocking(a, start.Add(timeout))
		done <- outcome{r, ok}
	}()
	timer := time.NewTimer(timeout - time.Since(start))
	defer timer.Stop()
	select {
	case o := <-done:
		return o.r, o.ok
	case <-timer.C:
		return result{}, false
	}
}

// awaitBlocking waits inside the library until the answer has come or the
// deadline, unless it is zero, has passed.
func (c *connection) awaitBlocking(a answer, deadline time.Time) (result, bool) {
	for {
		c.poll(andWait)
		select {
		case r := <-a.ch:
			return r, true
		default:
		}
		if c.broken.Load() || !deadline.IsZero() && time.Now().After(deadline) {
			return result{}, false
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// How poll runs what is due.
const (
	andWait        = true
	withoutWaiting = false
)

// poll has wgpu-native run what is due; wait says to wait for the queue first.
func (c *connection) poll(wait bool) {
	switch {
	case c.device == 0:
		call(c.lib.sym.InstanceProcessEvents, c.instance)
	case c.broken.Load():
	case wait:
		c.devicePoll(1)
	default:
		c.devicePoll(0)
	}
}

func (c *connection) devicePoll(wait uintptr) {
	if !caught(c.lib.sym.DevicePoll, c.device, wait, 0) {
		c.broken.Store(true)
	}
}
