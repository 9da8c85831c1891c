package eval

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
)

// lockstepKernels have blocks whose lanes take ways of their own. Each reads the array xs and writes ys and zs, of more
// elements than there are threads.
var lockstepKernels = map[string]string{
	"branches in branches": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 96 {
  let i_1: idx = thread_id
  let x_2: i64 = @xs_0[i_1]
  let y_3: i64 = 5:i64
  if lt.i64(rem.i64(x_2, 7:i64), 3:i64) {
    y_3 = add.i64(y_3, x_2)
    if eq.i64(rem.i64(x_2, 2:i64), 0:i64) {
      y_3 = mul.i64(y_3, y_3)
    } else {
      if gt.i64(x_2, 90:i64) {
        y_3 = -1:i64
      }
    }
  } else {
    y_3 = sub.i64(x_2, y_3)
  }
  @ys_1[i_1] = y_3
}`,
	"a loop that lanes leave one by one": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 64 {
  let i_1: idx = thread_id
  let x_2: i64 = @xs_0[i_1]
  let n_3: i64 = 0:i64
  while ne.i64(x_2, 1:i64) {
    if eq.i64(rem.i64(x_2, 2:i64), 0:i64) {
      x_2 = quot.i64(x_2, 2:i64)
    } else {
      x_2 = add.i64(mul.i64(x_2, 3:i64), 1:i64)
    }
    n_3 = add.i64(n_3, 1:i64)
  }
  @ys_1[i_1] = n_3
}`,
	"bounds of their own": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 128 {
  let i_1: idx = thread_id
  let sum_2: i64 = 0:i64
  for j_3: idx < conv.i64.idx(rem.i64(@xs_0[i_1], 9:i64)) {
    for l_4: idx < j_3 {
      sum_2 = add.i64(sum_2, conv.idx.i64(mul.idx(l_4, i_1)))
    }
    sum_2 = add.i64(sum_2, @xs_0[j_3])
  }
  @ys_1[i_1] = sum_2
}`,
	"steps of the grid": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 32 {
  let i_1: idx = thread_id
  while lt.idx(i_1, 250:idx) {
    let j_2: idx = i_1
    @ys_1[j_2] = add.i64(@xs_0[j_2], @xs_0[sub.idx(249:idx, j_2)])
    i_1 = add.idx(i_1, 64:idx)
  }
  @zs_2[thread_id] = conv.idx.i64(i_1)
}`,
	"private arrays": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 64 {
  private @own_3: i16[8]
  let i_1: idx = thread_id
  for j_2: idx < 8:idx {
    @own_3[j_2] = conv.i64.i16(add.i64(@xs_0[i_1], conv.idx.i64(j_2)))
  }
  let at_4: idx = conv.i64.idx(rem.i64(@xs_0[i_1], 8:i64))
  @own_3[at_4] = -1:i16
  let sum_5: i64 = 0:i64
  for j_6: idx < 8:idx {
    sum_5 = add.i64(mul.i64(sum_5, 3:i64), conv.i16.i64(@own_3[j_6]))
  }
  @ys_1[i_1] = sum_5
}`,
	"operands that are loaded on a condition": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 128 {
  let i_1: idx = thread_id
  let far_2: idx = add.idx(i_1, 200:idx)
  if logand.bool(lt.idx(far_2, 256:idx), gt.i64(@xs_0[far_2], 40:i64)) {
    @ys_1[i_1] = select.i64(lt.idx(far_2, 230:idx), @xs_0[add.idx(far_2, 26:idx)], -7:i64)
  }
}`,
	"numbers of threads": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 24 {
  let i_1: idx = thread_id
  if lt.idx(i_1, 256:idx) {
    @ys_1[i_1] = conv.idx.i64(add.idx(mul.idx(group_id, 1000:idx), add.idx(local_id, mul.idx(group_size, num_groups))))
  }
}`,
	"a workgroup of several blocks": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 256 {
  shared @all_3: i64[256]
  @all_3[local_id] = @xs_0[local_id]
  let step_4: idx = 1:idx
  while lt.idx(step_4, 256:idx) {
    barrier
    let own_5: i64 = @all_3[local_id]
    if le.idx(step_4, local_id) {
      own_5 = add.i64(own_5, @all_3[sub.idx(local_id, step_4)])
    }
    barrier
    @all_3[local_id] = own_5
    step_4 = mul.idx(step_4, 2:idx)
  }
  barrier
  subgroup max_6: i64 = max(@all_3[sub.idx(255:idx, local_id)])
  @ys_1[local_id] = sub.i64(@all_3[local_id], max_6)
}`,
	"atomics of some": `kernel k(read @xs_0: i64, write @ys_1: i64, atomic @zs_2: i64) group 64 {
  let i_1: idx = thread_id
  let x_2: i64 = @xs_0[i_1]
  if lt.i64(x_2, 60:i64) {
    atomic old_3: i64 = add @zs_2[conv.i64.idx(rem.i64(x_2, 5:i64))] x_2
    @ys_1[i_1] = x_2
  }
}`,
	"device_functions": `device deep(x_1: i64) -> (r_2, @p_0[0:idx]) fails {
  private @p_0: i64[2]
  let r_2: i64 = 0:i64
  if gt.i64(x_1, 50:i64) {
    assert ne.i64(x_1, 77:i64) site 0 (x_1)
    r_2 = mul.i64(x_1, 3:i64)
  }
  @p_0[0:idx] = sub.i64(x_1, 1:i64)
  while lt.i64(r_2, @p_0[0:idx]) {
    r_2 = add.i64(r_2, 7:i64)
  }
}
device twice(x_1: i64) -> (add.i64(a_2, d_5)) fails {
  invoke a_2: i64, b_3: i64 = deep(x_1)
  invoke c_4: i64, d_5: i64 = deep(add.i64(b_3, 2:i64))
}
kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 64 {
  let i_1: idx = thread_id
  let x_2: i64 = @xs_0[i_1]
  if ne.i64(rem.i64(x_2, 3:i64), 0:i64) {
    invoke y_3: i64 = twice(x_2)
    @ys_1[i_1] = y_3
  }
  invoke z_4: i64 = twice(4:i64)
  @zs_2[i_1] = z_4
}`,
	"assertions of some": `kernel k(read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 64 {
  let i_1: idx = thread_id
  let x_2: i64 = @xs_0[i_1]
  if lt.i64(x_2, 60:i64) {
    assert ne.i64(rem.i64(x_2, 5:i64), 0:i64) site 0 (x_2)
    for j_3: idx < conv.i64.idx(x_2) {
      assert lt.idx(j_3, 50:idx) site 0 (x_2)
    }
    @ys_1[i_1] = 1:i64
  }
  @ys_1[i_1] = add.i64(@ys_1[i_1], 2:i64)
}`,
}

func TestLanesInLockstepDoWhatThreadsDoAlone(t *testing.T) {
	const threads, room = 256, 320
	for name, src := range lockstepKernels {
		p, err := imp.Parse(src)
		if err != nil {
			t.Fatal(name, err)
		}
		decl := p.Kernels[0]
		if err := imp.VerifyKernel(decl); err != nil {
			t.Fatal(name, err)
		}
		run := func(k *Kernel) (memory [][]byte, failed bool) {
			memory = [][]byte{make([]byte, 8*room), make([]byte, 8*room), make([]byte, 8*room)}
			for i := range room {
				binary.LittleEndian.PutUint64(memory[0][8*i:], uint64(i*37%101+1))
			}
			groups := (threads + decl.GroupSize - 1) / decl.GroupSize
			if strings.HasPrefix(name, "steps") {
				groups = 2
			}
			fail := new(Failure)
			if err := k.Run(Launch{Groups: int64(groups), Blocks: memory, Fail: fail, Workers: 1}); err != nil {
				t.Fatal(name, err)
			}
			return memory, fail.Failed()
		}
		wide, narrow := CompileKernel(decl), CompileKernel(decl)
		if f := wide.wide(); f == nil || f.width < 32 {
			t.Errorf("%s: no block of lanes", name)
		}
		narrow.wide = func() *form { return nil }
		got, failed := run(wide)
		want, alsoFailed := run(narrow)
		if d := cmp.Diff(want, got); d != "" || failed != alsoFailed {
			t.Errorf("%s: lanes differ from threads, %t %t:\n%s", name, failed, alsoFailed, d)
		}
	}
}
