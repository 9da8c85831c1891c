package targets_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/targets"
)

// webAssembly opens the processor with kernels as WebAssembly. That one of them is not compiled fails the test.
func webAssembly(t *testing.T, o targets.Options) *targets.Device {
	t.Helper()
	o.Name, o.Flags = "cpu", map[string]string{"cpu-compiler": "wasm"}
	o.Warn = func(s string) { t.Error(s) }
	dev, _, err := targets.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

// applied is an operation on scalars that a kernel applies to the elements of arrays.
type applied struct {
	name   string
	params []prim.Type
	result prim.Type
	exp    func(args []imp.Exp) imp.Exp
	want   func(args []uint64) uint64
}

// operations are all operators, conversions and functions at all types.
func operations() (out []applied) {
	for _, t := range prim.AllTypes() {
		it := imp.Of(t)
		for op := range prim.UnOp(prim.NumUnOps) {
			if f, ok := prim.UnWord(op, t); ok && op.Accepts(t) {
				out = append(out, applied{
					op.String() + "_" + t.String(),
					[]prim.Type{t},
					t,
					func(a []imp.Exp) imp.Exp { return &imp.Un{Op: op, Type: it, X: a[0]} }, func(a []uint64) uint64 { return f(a[0]) },
				})
			}
		}
		for op := range prim.BinOp(prim.NumBinOps) {
			if f, ok := prim.BinWord(op, t); ok && op.Accepts(t) {
				out = append(out, applied{
					op.String() + "_" + t.String(),
					[]prim.Type{t, t},
					t,
					func(a []imp.Exp) imp.Exp { return &imp.Bin{Op: op, Type: it, X: a[0], Y: a[1]} }, func(a []uint64) uint64 { return f(a[0], a[1]) },
				})
			}
		}
		for op := range prim.CmpOp(prim.NumCmpOps) {
			f := prim.CmpWord(op, t)
			out = append(out, applied{
				op.String() + "_" + t.String(),
				[]prim.Type{t, t},
				prim.Bool,
				func(a []imp.Exp) imp.Exp { return &imp.Cmp{Op: op, Type: it, X: a[0], Y: a[1]} },
				func(a []uint64) uint64 { return prim.MakeBool(f(a[0], a[1])).Word() },
			})
		}
		for _, to := range prim.AllTypes() {
			f := prim.ConvertWord(t, to)
			out = append(out, applied{
				"conv_" + t.String() + "_" + to.String(),
				[]prim.Type{t},
				to,
				func(a []imp.Exp) imp.Exp { return &imp.Conv{From: it, To: imp.Of(to), X: a[0]} }, func(a []uint64) uint64 { return f(a[0]) },
			})
		}
		for f := range prim.Func(prim.NumFuncs) {
			if f.Accepts(t) {
				out = append(out, appliedFunction(f, t))
			}
		}
	}
	return out
}

func appliedFunction(f prim.Func, t prim.Type) applied {
	a := applied{
		name: f.String() + "_" + t.String(), params: f.Params(t), result: f.Result(t),
		exp: func(a []imp.Exp) imp.Exp { return &imp.CallFunc{Func: f, Type: t, Args: a} },
	}
	switch f.Arity() {
	case 1:
		g, _ := prim.FuncWord1(f, t)
		a.want = func(x []uint64) uint64 { return g(x[0]) }
	case 2:
		g, _ := prim.FuncWord2(f, t)
		a.want = func(x []uint64) uint64 { return g(x[0], x[1]) }
	default:
		g, _ := prim.FuncWord3(f, t)
		a.want = func(x []uint64) uint64 { return g(x[0], x[1], x[2]) }
	}
	return a
}

// grid are values at which operations differ.
func grid(t prim.Type) (out []uint64) {
	if t.IsFloat() {
		for _, f := range []float64{
			0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 7.25, 100, -1e4, 1e-7, 3e9, -5e9, 1e18, 1e19, -2e19, 0x1p63, 0x1p70,
			1e300, math.Inf(1), math.Inf(-1), math.NaN(),
		} {
			out = append(out, prim.MakeFloat(t, f).Word())
		}
		return out
	}
	for _, w := range []uint64{
		0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1 << 15, 1<<16 - 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40,
		1<<63 - 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 1, math.MaxUint64 - 6, math.MaxUint64 - 127,
	} {
		out = append(out, prim.Canonical(t, w))
	}
	return out
}

// tuples are the arguments that an operation is tried with.
func (a *applied) tuples() [][]uint64 {
	out := [][]uint64{nil}
	for _, p := range a.params {
		var next [][]uint64
		for _, t := range out {
			for _, x := range grid(p) {
				next = append(next, append(t[:len(t):len(t)], x))
			}
		}
		out = next
	}
	return out
}

// kernel applies the operation, each workgroup to one tuple.
func (a *applied) kernel() *imp.Kernel {
	k := &imp.Kernel{Name: "apply_" + a.name, GroupSize: 1, Vars: []imp.VarDecl{{}}}
	at := &imp.Id{Kind: imp.GroupID}
	var args []imp.Exp
	for i, p := range a.params {
		k.Mems = append(k.Mems, imp.MemDecl{Name: fmt.Sprintf("x%d", i), Elem: p})
		args = append(args, &imp.Load{Mem: imp.Mem(i), Index: at})
	}
	k.Mems = append(k.Mems, imp.MemDecl{Name: "out", Elem: a.result, Access: imp.Write})
	k.Body = []imp.Stm{&imp.Store{Mem: imp.Mem(len(a.params)), Index: at, Value: a.exp(args)}}
	return k
}

func putElement(b []byte, t prim.Type, i int, w uint64) {
	switch t.Size() {
	case 1:
		b[i] = byte(w)
	case 2:
		binary.LittleEndian.PutUint16(b[2*i:], uint16(w))
	case 4:
		binary.LittleEndian.PutUint32(b[4*i:], uint32(w))
	default:
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
}

func element(b []byte, t prim.Type, i int) uint64 {
	var w [8]byte
	copy(w[:], b[i*t.Size():(i+1)*t.Size()])
	return prim.Canonical(t, binary.LittleEndian.Uint64(w[:]))
}

// TestWebAssemblyComputesWhatTheEvaluatorDoes applies every operation at every type to values at which such operations differ.
func TestWebAssemblyComputesWhatTheEvaluatorDoes(t *testing.T) {
	dev := webAssembly(t, targets.Options{})
	ops := operations()
	if len(ops) < 600 {
		t.Fatalf("only %d operations", len(ops))
	}
	specs, codes := make([]device.KernelSpec, len(ops)), make([]*imp.Code, len(ops))
	for i := range ops {
		specs[i], codes[i] = spec(t, dev, ops[i].kernel())
	}
	kernels, err := dev.Compile(specs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ops {
		ops[i].check(t, dev, kernels[i], codes[i])
	}
}

// spec is what the device compiles of a kernel.
func spec(t *testing.T, dev *targets.Device, k *imp.Kernel) (device.KernelSpec, *imp.Code) {
	t.Helper()
	if err := imp.VerifyKernel(k); err != nil {
		t.Fatal(err)
	}
	code, err := dev.Model.Print(k)
	if err != nil {
		t.Fatal(err)
	}
	return device.KernelSpec{
		Name: k.Name, Source: code.Source, Entry: code.Entry, Buffers: k.Globals() + 1, Params: code.Bytes,
		Workgroup: [3]uint32{uint32(k.GroupSize), 1, 1},
	}, code
}

// check runs the kernel of an operation.
func (a *applied) check(t *testing.T, dev *targets.Device, k device.Kernel, code *imp.Code) {
	t.Helper()
	tuples := a.tuples()
	n := len(tuples)
	var bindings []device.Binding
	alloc := func(size int) device.Buffer {
		b, err := dev.Alloc(int64(size))
		if err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, device.Binding{Buffer: b})
		return b
	}
	for p, typ := range a.params {
		data := make([]byte, n*typ.Size())
		for i, tuple := range tuples {
			putElement(data, typ, i, tuple[p])
		}
		if err := dev.Upload(alloc(len(data)), 0, data); err != nil {
			t.Fatal(err)
		}
	}
	out := alloc(n * a.result.Size())
	failure := alloc(4 * imp.FailureWords)
	got := make([]byte, n*a.result.Size())
	err := errors.Join(
		dev.Fill(failure, 0, 4*imp.FailureWords, 0),
		dev.Launch(device.Launch{
			Kernel: k, Groups: [3]uint32{uint32(n), 1, 1}, Buffers: bindings, Params: code.Pack(&imp.Kernel{}, nil, int64(n)),
		}),
		dev.Download(device.Region{Buffer: out, Data: got}))
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	for i, tuple := range tuples {
		want, x := a.want(tuple), element(got, a.result, i)
		if x != want && !(prim.FromWord(a.result, x).IsNaN() && prim.FromWord(a.result, want).IsNaN()) {
			t.Errorf("%s %#x: %#x, not %#x", a.name, tuple, x, want)
			break
		}
	}
	for _, b := range bindings {
		dev.Free(b.Buffer)
	}
}

// endless is a kernel that does not end.
const endless = `kernel endless(n_1: i32, write @xs_0: i32) group 1 {
  let i_2: i32 = n_1
  while ne.i32(i_2, 0:i32) {
    i_2 = bor.i32(i_2, 1:i32)
  }
  @xs_0[0:idx] = i_2
}
`

// TestEndlessWebAssemblyIsGivenUp has a kernel loop for ever on all processors.
func TestEndlessWebAssemblyIsGivenUp(t *testing.T) {
	dev := webAssembly(t, targets.Options{Timeout: 200 * time.Millisecond})
	p, err := imp.Parse(strings.ReplaceAll(endless, "bor", prim.Or.String()))
	if err != nil {
		t.Fatal(err)
	}
	s, code := spec(t, dev, p.Kernels[0])
	kernels, err := dev.Compile([]device.KernelSpec{s})
	if err != nil {
		t.Fatal(err)
	}
	xs, err := dev.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	failure, err := dev.Alloc(4 * imp.FailureWords)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	err = dev.Launch(device.Launch{
		Kernel: kernels[0], Groups: [3]uint32{64, 1, 1}, Buffers: []device.Binding{{Buffer: xs}, {Buffer: failure}},
		Params: code.Pack(p.Kernels[0], []uint64{1}, 64),
	})
	if !errors.Is(err, device.Timeout) || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestWebAssemblyHasFourGibibytes asks for more memory than there can be, and for all of it again when it is free.
func TestWebAssemblyHasFourGibibytes(t *testing.T) {
	dev := webAssembly(t, targets.Options{})
	var all []device.Buffer
	var err error
	for len(all) < 8 {
		var b device.Buffer
		if b, err = dev.Alloc(1 << 30); err != nil {
			break
		}
		all = append(all, b)
	}
	if !errors.Is(err, device.OutOfMemory) {
		t.Fatalf("%d GiB, %v", len(all), err)
	}
	if len(all) < 3 {
		t.Skipf("SKIPPED: %d GiB are there: %v", len(all), err)
	}
	if !strings.Contains(err.Error(), "WebAssembly, whose memory has at most 4095 MiB") {
		t.Error(err)
	}
	for _, b := range all {
		dev.Free(b)
	}
	b, err := dev.Alloc(3 << 30)
	if err != nil {
		t.Fatal(err)
	}
	dev.Free(b)
}
