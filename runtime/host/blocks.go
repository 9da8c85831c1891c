package host

import (
	"context"
	"fmt"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
)

// blocks are the blocks of memory of a program, by handle; 0 is none. Program.mu protects them.
type blocks struct {
	dev    device.Device
	arenas *arenas // nil if blocks are buffers of their own: Note [Arenas]
	all    []block
	unused []uint64 // handles that may be given out again
}

// block is a block of memory, how many bytes of it are anybody's, and how many variables hold it.
type block struct {
	place device.Binding
	bytes int64
	refs  int
}

func newBlocks(dev device.Device, parts Parts) (blocks, error) {
	a, err := newArenas(dev, parts)
	return blocks{dev: dev, arenas: a, all: make([]block, 1)}, err
}

// roundUp makes room for access by vectors of words.
func roundUp(n int64) int64 { return max((n+15)&^15, 16) }

// alloc makes a block of some bytes for elements of a type, which has one holder.
func (b *blocks) alloc(elem prim.Type, bytes int64) (uint64, error) {
	place, err := b.make(elem, roundUp(bytes))
	if err != nil {
		return 0, err
	}
	return b.add(place, bytes), nil
}

// add makes a handle of a block, which has one holder.
func (b *blocks) add(place device.Binding, bytes int64) uint64 {
	if n := len(b.unused); n > 0 {
		h := b.unused[n-1]
		b.unused = b.unused[:n-1]
		b.all[h] = block{place, bytes, 1}
		return h
	}
	b.all = append(b.all, block{place, bytes, 1})
	return uint64(len(b.all) - 1)
}

func (b *blocks) make(elem prim.Type, n int64) (device.Binding, error) {
	if b.arenas != nil && n <= b.arenas.most {
		return b.arenas.alloc(elem, n)
	}
	buf, err := b.dev.Alloc(n)
	return device.Binding{Buffer: buf, Size: n}, err
}

// place is where a block lies.
func (b *blocks) place(h uint64) device.Binding { return b.all[h].place }

// region is a part of a block, from a byte on, which is read into data.
func (b *blocks) region(h uint64, at int64, data []byte) device.Region {
	return regionOf(b.place(h), at, data)
}

// regionOf is a part of what lies in a place.
func regionOf(p device.Binding, at int64, data []byte) device.Region {
	return device.Region{Buffer: p.Buffer, Offset: p.Offset + at, Data: data}
}

// copy copies n bytes between blocks.
func (b *blocks) copy(dst uint64, dstAt int64, src uint64, srcAt, n int64) error {
	to, from := b.place(dst), b.place(src)
	return b.dev.Copy(to.Buffer, to.Offset+dstAt, from.Buffer, from.Offset+srcAt, n)
}

// upload writes data at a byte of a block.
func (b *blocks) upload(h uint64, at int64, data []byte) error {
	to := b.place(h)
	return b.dev.Upload(to.Buffer, to.Offset+at, data)
}

func (b *blocks) retain(h uint64) { b.all[h].refs++ }

// release counts one holder less, and frees the block after the last.
func (b *blocks) release(h uint64) {
	k := &b.all[h]
	if k.refs--; k.refs == 0 {
		b.free(k.place)
		k.place = device.Binding{}
		b.unused = append(b.unused, h)
	}
}

func (b *blocks) free(place device.Binding) {
	if b.arenas != nil && place.Size <= b.arenas.most {
		b.arenas.release(place)
		return
	}
	b.dev.Free(place.Buffer)
}

// freeAll frees every block.
func (b *blocks) freeAll() {
	for _, k := range b.all {
		if k.place.Buffer != nil {
			b.free(k.place)
		}
	}
	b.all, b.unused = make([]block, 1), nil
}

// Alloc makes a block.
func (s *session) Alloc(elem prim.Type, count int64) (uint64, error) {
	if count < 0 {
		return 0, fmt.Errorf("cannot allocate an array of type %s: its sizes multiply to more than 2^63", elem)
	}
	if count > 1<<50 {
		return 0, fmt.Errorf("cannot allocate an array of %d elements of type %s", count, elem)
	}
	if err := s.Ended(); err != nil {
		return 0, err
	}
	return s.p.blocks.alloc(elem, count*int64(elem.Size()))
}

// AllocMapped makes a block in memory of the host, if the device can write that.
func (s *session) AllocMapped(elem prim.Type, count int64) (uint64, error) {
	bytes := count * int64(elem.Size())
	m, ok := s.p.dev.(device.Mapper)
	if !ok || s.p.blocks.arenas != nil {
		return s.Alloc(elem, count)
	}
	if err := s.Ended(); err != nil {
		return 0, err
	}
	n := roundUp(bytes)
	b, err := m.AllocMapped(n)
	if b == nil || err != nil {
		return s.Alloc(elem, count)
	}
	return s.p.blocks.add(device.Binding{Buffer: b, Size: n}, bytes), nil
}

// Ended returns the error of the context if that has ended.
func (s *session) Ended() error {
	if s.ctx == context.Background() {
		return nil
	}
	return s.ctx.Err()
}

// Retain counts one more holder of a block.
func (s *session) Retain(h uint64) { s.p.blocks.retain(h) }

// Release counts one less, and frees the block after the last.
func (s *session) Release(h uint64) { s.p.blocks.release(h) }

// Copy copies elements.
func (s *session) Copy(elem prim.Type, dst uint64, dstOff int64, src uint64, srcOff, count int64) error {
	if count <= 0 {
		return nil
	}
	size := int64(elem.Size())
	return s.p.blocks.copy(dst, dstOff*size, src, srcOff*size, count*size)
}

// Write writes an element. The last of a block, whose word is nobody else's, is written with the rest of the word: devices copy whole
// words. Zero, which most such elements are (the flag that a loop goes on), is a fill.
func (s *session) Write(elem prim.Type, b uint64, index int64, value uint64) error {
	var data [8]byte
	for i := range elem.Size() {
		data[i] = byte(value >> (8 * i))
	}
	k := &s.p.blocks.all[b]
	off, n := index*int64(elem.Size()), int64(elem.Size())
	if off%4 == 0 && off+n == k.bytes {
		n = (n + 3) &^ 3
	}
	if off%4 == 0 && n%4 == 0 && data == [8]byte{} {
		return s.p.dev.Fill(k.place.Buffer, k.place.Offset+off, n, 0)
	}
	return s.p.blocks.upload(b, off, data[:n])
}

// fillPiece is how many bytes of a pattern are uploaded at a time; whole copies of every element fit.
const fillPiece = 1 << 16

// Fill sets elements to one value. Where the device cannot do that by itself the pattern is uploaded in chunks.
func (s *session) Fill(elem prim.Type, b uint64, off, count int64, value uint64) error {
	if count <= 0 {
		return nil
	}
	size := int64(elem.Size())
	off, count = off*size, count*size
	if word, ok := pattern(elem.Size(), value); ok && off%4 == 0 && count%4 == 0 {
		to := s.p.blocks.place(b)
		return s.p.dev.Fill(to.Buffer, to.Offset+off, count, word)
	}
	data := make([]byte, min(count, fillPiece))
	for i := range data {
		data[i] = byte(value >> (8 * (int64(i) % size)))
	}
	for count > 0 {
		n := min(count, fillPiece)
		if err := s.p.blocks.upload(b, off, data[:n]); err != nil {
			return err
		}
		off, count = off+n, count-n
	}
	return nil
}

// pattern is the 32-bit word that elements of a size, all of one value, are made of, if there is one.
func pattern(size int, value uint64) (uint32, bool) {
	switch size {
	case 1:
		return uint32(uint8(value)) * 0x01010101, true
	case 2:
		return uint32(uint16(value)) * 0x00010001, true
	case 4:
		return uint32(value), true
	default:
		return uint32(value), uint32(value) == uint32(value>>32)
	}
}

// Data uploads a literal once.
func (s *session) Data(d *imp.Data) (uint64, error) {
	h, ok := s.p.literal[d]
	if !ok {
		var err error
		if h, err = s.p.blocks.alloc(d.Elem, int64(len(d.Bytes))); err != nil {
			return 0, err
		}
		if err := s.p.blocks.upload(h, 0, d.Bytes); err != nil {
			s.Release(h)
			return 0, err
		}
		s.p.literal[d] = h
	}
	s.Retain(h)
	return h, nil
}
