package main

import (
	"fmt"
	"math"
	"slices"

	"skald/runtime/device"
)

// What histograms by sorting fold.
var (
	foldSaturate = &folding{
		name: "saturate",
		op: &Operator{
			Name: "saturate", Fields: []string{"u32"}, Zero: []string{"0u"}, Join: " return min(p + q, 0xffffffu); ",
			Reference: func(p, q []uint32) { p[0] = min(p[0]+q[0], 0xffffff) }, neutralInNumber: []uint32{0},
		},
		lift: " return key % 7u; ", element: func(key, _ uint32) []uint32 { return []uint32{key % 7} },
	}
	foldF32 = &folding{name: "sum-f32", op: opAddF32, words: 1, value: func(_, i int) uint32 {
		return math.Float32bits(float32(int(mix(uint32(i))&1023) - 512))
	}}

	// The pair of value and index of the benchmarks, an (i32, i64).
	foldArgmax = &folding{
		name: "argmax", op: opLatest, lift: " return E(i32(worth(at)), at, 0); ",
		element: func(_, at uint32) []uint32 { return []uint32{mix(at) >> 8, at, 0} },
	}
	// The same, of values in memory, whose indices are 64 bits wide.
	foldArgmaxRead = &folding{name: "argmax-read", op: opLatest, words: 3, value: func(j, i int) uint32 {
		return [3]uint32{mix(uint32(i)) & 1023, mix(uint32(i) + 5), mix(uint32(i)+9) - 1<<30}[j]
	}}
	// Three operators at once.
	foldSeveral = &folding{name: "several", op: opSeveral, words: 3, value: func(j, i int) uint32 {
		x := mix(uint32(i) + uint32(j)<<28)
		if j == 2 {
			return math.Float32bits(float32(x & 1023))
		}
		return x
	}}
	// Products of matrices over (min, +). Those of the form (a b; b a) commute.
	foldMinPlus = &folding{name: "min-plus", op: opMinPlus, words: 4, value: func(j, i int) uint32 {
		if j == 0 || j == 3 {
			return mix(uint32(i)) & 3
		}
		return mix(uint32(i)) >> 4 & 7
	}}
	// The larger value, and of equal ones that with the larger index.
	opLatest = &Operator{
		Name: "latest", Fields: []string{"i32", "u32", "i32"}, Zero: []string{"(-2147483647 - 1)", "0xffffffffu", "-1"},
		Join: `
  if (p.f0 > q.f0 || (p.f0 == q.f0 && (p.f2 > q.f2 || (p.f2 == q.f2 && p.f1 > q.f1)))) { return p; }
  return q;
`,
		Reference: func(p, q []uint32) {
			a, b := int64(p[2])<<32|int64(p[1]), int64(q[2])<<32|int64(q[1])
			if int32(q[0]) > int32(p[0]) || q[0] == p[0] && b > a {
				copy(p, q)
			}
		},
		neutralInNumber: []uint32{1 << 31, 0xffffffff, 0xffffffff},
	}
	opMinPlus = &Operator{
		Name: "min-plus", Fields: []string{"i32", "i32", "i32", "i32"}, Zero: []string{"0", "536870912", "536870912", "0"},
		Join: ` return E(min(p.f0 + q.f0, p.f1 + q.f2), min(p.f0 + q.f1, p.f1 + q.f3),
    min(p.f2 + q.f0, p.f3 + q.f2), min(p.f2 + q.f1, p.f3 + q.f3)); `,
		Reference: func(p, q []uint32) {
			a, b := signed(p), signed(q)
			for i := range 4 {
				p[i] = uint32(min(a[i&2]+b[i&1], a[i|1]+b[i&1|2]))
			}
		},
		neutralInNumber: []uint32{0, 1 << 29, 1 << 29, 0},
	}
)

// sortedMemory is how much workgroup memory a workgroup takes, so that two share a unit.
func sortedMemory(f *device.Facts) int {
	if isCUDA(f) {
		return min(f.WorkgroupMemory, 112<<10)
	}
	return f.WorkgroupMemory
}

// sortedRun is a histogram by sorting tiles, in parts if workgroup memory does not hold the bins.
type sortedRun struct {
	o       *folding
	kind    string
	n, bins int
	begun   bool // There are initial contents.

	chunk  int         // The most elements of a workgroup in a part.
	memory int         // Less workgroup memory, so that small cases have parts; 0 is what there is.
	shape  sortedShape // Threads and keys other than the ordinary; 0 are those.
}

// sortedCase is the ordinary one.
func sortedCase(o *folding, kind string, n, bins int) Case {
	return sortedRun{o: o, kind: kind, n: n, bins: bins, chunk: 1 << 15}.plain()
}

// plain is the case of a run.
func (r sortedRun) plain() Case {
	c := Case{
		Name:  fmt.Sprintf("sorted/%s/%d/%s/%d", r.o.name, r.bins, r.kind, r.n),
		Bytes: int64(r.n) * int64(8+4*r.o.words),
	}
	if r.begun {
		c.Name += "/begun"
	}
	if r.shape.threads > 0 {
		c.Name += fmt.Sprintf("/%dx%d", r.shape.threads, r.shape.keys)
	}
	if r.memory > 0 {
		c.Name += fmt.Sprintf("/%dKiB", r.memory>>10)
	}
	c.Plan = func(f *device.Facts) (*Plan, string) {
		s := newSortedShape(f)
		if r.shape.threads > 0 {
			s.threads, s.keys = r.shape.threads, r.shape.keys
		}
		memory := sortedMemory(f)
		if r.memory > 0 {
			memory = min(r.memory, f.WorkgroupMemory)
		}
		if capacity := s.capacity(r.o.op.width(), memory); r.bins > capacity && !newParting(r.n, r.bins, capacity, r.chunk, f).fits(f) {
			return sortAllPlan(r.o, r.kind, r.n, r.bins, r.begun, f), "" // Note [Sort by bin].
		}
		return sortedPlan(&r, s, memory, f), ""
	}
	return c
}

// sortedPlan plans it for a shape and some workgroup memory.
func sortedPlan(r *sortedRun, s sortedShape, memory int, f *device.Facts) *Plan {
	o, kind, n, bins, begun := r.o, r.kind, r.n, r.bins, r.begun
	width := o.op.width()
	vals := o.values(n)
	capacity := s.capacity(width, memory)
	var p *partPlan
	var initial []uint32
	if begun {
		initial = o.arrays(bins, func(b int) []uint32 { return o.sample(uint32(b), uint32(b+7)) })
	}
	threads := min(f.MaxThreads, 256)
	tile := s.threads * s.keys
	var parts, out, start []int
	if bins <= capacity {
		groups := max(1, min(2*f.Units, (n+tile-1)/tile))
		whole := partingOfOne(bins, groups)
		p = &partPlan{Plan: &Plan{}, parting: *whole, n: n, ks: keys(kind, n, bins)}
		p.keys = p.give(p.ks.words)
		p.table = p.give(whole.table())
		parts = p.reserve(1, whole.slots*whole.room()*width)
		buffers := slices.Concat(p.keys, parts)
		if o.words > 0 {
			buffers = append(buffers, p.give(vals)...)
		}
		p.Kernels = []*Source{s.wholeSource(o, whole)}
		p.Steps = []Step{{Groups: groups, Buffers: buffers, Params: []uint32{uint32(n), 0}}}
		start, out = p.give(append(slices.Clone(initial), 0)), p.reserve(1, bins*width)
	} else {
		p = newPartPlan(keys(kind, n, bins), n, newParting(n, bins, capacity, r.chunk, f), o.payload(), vals, f)
		parts = p.reserve(1, p.slots*p.room()*width)
		start, out = p.give(append(slices.Clone(initial), 0)), p.reserve(1, bins*width)
		buffers := slices.Concat(p.table, p.moved, parts, start, out)
		p.Steps = append(p.Steps, Step{
			Kernel: len(p.Kernels), Groups: p.groups, Buffers: buffers, Params: []uint32{uint32(n), bit(begun)},
		})
		p.Kernels = append(p.Kernels, s.partSource(o, &p.parting))
	}
	p.Steps = append(p.Steps, Step{
		Kernel: len(p.Kernels), Groups: max(1, min(4*f.Units, (bins+31)/32)), Buffers: slices.Concat(p.table, parts, start, out),
		Params: []uint32{uint32(n), bit(begun)},
	})
	p.Kernels = append(p.Kernels, mergePartsSource(o, &p.parting, threads))
	p.Check = func(read func(int) []uint32) error { return o.check(read(out[0]), p.ks, vals, initial, bins) }
	return p.Plan
}

// table is that of one part, which all workgroups share.
func (p *parting) table() []uint32 {
	t := make([]uint32, p.words())
	t[4*p.parts], t[7*p.parts] = uint32(p.groups), 1
	return t
}

// sample is the element of a key and a number.
func (o *folding) sample(key, at uint32) []uint32 {
	if o.words == 0 {
		return o.element(key, at)
	}
	e := make([]uint32, o.words)
	for j := range e {
		e[j] = o.value(j, int(at))
	}
	return e
}

// arrays lays elements out as an array a word.
func (o *folding) arrays(n int, element func(i int) []uint32) []uint32 {
	all := make([]uint32, n*o.op.width())
	for i := range n {
		for j, w := range element(i) {
			all[j*n+i] = w
		}
	}
	return all
}

// check compares a result with the reference.
func (o *folding) check(got []uint32, ks keySet, vals, initial []uint32, bins int) error {
	width := o.op.width()
	want := make([]uint32, bins*width)
	for b := range bins {
		copy(want[b*width:], o.op.neutralInNumber)
		for j := range width {
			if initial != nil {
				want[b*width+j] = initial[j*bins+b]
			}
		}
	}
	e := make([]uint32, width)
	n := len(ks.bins)
	for i, b := range ks.bins {
		if b < 0 {
			continue
		}
		if o.words == 0 {
			e = o.element(uint32(b), uint32(i))
		}
		for j := range o.words {
			e[j] = vals[j*n+i]
		}
		o.op.Reference(want[int(b)*width:(int(b)+1)*width], e)
	}
	return same("bins", got, func(i int) uint32 { return want[i%bins*width+i/bins] })
}
