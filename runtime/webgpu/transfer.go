package webgpu

import (
	"skald/runtime/device"
)

const (
	uploadRecorded = 16 << 10 // Bytes up to which an upload may be recorded.

	uploadPiece   = 16 << 20 // Bytes written before they are submitted.
	downloadPiece = 32 << 20 // Bytes read in one round trip at most.
)

// Note [Transfers]
// ~~~~~~~~~~~~~~~~
// The queue's own write beats staging buffers of ours in wgpu-native (25 GB/s to
// an H200), which keeps some itself, so uploads go through it; but a write takes
// effect before the next submission. A small upload to a buffer that the batch uses
// is therefore recorded as a copy, and before a large one the batch is submitted.
// Downloads go through mappable buffers that the device keeps. Small ones may be
// begun before what is recorded next (Fetch), several at a time.

// Upload implements device.Device: see Note [Transfers].
func (d *Device) Upload(dst device.Buffer, offset int64, data []byte) error {
	n := int64(len(data))
	if n == 0 {
		return d.usable()
	}
	b, err := d.memory.Own("upload", dst, offset, n)
	if err != nil {
		return err
	}
	if offset%4 != 0 || n%4 != 0 && offset+n != b.Size() {
		return d.uploadBytes(dst, offset, data)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	d.stats.Uploaded += n
	if d.batch.uses(b.Handle) {
		if n <= uploadRecorded {
			return d.recordUpload(b, offset, data)
		}
		if err := d.submit(); err != nil {
			return err
		}
	}
	for len(data) > 0 {
		piece := min(len(data), uploadPiece)
		d.write(b, offset, data[:piece])
		data, offset = data[piece:], offset+int64(piece)
		if d.batch.written >= uploadPiece {
			if err := d.submit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordUpload has the batch copy data into a buffer. The lock is held.
func (d *Device) recordUpload(b *buffer, offset int64, data []byte) error {
	from, at, err := d.batch.uploads.place(d, data)
	if err != nil {
		return err
	}
	d.begin()
	d.endPass()
	d.conn.copyBuffer(d.batch.encoder, from.handle, at, b.Handle.handle, offset, (int64(len(data))+3)&^3)
	return nil
}

// write hands data for a buffer to the library. The lock is held.
func (d *Device) write(b *buffer, offset int64, data []byte) {
	whole := len(data) &^ 3
	d.conn.writeBuffer(b.Handle.handle, offset, data[:whole])
	if whole < len(data) { // The rest of the word lies behind the buffer's end.
		var word [4]byte
		copy(word[:], data[whole:])
		d.conn.writeBuffer(b.Handle.handle, offset+int64(whole), word[:])
	}
	d.batch.written += len(data)
}

// uploadBytes uploads what is not made of whole words, by way of a buffer and a
// copy that leaves the neighbours alone.
func (d *Device) uploadBytes(dst device.Buffer, offset int64, data []byte) error {
	t, err := d.alloc(int64(len(data)))
	if err != nil {
		return err
	}
	defer d.Free(t)
	if err := d.Upload(t, 0, data); err != nil {
		return err
	}
	return d.Copy(dst, offset, t, 0, int64(len(data)))
}

// piece is a part of a region, and where it lies in the staging buffer.
type piece struct {
	from *buffer
	at   int64 // Byte of the buffer, any.
	to   []byte
	lies int64 // Word-aligned place in the staging buffer of the word with that byte.
}

// words is the number of bytes of the words that the piece touches.
func (p *piece) words() int64 { return (p.at&3 + int64(len(p.to)) + 3) &^ 3 }

// Download implements device.Device: see Note [Transfers].
func (d *Device) Download(regions ...device.Region) error {
	var round []piece
	var size int64
	any := false
	for _, r := range regions {
		b, err := d.memory.Own("download", r.Buffer, r.Offset, int64(len(r.Data)))
		if err != nil {
			return err
		}
		for at, to := r.Offset, r.Data; len(to) > 0; {
			p := piece{from: b, at: at, to: to[:min(len(to), downloadPiece)], lies: size}
			if size > 0 && size+p.words() > downloadPiece {
				if err := d.readBack(round, size); err != nil {
					return err
				}
				round, size, p.lies = nil, 0, 0
			}
			any = true
			round = append(round, p)
			size += (p.words() + 7) &^ 7
			to, at = to[len(p.to):], at+int64(len(p.to))
		}
	}
	if any {
		return d.readBack(round, size)
	}
	return d.Sync()
}

// readBack reads pieces that fit one staging buffer of size bytes.
func (d *Device) readBack(round []piece, size int64) error {
	s, err := d.staging.Get(size)
	if err != nil {
		return err
	}
	ready, err := d.recordReadBack(round, s, size)
	var dropped []*fetch
	if err == nil {
		d.mu.Lock()
		d.batch.synced()
		d.stats.Syncs++
		dropped, d.dropped = d.dropped, nil
		d.mu.Unlock()
	}
	err = d.take(round, s, size, ready, err)
	d.takeBack(dropped)
	return err
}

// take waits for pieces in a staging buffer and copies them, unless there was an error before.
func (d *Device) take(round []piece, s *block, size int64, ready answer, err error) error {
	if err == nil {
		err = d.finish(ready, "read from the device")
	}
	if err != nil {
		d.staging.Discard(s) // Its state is unknown.
		return err
	}
	memory := d.conn.mapped(s.handle, size)
	if memory == nil {
		d.staging.Discard(s)
		return &device.Error{Fault: device.Internal, Op: "read from the device", Detail: "the staging buffer has no memory"}
	}
	for _, p := range round {
		copy(p.to, memory[p.lies+p.at&3:])
	}
	d.conn.unmap(s.handle)
	d.staging.Put(s)
	return nil
}

// recordReadBack submits the copying of pieces to a staging buffer and asks for
// that to be mapped.
func (d *Device) recordReadBack(round []piece, s *block, size int64) (answer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return answer{}, err
	}
	d.begin()
	d.endPass()
	for _, p := range round {
		d.conn.copyBuffer(d.batch.encoder, p.from.Handle.handle, p.at&^3, s.handle, p.lies, p.words())
		d.stats.Downloaded += int64(len(p.to))
	}
	if err := d.send(); err != nil {
		return answer{}, err
	}
	ready := d.conn.mapBuffer(s.handle, mapRead, size)
	d.conn.releaseSpent()
	return ready, nil
}
