package webgpu

import "slices"

const (
	ringChunk = 1 << 18 // Bytes of a buffer of a ring.
	ringAlign = 256     // The strictest alignment of offsets that WebGPU knows.
)

// ring gathers small pieces of data that a batch needs on the device, in buffers
// that are written once a batch, when it is submitted, and used again by the next.
type ring struct {
	usage  uint64   // Of the buffers.
	chunks []*block // Kept from batch to batch.
	data   [][]byte // What those used by this batch are to hold.
}

// place puts data, at most a chunk of it, into a buffer of the ring and says where
// it will lie there. The device's lock is held.
func (r *ring) place(d *Device, data []byte) (chunk *block, offset int64, err error) {
	size := (len(data) + ringAlign - 1) &^ (ringAlign - 1)
	if n := len(r.data); n == 0 || len(r.data[n-1])+size > ringChunk {
		if n == len(r.chunks) {
			c, err := d.makeBlock(ringChunk, r.usage|usageCopyDst)
			if err != nil {
				return nil, 0, err
			}
			r.chunks = append(r.chunks, c)
		}
		if cap(r.data) > n {
			r.data = r.data[:n+1] // The memory of an earlier batch.
			r.data[n] = r.data[n][:0]
		} else {
			r.data = append(r.data, nil)
		}
	}
	last := len(r.data) - 1
	at := len(r.data[last])
	r.data[last] = append(r.data[last], data...)
	r.data[last] = slices.Grow(r.data[last], size)[:at+size]
	return r.chunks[last], int64(at), nil
}

// flush writes what was placed, and makes the ring empty.
func (r *ring) flush(c *connection) {
	for i, data := range r.data {
		c.writeBuffer(r.chunks[i].handle, 0, data)
	}
	r.data = r.data[:0]
}

// release releases the buffers.
func (r *ring) release(d *Device) {
	for _, c := range r.chunks {
		d.dropBlock(c)
	}
	*r = ring{usage: r.usage}
}
