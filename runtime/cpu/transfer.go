package cpu

import (
	"encoding/binary"
	"time"

	"skald/runtime/device"
)

// Alloc makes a buffer.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	return d.memory.Buffer(&d.health, &d.facts, size)
}

// Free frees a buffer.
func (d *Device) Free(b device.Buffer) { d.memory.Free(b) }

// bytes returns a range of a buffer. The lock of moving blocks is held.
func (d *Device) bytes(op string, b device.Buffer, offset, n int64) ([]byte, error) {
	if err := d.health.Check(); err != nil {
		return nil, err
	}
	own, err := d.memory.Own(op, b, offset, n)
	if err != nil {
		return nil, err
	}
	return own.Handle.bytes[offset : offset+n], nil
}

// Upload writes data to a buffer.
func (d *Device) Upload(dst device.Buffer, offset int64, data []byte) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	to, err := d.bytes("upload", dst, offset, int64(len(data)))
	if err != nil {
		return err
	}
	copy(to, data)
	d.count(func(s *device.Stats) { s.Uploaded += int64(len(data)) })
	return nil
}

// Download reads regions of buffers.
func (d *Device) Download(regions ...device.Region) error {
	for _, r := range regions {
		if err := d.read(r); err != nil {
			return err
		}
	}
	return d.Sync()
}

// fetched is a reading that is done.
type fetched struct{ d *Device }

// Fetch implements device.Fetcher. Launches are done when they return, so that there is nothing to wait for.
func (d *Device) Fetch(regions ...device.Region) (device.Fetch, error) {
	for _, r := range regions {
		if err := d.read(r); err != nil {
			return nil, err
		}
	}
	return fetched{d}, nil
}

// Wait implements device.Fetch.
func (f fetched) Wait() error { return f.d.Sync() }

// Drop implements device.Fetch.
func (f fetched) Drop() {}

// Grant implements device.Fetcher. What stands for a GPU here does so however long it takes.
func (d *Device) Grant() time.Duration { return time.Hour }

// read reads a region of a buffer.
func (d *Device) read(r device.Region) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	from, err := d.bytes("download", r.Buffer, r.Offset, int64(len(r.Data)))
	if err != nil {
		return err
	}
	copy(r.Data, from)
	d.count(func(s *device.Stats) { s.Downloaded += int64(len(from)) })
	return nil
}

// Copy copies bytes between buffers.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	to, err := d.bytes("copy", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, err := d.bytes("copy", src, srcOffset, n)
	if err != nil {
		return err
	}
	copy(to, from)
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}

// Fill repeats a word.
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	d.moving.RLock()
	defer d.moving.RUnlock()
	b, err := d.memory.OwnWords("fill", dst, offset, n)
	if err != nil {
		return err
	}
	data := b.Handle.bytes[offset : offset+n]
	for i := 0; i < len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], word)
	}
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}
