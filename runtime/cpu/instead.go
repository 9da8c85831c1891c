package cpu

import (
	"fmt"
)

// Note [Compilers that fail]
//
// A compiler that is there may still fail, which is known when it is asked for the first kernels: it ends with an error or not at all, or
// leaves nothing that can be loaded. The kernels of that module then run as WebAssembly, others as the code that there is of them.
// WebAssembly sees the memory of its modules alone, so all buffers move there, once, and later ones are made there; compiled code runs on
// them as well. A compiler that did not end is not asked again. Kernels that the printer of C refuses are evaluated: WebAssembly has the
// same limits.

// instead runs kernels as WebAssembly that could not be compiled.
func (d *Device) instead(left kernelTexts, why error) {
	if d.web == nil {
		d.modules.slow(why)
		return
	}
	if err := d.moveBlocks(); err != nil {
		d.modules.slow(fmt.Errorf("%w, and %w", why, err))
		return
	}
	d.web.instead(why)
	d.web.addNew(left)
}

// moveBlocks has all blocks be in the memory of WebAssembly from now on.
func (d *Device) moveBlocks() error {
	d.moving.Lock()
	defer d.moving.Unlock()
	if d.inWeb.Load() {
		return nil
	}
	if _, err := d.web.memory.whole(); err != nil {
		return err
	}
	d.inWeb.Store(true) // Before blocks move, so that none is made elsewhere meanwhile.
	err := d.memory.EachInUse(func(b *block) error {
		if b.at != 0 {
			return nil
		}
		to, err := d.web.memory.make(int64(len(b.bytes)))
		if err != nil {
			return err
		}
		copy(to.bytes, b.bytes)
		*b = *to
		return nil
	})
	if err != nil {
		d.inWeb.Store(false)
	}
	return err
}

// makeBlock makes a block where blocks are.
func (d *Device) makeBlock(size int64) (*block, error) {
	if d.inWeb.Load() {
		return d.web.memory.make(size)
	}
	return makeBlock(size)
}

// dropBlock returns a block to where it came from: the collector has those that are not in the memory of WebAssembly.
func (d *Device) dropBlock(b *block) {
	if b.at != 0 {
		d.web.memory.drop(b)
	}
}
