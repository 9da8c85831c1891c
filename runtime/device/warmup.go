package device

import "time"

// Note [Clocks]
// ~~~~~~~~~~~~~
// NVIDIA's Vulkan driver lets the clock of an H200 fall from 1,980 to 345 MHz after
// four seconds without work, with which every kernel takes two to six times as
// long, and raises it only after some 200 ms of work; NVIDIA's own compute API
// keeps it up. A program that prepares its inputs, runs a kernel a few times and
// checks the results is always too early. So whoever measures warms the device up.

// WarmUpTime is how much work brings a device that was idle to its full clock.
const WarmUpTime = 300 * time.Millisecond

// WarmUp keeps a GPU busy for some time, so that what is measured next runs at its
// full clock. It does nothing on other devices. Times of launches so far are
// forgotten.
func WarmUp(d Device, least time.Duration) error {
	if k := d.Facts().Kind; k != Discrete && k != Integrated {
		return nil
	}
	n := min(64<<20, d.Facts().MaxBufferSize)
	b, err := d.Alloc(n)
	if err != nil {
		return err
	}
	defer d.Free(b)
	const fills = 32 // A millisecond of work: the queue is never empty for long.
	for start := time.Now(); time.Since(start) < least; {
		for range fills {
			if err := d.Fill(b, 0, n&^3, 1); err != nil {
				return err
			}
		}
		if err := d.Sync(); err != nil {
			return err
		}
		d.Timings()
	}
	return nil
}
