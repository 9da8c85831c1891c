package lowering

import (
	"slices"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// Element hugeIndex of an array in chunks of 2^30 bytes is element hugeAt of a chunk, the last but one here: what no chunk is
// chosen for goes to the last.
const (
	hugeAt    = 16
	hugeIndex = 1<<31 + hugeAt
)

// TestIndicesHaveAllBitsOf32 adds element hugeIndex to itself: singly, in a vector, and atomically. The chunk has a few
// elements, and so have the others, which nobody touches.
func TestIndicesHaveAllBitsOf32(t *testing.T) {
	const at = "@xs_0[conv.i64.idx(at_1)]"
	accesses := map[string]string{
		"element": "write @xs_0: TYPE, at_1: i64) group 1 {\n" + at + " = add.TYPE(" + at + ", " + at + ")\n}",
		"vector": "write @xs_0: TYPE, at_1: i64) group 1 {\nloadvec a_2: TYPE, b_3: TYPE, c_4: TYPE, d_5: TYPE = " + at +
			"\nstorevec " + at + " = add.TYPE(a_2, a_2), b_3, c_4, d_5\n}",
		"atomic": "atomic @xs_0: TYPE, at_1: i64) group 1 {\natomic add " + at + " " + at + "\n}",
	}
	for name, d := range devices(t) {
		if strings.HasPrefix(name, "cpu") {
			continue // its indices have 64 bits
		}
		for access, body := range accesses {
			for elem, size := range map[string]int{"u8": 1, "i16": 2, "i32": 4} {
				t.Run(name+"/"+access+"/"+elem, func(t *testing.T) {
					p, err := imp.Parse("kernel huge(" + strings.ReplaceAll(body, "TYPE", elem))
					if err != nil {
						t.Fatal(err)
					}
					k := imp.SplitMems(p.Kernels[0], []int{2*size + 2}, 30)
					if err := imp.VerifyKernel(k); err != nil {
						t.Fatal(err)
					}
					data := make([]byte, 256)
					for i := range len(data) / size {
						data[i*size] = byte(i + 1)
					}
					want := slices.Clone(data)
					want[hugeAt*size] *= 2
					runOnChunks(t, on(name, d), k, data)
					if !slices.Equal(data, want) {
						t.Errorf("from element %d on: %v, want %v", hugeAt, data[hugeAt*size:][:2*size], want[hugeAt*size:][:2*size])
					}
				})
			}
		}
	}
}

// runOnChunks launches a kernel on one array, of which data is the last chunk but one, and reads that back.
func runOnChunks(t *testing.T, dev *targets.Device, k *imp.Kernel, data []byte) {
	t.Helper()
	code, err := dev.Model.Print(k)
	if err != nil {
		t.Fatal(err)
	}
	ks, err := dev.Compile([]device.KernelSpec{{
		Name: k.Name, Source: code.Source, Entry: code.Entry, Buffers: k.Buffers(), Params: code.Bytes, Immediate: code.Immediate,
		Workgroup: [3]uint32{uint32(k.GroupSize), 1, 1},
	}})
	if err != nil {
		t.Fatal(err)
	}

	l := device.Launch{Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Params: code.PackInto(make([]byte, code.Bytes), k, []uint64{hugeIndex}, 1)}
	for range k.Buffers() {
		chunk, err := dev.Alloc(int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Free(chunk)
		l.Buffers = append(l.Buffers, device.Binding{Buffer: chunk})
	}
	chunk := l.Buffers[k.Buffers()-2].Buffer
	if err := dev.Upload(chunk, 0, data); err != nil {
		t.Fatal(err)
	}
	if err := dev.Launch(l); err != nil {
		t.Fatal(err)
	}
	if err := dev.Download(device.Region{Buffer: chunk, Data: data}); err != nil {
		t.Fatal(err)
	}
}
