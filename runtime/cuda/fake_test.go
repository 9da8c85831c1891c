package cuda

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"skald/runtime/device"
)

// fake is a driver in Go, for machines without a GPU and for failures that no GPU
// shows on request: its memory is the process's, commands are done when they are
// asked for, and the only kernel is that of devicetest.Scale. The package reaches
// it through C addresses, as it does NVIDIA's.
type fake struct {
	mu     sync.Mutex
	fail   map[string]uint32  // The status that a call returns, by its name without "cu".
	memory map[uintptr][]byte // Of the GPU and page-locked, by address.
	room   int                // Bytes of the GPU that are left.
	held   int                // Contexts, streams, modules and events that are not released.
	busy   bool               // What was started does not come to an end.
	graphs [][]*fakeNode      // By their handles, from 1.
	gate   []uintptr          // What the stream waits for: an address, and the word that is there then.
	calls  map[string]int     // How often each call was made.
	texts  []byte             // Keeps the text of the last status.
}

// The one fake whose calls the C addresses reach: callbacks are never freed.
var (
	theFake     *fake
	fakeSymbols = sync.OnceValue(bindFake[driverSymbols])
	fakeGraphs  = sync.OnceValue(bindFake[graphSymbols])
	fakePool    = sync.OnceValue(bindFake[poolSymbols])
	fakeWaits   = sync.OnceValue(bindFake[waitSymbols])
)

const (
	fakeRoom    = 64 << 20
	outOfMemory = 2
)

// newFake returns a driver with one GPU.
func newFake(t *testing.T) (*driver, *fake) {
	t.Helper()
	theFake = &fake{fail: map[string]uint32{}, memory: map[uintptr][]byte{}, calls: map[string]int{}, room: fakeRoom}
	return &driver{sym: fakeSymbols(), pool: fakePool(), graphs: fakeGraphs(), waits: fakeWaits()}, theFake
}

// fakeCode makes machine code of any kernel.
var fakeCode = code{
	kept:     func(*device.KernelSpec, string) [][]byte { return nil },
	compile:  func(*device.KernelSpec, string) ([]byte, error) { return []byte("code"), nil },
	compiler: func() error { return nil },
}

// openFake opens the GPU of a new fake.
func openFake(t *testing.T, o Options) (*Device, *fake) {
	t.Helper()
	drv, f := newFake(t)
	d, err := drv.open(0, o, fakeCode)
	if err != nil {
		t.Fatal(err)
	}
	return d, f
}

// bindFake makes an address for each call of the driver. Arguments beyond those
// that a call has are garbage.
func bindFake[T any]() (sym T) {
	v := reflect.ValueOf(&sym).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		address := purego.NewCallback(func(a, b, c, d, e, f, g, h, i, j uintptr) uintptr {
			return uintptr(theFake.call(name, [...]uintptr{a, b, c, d, e, f, g, h, i, j}))
		})
		v.Field(i).SetUint(uint64(address))
	}
	return sym
}

// at returns the value that C's address points to.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

func bytesAt(address, n uintptr) []byte { return unsafe.Slice(at[byte](address), n) }

// call carries out a call of the driver.
func (f *fake) call(name string, a [10]uintptr) uint32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls[name]++
	if status := f.fail[name]; status != 0 {
		return status
	}
	switch name {
	case "Init", "CtxSetCurrent", "EventRecord", "FuncSetAttribute":
	case "DriverGetVersion":
		*at[int32](a[0]) = 12090
	case "DeviceGetCount":
		*at[int32](a[0]) = 1
	case "DeviceGet":
		*at[int32](a[0]) = 0
	case "DeviceGetName":
		copy(bytesAt(a[0], a[1]), "fake\x00")
	case "DeviceTotalMem":
		*at[uintptr](a[0]) = 1 << 40
	case "DeviceGetAttribute":
		*at[int32](a[0]) = attribute(a[1])
	case "GetErrorName", "GetErrorString":
		f.texts = fmt.Appendf(nil, "status %d\x00", a[0])
		*at[*byte](a[1]) = &f.texts[0]
	case "DevicePrimaryCtxRetain", "StreamCreate", "EventCreate", "ModuleLoadData":
		f.held++
		*at[uintptr](a[0]) = 1
	case "ModuleGetFunction":
		*at[uintptr](a[0]) = 1
	case "DevicePrimaryCtxRelease", "StreamDestroy", "EventDestroy", "ModuleUnload":
		f.held--
	case "StreamQuery", "EventQuery":
		if f.busy {
			return statusNotReady
		}
	case "StreamWaitValue32":
		f.gate = a[1:3]
	case "StreamSynchronize", "EventSynchronize":
	case "EventElapsedTime":
		*at[float32](a[0]) = 0.5
	case "DeviceGetDefaultMemPool", "MemPoolSetAttribute":
	case "MemAlloc", "MemAllocAsync":
		if int(a[1]) > f.room {
			return outOfMemory
		}
		f.room -= int(a[1])
		f.alloc(a[0], int(a[1]))
	case "MemFree", "MemFreeAsync":
		f.room += len(f.memory[a[0]])
		delete(f.memory, a[0])
	case "MemAllocHost":
		f.alloc(a[0], int(a[1]))
	case "MemFreeHost":
		delete(f.memory, a[0])
	case "MemcpyHtoDAsync", "MemcpyDtoHAsync", "MemcpyDtoDAsync":
		copy(bytesAt(a[0], a[2]), bytesAt(a[1], a[2]))
	case "MemsetD32Async":
		for i := range a[2] {
			*at[uint32](a[0] + 4*i) = uint32(a[1])
		}
	case "LaunchKernel":
		scale(a[1]*a[4], a[9])
	default:
		f.graphCall(name, a)
	}
	return 0
}

// fakeNode is a node of a graph: a launch, with a copy of its arguments.
type fakeNode struct {
	threads, data uintptr
	params        [8]byte
}

// set copies what a node is to launch.
func (n *fakeNode) set(p *nodeParams) {
	list := unsafe.Slice(p.arguments, 2)
	n.threads, n.data, n.params = uintptr(p.groups[0]*p.threads[0]), *(*uintptr)(list[0]), *(*[8]byte)(list[1])
}

// graphCall carries out a call about graphs. A graph is its own executable; the handle of a node is its number in the graph.
func (f *fake) graphCall(name string, a [10]uintptr) {
	switch name {
	case "GraphCreate":
		f.held++
		f.graphs = append(f.graphs, nil)
		*at[uintptr](a[0]) = uintptr(len(f.graphs))
	case "GraphAddKernelNode":
		nodes := &f.graphs[a[1]-1]
		if before := int(a[3]); before != min(len(*nodes), 1) || before == 1 && *at[uintptr](a[2]) != uintptr(len(*nodes)) {
			panic("the nodes are no chain")
		}
		n := &fakeNode{}
		n.set(at[nodeParams](a[4]))
		*nodes = append(*nodes, n)
		*at[uintptr](a[0]) = uintptr(len(*nodes))
	case "GraphInstantiateWithFlags":
		f.held++
		*at[uintptr](a[0]) = a[1]
	case "GraphExecKernelNodeSetParams":
		f.graphs[a[0]-1][a[1]-1].set(at[nodeParams](a[2]))
	case "GraphLaunch":
		for _, n := range f.graphs[a[0]-1] {
			list := []unsafe.Pointer{unsafe.Pointer(&n.data), unsafe.Pointer(&n.params)}
			scale(n.threads, uintptr(unsafe.Pointer(&list[0])))
		}
	case "GraphExecDestroy", "GraphDestroy":
		f.held--
	default:
		panic("the fake driver has no " + name)
	}
}

// alloc hands out memory of this process.
func (f *fake) alloc(result uintptr, n int) {
	m := make([]byte, n)
	address := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	f.memory[address] = m
	*at[uintptr](result) = address
}

// attribute answers for a GPU like many.
func attribute(number uintptr) int32 {
	switch number {
	case attrIntegrated:
		return 0
	case attrMajor:
		return 9
	case attrMaxThreads, attrMaxBlockX, attrMaxBlockX + 1, attrMaxBlockX + 2:
		return 1024
	}
	return 65535
}

// scale is the kernel of devicetest.Scale for so many threads; arguments is the
// address of the addresses of a pointer and of the params.
func scale(threads, arguments uintptr) {
	list := unsafe.Slice(at[uintptr](arguments), 2)
	data, params := *at[uintptr](list[0]), bytesAt(list[1], 8)
	n, factor := binary.LittleEndian.Uint32(params), binary.LittleEndian.Uint32(params[4:])
	for i := range min(threads, uintptr(n)) {
		*at[uint32](data + 4*i) *= factor
	}
}
