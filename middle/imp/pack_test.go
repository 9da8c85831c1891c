package imp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
)

// Arrays of one buffer are numbers of their elements' size in it, from where each begins; an array by itself stays as it is.
func TestPackedArraysAreNumbersInABuffer(t *testing.T) {
	p, err := imp.Parse(`kernel k(n_1: idx, read @xs_0: f32, read @fs_1: bool, write @ys_2: f32, atomic @zs_3: i32) group 64 {
  let i_2: idx = thread_id
  if @fs_1[i_2] {
    @ys_2[i_2] = add.f32(@xs_0[i_2], @xs_0[n_1])
    atomic add @zs_3[0:idx] 3:i32
    atomic max @zs_3[1:idx] 5:i32
    loadvec a_3: f32, b_4: f32 = @xs_0[mul.idx(2:idx, i_2)]
  }
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := `kernel k(n_1: idx, xs_at_5: idx, ys_at_6: idx, zs_at_7: idx, atomic @words_0: u32, read @fs_1: bool) group 64 {
  let i_2: idx = thread_id
  if @fs_1[i_2] {
    @words_0[add.idx(ys_at_6, i_2)] = call.to_bits.f32(add.f32(call.from_bits.f32(@words_0[add.idx(xs_at_5, i_2)]), ` +
		`call.from_bits.f32(@words_0[add.idx(xs_at_5, n_1)])))
    atomic add @words_0[add.idx(zs_at_7, 0:idx)] conv.i32.u32(3:i32)
    let value_9: i32 = 5:i32
    update word_8: u32 = @words_0[add.idx(zs_at_7, 1:idx)] {
    } new conv.i32.u32(max.i32(conv.u32.i32(word_8), value_9))
    let at_10: idx = add.idx(xs_at_5, mul.idx(2:idx, i_2))
    let a_3: f32 = call.from_bits.f32(@words_0[add.idx(at_10, 0:idx)])
    let b_4: f32 = call.from_bits.f32(@words_0[add.idx(at_10, 1:idx)])
  }
}
`
	if d := cmp.Diff(want, imp.PrintKernel(imp.PackMems(p.Kernels[0], []int{0, 1, 0, 0}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
