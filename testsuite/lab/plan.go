package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"skald/runtime/device"
)

// Case is one row of the table: a shape with its sizes.
type Case struct {
	Name   string
	Bytes  int64   // What must be moved at least: the floor, over the copy rate. 0 where memory does not bound it.
	Flops  float64 // Floating-point operations; 0 where memory bounds it.
	Target [2]float64
	Plan   func(f *device.Facts) (*Plan, string)
}

// Plan is a case for one device. A plan that a device cannot run is nil, with the reason.
type Plan struct {
	Kernels []*Source
	Buffers []Data
	Steps   []Step
	Check   func(read func(buffer int) []uint32) error
}

// Data is a buffer: words of which the first are given.
type Data struct {
	Words int
	Init  []uint32
}

// give adds buffers with contents and returns their numbers.
func (p *Plan) give(contents ...[]uint32) (numbers []int) {
	for _, c := range contents {
		numbers = append(numbers, len(p.Buffers))
		p.Buffers = append(p.Buffers, Data{len(c), c})
	}
	return numbers
}

// reserve adds some buffers of as many words and returns their numbers.
func (p *Plan) reserve(buffers, words int) (numbers []int) {
	for range buffers {
		numbers = append(numbers, len(p.Buffers))
		p.Buffers = append(p.Buffers, Data{Words: words})
	}
	return numbers
}

// Step is one launch.
type Step struct {
	Kernel  int
	Groups  int // Folded into two dimensions where one does not hold them.
	Buffers []int
	Params  []uint32
}

// Result is what was measured, microseconds; Times is sorted.
type Result struct {
	Case   string    `json:"case"`
	Device string    `json:"device"`
	About  string    `json:"about,omitempty"` // What the device says of itself.
	Skip   string    `json:"skip,omitempty"`
	Error  string    `json:"error,omitempty"`
	Times  []float64 `json:"us,omitempty"`
	Steps  []float64 `json:"steps,omitempty"` // Of each launch of the last run.
	Bytes  int64     `json:"bytes,omitempty"`
	Floor  float64   `json:"floor,omitempty"`
	Target float64   `json:"target,omitempty"`
	Flops  float64   `json:"flops,omitempty"`

	Seconds float64 `json:"seconds,omitempty"` // How long the case took with all that is not timed.
}

// Median is the middle time, 0 if there is none.
func (r *Result) Median() float64 {
	if len(r.Times) == 0 {
		return 0
	}
	return r.Times[len(r.Times)/2]
}

// fold spreads workgroups over two dimensions. Bodies that are not grid-stride loops must test their bounds.
func fold(groups int) [3]uint32 {
	const most = 65535
	if groups <= most {
		return [3]uint32{uint32(groups), 1, 1}
	}
	y := (groups + most - 1) / most
	return [3]uint32{uint32((groups + y - 1) / y), uint32(y), 1}
}

// runner holds a plan's objects on a device.
type runner struct {
	dev     device.Device
	plan    *Plan
	kernels []device.Kernel
	buffers []device.Buffer
}

// prepare compiles the kernels and fills the buffers.
func prepare(dev device.Device, p *Plan) (*runner, error) {
	r := &runner{dev: dev, plan: p}
	specs := make([]device.KernelSpec, len(p.Kernels))
	for i, k := range p.Kernels {
		specs[i] = k.Spec(dev.Facts())
	}
	var err error
	if r.kernels, err = dev.Compile(specs); err != nil {
		return nil, err
	}
	for _, d := range p.Buffers {
		b, err := dev.Alloc(int64(max(4, d.Words)+3) / 4 * 16)
		if err != nil {
			r.free()
			return nil, err
		}
		r.buffers = append(r.buffers, b)
		if len(d.Init) == 0 {
			continue
		}
		if err := dev.Upload(b, 0, bytesOf(d.Init)); err != nil {
			r.free()
			return nil, err
		}
	}
	return r, dev.Sync()
}

// run records all launches once.
func (r *runner) run() error {
	for _, s := range r.plan.Steps {
		k := r.kernels[s.Kernel]
		l := device.Launch{Kernel: k, Groups: fold(s.Groups), Shared: k.Spec().Shared}
		for _, b := range s.Buffers {
			l.Buffers = append(l.Buffers, device.Binding{Buffer: r.buffers[b]})
		}
		for _, p := range s.Params {
			l.Params = binary.LittleEndian.AppendUint32(l.Params, p)
		}
		if err := r.dev.Launch(l); err != nil {
			return err
		}
	}
	return nil
}

// measure runs the plan some times, after three runs, and returns each run's time, by the device's clock if it has one.
func (r *runner) measure(times int) (all, steps []float64, err error) {
	for range 3 {
		if _, _, err := r.once(); err != nil {
			return nil, nil, err
		}
	}
	for range times {
		took, of, err := r.once()
		if err != nil {
			return nil, nil, err
		}
		all, steps = append(all, took), of
	}
	slices.Sort(all)
	return all, steps, nil
}

// once runs the plan and returns its time and that of each launch, microseconds.
func (r *runner) once() (took float64, steps []float64, err error) {
	r.dev.Timings()
	start := time.Now()
	if err := r.run(); err != nil {
		return 0, nil, err
	}
	if err := r.dev.Sync(); err != nil {
		return 0, nil, err
	}
	took = microseconds(time.Since(start))
	if ts := r.dev.Timings(); len(ts) == len(r.plan.Steps) {
		took = 0
		for _, t := range ts {
			steps = append(steps, microseconds(t.Time))
			took += microseconds(t.Time)
		}
	}
	return took, steps, nil
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// downloads are the memory that results are read into. It is kept from case to case, as new pages are slow.
type downloads struct {
	words [][]uint32
	used  int
}

// take returns n words of any contents.
func (d *downloads) take(n int) []uint32 {
	if d.used == len(d.words) {
		d.words = append(d.words, nil)
	}
	w := &d.words[d.used]
	if d.used++; cap(*w) < n {
		*w = make([]uint32, n)
	}
	return (*w)[:n]
}

// check compares what the launches left with the reference; nothing that was read is kept afterwards.
func (r *runner) check(into *downloads) (err error) {
	into.used = 0
	read := func(i int) []uint32 {
		words := into.take(r.plan.Buffers[i].Words)
		if e := r.dev.Download(device.Region{Buffer: r.buffers[i], Data: bytesOf(words)}); e != nil {
			err = e
		}
		return words
	}
	wrong := r.plan.Check(read)
	if err != nil {
		return err
	}
	return wrong
}

func (r *runner) free() {
	for _, b := range r.buffers {
		r.dev.Free(b)
	}
}

// tooMuch says what a plan needs beyond a device's limits; the devices check their own, the lab what it restricts.
func tooMuch(f *device.Facts, p *Plan) string {
	for _, d := range p.Buffers {
		if int64(4*d.Words) > f.MaxBindingSize && f.MaxBindingSize > 0 {
			return fmt.Sprintf("a binding of %d MiB", d.Words>>18)
		}
	}
	for _, k := range p.Kernels {
		if k.Waits && !f.ForwardProgress {
			return "workgroups that wait for each other"
		}
		if k.Threads > f.MaxThreads {
			return fmt.Sprintf("%d threads", k.Threads)
		}
		if n := k.sharedBytes(); n > f.WorkgroupMemory {
			return fmt.Sprintf("%d bytes of workgroup memory", n)
		}
	}
	return ""
}

// bytesOf returns the bytes of words without a copy: all machines that the lab runs on are little-endian.
func bytesOf(words []uint32) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 4*len(words))
}
