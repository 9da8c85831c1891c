package device

import (
	"errors"
	"sync/atomic"
)

// Memory hands out the buffers of a device and checks each use of them; below it a
// Pool keeps what is freed. B is the driver's handle of a block. The zero Memory is
// not usable: set the pool's Make and Drop.
type Memory[B comparable] struct {
	Pool[B]
	// Wait, if set, waits for the work in flight, after which a full device may have
	// room again.
	Wait func() error
}

// Block is a buffer of a Memory: it implements Buffer, for a block that is at least
// as large.
type Block[B comparable] struct {
	Handle B // Stays readable when the buffer is freed; then it may be another's.

	memory *Memory[B]
	size   int64
	freed  atomic.Bool
}

// Size implements Buffer.
func (b *Block[B]) Size() int64 { return b.size }

// Alloc makes a buffer of a device with facts f.
func (m *Memory[B]) Alloc(f *Facts, size int64) (*Block[B], error) {
	if err := CheckAlloc(f, size); err != nil {
		return nil, err
	}
	handle, err := m.Get(size)
	if errors.Is(err, OutOfMemory) && m.Wait != nil {
		if err := m.Wait(); err != nil {
			return nil, err
		}
		handle, err = m.Get(size)
	}
	if err != nil {
		return nil, err
	}
	return &Block[B]{Handle: handle, memory: m, size: size}, nil
}

// Buffer is Alloc for Device.Alloc, of a device in some health.
func (m *Memory[B]) Buffer(h *Health, f *Facts, size int64) (Buffer, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	b, err := m.Alloc(f, size)
	if err != nil {
		return nil, err // Not b: a nil pointer in an interface is not nil.
	}
	return b, nil
}

// Free takes a buffer back. It ignores those that are freed or another device's.
func (m *Memory[B]) Free(b Buffer) {
	if own, ok := b.(*Block[B]); ok && own.memory == m && !own.freed.Swap(true) {
		m.Put(own.Handle)
	}
}

// Own returns the block of a buffer for an operation on n of its bytes; an error if
// the buffer is another device's or freed, or has no such bytes.
func (m *Memory[B]) Own(op string, b Buffer, offset, n int64) (*Block[B], error) {
	own, ok := b.(*Block[B])
	if !ok || own.memory != m || own.freed.Load() {
		return nil, misuse("%s: the buffer is freed or another device's", op)
	}
	return own, CheckRange(op, b, offset, n)
}

// Has reports whether a buffer is of this memory.
func (m *Memory[B]) Has(b Buffer) bool {
	own, ok := b.(*Block[B])
	return ok && own.memory == m
}

// OwnWords is Own for an operation on whole words.
func (m *Memory[B]) OwnWords(op string, b Buffer, offset, n int64) (*Block[B], error) {
	own, err := m.Own(op, b, offset, n)
	if err == nil && (offset%4 != 0 || n%4 != 0) {
		err = misuse("%s: offset %d or size %d is no multiple of 4", op, offset, n)
	}
	return own, err
}
