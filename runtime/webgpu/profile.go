package webgpu

import (
	"encoding/binary"
	"time"

	"github.com/ebitengine/purego"

	"skald/runtime/device"
)

// profile measures launches: a timestamp is written before and after each. Where the device
// cannot do that inside a pass, each launch has a pass of its own, which costs the device some
// microseconds. The device's lock protects it.
type profile struct {
	on     bool
	inside bool    // Timestamps are written inside of passes.
	period float64 // Nanoseconds of a tick.
	set    querySetHandle
	memory *block // What timestamps are resolved into.

	names   []string // Launches of the batch that is being recorded.
	current *block   // Where their times are copied to.
	pending []measured
}

// measured is a submitted batch whose times have not been read.
type measured struct {
	names []string
	block *block
	ready answer
}

const profileBytes = 2 * 8 * batchLength

// startProfile gets ready to measure, if the device can.
func (d *Device) startProfile() error {
	if !d.options.Profile || !d.facts.Timestamps {
		return nil
	}
	memory, err := d.makeBlock(profileBytes, usageQuery|usageCopySrc)
	if err != nil {
		return err
	}
	d.profile = profile{on: true, inside: d.insidePasses, period: 1, set: d.conn.createQuerySet(2 * batchLength), memory: memory}
	if fn := d.conn.lib.sym.QueueGetTimestampPeriod; fn != 0 {
		var period func(uintptr) float32 // A float result needs purego's own call.
		purego.RegisterFunc(&period, fn)
		d.profile.period = float64(period(d.conn.queue))
	}
	return nil
}

// add notes a launch of a kernel, and returns the number of the first of its two timestamps.
func (p *profile) add(kernel string) uint32 {
	p.names = append(p.names, kernel)
	return uint32(2 * (len(p.names) - 1))
}

// pass returns the timestamps for a pass with one launch of a kernel; nil when passes
// are not measured.
func (p *profile) pass(kernel string) *passTimestampWrites {
	if !p.on || p.inside {
		return nil
	}
	i := p.add(kernel)
	return &passTimestampWrites{querySet: p.set, beginningOfPassWriteIndex: i, endOfPassWriteIndex: i + 1}
}

// resolve records the copying of the batch's timestamps to where the host can
// read them.
func (p *profile) resolve(d *Device, e encoderHandle) {
	if len(p.names) == 0 {
		return
	}
	b, err := d.staging.Get(profileBytes)
	if err != nil {
		p.names = nil // These launches go unmeasured; the failure will show elsewhere.
		return
	}
	p.current = b
	d.conn.resolveQueries(e, p.set, 2*len(p.names), p.memory.handle)
	d.conn.copyBuffer(e, p.memory.handle, 0, b.handle, 0, int64(16*len(p.names)))
}

// submitted asks for the times of the batch that was just submitted.
func (p *profile) submitted(c *connection) {
	if p.current == nil {
		return
	}
	p.pending = append(p.pending, measured{
		names: p.names, block: p.current,
		ready: c.mapBuffer(p.current.handle, mapRead, profileBytes),
	})
	p.current, p.names = nil, nil
}

// Timings implements device.Device. It waits for the launches submitted so far.
func (d *Device) Timings() []device.Timing {
	d.mu.Lock()
	pending := d.profile.pending
	d.profile.pending = nil
	d.mu.Unlock()
	var out []device.Timing
	for _, m := range pending {
		if d.finish(m.ready, "read times") != nil {
			d.staging.Discard(m.block)
			continue
		}
		ticks := d.conn.mapped(m.block.handle, profileBytes)
		for i, name := range m.names {
			if len(ticks) < profileBytes {
				break
			}
			from, to := binary.LittleEndian.Uint64(ticks[16*i:]), binary.LittleEndian.Uint64(ticks[16*i+8:])
			out = append(out, device.Timing{Kernel: name, Time: time.Duration(float64(to-from) * d.profile.period)})
		}
		d.conn.unmap(m.block.handle)
		d.staging.Put(m.block)
	}
	return out
}

// release releases what measuring needs; its staging buffers are in the pool.
func (p *profile) release(d *Device) {
	if !p.on {
		return
	}
	d.dropBlock(p.memory)
	call(d.conn.lib.sym.QuerySetRelease, uintptr(p.set))
	*p = profile{}
}
