package main

import (
	"fmt"
	"math/bits"
	"slices"

	"skald/runtime/device"
)

// binOp is an operator that combines the values of a bin: associative, commutative, with a neutral element.
type binOp struct {
	name    string
	typ     string // u32, whatever the language's type is, or vec2<u32> for values of two words.
	neutral string
	plus    string // The body of `plus(a, b)`.
	value   string // The value of a key: of `key`, `at`, or `$v` or `$v2`, one or two words of the buffer `vals`.
	finish  string // The words of a bin's result, of `acc`; empty for acc itself.
	results int    // How many buffers of results there are, 1 if 0.
	fold    func(sum []uint64, ks keySet, vals []uint32)
	start   uint64
	extra   []Func // What plus calls.
	values  func(n int) []uint32
	checks  func(read func(int) []uint32, result []int, want []uint64) error
	targets [2][2]float64 // To 4,096 bins, and more.
}

func (o *binOp) words() int {
	if o.typ == "u32" {
		return 1
	}
	return 2
}

// combining are plus and what it calls.
func (o *binOp) combining() []Func {
	return append(slices.Clone(o.extra), Func{
		Result: o.typ, Name: "plus", Params: []string{"a " + o.typ, "b " + o.typ}, Body: o.plus,
	})
}

// reads says whether values are read, not made of keys.
func (o *binOp) reads() bool { return o.values != nil }

// valuesType is the type of two values in the buffer of values.
func (o *binOp) valuesType() string {
	if o.words() == 2 {
		return "vec4<u32>"
	}
	return "vec2<u32>"
}

// layout is how a histogram is laid out on a device.
type layout struct {
	slices, slice, copies int
	threads, perUnit      int
	loads, rounds         int // Loads in flight; rounds of trying: Note [Contention before compare and exchange].
	alone                 int // So many threads of a subgroup that are left do not look for equal keys.
	stride                int // Words from one copy to the next.
	hots, tags            int // How many bins may be hot, and the places of their table: Note [Hot bins].
	private               bool
	side                  int  // So many threads read side by side: Note [Neighbouring keys on devices without subgroups]; 0 is all.
	part                  bool // Elements are brought to parts of as many bins as a slice: Note [Partition before compare and exchange].
}

// lay chooses a layout: a thread's own bins where they fit, else copies, else slices.
func lay(o *binOp, bins int, f *device.Facts) layout {
	memory := min(f.WorkgroupMemory, staticShared)
	threads := min(f.MaxThreads, 512)
	for ; threads >= 128; threads /= 2 {
		if 4*o.words()*bins*threads <= memory {
			return layout{slices: 1, slice: bins, copies: threads, threads: threads, perUnit: 4, private: true}
		}
	}
	sg, _ := subgroup(f)
	l := layout{threads: min(f.MaxThreads, 1024), perUnit: 2, loads: min(2, inFlight(f)), rounds: 2, alone: 4}
	if sg == 1 {
		l.side, l.loads = 8, inFlight(f)
	}
	if isCUDA(f) {
		l.threads, l.perUnit, l.rounds = 256, 4, 4
	}
	if f.WorkgroupMemory > memory && 4*o.words()*bins > memory {
		memory, l.threads, l.perUnit = f.WorkgroupMemory, 1024, 1
	}
	if 4*o.words()*bins > min(f.WorkgroupMemory, staticShared) { // Few keys of a thread lie in a slice, or all in one.
		l.loads, l.rounds = inFlight(f), 4
	}
	l.divide(o, bins, memory/4)
	if l.slices > 2 && o.words() == 1 {
		l.partition(o, f)
	}
	return l
}

// partition changes a layout to parts whose bins have a copy for each lane.
func (l *layout) partition(o *binOp, f *device.Facts) {
	words := min(f.WorkgroupMemory, staticShared) / 4
	l.part, l.rounds = true, 2
	l.divide(o, 1<<(bits.Len(uint(words/33))-1), words)
}

// divide shares words of workgroup memory among slices, copies of the bins and hot bins. Copies for each lane need no hot
// bins. A copy begins a bank after that before it, so that threads with one key are in different banks.
func (l *layout) divide(o *binOp, bins, words int) {
	const mostHot, fewestHot, fewestPlaces = 128, 4, 256
	spare := words / 16
	if o.words() == 2 {
		spare = 0 // Native additions.
	}
	l.slices = (o.words()*bins + words - spare - 1) / (words - spare)
	l.slice = rows32((bins + l.slices - 1) / l.slices)
	room := o.words() * l.slice
	l.copies, l.stride, l.hots = max(1, min((words-spare)/(room+1), l.threads)), room+1, 0
	if l.copies == 1 {
		l.stride = room
	}
	if l.copies < 32 && o.words() == 1 {
		l.tags = max(fewestPlaces, 1<<(bits.Len(uint(words/48))-1))
		l.hots = min((words-l.copies*l.stride-l.tags-1)/32, mostHot)
	}
	if l.hots < fewestHot {
		l.hots = 0
	}
}

// inFlight is how many loads of 16 bytes a thread has in flight. Drivers for CPUs take minutes to compile long texts.
func inFlight(f *device.Facts) int {
	if f.Kind == device.CPU {
		return 1
	}
	return 4
}

// opPlan makes the plan of a histogram of any operator. Without initial contents the result starts neutral.
func opPlan(o *binOp, kind string, n, bins int, initial []uint32, f *device.Facts, l layout) *Plan {
	if l.part {
		return opPartPlan(o, kind, n, bins, initial, f, l)
	}
	ks := keys(kind, n, bins)
	sg, _ := subgroup(f)
	sg = min(sg, 32)
	groups := pieces(f, n, l.threads, l.perUnit)
	var kernel *Source
	if l.private {
		kernel = privateSource(o, bins, sg, l.threads)
	} else {
		groups = max(l.slices, groups/l.slices*l.slices)
		kernel = copiesSource(o, sg, l)
	}
	p := &Plan{Kernels: []*Source{kernel, mergeSource(o, min(f.MaxThreads, 1024), nil)}}
	count := groups / l.slices
	first := append(p.give(ks.words), p.reserve(1, o.words()*count*bins)...)
	parts := first[1:2:2]
	var vals []uint32
	if o.reads() {
		vals = o.values(n)
		first = append(first, p.give(vals)...)
	}
	p.Steps = []Step{{Groups: groups, Buffers: first, Params: []uint32{uint32(n), uint32(bins), uint32(l.slices)}}}
	p.merge(1, o, bins, ks, vals, initial, parts, count)
	return p
}

// merge adds the last launch, which folds what `count` workgroups left in the first of some buffers, and the check.
func (p *Plan) merge(kernel int, o *binOp, bins int, ks keySet, vals, initial []uint32, left []int, count int) {
	words := o.words()
	begun := uint32(min(1, len(initial)))
	if begun == 0 {
		initial = make([]uint32, words)
	}
	result := p.reserve(1, words*bins)
	if o.results == 2 {
		result = append(result, p.reserve(1, 2*bins)...)
	}
	p.Steps = append(p.Steps, Step{
		Kernel: kernel, Groups: (bins + 31) / 32, Buffers: slices.Concat(left, p.give(initial), result),
		Params: []uint32{uint32(bins), uint32(count), begun},
	})
	p.Check = func(read func(int) []uint32) error {
		want := make([]uint64, bins)
		for b := range want {
			want[b] = o.start
			if begun == 1 {
				want[b] = uint64(initial[words*b])
				if words == 2 {
					want[b] |= uint64(initial[2*b+1]) << 32
				}
			}
		}
		o.fold(want, ks, vals)
		return o.check(read, result, want)
	}
}

// check compares results with what is wanted.
func (o *binOp) check(read func(int) []uint32, result []int, want []uint64) error {
	if o.checks != nil {
		return o.checks(read, result, want)
	}
	words := o.words()
	return same("bins", read(result[0]), func(i int) uint32 { return uint32(want[i/words] >> (32 * (i % words))) })
}

// opCase is a histogram of an operator in the layout for its size.
func opCase(o *binOp, kind string, n, bins int) Case { return opVariant(o, kind, n, bins, "", nil) }

// opVariant is one in a layout that is changed.
func opVariant(o *binOp, kind string, n, bins int, label string, change func(*layout, *device.Facts)) Case {
	c := Case{
		Name: fmt.Sprintf("%s/%d/%s/%d", o.name, bins, kind, n), Bytes: 8 * int64(n), Target: o.targets[0],
		Plan: func(f *device.Facts) (*Plan, string) {
			if sg, _ := subgroup(f); sg > 32 {
				return nil, "subgroups of more than 32 threads" // A ballot is one word here.
			}
			l := lay(o, bins, f)
			if change != nil {
				change(&l, f)
			}
			return opPlan(o, kind, n, bins, nil, f, l), ""
		},
	}
	if bins > 4096 {
		c.Target = [2]float64{}
		if kind == "uniform" || kind == "one" { // Of the others it is wanted that they take at most twice what uniform keys take.
			c.Target = o.targets[1]
		}
	}
	if o.reads() {
		c.Bytes += 4 * int64(o.words()) * int64(n)
	}
	if label != "" {
		c.Name += "/" + label
	}
	return c
}

// begunCase starts from initial contents.
func begunCase(o *binOp, kind string, n, bins int) Case {
	return Case{
		Name: fmt.Sprintf("%s/%d/%s/%d/begun", o.name, bins, kind, n),
		Plan: func(f *device.Facts) (*Plan, string) {
			initial := make([]uint32, o.words()*bins)
			for i := range initial {
				initial[i] = mix(uint32(i)) & 0xffff
			}
			return opPlan(o, kind, n, bins, initial, f, lay(o, bins, f)), ""
		},
	}
}
