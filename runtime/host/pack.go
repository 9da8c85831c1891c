package host

import (
	"cmp"
	"errors"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
)

// Note [Packed arrays]
//
// A device binds a limited number of buffers to a kernel: WebGPU guarantees eight. A kernel with more arrays takes several
// of one element type from one buffer: before the launch they are copied into it, one behind the other, and
// afterwards those that the kernel writes are copied back. It costs time, so only as many arrays are packed as must be, and
// those that are only read first: together in one buffer, since so the fewest are copied. Where that is larger than the device binds at
// once, so that it needs more bindings (Note [Binding chunked buffers]) than there are, pairs share buffers instead, as few
// in each as can be.

// packing says which global arrays of a kernel lie in one buffer: entry i is the first array of the buffer of array i.
// See Note [Packed arrays].
type packing []int

// packClass tells arrays that may lie in one buffer: those that code accesses alike.
type packClass struct {
	elem   prim.Type
	atomic bool
	vector int // the width of vectors, 0 for none, -1 for several
}

// pack chooses the arrays of a kernel that share buffers, so that there are no more than most of them with the failure
// buffer: of a class those in one buffer that have to, or as few in each as can be if they are spread. It is nil if all arrays have
// buffers of their own. See Note [Packed arrays].
func pack(k *imp.Kernel, most int, spread bool) packing {
	excess := k.Globals() - most
	if k.Guarded || k.HasAssert() {
		excess++
	}
	if most == 0 || excess <= 0 {
		return nil
	}
	into := make(packing, k.Globals())
	for i := range into {
		into[i] = i
	}
	for _, members := range packable(k) {
		less := min(len(members)-1, excess) // buffers for the class
		excess -= less
		each := less + 1
		if spread {
			each = (len(members) + len(members) - less - 1) / (len(members) - less)
		}
		for less > 0 {
			take := min(each, less+1)
			first := slices.Min(members[:take])
			for _, m := range members[:take] {
				into[m] = first
			}
			members, less = members[take:], less-(take-1)
		}
	}
	return into
}

// bindings is how many buffers and chunks of buffers a launch in a packing binds, of arrays in buffers of their own.
func (p *Program) bindings(k *kernel, own []device.Binding) int {
	sizes := map[int]int64{}
	for i, b := range own {
		sizes[k.into[i]] += (b.Buffer.Size() + packAlign - 1) / packAlign * packAlign
	}
	n := 0
	if k.code.Failure {
		n++
	}
	for i := range own {
		if k.into[i] == i {
			n += p.chunksOf(sizes[i])
		}
	}
	return n
}

// packingFor is the form of a kernel whose arrays share buffers for a launch: that in which they are spread where the other binds too much
// at once.
func (p *Program) packingFor(k *kernel, own []device.Binding) (*kernel, error) {
	if k.into == nil || p.bindings(k, own) <= p.dev.Facts().MaxBindings {
		return k, nil
	}
	key := k.key
	key.spread = true
	other := p.form(key, k.alias, k.room)
	if err := p.printForm(other); err != nil {
		return nil, err
	}
	return other, nil
}

// packable lists the arrays of each class, the largest class first, and in it those first that are only read.
func packable(k *imp.Kernel) [][]int {
	vectors := vectorWidths(k)
	number := map[packClass]int{}
	var lists [][]int
	for i, m := range k.Mems[:k.Globals()] {
		class := packClass{m.Elem, m.Access == imp.AtomicAccess, vectors[i]}
		n, ok := number[class]
		if !ok {
			n = len(lists)
			number[class] = n
			lists = append(lists, nil)
		}
		lists[n] = append(lists[n], i)
	}
	for _, l := range lists {
		slices.SortStableFunc(l, func(a, b int) int { return cmp.Compare(k.Mems[a].Access, k.Mems[b].Access) })
	}
	slices.SortStableFunc(lists, func(a, b []int) int { return len(b) - len(a) })
	return lists
}

// vectorWidths returns for each array the width of the vectors that it is accessed by.
func vectorWidths(k *imp.Kernel) []int {
	widths := make([]int, len(k.Mems))
	note := func(m imp.Mem, n int) {
		if widths[m] != 0 && widths[m] != n {
			n = -1
		}
		widths[m] = n
	}
	imp.Walk(k.Body, func(s imp.Stm) bool {
		switch s := imp.MatchStm(s).(type) {
		case *imp.LoadVec:
			note(s.Mem, len(s.Vars))
		case *imp.StoreVec:
			note(s.Mem, len(s.Values))
		default:
		}
		return true
	})
	return widths
}

// shares reports whether array i lies in a buffer with others.
func (k *kernel) shares(i int) bool {
	for j, first := range k.into {
		if j != i && first == k.into[i] {
			return true
		}
	}
	return false
}

// packed are the buffers of one launch.
type packed struct {
	bindings []device.Binding
	offsets  []uint64        // the further arguments
	shared   []device.Buffer // that hold several arrays
	back     []transfer      // of what the kernel writes
}

// transfer is a copy of a whole array out of a shared buffer.
type transfer struct {
	to, from device.Buffer
	offset   int64
}

// packAlign is what arrays in a shared buffer start at a multiple of, in bytes.
const packAlign = 256

// pack makes the bindings of a launch, with copies of the arrays that share buffers. own are the arrays' buffers.
func (s *session) pack(k *kernel, own []device.Binding) (*packed, error) {
	out := &packed{}
	sizes := map[int]int64{} // of shared buffers, by first array
	offsets := make([]int64, len(own))
	for i, b := range own {
		if k.shares(i) {
			offsets[i] = sizes[k.into[i]]
			sizes[k.into[i]] += (b.Buffer.Size() + packAlign - 1) / packAlign * packAlign
		}
	}
	buffers := map[int]device.Buffer{}
	for i, b := range own {
		if !k.shares(i) {
			out.bindings = append(out.bindings, b)
			continue
		}
		first := k.into[i]
		if first == i {
			buf, err := s.p.dev.Alloc(sizes[first])
			if err != nil {
				out.free(s.p.dev)
				return nil, err
			}
			buffers[first] = buf
			out.shared = append(out.shared, buf)
			out.bindings = append(out.bindings, device.Binding{Buffer: buf})
		}
		d := k.mems[i]
		if first != i {
			n := offsets[i] / int64(d.Elem.Size())
			if n >= 1<<30 && !k.code.Wide {
				out.free(s.p.dev)
				return nil, k.decl.Limit(errors.New("arrays that share a buffer have 2^30 or more elements"))
			}
			out.offsets = append(out.offsets, uint64(n))
		}
		if err := s.p.dev.Copy(buffers[first], offsets[i], b.Buffer, 0, b.Buffer.Size()); err != nil {
			out.free(s.p.dev)
			return nil, err
		}
		if d.Access != imp.Read {
			out.back = append(out.back, transfer{b.Buffer, buffers[first], offsets[i]})
		}
	}
	return out, nil
}

// copyBack records the copies of what the kernel writes.
func (p *packed) copyBack(dev device.Device) error {
	for _, t := range p.back {
		if err := dev.Copy(t.to, 0, t.from, t.offset, t.to.Size()); err != nil {
			return err
		}
	}
	return nil
}

// free frees the shared buffers; the device keeps them until what is recorded has run.
func (p *packed) free(dev device.Device) {
	for _, b := range p.shared {
		dev.Free(b)
	}
}
