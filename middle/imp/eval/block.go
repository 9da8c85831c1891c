package eval

// vec runs code for the active lanes of a block and reports whether any goes on.
type vec func(b *block) bool

// code is a statement, or several: for one thread, and for the active lanes of a block.
type code struct {
	one stm
	all vec // nil where blocks have one lane
}

// block is a number of threads that run in lockstep. Its registers lie one behind the other, with a word for each lane.
// The thread in it is the lane that closures run for; what all active lanes agree on is computed for any of them.
type block struct {
	thread
	file   []uint64 // the registers
	width  int      // the words of a register
	lanes  int      // those in use: the first ones
	active active
	ended  []bool // lanes whose assertion failed
	fails  int    // how many
	rooms  []int32
	x, y   [1]uint64 // operands that are the same for all lanes
	z      [1]uint64
}

// active says which lanes run: those from lo until hi, or of those the ones in list, if it is not nil.
type active struct {
	lo, hi int
	list   []int32 // in ascending order
}

func (a active) count() int {
	if a.list != nil {
		return len(a.list)
	}
	return a.hi - a.lo
}

// few reports whether closures for a lane at a time take less time than loops over all lanes from lo until hi.
func (a active) few() bool { return 5*a.count() < 14+a.hi-a.lo }

// activeList makes the set of the lanes in list.
func activeList(list []int32) active {
	n := len(list)
	if n == 0 {
		return active{}
	}
	a := active{int(list[0]), int(list[n-1]) + 1, list}
	if a.hi-a.lo == n {
		a.list = nil
	}
	return a
}

// start prepares the block for a number of threads, of which the first has an id.
func (b *block) start(first int64, lanes int) {
	b.lane, b.id, b.regs, b.lanes = 0, first, b.file, lanes
	if b.fails > 0 {
		clear(b.ended)
		b.fails = 0
	}
}

// activate makes all lanes active.
func (b *block) activate() { b.active, b.rooms = active{hi: b.lanes}, b.rooms[:0] }

// runAll runs code for all lanes.
func (b *block) runAll(c code) {
	b.activate()
	b.enter(b.active, c)
}

// pick makes closures run for a lane.
func (b *block) pick(lane int) {
	b.id += int64(lane - b.lane)
	b.lane, b.regs = lane, b.file[lane:]
}

// each runs f for each active lane, one after the other.
func (b *block) each(f func(lane int)) {
	if b.active.list != nil {
		for _, l := range b.active.list {
			f(int(l))
		}
		return
	}
	for l := b.active.lo; l < b.active.hi; l++ {
		f(l)
	}
}

// oneByOne runs a statement for one active lane after the other.
func (b *block) oneByOne(one stm) bool {
	fails := b.fails
	b.each(func(l int) { b.run(one, l) })
	return b.fails == fails || b.bury()
}

func (b *block) run(one stm, lane int) {
	b.pick(lane)
	if !one(&b.thread) {
		b.end(lane)
	}
}

// end notes that a lane's assertion failed.
func (b *block) end(lane int) {
	b.ended[lane] = true
	b.fails++
}

// bury takes the lanes that ended out of the active ones, and reports whether any are left.
func (b *block) bury() bool {
	left := make([]int32, 0, b.active.count())
	b.each(func(l int) {
		if !b.ended[l] {
			left = append(left, int32(l))
		}
	})
	b.active = activeList(left)
	return len(left) > 0
}

// room returns space for n lanes, until the statement that asks for it ends.
func (b *block) room(n int) []int32 {
	at := len(b.rooms)
	if at+n > cap(b.rooms) {
		b.rooms = make([]int32, at, 2*cap(b.rooms)+n)
	}
	b.rooms = b.rooms[:at+n]
	return b.rooms[at : at : at+n]
}

// settle frees room but for the list of active lanes.
func (b *block) settle(rooms int) {
	if list := b.active.list; list != nil {
		b.rooms = append(b.rooms[:rooms], list...)
		b.active.list = b.rooms[rooms:]
		return
	}
	b.rooms = b.rooms[:rooms]
}

// words is the part of a register that active lanes use.
func (b *block) words(register int) []uint64 {
	return b.file[register+b.active.lo : register+b.active.hi]
}

// split returns the active lanes for which the words of a condition hold, and the others.
func (b *block) split(cond []uint64) (yes, no active) {
	a := b.active
	if a.list == nil {
		n := uint64(0)
		for _, c := range cond {
			n += c
		}
		switch n {
		case 0:
			return active{}, a
		case uint64(len(cond)):
			return a, active{}
		}
	}
	n := a.count()
	holds, fails := b.room(n)[:n], b.room(n)[:n]
	y, f := 0, 0
	if a.list != nil {
		for _, l := range a.list {
			if c := cond[int(l)-a.lo]; c != 0 {
				holds[y] = l
				y++
			} else {
				fails[f] = l
				f++
			}
		}
	} else {
		for i, c := range cond {
			if c != 0 {
				holds[y] = int32(a.lo + i)
				y++
			} else {
				fails[f] = int32(a.lo + i)
				f++
			}
		}
	}
	return activeList(holds[:y]), activeList(fails[:f])
}

// inside runs f, then makes those lanes active again that were before and have not ended.
func (b *block) inside(f func()) bool {
	before, rooms, fails := b.active, len(b.rooms), b.fails
	f()
	b.active, b.rooms = before, b.rooms[:rooms]
	return b.fails == fails || b.bury()
}

// enter runs code for some of the active lanes and reports whether any of them goes on.
func (b *block) enter(a active, c code) bool {
	if a.count() == 0 {
		return false
	}
	b.active = a
	if c.all == nil || a.few() {
		return b.oneByOne(c.one)
	}
	return c.all(b)
}
