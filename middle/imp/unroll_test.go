package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
)

// A loop that reads four arrays does four iterations together, with variables of their own, and the rest one by one; one that reads less
// and does not call a function of an element of each thread's own, that writes, or runs a few times is left alone.
func TestLoopsThatWaitForMemoryAreUnrolled(t *testing.T) {
	const sum = "let a_4: f32 = @as_0[i_3]\n let t_5: f32 = add.f32(@bs_1[i_3], @cs_2[i_3])\n" +
		" let u_6: f32 = mul.f32(a_4, mul.f32(t_5, @ds_3[i_3]))\n s_2 = add.f32(s_2, u_6)\n"
	for _, c := range []struct {
		name, bound, body string
		loads             int // reads of as that are printed
	}{
		{"waits", "n_1", sum, 5},
		{"constant", "11:idx", sum, 5},
		{"short", "7:idx", sum, 1},
		{"writes", "n_1", sum + "@as_0[i_3] = s_2\n", 1},
		{"branches", "n_1", sum + "if lt.f32(s_2, 0x40000000:f32) {\n s_2 = 0x40000000:f32\n }\n", 1},
		{"reads little", "n_1", "s_2 = add.f32(s_2, @as_0[i_3])\n", 1},
		{"calls", "n_1", "let a_4: f32 = @as_0[add.idx(i_3, thread_id)]\n s_2 = add.f32(s_2, call.exp.f32(a_4))\n", 5},
		{"calls for all", "n_1", "let a_4: f32 = @as_0[i_3]\n s_2 = add.f32(s_2, call.exp.f32(a_4))\n", 1},
	} {
		text := fmt.Sprintf("kernel k(n_1: idx, write @as_0: f32, read @bs_1: f32, read @cs_2: f32, read @ds_3: f32) group 32 {\n"+
			" let s_2: f32 = 0x0:f32\n for i_3: idx < %s {\n %s }\n @as_0[0:idx] = s_2\n}", c.bound, c.body)
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, text)
		}
		before := imp.Print(p)
		out := imp.Unroll(p)
		if err := imp.Verify(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := imp.Print(out)
		if n := strings.Count(got, "= @as_0[") + strings.Count(got, ", @as_0["); n != c.loads {
			t.Errorf("%s: reads %d times:\n%s", c.name, n, got)
		}
		if imp.Print(p) != before {
			t.Errorf("%s: the input has changed", c.name)
		}
	}
}

// The loads of four iterations come before what the loop carries, and what an index needs before them; what depends on a result that is
// carried stays behind.
func TestLoadsOfUnrolledIterationsComeFirst(t *testing.T) {
	const text = "kernel k(n_1: idx, write @as_0: f32, read @bs_1: f32, read @cs_2: f32, read @ds_3: f32) group 32 {\n" +
		" let s_2: f32 = 0x0:f32\n for i_3: idx < n_1 {\n let j_4: idx = add.idx(i_3, 1:idx)\n let a_5: f32 = @as_0[j_4]\n" +
		" let t_6: f32 = add.f32(@bs_1[j_4], @cs_2[i_3])\n" +
		" let u_7: f32 = mul.f32(a_5, t_6)\n let d_8: f32 = add.f32(s_2, @ds_3[i_3])\n s_2 = add.f32(u_7, d_8)\n }\n @as_0[0:idx] = s_2\n}"
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	got := imp.Print(imp.Unroll(p))
	loop, _, _ := strings.Cut(got[strings.Index(got, "for "):], "}")
	mul, last := strings.Index(loop, "mul.f32(a"), strings.LastIndex(loop, "= @as_0[")
	if strings.Count(loop, "= @as_0[") != 4 || mul < last || mul < strings.LastIndex(loop, "@cs_2[") || mul > strings.Index(loop, "@ds_3[") {
		t.Errorf("loads are not in front:\n%s", got)
	}
}
