package eval

import "fmt"

// Note [Races]
//
// Two accesses of an element race when different threads make them, one of them writes, they are not both atomic, and nothing orders them.
// A barrier orders accesses of the threads of one workgroup, to shared arrays and, if it says so, to global ones; nothing orders those of
// different workgroups in a launch. A kernel compiled by CompileChecked remembers of each element who accessed it since, and stops at
// the first race.
//
// Workgroups run one after the other then, and threads one by one between barriers, so that what is found does not depend on chance: an
// access is compared with all that came before, and a race of two shows at the later one. For that it is enough to know of each way of
// access one thread and whether there were others: within the workgroup since the last barrier, and in other workgroups.
//
// A store whose thread has the 32-bit word to itself (imp.Store.Own) rewrites the other elements of the word as they are: that races with
// what other threads write in them, but not with what they read.

// way is how an access treats an element.
type way uint8

const (
	reads way = iota
	writes
	atomically
	rewrites
	ways = 4
)

var wayNames = [ways]string{"reads", "writes", "changes atomically", "rewrites"}

// mayMeet reports whether accesses in two ways race with none that they are not ordered with.
func mayMeet(a, b way) bool {
	return a == b && a != writes && a != rewrites || a == reads && b == rewrites || a == rewrites && b == reads
}

// Races remembers the accesses of a launch.
type Races struct {
	arrays [][]*page // by array and the number of a page, up to the last page with an access; nil for those without
}

// page is some elements that follow each other. Of a large buffer kernels may see all and access little, in any order, and to copy or clear
// what was not accessed took longer than all else of the search.
type page [pageSize]element

const pageSize = 64

// element is who accessed an element, by way.
type element [ways]accesses

// at is who accessed element i of an array.
func (r *Races) at(mem int, i int64) *element {
	for mem >= len(r.arrays) {
		r.arrays = append(r.arrays, nil)
	}
	pages, n := r.arrays[mem], int(i/pageSize)
	if n >= len(pages) {
		pages = append(pages, make([]*page, n+1-len(pages))...)
		r.arrays[mem] = pages
	}
	if pages[n] == nil {
		pages[n] = new(page)
	}
	return &pages[n][i%pageSize]
}

// accesses are those of an element in one way, of which the last ones matter. There are four for each element of all arrays, so they are
// small, and an evaluated launch has no more workgroups and barriers than 32 bits count.
type accesses struct {
	group  uint32 // of a thread that did so, plus one; zero for none
	local  uint32 // the thread in its workgroup
	epoch  uint32 // when: barriers before it
	many   bool   // others of the workgroup did so too, between the same barriers
	groups bool   // of other workgroups did so too
}

// tracked is an index of a, to which every access in a way is noted.
func (c *compiler) tracked(a array, w way, index exp) exp {
	if c.unit == nil || c.unit.watch != checked || a.lanes != 0 {
		return index
	}
	size := int64(a.elem.Size())
	return func(t *thread) uint64 {
		i := index(t)
		if i < uint64(int64(len(t.mems[a.mem]))/size) {
			t.group.note(&a, t.id, int64(i), w, c.groupSize)
		}
		return i
	}
}

// trackedOwn is tracked for a store with imp.Store.Own: the elements in the word of that which is written are rewritten.
func (c *compiler) trackedOwn(a array, index exp) exp {
	index = c.tracked(a, writes, index)
	if c.unit == nil || c.unit.watch != checked || a.lanes != 0 || a.elem.Size() >= 4 {
		return index
	}
	size := int64(a.elem.Size())
	per := 4 / size
	return func(t *thread) uint64 {
		i := index(t)
		n := int64(len(t.mems[a.mem])) / size
		for j := int64(i) / per * per; i < uint64(n) && j < min(n, int64(i)/per*per+per); j++ {
			if j != int64(i) {
				t.group.note(&a, t.id, j, rewrites, c.groupSize)
			}
		}
		return i
	}
}

// note notes an access to element i.
func (g *group) note(a *array, thread, i int64, w way, size int64) {
	if g.races == nil {
		return
	}
	epoch := g.epoch
	if a.shared {
		epoch = g.sharedEpoch
	}
	now := accesses{group: uint32(thread/size) + 1, local: uint32(thread % size), epoch: uint32(epoch)}
	e := g.races.at(int(a.mem), i)
	for before := range way(ways) {
		s := &e[before]
		if s.group == 0 || mayMeet(before, w) {
			continue
		}
		if who := s.unordered(now, size, a.shared); who != "" {
			faultf("kernel %s has a race: thread %d %s %s at %d, which %s %s",
				a.kernel, thread, wayNames[w], a.name, i, who, wayNames[before])
		}
	}
	e[w].add(now, a.shared)
}

// unordered says which other thread made such an access that nothing orders before one that is made now; "" if none did.
func (s *accesses) unordered(now accesses, size int64, shared bool) string {
	other := int64(s.group-1)*size + int64(s.local)
	switch {
	case shared && s.group != now.group:
	case s.groups:
		return "a thread of another workgroup"
	case s.group != now.group:
		return fmt.Sprintf("thread %d of another workgroup", other)
	case s.epoch == now.epoch && s.local != now.local:
		return fmt.Sprintf("thread %d of its workgroup, with no barrier between,", other)
	case s.epoch == now.epoch && s.many:
		return "another thread of its workgroup, with no barrier between,"
	}
	return ""
}

// add notes an access.
func (s *accesses) add(now accesses, shared bool) {
	switch {
	case s.group == 0 || shared && s.group != now.group:
		*s = now
	case s.group != now.group:
		*s, s.groups = now, true
	case s.epoch != now.epoch:
		groups := s.groups
		*s, s.groups = now, groups
	case s.local != now.local:
		s.many = true
	}
}

// barrier orders what the threads of the workgroup did before and do afterwards: with shared arrays, and with global ones.
func (g *group) barrier(global bool) {
	g.sharedEpoch++
	if global {
		g.epoch++
	}
}
