package host

import (
	"slices"
	"strconv"
	"strings"

	"skald/middle/imp"
)

// Note [Forms of rooms]
// ~~~~~~~~~~~~~~~~~~~~~
// Where a device's kernels have the sizes of workgroup arrays in their text, a launch takes a form of its kernel in which all arrays fit
// (package imp's Note [Rooms]). Sizes are rounded up, so that most programs need one form of a kernel, or two. A kernel has at most
// mostRooms of them: a launch that would need one more takes the smallest in which its arrays fit, and if there is none, one with all the
// memory that there is.
//
// Forms that a rehearsal notes are made before a run starts. What it cannot see is how often a loop goes on to need others, behind what
// the device computes. So a launch whose sizes change in a loop, and for which no form has been made by then, takes the one with all
// memory: no later round of the loop makes another.

// mostRooms is how many rooms the forms of one kernel have at most.
const mostRooms = 8

// rooms are those that the forms of one kernel have.
type rooms struct {
	decl *imp.Kernel
	all  [][]int64
}

// roomName names the room of a form.
func roomName(room []int64) string {
	if room == nil {
		return ""
	}
	var b strings.Builder
	for i, n := range room {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	return b.String()
}

// roomsOf returns the rooms of a kernel.
func (p *Program) roomsOf(name string) (*rooms, error) {
	r := p.rooms[name]
	if r == nil {
		decl, err := p.parts.Kernel(name)
		if err != nil {
			return nil, err
		}
		r = &rooms{decl: decl}
		p.rooms[name] = r
	}
	return r, nil
}

// roomUnknown reports whether the forms of a kernel depend on what launches say.
func (p *Program) roomUnknown(name string) bool {
	if p.dev.Facts().SizesAtLaunch {
		return false
	}
	decl, err := p.parts.Kernel(name)
	return err == nil && decl.Room > 0
}

// roomFor is the room of the form for a launch that needs so many elements; nil where forms have none. changes says that
// the launch is in a loop that changes them, and that no rehearsal has seen it.
func (p *Program) roomFor(name string, counts []int64, changes bool) ([]int64, error) {
	if len(counts) == 0 || p.dev.Facts().SizesAtLaunch {
		return nil, nil
	}
	r, err := p.roomsOf(name)
	if err != nil {
		return nil, err
	}
	return r.find(counts, changes), nil
}

// find returns the room for so many elements.
func (r *rooms) find(counts []int64, changes bool) []int64 {
	room := r.decl.RoomFor(counts)
	has := func(room []int64) bool {
		return slices.ContainsFunc(r.all, func(x []int64) bool { return slices.Equal(x, room) })
	}
	if has(room) {
		return room
	}
	if changes || len(r.all) >= mostRooms {
		if fit := r.smallest(counts); fit != nil {
			return fit
		}
		room = r.decl.WholeRoom(counts)
	}
	if !has(room) {
		r.all = append(r.all, room)
	}
	return room
}

// smallest is the room with the fewest bytes, of those that there are, for so many elements; nil if there is none.
func (r *rooms) smallest(counts []int64) []int64 {
	var best []int64
	least := 0
	for _, room := range r.all {
		if !imp.InRooms(counts, room) {
			continue
		}
		bytes := 0
		for i, m := range r.decl.Sized() {
			bytes += int(room[i]) * r.decl.Mems[m].Elem.Size()
		}
		if best == nil || bytes < least {
			best, least = room, bytes
		}
	}
	return best
}
