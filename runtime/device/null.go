package device

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// Recorder is the null device: it keeps buffers in host memory, performs uploads,
// copies, fills and downloads on them at once, and records each request as a line
// of text. Launches only call OnLaunch, so a test can supply results, and an
// evaluator of kernels can be a device by setting it.
type Recorder struct {
	// OnLaunch, if set, is called for each launch; memory returns the bytes of each
	// binding, which it may change.
	OnLaunch func(l *Launch, memory [][]byte) error
	// Quiet, if set, keeps the log empty, which grows with each request: requests are only counted.
	Quiet bool

	facts Facts

	mu      sync.Mutex
	log     []string
	nextID  int
	kernels map[KernelSpec]*nullKernel
	stats   Stats
	pending bool // Something was recorded since the last submission.
	closed  bool
}

// NullFacts are the facts of a device that offers little.
func NullFacts() Facts {
	return Facts{
		Name: "null device", API: "none", Kind: Null,
		WorkgroupMemory: 16 << 10, MaxThreads: 256, MaxWorkgroup: [3]uint32{256, 256, 64},
		MaxGroups: [3]uint32{65535, 65535, 65535}, MaxBindings: 8, MaxParams: 64 << 10,
		MaxBindingSize: 128 << 20, MaxBufferSize: 256 << 20, OffsetAlign: 256, Units: 1,
	}
}

// NewRecorder opens a null device that claims the given facts.
func NewRecorder(f Facts) *Recorder {
	return &Recorder{facts: f, kernels: map[KernelSpec]*nullKernel{}}
}

type nullBuffer struct {
	owner *Recorder
	id    int
	size  int64
	bytes []byte // nil once freed.
}

func (b *nullBuffer) Size() int64 { return b.size }

type nullKernel struct{ spec KernelSpec }

func (k *nullKernel) Spec() *KernelSpec { return &k.spec }

// Log returns what was asked since the device was opened, a line each.
func (r *Recorder) Log() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.log...)
}

// note appends a line to the log. The lock is held.
func (r *Recorder) note(format string, args ...any) {
	if !r.Quiet {
		r.log = append(r.log, fmt.Sprintf(format, args...))
	}
}

// enter locks the device; it fails once the device is closed.
func (r *Recorder) enter() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return &Error{Fault: Lost, Op: "use of a closed device"}
	}
	return nil
}

// Facts implements Device.
func (r *Recorder) Facts() *Facts { return &r.facts }

// Alloc implements Device. The contents are filled with a pattern, since nobody
// may rely on zeros.
func (r *Recorder) Alloc(size int64) (Buffer, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	if err := CheckAlloc(&r.facts, size); err != nil {
		return nil, err
	}
	r.nextID++
	b := &nullBuffer{owner: r, id: r.nextID, size: size, bytes: make([]byte, size)}
	for i := range b.bytes {
		b.bytes[i] = 0xAA
	}
	r.stats.Allocs++
	r.stats.Allocated += size
	r.stats.InUse += size
	r.stats.Peak = max(r.stats.Peak, r.stats.InUse)
	r.note("alloc b%d %d", b.id, size)
	return b, nil
}

// Free implements Device.
func (r *Recorder) Free(b Buffer) {
	if nb, ok := b.(*nullBuffer); ok && nb.owner == r && r.enter() == nil {
		defer r.mu.Unlock()
		r.stats.InUse -= nb.size
		nb.bytes = nil
		r.note("free b%d", nb.id)
	}
}

// bytes returns the range of a buffer of this device. The lock is held.
func (r *Recorder) bytes(op string, b Buffer, offset, n int64) ([]byte, *nullBuffer, error) {
	nb, ok := b.(*nullBuffer)
	if !ok || nb.owner != r || nb.bytes == nil {
		return nil, nil, misuse("%s: the buffer is freed or another device's", op)
	}
	if err := CheckRange(op, b, offset, n); err != nil {
		return nil, nil, err
	}
	return nb.bytes[offset : offset+n], nb, nil
}

// Upload implements Device.
func (r *Recorder) Upload(dst Buffer, offset int64, data []byte) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	m, b, err := r.bytes("upload", dst, offset, int64(len(data)))
	if err != nil {
		return err
	}
	copy(m, data)
	r.stats.Uploaded += int64(len(data))
	r.note("upload b%d+%d %d", b.id, offset, len(data))
	return nil
}

// Download implements Device.
func (r *Recorder) Download(regions ...Region) error {
	if err := r.Sync(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range regions {
		m, b, err := r.bytes("download", g.Buffer, g.Offset, int64(len(g.Data)))
		if err != nil {
			return err
		}
		copy(g.Data, m)
		r.stats.Downloaded += int64(len(m))
		r.note("download b%d+%d %d", b.id, g.Offset, len(m))
	}
	return nil
}

// Compile implements Device.
func (r *Recorder) Compile(specs []KernelSpec) ([]Kernel, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.mu.Unlock()
	out := make([]Kernel, len(specs))
	for i := range specs {
		if err := CheckSpec(&r.facts, &specs[i]); err != nil {
			return nil, err
		}
		k := r.kernels[specs[i]]
		if k == nil {
			k = &nullKernel{spec: specs[i]}
			r.kernels[specs[i]] = k
			r.stats.Pipelines++
			r.note("compile %s", specs[i].Name)
		}
		out[i] = k
	}
	return out, nil
}

// Launch implements Device.
func (r *Recorder) Launch(l Launch) error {
	if err := CheckLaunch(&r.facts, &l); err != nil {
		return err
	}
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	for _, g := range l.Buffers {
		if _, _, err := r.bytes("launch", g.Buffer, g.Offset, g.Size); err != nil {
			return err
		}
	}
	r.stats.Launches++
	r.pending = true
	if !r.Quiet {
		r.note("%s", launchLine(&l))
	}
	if r.OnLaunch != nil {
		return r.observe(l)
	}
	return nil
}

// launchLine is what the log has of a launch.
func launchLine(l *Launch) string {
	line := fmt.Sprintf("launch %s %dx%dx%d", l.Kernel.Spec().Name, l.Groups[0], l.Groups[1], l.Groups[2])
	for _, g := range l.Buffers {
		line += fmt.Sprintf(" b%d+%d", g.Buffer.(*nullBuffer).id, g.Offset)
	}
	return line + fmt.Sprintf(" params %x", l.Params)
}

// observe calls OnLaunch for a launch that was found to be right. The lock is held.
func (r *Recorder) observe(l Launch) error {
	memory := make([][]byte, len(l.Buffers))
	for i, g := range l.Buffers {
		memory[i] = g.Buffer.(*nullBuffer).bytes[g.Offset : g.Offset+g.Size]
	}
	return r.OnLaunch(&l, memory)
}

// Copy implements Device.
func (r *Recorder) Copy(dst Buffer, dstOffset int64, src Buffer, srcOffset, n int64) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	to, d, err := r.bytes("copy to", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, s, err := r.bytes("copy from", src, srcOffset, n)
	if err != nil {
		return err
	}
	copy(to, from)
	r.stats.Copies++
	r.pending = true
	r.note("copy b%d+%d b%d+%d %d", d.id, dstOffset, s.id, srcOffset, n)
	return nil
}

// Fill implements Device.
func (r *Recorder) Fill(dst Buffer, offset, n int64, word uint32) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	m, b, err := r.bytes("fill", dst, offset, n)
	if err != nil {
		return err
	}
	if offset%4 != 0 || n%4 != 0 {
		return misuse("fill: offset %d or size %d is no multiple of 4", offset, n)
	}
	for i := 0; i < len(m); i += 4 {
		binary.LittleEndian.PutUint32(m[i:], word)
	}
	r.stats.Copies++
	r.pending = true
	r.note("fill b%d+%d %d %#x", b.id, offset, n, word)
	return nil
}

// Flush implements Device.
func (r *Recorder) Flush() error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	r.submit()
	return nil
}

// submit counts a submission if there is anything to submit. The lock is held.
func (r *Recorder) submit() {
	if r.pending {
		r.pending = false
		r.stats.Submits++
		r.note("submit")
	}
}

// Sync implements Device.
func (r *Recorder) Sync() error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.mu.Unlock()
	r.submit()
	r.stats.Syncs++
	r.note("sync")
	return nil
}

// Stats implements Device.
func (r *Recorder) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
}

// Timings implements Device; the null device measures nothing.
func (r *Recorder) Timings() []Timing { return nil }

// Close implements Device.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return nil
}
