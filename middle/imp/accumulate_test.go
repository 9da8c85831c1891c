package imp_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/middle/imp/eval"
)

// Products of words are computed with what is added to both of their halves if all that this takes is used for nothing else.
func TestProductsAreComputedWithWhatIsAddedToThem(t *testing.T) {
	const (
		product = "let t_10: u64 = mul.u64(a_1, b_2)\n"
		both    = product + `let s_11: u64 = add.u64(t_10, c_3)
			let l_12: bool = lt.u64(s_11, t_10)
			let r_13: u64 = conv.bool.u64(l_12)
			let h_14: u64 = call.mad_hi.u64(a_1, b_2, r_13)
			let q_15: u64 = add.u64(d_4, s_11)
			let m_16: bool = lt.u64(q_15, d_4)
			let r_17: u64 = conv.bool.u64(m_16)
			let g_18: u64 = add.u64(r_17, h_14)
			`
		one = `let h_14: u64 = call.mad_hi.u64(b_2, a_1, 0:u64)
			` + product + `let q_15: u64 = add.u64(t_10, 18446744073709551614:u64)
			let m_16: bool = lt.u64(q_15, t_10)
			let r_17: u64 = conv.bool.u64(m_16)
			let g_18: u64 = add.u64(h_14, r_17)
			`
	)
	for _, c := range []struct {
		name, body, stored string
		upper              int // how many upper halves are left
	}{
		{"two words are added", both, "q_15 g_18", 0},
		{"the lower word is not needed", both, "g_18", 0},
		{"the first sum is needed", both, "s_11 q_15 g_18", 0},
		{"one word is added", one, "q_15 g_18", 0},
		{"nothing is added", product + "let h_14: u64 = call.mul_hi.u64(a_1, b_2)\n", "h_14 t_10", 0},
		{"a constant is a factor", strings.ReplaceAll(both, "b_2", "18446744069414584321:u64"), "q_15 g_18", 0},
		{"in a branch", "let t_20: u64 = d_4\n if lt.u64(a_1, b_2) {\n" + both + "t_20 = xor.u64(q_15, g_18)\n}\n", "t_20", 0},
		{"in a branch and behind it", "let h_20: u64 = 0:u64\nlet l_21: u64 = 0:u64\nif lt.u64(a_1, b_2) {\n" + one +
			"h_20 = g_18\n l_21 = q_15\n}\n" +
			"let t_30: u64 = mul.u64(a_1, a_1)\nlet h_31: u64 = call.mul_hi.u64(a_1, a_1)\n", "h_20 l_21 t_30 h_31", 0},
		{"in a device function", "invoke q_15: u64, g_18: u64 = wide(a_1, b_2, c_3, d_4)\n", "q_15 g_18", 0},
		{"the product is needed", both, "t_10 q_15 g_18", 1},
		{"the carry is needed", both, "r_13 q_15 g_18", 1},
		{"a comparison of something else", strings.Replace(both, "lt.u64(s_11, t_10)", "lt.u64(s_11, d_4)", 1), "q_15 g_18", 1},
		{"another product", strings.Replace(both, "mul.u64(a_1, b_2)", "mul.u64(a_1, a_1)", 1), "q_15 g_18", 1},
		{"what is added is set again", "let e_5: u64 = c_3\n" + strings.Replace(strings.ReplaceAll(both, "c_3", "e_5"),
			"let q_15", "e_5 = d_4\n let q_15", 1), "e_5 q_15 g_18", 1},
	} {
		var stores strings.Builder
		for i, v := range strings.Fields(c.stored) {
			stores.WriteString("@ys_1[add.idx(mul.idx(4:idx, group_id), " + string(rune('0'+i)) + ":idx)] = " + v + "\n")
		}
		text := "device wide(a_1: u64, b_2: u64, c_3: u64, d_4: u64) -> (q_15, g_18) {\n" + both + "}\n" +
			"kernel k(read @xs_0: u64, write @ys_1: u64) group 1 {\n"
		for i, v := range []string{"a_1", "b_2", "c_3", "d_4"} {
			text += "let " + v + ": u64 = @xs_0[add.idx(group_id, " + string(rune('0'+i)) + ":idx)]\n"
		}
		p, err := imp.Parse(text + c.body + stores.String() + "}\n")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		after := imp.Accumulate(p)
		if err := imp.Verify(after); err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, imp.Print(after))
		}
		got := imp.Print(after)
		if n := strings.Count(got, "call.m"); n != c.upper {
			t.Errorf("%s: %d upper halves are left, not %d:\n%s", c.name, n, c.upper, got)
		}
		if d := cmp.Diff(wordsStored(t, p.Kernels[0]), wordsStored(t, after.Kernels[0])); d != "" {
			t.Errorf("%s: stored (-before +after):\n%s\n%s", c.name, d, got)
		}
	}
}

// wordsStored is what a kernel stores of words, among them the largest and those whose halves are.
func wordsStored(t *testing.T, k *imp.Kernel) []byte {
	t.Helper()
	xs := []uint64{0, 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 2, 1 << 63, 1<<32 - 1, 1 << 32, 1<<32 + 1, 0xffffffff00000000}
	for x := uint64(88172645463325252); len(xs) < 200; {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		xs = append(xs, x, x>>uint(x%64), ^uint64(0)<<uint(x%64))
	}
	var in bytes.Buffer
	if err := binary.Write(&in, binary.LittleEndian, xs); err != nil {
		t.Fatal(err)
	}
	groups := len(xs) - 3
	out := make([]byte, 32*groups)
	if err := eval.CompileKernel(k).Run(eval.Launch{Groups: int64(groups), Blocks: [][]byte{in.Bytes(), out}}); err != nil {
		t.Fatalf("%v\n%s", err, imp.PrintKernel(k))
	}
	return out
}
