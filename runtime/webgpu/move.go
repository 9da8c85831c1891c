package webgpu

import (
	_ "embed"
	"encoding/binary"

	"skald/runtime/device"
)

// Note [Bytes and words]
// ~~~~~~~~~~~~~~~~~~~~~~
// WebGPU copies and clears whole words, never within one buffer, and fills with
// zeros only; arrays of i8 and i16 start and end anywhere. What the API cannot do,
// two small kernels do: a copy of bytes in which each thread writes one word of the
// destination and keeps its other bytes, and a fill. The first copies within one buffer, too,
// where the ranges are so far apart that they can be bound side by side; other copies within a buffer go
// by way of another.

//go:embed kernels/copy.wgsl
var copySource string

//go:embed kernels/fill.wgsl
var fillSource string

const (
	moveThreads = 64
	movePiece   = 64 << 20 // Bytes of one launch or of one way round.
)

var (
	copySpec = device.KernelSpec{
		Name: "copy bytes", Source: copySource, Entry: "main", Buffers: 2, Params: 16,
		Workgroup: [3]uint32{moveThreads, 1, 1},
	}
	fillSpec = device.KernelSpec{
		Name: "fill", Source: fillSource, Entry: "main", Buffers: 1, Params: 16, Workgroup: [3]uint32{moveThreads, 1, 1},
	}
)

// Copy implements device.Device.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	to, err := d.memory.Own("copy", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, err := d.memory.Own("copy", src, srcOffset, n)
	if err != nil || n == 0 {
		return err
	}
	if to == from {
		if d.apart(dstOffset, srcOffset, n) {
			return d.copyBytes(to, dstOffset, from, srcOffset, n)
		}
		return d.copyAround(to, dstOffset, srcOffset, n)
	}
	if dstOffset%4 != 0 || srcOffset%4 != 0 || n%4 != 0 && dstOffset+n != to.Size() {
		return d.copyBytes(to, dstOffset, from, srcOffset, n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	d.begin()
	d.endPass()
	d.conn.copyBuffer(d.batch.encoder, from.Handle.handle, srcOffset, to.Handle.handle, dstOffset, (n+3)&^3)
	d.touch(to, from)
	d.stats.Copies++
	return nil
}

// apart reports whether bindings show one range of n bytes of a buffer without the other: the windows of copyBytes.
func (d *Device) apart(at, other, n int64) bool {
	first, second := min(at, other), max(at, other)
	return (first+n+3)&^3 <= second/d.facts.OffsetAlign*d.facts.OffsetAlign
}

// touch notes that recorded commands use these buffers. The lock is held.
func (d *Device) touch(bs ...*buffer) {
	for _, b := range bs {
		b.Handle.batch = d.batch.number
	}
}

// copyAround copies within one buffer.
func (d *Device) copyAround(b *buffer, dstOffset, srcOffset, n int64) error {
	t, err := d.alloc(min(n, movePiece))
	if err != nil {
		return err
	}
	defer d.Free(t)
	for n > 0 {
		m := min(n, movePiece)
		if err := d.Copy(t, 0, b, srcOffset, m); err != nil {
			return err
		}
		if err := d.Copy(b, dstOffset, t, 0, m); err != nil {
			return err
		}
		n, dstOffset, srcOffset = n-m, dstOffset+m, srcOffset+m
	}
	return nil
}

// copyBytes copies between two buffers what is not made of whole words: see Note [Bytes and words].
func (d *Device) copyBytes(to *buffer, dstOffset int64, from *buffer, srcOffset, n int64) error {
	k, err := d.kernels.One(&d.facts, &copySpec)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	d.stats.Copies++
	for n > 0 {
		m := min(n, movePiece)
		target, t := d.window(to, dstOffset, m)
		source, s := d.window(from, srcOffset, m)
		params := words(uint32(t), uint32(s), uint32(m), 0)
		d.stats.Launches-- // To whoever counts, this is no launch.
		if err := d.record(k, moveGroups((t%4+m+3)/4), []bound{target, source}, params); err != nil {
			return err
		}
		n, dstOffset, srcOffset = n-m, dstOffset+m, srcOffset+m
	}
	return nil
}

// window is an aligned range of a buffer that holds n bytes from an offset, and
// where in it they begin.
func (d *Device) window(b *buffer, offset, n int64) (bound, int64) {
	start := offset / d.facts.OffsetAlign * d.facts.OffsetAlign
	end := (offset + n + 3) &^ 3
	return bound{block: b.Handle, offset: start, size: end - start}, offset - start
}

// Fill implements device.Device: see Note [Bytes and words].
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	b, err := d.memory.OwnWords("fill", dst, offset, n)
	if err != nil || n == 0 {
		return err
	}
	var k *kernel
	if word != 0 {
		if k, err = d.kernels.One(&d.facts, &fillSpec); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	d.stats.Copies++
	if word == 0 {
		d.begin()
		d.endPass()
		d.conn.clearBuffer(d.batch.encoder, b.Handle.handle, offset, n)
		d.touch(b)
		return nil
	}
	for n > 0 {
		m := min(n, movePiece)
		target, t := d.window(b, offset, m)
		d.stats.Launches-- // To whoever counts, this is no launch.
		if err := d.record(k, moveGroups(m/4), []bound{target}, words(uint32(t/4), uint32(m/4), word, 0)); err != nil {
			return err
		}
		n, offset = n-m, offset+m
	}
	return nil
}

// moveGroups is the grid of a launch with a thread for each of n words.
func moveGroups(n int64) [3]uint32 {
	groups := (n + moveThreads - 1) / moveThreads
	rows := (groups + 32767) / 32768
	return [3]uint32{uint32((groups + rows - 1) / rows), uint32(rows), 1}
}

// words lays 32-bit words out as a params block.
func words(ws ...uint32) []byte {
	var out []byte
	for _, w := range ws {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}
