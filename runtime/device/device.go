package device

import "time"

// Device is a queue of work on one accelerator, with the memory it works on.
type Device interface {
	// Facts says what the device is and offers; it is constant.
	Facts() *Facts

	// Alloc returns a buffer of at least size bytes with undefined contents, from
	// the device's cache of freed buffers when one fits. Size 0 is allowed.
	Alloc(size int64) (Buffer, error)
	// Free returns a buffer to the cache. The caller must not use it again.
	Free(Buffer)

	// Upload writes data at a byte offset of a buffer, after everything recorded
	// so far. The data may be changed as soon as it returns.
	Upload(dst Buffer, offset int64, data []byte) error
	// Download submits what was recorded, waits for it, and reads all regions in
	// one round trip. It is the only way to get data back.
	Download(regions ...Region) error

	// Compile makes kernels, in parallel. Equal specs give the same kernel, which
	// is compiled once. It returns kernels in the order of the specs or the first
	// failure in that order.
	Compile(specs []KernelSpec) ([]Kernel, error)

	// Launch records one launch of a kernel.
	Launch(Launch) error
	// Copy records a copy of n bytes. Within one buffer the ranges must not overlap.
	Copy(dst Buffer, dstOffset int64, src Buffer, srcOffset, n int64) error
	// Fill records the filling of n bytes with a repeated 32-bit word; offset and n
	// are multiples of four.
	Fill(dst Buffer, offset, n int64, word uint32) error

	// Flush submits what was recorded without waiting for it.
	Flush() error
	// Sync submits what was recorded and waits until all of it is done.
	Sync() error

	// Stats returns the counts since the device was opened.
	Stats() Stats
	// Timings returns the times of the launches finished so far and forgets them.
	// It is empty unless the device was opened for profiling and has timestamps.
	Timings() []Timing

	// Close waits for the work in flight and releases the device. Buffers and
	// kernels of it die with it.
	Close() error
}

// Keeper is a Device that compiles kernels by a library which may not be there, and keeps machine code.
type Keeper interface {
	Device
	// Compiler says why kernels without kept code cannot be compiled; nil if, as far as can be seen without loading it, the library is there.
	Compiler() error
	// Keeps reports whether the code of a kernel is kept.
	Keeps(*KernelSpec) bool
}

// Fetcher is a Device that can begin to read and record more before it waits for that.
type Fetcher interface {
	Device
	// Fetch submits what was recorded, with the reading of regions behind it. It returns nil if they are too large for that, or it cannot
	// be done now.
	Fetch(regions ...Region) (Fetch, error)
	// Grant is how long work may take, with one wait for it, that turns out to be in vain.
	Grant() time.Duration
}

// FetchBytes is how many bytes at least a Fetcher takes together.
const FetchBytes = 1 << 10

// Fetch is a reading under way.
type Fetch interface {
	// Wait submits what was recorded since, waits until the reading is done, and fills the regions' data. It must be called, once.
	Wait() error
	// Drop is called in place of Wait for a reading that is not needed any more. It does not wait.
	Drop()
}

// Mapper is a Device whose kernels can write memory of the host.
type Mapper interface {
	Device
	// AllocMapped is Alloc for few bytes that kernels write, each once, and that only Download and Fetch read, which then copy nothing on
	// the device: what these return is what the buffer has when they have waited. It returns nil if there is no such memory.
	AllocMapped(size int64) (Buffer, error)
}

// Buffer is memory on a device. Implementations belong to their device; a buffer
// handed to another device is a Misuse error.
type Buffer interface {
	// Size is the number of bytes that may be addressed: what Alloc was asked for.
	Size() int64
}

// Kernel is a compiled kernel, kept by its device until that is closed.
type Kernel interface {
	// Spec is the specification that it was compiled from.
	Spec() *KernelSpec
}

// KernelSpec is a kernel before it is compiled: text and calling convention (see
// the package comment). Equal specs are the same kernel.
type KernelSpec struct {
	Name      string    // For people: error messages, timings.
	Source    string    // Text in the language that Facts.Kernels names.
	Entry     string    // Name of the entry point in Source.
	Buffers   int       // How many storage buffers it takes.
	Params    int       // Bytes of the params block; 0 for none.
	Immediate bool      // The params block is part of the launching command; see Facts.MaxImmediates.
	Workgroup [3]uint32 // Threads a workgroup; must agree with the text, where that says it too.
	Declared  int       // Bytes of workgroup memory that the text declares.
	Shared    int       // Most bytes of workgroup memory beside what the text declares, where the device has such.
}

// Threads is the number of threads in a workgroup.
func (s *KernelSpec) Threads() int {
	return int(max(s.Workgroup[0], 1)) * int(max(s.Workgroup[1], 1)) * int(max(s.Workgroup[2], 1))
}

// Binding is a range of a buffer as a kernel sees it: its element 0 is the byte
// at Offset, a multiple of Facts.OffsetAlign.
type Binding struct {
	Buffer Buffer
	Offset int64
	Size   int64 // 0 means up to the end of the buffer.
}

// Launch is one execution of a kernel. A launch of no workgroups does nothing.
type Launch struct {
	Kernel  Kernel
	Groups  [3]uint32 // Workgroups in each dimension, at most Facts.MaxGroups.
	Buffers []Binding // One for each buffer of the spec; no two may overlap.
	Params  []byte    // Spec.Params bytes, little endian; copied.
	Shared  int       // Bytes of workgroup memory beside what the text declares, at most Spec.Shared.
}

// Region is a part of a buffer and the host memory that it is read into.
type Region struct {
	Buffer Buffer
	Offset int64
	Data   []byte // Its length says how much is read.
}

// Timing is the measured execution of one launch.
type Timing struct {
	Kernel string // Spec.Name.
	Time   time.Duration
}

// Stats counts what a device did. All fields only grow, except InUse and Cached.
type Stats struct {
	Launches   int64 // Kernels launched.
	Copies     int64 // Copies and fills recorded.
	Submits    int64 // Submissions to the driver.
	Syncs      int64 // Times that the host waited.
	Pipelines  int64 // Kernels compiled (not taken from the cache).
	Uploaded   int64 // Bytes to the device.
	Downloaded int64 // Bytes from the device.
	Allocs     int64 // Buffers asked of the driver.
	Allocated  int64 // Bytes asked of the driver.
	Reused     int64 // Allocations served by the cache.
	InUse      int64 // Bytes in buffers that are not freed, as rounded by the allocator.
	Peak       int64 // The largest InUse so far.
	Cached     int64 // Bytes in freed buffers that are kept.
}
