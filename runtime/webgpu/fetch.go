package webgpu

import (
	"time"

	"skald/runtime/device"
)

// fetch is a reading under way: see Note [Transfers].
type fetch struct {
	d     *Device
	round []piece
	size  int64
	s     *block
	ready answer
	sent  int64 // how many submissions there were then
}

// Fetch implements device.Fetcher.
func (d *Device) Fetch(regions ...device.Region) (device.Fetch, error) {
	f := &fetch{d: d}
	for _, r := range regions {
		b, err := d.memory.Own("download", r.Buffer, r.Offset, int64(len(r.Data)))
		if err != nil {
			return nil, err
		}
		p := piece{from: b, at: r.Offset, to: r.Data, lies: f.size}
		f.round = append(f.round, p)
		f.size += (p.words() + 7) &^ 7
	}
	if f.size == 0 || f.size > 2*device.FetchBytes {
		return nil, nil
	}
	var err error
	if f.s, err = d.staging.Get(f.size); err != nil {
		return nil, err
	}
	if f.ready, err = d.recordReadBack(f.round, f.s, f.size); err != nil {
		d.staging.Discard(f.s) // Its state is unknown.
		return nil, err
	}
	d.mu.Lock()
	f.sent = d.stats.Submits
	d.mu.Unlock()
	return f, nil
}

// Wait implements device.Fetch.
func (f *fetch) Wait() error {
	f.d.mu.Lock()
	err := f.d.submit()
	if err == nil {
		f.d.batch.syncedTo(f.d.stats.Submits - f.sent)
		f.d.stats.Syncs++
	}
	f.d.mu.Unlock()
	return f.d.take(f.round, f.s, f.size, f.ready, err)
}

// Drop implements device.Fetch. The staging buffer is taken back when a download is done: this reading is then, too.
func (f *fetch) Drop() {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.d.dropped = append(f.d.dropped, f)
}

// takeBack takes back the staging buffers of dropped readings, which are done unless the device has failed.
func (d *Device) takeBack(dropped []*fetch) {
	for _, f := range dropped {
		if err := d.finish(f.ready, "read from the device"); err != nil {
			d.staging.Discard(f.s)
			continue
		}
		d.conn.unmap(f.s.handle)
		d.staging.Put(f.s)
	}
}

// grant is how long rounds of a loop may take that are recorded together: some of them may be in vain, and a wait takes 70 to 130 µs.
const grant = 400 * time.Microsecond

// Grant implements device.Fetcher.
func (d *Device) Grant() time.Duration { return grant }
