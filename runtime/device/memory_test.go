package device

import (
	"errors"
	"testing"
	"time"
)

// heap is a driver's memory: so many bytes, handed out as numbered blocks.
type heap struct {
	room  int64
	next  int
	sizes map[int]int64
}

func newHeap(room int64) *heap { return &heap{room: room, sizes: map[int]int64{}} }

func (h *heap) take(n int64) (int, error) {
	if n > h.room {
		return 0, &Error{Fault: OutOfMemory}
	}
	h.next++
	h.room -= n
	h.sizes[h.next] = n
	return h.next, nil
}

func (h *heap) give(b int) {
	h.room += h.sizes[b]
	delete(h.sizes, b)
}

func TestPoolReusesByClassAndFallsBackWhenFull(t *testing.T) {
	h := newHeap(4096)
	p := Pool[int]{Make: h.take, Drop: h.give}
	get := func(n int64) int {
		t.Helper()
		b, err := p.Get(n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a := get(1000)
	p.Put(a)
	p.Put(a) // The second time it is not out.
	if b := get(1020); b != a {
		t.Error("a block of the same class was not reused")
	}
	if _, err := p.Get(4096); !errors.Is(err, OutOfMemory) {
		t.Errorf("no room left, got %v", err)
	}
	p.Put(a)
	large := get(4096) // The kept block has to go back for it.
	p.Discard(large)
	if h.room != 4096 {
		t.Errorf("%d bytes of 4096 are left when nothing is in use", h.room)
	}
	kept := get(256)
	get(512)
	p.Put(kept)
	p.Release()
	var s Stats
	p.Count(&s)
	if h.room != 4096 || s.InUse != 0 || s.Cached != 0 {
		t.Errorf("%d bytes of 4096 are left after the release; %+v", h.room, s)
	}
}

// A call whose steps use blocks of different classes, one after the other, finds them all again when it is made again.
func TestPoolKeepsWhatACallUses(t *testing.T) {
	h := newHeap(1 << 40)
	p := Pool[int]{Make: h.take, Drop: h.give}
	call := func(sizes ...int64) int64 {
		t.Helper()
		var before, after Stats
		p.Count(&before)
		for _, n := range sizes {
			b, err := p.Get(n)
			if err != nil {
				t.Fatal(err)
			}
			p.Put(b)
		}
		p.Count(&after)
		return after.Allocs - before.Allocs
	}
	const mb = 1 << 20
	steps := []int64{1000 * mb, 500 * mb, 300 * mb}
	call(steps...)
	if n := call(steps...); n != 0 {
		t.Errorf("the second call asks the driver for %d block(s)", n)
	}
	// Blocks that no call uses any more go first, and no more is kept than was ever in use.
	call(1000*mb, 900*mb, 600*mb)
	if n := call(1000 * mb); n != 0 {
		t.Error("a block that was used lately went before others")
	}
	if n := call(500 * mb); n != 1 {
		t.Errorf("the block that was used longest ago was kept: %d blocks from the driver", n)
	}
	var s Stats
	if p.Count(&s); s.Cached > 3*s.Peak {
		t.Errorf("%d bytes are kept, and %d were in use", s.Cached, s.Peak)
	}
}

// Blocks of arrays that shrink from one step to the next serve the next ones, though their classes differ; large ones are not given away.
func TestPoolReusesBlocksForSmallerRequests(t *testing.T) {
	h := newHeap(1 << 40)
	p := Pool[int]{Make: h.take, Drop: h.give}
	get := func(n int64) {
		t.Helper()
		b, err := p.Get(n)
		if err != nil {
			t.Fatal(err)
		}
		p.Put(b)
	}
	const mb = 1 << 20
	for n := int64(8 * mb); n > 4*mb; n -= mb / 3 {
		get(n)
	}
	if h.next != 1 {
		t.Errorf("%d blocks of 4 to 8 MB came from the driver", h.next)
	}
	get(3 * mb)
	if h.next != 2 {
		t.Error("a request is served by a block more than twice as large")
	}
	get(100 * mb)
	get(80 * mb)
	if h.next != 4 {
		t.Error("a request is served by a larger block of 100 MB")
	}
}

// A step that is made again, with arrays that are a little smaller each time, has the same blocks as before, in whichever order it frees
// them.
func TestStepsGetTheBlocksThatTheyHadBefore(t *testing.T) {
	h := newHeap(1 << 40)
	p := Pool[int]{Make: h.take, Drop: h.give}
	step := func(n int64) [3]int {
		t.Helper()
		var bs [3]int
		for i := range bs {
			b, err := p.Get(n)
			if err != nil {
				t.Fatal(err)
			}
			bs[i] = b
		}
		p.Put(bs[1])
		p.Put(bs[0])
		p.Put(bs[2])
		return bs
	}
	first := step(8 << 20)
	for n := int64(8<<20) - 1000; n > 4<<20; n -= 1 << 19 {
		if again := step(n); again != first {
			t.Fatalf("a step with arrays of %d bytes has blocks %v, the one before had %v", n, again, first)
		}
	}
}

func TestClassesWasteAtMostAnEighth(t *testing.T) {
	for _, n := range []int64{1, 255, 256, 257, 1000, 4097, 1 << 20, 1<<20 + 1, 12345678, 1<<33 + 5} {
		c := Class(n)
		if c < n || c%256 != 0 || (n > 2048 && float64(c) > 1.126*float64(n)) {
			t.Errorf("Class(%d) = %d", n, c)
		}
	}
}

func TestMemoryChecksWhoseBufferItIs(t *testing.T) {
	h, f := newHeap(1<<20), NullFacts()
	m := &Memory[int]{Pool: Pool[int]{Make: h.take, Drop: h.give}}
	other := &Memory[int]{Pool: Pool[int]{Make: h.take, Drop: h.give}}
	b, err := m.Alloc(&f, 10)
	if err != nil {
		t.Fatal(err)
	}
	freed, err := m.Alloc(&f, 10)
	if err != nil {
		t.Fatal(err)
	}
	m.Free(freed)
	m.Free(freed)
	for name, c := range map[string]struct {
		memory       *Memory[int]
		buffer       Buffer
		offset, size int64
		want         Fault
	}{
		"all of it":        {m, b, 0, 10, 0},
		"beyond the end":   {m, b, 8, 4, Misuse},
		"before the start": {m, b, -4, 4, Misuse},
		"another device's": {other, b, 0, 4, Misuse},
		"freed":            {m, freed, 0, 4, Misuse},
		"none":             {m, nil, 0, 0, Misuse},
	} {
		if _, err := c.memory.Own("use", c.buffer, c.offset, c.size); FaultOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.OwnWords("fill", b, 2, 4); !errors.Is(err, Misuse) {
		t.Errorf("words at offset 2: %v", err)
	}
	if _, err := m.Alloc(&f, f.MaxBufferSize+1); !errors.Is(err, OutOfMemory) {
		t.Errorf("a buffer larger than the device allows: %v", err)
	}
}

func TestFullMemoryWaitsForWorkInFlight(t *testing.T) {
	h, f := newHeap(1024), NullFacts()
	m := &Memory[int]{Pool: Pool[int]{Make: h.take, Drop: h.give}}
	waits := 0
	m.Wait = func() error { waits++; h.room = 1024; return nil }
	for range 2 {
		if _, err := m.Alloc(&f, 1024); err != nil {
			t.Fatal(err)
		}
	}
	if waits != 1 {
		t.Errorf("%d waits", waits)
	}
	h.room = 0
	m.Wait = func() error { return &Error{Fault: Lost} }
	if _, err := m.Alloc(&f, 512); !errors.Is(err, Lost) {
		t.Errorf("the wait's failure is lost: %v", err)
	}
}

func TestTheFirstFailureEndsTheDevice(t *testing.T) {
	var h Health
	if h.Check() != nil {
		t.Error("a device is dead from the start")
	}
	if err := h.Expire("wait", time.Second); !errors.Is(err, Timeout) {
		t.Errorf("%v", err)
	}
	if err := h.End(&Error{Fault: Lost}); !errors.Is(err, Timeout) {
		t.Errorf("a later failure takes the place of the first: %v", err)
	}
	if !h.Close() || h.Close() {
		t.Error("closing is not told from closing again")
	}
	if err := h.Check(); !errors.Is(err, Timeout) {
		t.Errorf("after closing: %v", err)
	}
	var closed Health
	closed.Close()
	if err := closed.Check(); !errors.Is(err, Lost) {
		t.Errorf("a closed device: %v", err)
	}
}
