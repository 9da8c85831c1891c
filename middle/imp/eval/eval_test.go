package eval_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/middle/imp/eval"
)

// kernel parses, verifies and compiles a lone kernel.
func kernel(t testing.TB, src string) *eval.Kernel {
	t.Helper()
	p, err := imp.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.VerifyKernel(p.Kernels[0]); err != nil {
		t.Fatal(err)
	}
	return eval.CompileKernel(p.Kernels[0])
}

func words(xs ...int32) []byte {
	b := make([]byte, 4*len(xs))
	for i, x := range xs {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
	}
	return b
}

func ints(b []byte) []int32 {
	xs := make([]int32, len(b)/4)
	for i := range xs {
		xs[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return xs
}

func iota32(n int) []int32 {
	xs := make([]int32, n)
	for i := range xs {
		xs[i] = int32(i)
	}
	return xs
}

func TestMapRunsEveryThreadOnce(t *testing.T) {
	k := kernel(t, `kernel k(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 16 {
  let i_2: idx = thread_id
  if lt.idx(i_2, n_1) {
    @ys_1[i_2] = add.i32(@ys_1[i_2], mul.i32(@xs_0[i_2], 3:i32))
  }
}`)
	xs, ys := words(iota32(1000)...), make([]byte, 4000)
	if err := k.Run(eval.Launch{Groups: 63, Args: []uint64{1000}, Blocks: [][]byte{xs, ys}}); err != nil {
		t.Fatal(err)
	}
	for i, y := range ints(ys) {
		if y != int32(3*i) {
			t.Fatalf("ys[%d] = %d", i, y)
		}
	}
}

const treeReduce = `kernel reduce(n_1: idx, read @xs_0: i32, write @out_1: i32) group 64 {
  shared @tmp_2: i32[64]
  let acc_2: i32 = 0:i32
  let i_3: idx = thread_id
  while lt.idx(i_3, n_1) {
    acc_2 = add.i32(acc_2, @xs_0[i_3])
    i_3 = add.idx(i_3, mul.idx(group_size, num_groups))
  }
  @tmp_2[local_id] = acc_2
  let step_4: idx = 32:idx
  while gt.idx(step_4, 0:idx) {
    barrier
    if lt.idx(local_id, step_4) {
      @tmp_2[local_id] = add.i32(@tmp_2[local_id], @tmp_2[add.idx(local_id, step_4)])
    }
    step_4 = quot.idx(step_4, 2:idx)
  }
  if eq.idx(local_id, 0:idx) {
    @out_1[group_id] = @tmp_2[0:idx]
  }
}`

func TestBarriersOrderTheThreadsOfAWorkgroup(t *testing.T) {
	k := kernel(t, treeReduce)
	out := make([]byte, 12)
	err := k.Run(eval.Launch{Groups: 3, Args: []uint64{10000}, Blocks: [][]byte{words(iota32(10000)...), out}})
	if err != nil {
		t.Fatal(err)
	}
	sum := int32(0)
	for _, x := range ints(out) {
		sum += x
	}
	if sum != 10000*9999/2 {
		t.Errorf("sum = %d", sum)
	}
}

func TestAtomicsLoseNoUpdate(t *testing.T) {
	for _, elem := range []string{"i8", "u16", "i32", "u64", "f16", "f32", "f64"} {
		one := map[string]string{"f16": "0x3c00", "f32": "0x3f800000", "f64": "0x3ff0000000000000"}[elem]
		if one == "" {
			one = "1"
		}
		src := strings.NewReplacer("ELEM", elem, "ONE", one+":"+elem).Replace(`kernel k(atomic @hs_0: ELEM) group 8 {
  atomic old_1: ELEM = add @hs_0[rem.idx(thread_id, 3:idx)] ONE
  update cur_2: ELEM = @hs_0[rem.idx(thread_id, 3:idx)] {
    let next_3: ELEM = add.ELEM(cur_2, ONE)
  } new next_3
}`)
		b := make([]byte, 24)
		if err := kernel(t, src).Run(eval.Launch{Groups: 15, Blocks: [][]byte{b}, Workers: 4}); err != nil {
			t.Fatal(err)
		}
		want := map[string]uint64{"f16": 0x5500, "f32": 0x42a00000, "f64": 0x4054000000000000}[elem]
		if want == 0 {
			want = 80
		}
		size := map[string]int{"i8": 1, "u16": 2, "i32": 4, "u64": 8, "f16": 2, "f32": 4, "f64": 8}[elem]
		got := uint64(0)
		for i := range size {
			got |= uint64(b[i]) << (8 * i)
		}
		if got != want {
			t.Errorf("%s: %#x, not %#x", elem, got, want)
		}
	}
}

func TestSubgroupOperations(t *testing.T) {
	k := kernel(t, `kernel k(write @out_0: i32) group 6 {
  let x_1: i32 = conv.idx.i32(local_id)
  subgroup sum_2: i32 = add(x_1)
  subgroup scan_3: i32 = scan_add(x_1)
  subgroup down_4: i32 = shuffle_down(x_1, 1:idx)
  @out_0[local_id] = add.i32(mul.i32(sum_2, 10000:i32), add.i32(mul.i32(scan_3, 100:i32), down_4))
}`)
	out := make([]byte, 24)
	if err := k.Run(eval.Launch{Groups: 1, Blocks: [][]byte{out}}); err != nil {
		t.Fatal(err)
	}
	want := []int32{60001, 60102, 60303, 60603, 90405, 90905}
	if d := cmp.Diff(want, ints(out)); d != "" {
		t.Error(d)
	}
}

// Each value goes into one of the copies of its bin, and those without a bin into none.
func TestUpdatesBySubgroupsLoseNoValue(t *testing.T) {
	k := kernel(t, `kernel k(write @out_0: i32) group 8 {
  shared @bins_1: i32[6]
  if lt.idx(local_id, 6:idx) {
    @bins_1[local_id] = 0:i32
  }
  barrier
  let bin_2: idx = sub.idx(rem.idx(local_id, 4:idx), 1:idx)
  subgroup_update x_3: i32, y_4: i32 = @bins_1 (bin_2, 0:idx) copies 2:idx, rem.idx(local_id, 2:idx) with (1:i32, conv.idx.i32(local_id)) {
    let sum_5: i32 = add.i32(x_3, y_4)
  } new sum_5
  barrier
  if lt.idx(local_id, 3:idx) {
    let at_6: idx = mul.idx(local_id, 2:idx)
    @out_0[local_id] = add.i32(@bins_1[at_6], @bins_1[add.idx(at_6, 1:idx)])
  }
}`)
	out := make([]byte, 12)
	if err := k.Run(eval.Launch{Groups: 1, Blocks: [][]byte{out}}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int32{2 + 28, 2, 2}, ints(out)); d != "" {
		t.Error(d)
	}
}

func TestFirstFailureIsKeptAndStopsGuardedKernels(t *testing.T) {
	k := kernel(t, `kernel k(write @out_0: i32) group 8 guarded {
  assert lt.idx(thread_id, 20:idx) site 7 (conv.idx.i64(thread_id))
  barrier
  @out_0[thread_id] = 1:i32
}`)
	out := make([]byte, 4*32)
	var fail eval.Failure
	for range 2 {
		if err := k.Run(eval.Launch{Groups: 4, Blocks: [][]byte{out}, Fail: &fail, Workers: 1}); err != nil {
			t.Fatal(err)
		}
	}
	site, values, ok := fail.Get()
	if !ok || site != 7 || !cmp.Equal(values, []uint64{20}) {
		t.Errorf("failure %d %v %t", site, values, ok)
	}
	got := ints(out)
	if got[15] != 1 || got[16] != 0 || got[31] != 0 {
		t.Errorf("a failed workgroup went on: %v", got)
	}
}

func TestAccessOutsideAnArrayIsAnError(t *testing.T) {
	k := kernel(t, "kernel k(write @out_0: i32) group 8 {\n @out_0[thread_id] = 1:i32\n}")
	err := k.Run(eval.Launch{Groups: 1, Blocks: [][]byte{make([]byte, 28)}})
	if err == nil || !strings.Contains(err.Error(), "kernel k accesses out at 7 of 7") {
		t.Error(err)
	}
}

// Of an empty array place 0 may be loaded where that stands for no element: see imp.Load.
func TestPerhapsAnElementOfAnEmptyArray(t *testing.T) {
	for at, want := range map[string]string{
		"maybe 0:idx": "", "maybe sub.idx(local_id, local_id)": "", "0:idx": "accesses xs at 0 of 0", "maybe 1:idx": "accesses xs at 1 of 0",
		"maybe local_id": " of 0",
	} {
		k := kernel(t, "kernel k(read @xs_0: i32, write @ys_1: i32) group 16 {\n @ys_1[local_id] = @xs_0["+at+"]\n}")
		ys := words(iota32(16)...)
		err := k.Run(eval.Launch{Groups: 1, Blocks: [][]byte{nil, ys}})
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", at, err, want)
		case want == "" && (err != nil || cmp.Diff(make([]int32, 16), ints(ys)) != ""):
			t.Errorf("%s: %v, %v", at, err, ints(ys))
		}
	}
}

func TestDivergentBarrierIsFoundAtRunTime(t *testing.T) {
	p, err := imp.Parse("kernel k() group 4 {\n if lt.idx(local_id, 2:idx) {\n barrier\n }\n}")
	if err != nil {
		t.Fatal(err)
	}
	err = eval.CompileKernel(p.Kernels[0]).Run(eval.Launch{Groups: 1})
	if err == nil || !strings.Contains(err.Error(), "divergent") {
		t.Error(err)
	}
}

func BenchmarkReduce(b *testing.B) {
	k := kernel(b, treeReduce)
	const n = 1 << 20
	xs, out := words(iota32(n)...), make([]byte, 4*16)
	b.SetBytes(4 * n)
	for b.Loop() {
		if err := k.Run(eval.Launch{Groups: 16, Args: []uint64{n}, Blocks: [][]byte{xs, out}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatrixMultiplication(b *testing.B) {
	k := kernel(b, `kernel k(points_1: idx, n_2: idx, read @xs_0: f32, read @ys_1: f32, write @zs_2: f32) group 16 {
  let point_3: idx = thread_id
  if lt.idx(point_3, points_1) {
    let i_4: idx = rem.idx(point_3, n_2)
    let j_5: idx = quot.idx(point_3, n_2)
    let acc_6: f32 = 0x0:f32
    for k_7: idx < n_2 {
      let x_8: f32 = @xs_0[add.idx(mul.idx(j_5, n_2), k_7)]
      let y_9: f32 = @ys_1[add.idx(mul.idx(k_7, n_2), i_4)]
      let t_10: f32 = mul.f32(x_8, y_9)
      let t_11: f32 = add.f32(acc_6, t_10)
      acc_6 = t_11
    }
    @zs_2[point_3] = acc_6
  }
}`)
	const n = 128
	xs := make([]byte, 4*n*n)
	launch := eval.Launch{Groups: n * n / 16, Args: []uint64{n * n, n}, Blocks: [][]byte{xs, xs, make([]byte, 4*n*n)}, Workers: 1}
	for b.Loop() {
		if err := k.Run(launch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n*n), "ns/product")
}

// A failed assertion in a device function ends the thread that called it, and no other.
func TestDeviceFunctionsComputeForEachThread(t *testing.T) {
	k := kernel(t, `device half(x_1: i32) -> (quot.i32(x_1, 2:i32), @p_0[1:idx]) fails {
  private @p_0: i32[2]
  assert lt.i32(x_1, 100:i32) site 3 (x_1)
  @p_0[1:idx] = rem.i32(x_1, 2:i32)
}
device quarter(x_1: i32) -> (q_4) fails {
  invoke h_2: i32, odd_3: i32 = half(x_1)
  invoke q_4: i32, odd_5: i32 = half(add.i32(h_2, odd_3))
}
kernel k(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 16 {
  let i_2: idx = thread_id
  if lt.idx(i_2, n_1) {
    invoke q_3: i32 = quarter(@xs_0[i_2])
    @ys_1[i_2] = q_3
  }
}`)
	xs, ys := []int32{0, 3, 101, 99, 42}, make([]byte, 20)
	var fail eval.Failure
	if err := k.Run(eval.Launch{Groups: 1, Args: []uint64{5}, Blocks: [][]byte{words(xs...), ys}, Fail: &fail}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int32{0, 1, 0, 25, 10}, ints(ys)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if site, values, ok := fail.Get(); !ok || site != 3 || len(values) != 1 || values[0] != 101 {
		t.Errorf("failure: %d %v %v", site, values, ok)
	}
}
