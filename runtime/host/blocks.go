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
	all    []block
	unused []uint64 // handles that may be given out again
}

// block is a block of memory, how many bytes of it are anybody's, and how many variables hold it.
type block struct {
	buf   device.Buffer
	bytes int64
	refs  int
}

func newBlocks(dev device.Device) blocks { return blocks{dev: dev, all: make([]block, 1)} }

// roundUp makes room for access by vectors of words.
func roundUp(n int64) int64 { return max((n+15)&^15, 16) }

// alloc makes a block of some bytes, which has one holder.
func (b *blocks) alloc(bytes int64) (uint64, error) {
	buf, err := b.dev.Alloc(roundUp(bytes))
	if err != nil {
		return 0, err
	}
	if n := len(b.unused); n > 0 {
		h := b.unused[n-1]
		b.unused = b.unused[:n-1]
		b.all[h] = block{buf, bytes, 1}
		return h, nil
	}
	b.all = append(b.all, block{buf, bytes, 1})
	return uint64(len(b.all) - 1), nil
}

// buffer is the buffer of a block.
func (b *blocks) buffer(h uint64) device.Buffer { return b.all[h].buf }

func (b *blocks) retain(h uint64) { b.all[h].refs++ }

// release counts one holder less, and frees the block after the last.
func (b *blocks) release(h uint64) {
	k := &b.all[h]
	if k.refs--; k.refs == 0 {
		b.dev.Free(k.buf)
		k.buf = nil
		b.unused = append(b.unused, h)
	}
}

// freeAll frees every block.
func (b *blocks) freeAll() {
	for _, k := range b.all {
		if k.buf != nil {
			b.dev.Free(k.buf)
		}
	}
	b.all, b.unused = make([]block, 1), nil
}

// Alloc makes a block.
func (s *session) Alloc(elem prim.Type, count int64) (uint64, error) {
	if count < 0 || count > 1<<50 {
		return 0, fmt.Errorf("cannot allocate an array of %d elements of type %s", count, elem)
	}
	if err := s.Ended(); err != nil {
		return 0, err
	}
	return s.p.blocks.alloc(count * int64(elem.Size()))
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
	return s.p.dev.Copy(s.p.blocks.buffer(dst), dstOff*size, s.p.blocks.buffer(src), srcOff*size, count*size)
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
		return s.p.dev.Fill(k.buf, off, n, 0)
	}
	return s.p.dev.Upload(k.buf, off, data[:n])
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
		return s.p.dev.Fill(s.p.blocks.buffer(b), off, count, word)
	}
	data := make([]byte, min(count, fillPiece))
	for i := range data {
		data[i] = byte(value >> (8 * (int64(i) % size)))
	}
	for count > 0 {
		n := min(count, fillPiece)
		if err := s.p.dev.Upload(s.p.blocks.buffer(b), off, data[:n]); err != nil {
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
		if h, err = s.p.blocks.alloc(int64(len(d.Bytes))); err != nil {
			return 0, err
		}
		if err := s.p.dev.Upload(s.p.blocks.buffer(h), 0, d.Bytes); err != nil {
			s.Release(h)
			return 0, err
		}
		s.p.literal[d] = h
	}
	s.Retain(h)
	return h, nil
}
