package cpu

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"time"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
)

// Device runs kernels on the processor.
type Device struct {
	mu      sync.Mutex
	kernels map[string]*kernel
	stats   device.Stats
	timings []device.Timing
	profile bool
	closed  bool
}

// Options say how to open the device.
type Options struct {
	Profile bool // keep the time of each launch
}

// Open gives the processor as a device.
func Open(o Options) *Device { return &Device{kernels: map[string]*kernel{}, profile: o.Profile} }

var _ device.Device = (*Device)(nil)

var facts = device.Facts{
	Name: "processor", API: "evaluator", Kind: device.CPU, Language: device.NoLanguage,
	I64: true, F64: true, F16: true,
	Atomics:         device.Atomics{I64: true, I64Min: true, F32Add: true, F64Add: true, Shared64: true},
	WorkgroupMemory: 1 << 20, MaxThreads: 1 << 16,
	MaxWorkgroup: [3]uint32{1 << 16, 1, 1}, MaxGroups: [3]uint32{1 << 31, 1, 1},
	MaxBindings: 1 << 16, MaxParams: 1 << 16, MaxBindingSize: 1 << 62, MaxBufferSize: 1 << 62, OffsetAlign: 1,
	Units: runtime.NumCPU(), Timestamps: true,
}

// Facts says what the device is.
func (d *Device) Facts() *device.Facts { return &facts }

type buffer struct{ data []byte }

// Size is the number of bytes.
func (b *buffer) Size() int64 { return int64(len(b.data)) }

// Alloc makes a buffer.
func (d *Device) Alloc(size int64) (b device.Buffer, err error) {
	if !fits(size) {
		return nil, &device.Error{
			Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Hint: "use smaller arrays",
		}
	}
	d.mu.Lock()
	d.stats.Allocs++
	d.stats.Allocated += size
	d.stats.InUse += size
	d.stats.Peak = max(d.stats.Peak, d.stats.InUse)
	d.mu.Unlock()
	words := make([]uint64, (size+7)/8) // aligned for atomics
	return &buffer{bytesOf(words, size)}, nil
}

// Free gives a buffer back; the collector does the rest.
func (d *Device) Free(b device.Buffer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stats.InUse -= b.Size()
}

// Upload writes data to a buffer.
func (d *Device) Upload(dst device.Buffer, offset int64, data []byte) error {
	if err := device.CheckRange("upload", dst, offset, int64(len(data))); err != nil {
		return err
	}
	copy(dst.(*buffer).data[offset:], data)
	d.count(func(s *device.Stats) { s.Uploaded += int64(len(data)) })
	return nil
}

// Download reads regions of buffers.
func (d *Device) Download(regions ...device.Region) error {
	for _, r := range regions {
		if err := device.CheckRange("download", r.Buffer, r.Offset, int64(len(r.Data))); err != nil {
			return err
		}
		copy(r.Data, r.Buffer.(*buffer).data[r.Offset:])
		d.count(func(s *device.Stats) { s.Downloaded += int64(len(r.Data)) })
	}
	d.count(func(s *device.Stats) { s.Syncs++ })
	return nil
}

func (d *Device) count(f func(*device.Stats)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(&d.stats)
}

// Copy copies bytes between buffers.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	if err := device.CheckRange("copy", dst, dstOffset, n); err != nil {
		return err
	}
	if err := device.CheckRange("copy", src, srcOffset, n); err != nil {
		return err
	}
	copy(dst.(*buffer).data[dstOffset:], src.(*buffer).data[srcOffset:srcOffset+n])
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}

// Fill repeats a word.
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	if err := device.CheckRange("fill", dst, offset, n); err != nil {
		return err
	}
	data := dst.(*buffer).data[offset : offset+n]
	for i := 0; i+4 <= len(data); i += 4 {
		binary.LittleEndian.PutUint32(data[i:], word)
	}
	d.count(func(s *device.Stats) { s.Copies++ })
	return nil
}

// Flush has nothing to do.
func (d *Device) Flush() error { return nil }

// Sync has nothing to do.
func (d *Device) Sync() error { return nil }

// Stats counts what was done.
func (d *Device) Stats() device.Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stats
}

// Timings gives the times of launches since the last call.
func (d *Device) Timings() []device.Timing {
	d.mu.Lock()
	defer d.mu.Unlock()
	ts := d.timings
	d.timings = nil
	return ts
}

// Close has nothing to release.
func (d *Device) Close() error {
	d.count(func(*device.Stats) { d.closed = true })
	return nil
}

// kernel is a compiled kernel and how its parameters are packed.
type kernel struct {
	spec device.KernelSpec
	decl *imp.Kernel
	code imp.Code
	run  *eval.Kernel
}

// Spec is the specification that it was compiled from.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// Compile reads and compiles kernels.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	out := make([]device.Kernel, len(specs))
	for i, s := range specs {
		d.mu.Lock()
		k := d.kernels[s.Source]
		d.mu.Unlock()
		if k == nil {
			var err error
			if k, err = compile(s); err != nil {
				return nil, err
			}
			d.mu.Lock()
			d.kernels[s.Source] = k
			d.stats.Pipelines++
			d.mu.Unlock()
		}
		out[i] = k
	}
	return out, nil
}

func compile(s device.KernelSpec) (*kernel, error) {
	p, err := imp.Parse(s.Source)
	if err == nil && len(p.Kernels) != 1 {
		err = fmt.Errorf("%d kernels in one text", len(p.Kernels))
	}
	if err == nil {
		err = imp.VerifyKernel(p.Kernels[0])
	}
	if err != nil {
		return nil, &device.Error{Fault: device.CompileFailed, Op: "kernel " + s.Name, Err: err}
	}
	k := &kernel{spec: s, decl: p.Kernels[0], code: imp.Code{Wide: true}, run: eval.CompileKernel(p.Kernels[0])}
	k.code.Layout(k.decl)
	return k, nil
}

// Launch runs a kernel at once.
func (d *Device) Launch(l device.Launch) error {
	if err := device.CheckLaunch(&facts, &l); err != nil {
		return err
	}
	k := l.Kernel.(*kernel)
	args, groups := k.code.Unpack(k.decl, l.Params)
	n := k.decl.Globals()
	if len(l.Buffers) != n+1 {
		return &device.Error{Fault: device.Misuse, Op: "launch " + k.spec.Name, Detail: "no failure buffer"}
	}
	blocks := make([][]byte, n)
	for i, b := range l.Buffers[:n] {
		blocks[i] = b.Buffer.(*buffer).data[b.Offset : b.Offset+b.Size]
	}
	failure := l.Buffers[n].Buffer.(*buffer).data
	var fail eval.Failure
	if w := binary.LittleEndian.Uint32(failure); w != 0 {
		fail.Set(int32(w-1), nil)
	}
	start := time.Now()
	err := k.run.Run(eval.Launch{Groups: groups, Args: args, Blocks: blocks, Fail: &fail})
	took := time.Since(start)
	if err != nil {
		return &device.Error{Fault: device.Internal, Op: "launch " + k.spec.Name, Err: err}
	}
	if site, values, ok := fail.Get(); ok && binary.LittleEndian.Uint32(failure) == 0 {
		binary.LittleEndian.PutUint32(failure, uint32(site)+1)
		for i, v := range values {
			binary.LittleEndian.PutUint64(failure[4*(imp.FailureValues+2*i):], v)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stats.Launches++
	if d.profile {
		d.timings = append(d.timings, device.Timing{Kernel: k.spec.Name, Time: took})
	}
	return nil
}
