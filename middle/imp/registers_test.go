package imp_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/prim"
)

// inRegisters is the only kernel of a text, before and after Registers, which leaves the first as it is.
func inRegisters(t *testing.T, text string) (before, after *imp.Kernel) {
	t.Helper()
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	printed := imp.Print(p)
	out := imp.Registers(p, func(t prim.Type) bool { return t == prim.I64 })
	for _, p := range []*imp.Prog{p, out} {
		if err := imp.Verify(p); err != nil {
			t.Fatalf("%v\n%s", err, imp.Print(p))
		}
	}
	if imp.Print(p) != printed {
		t.Error("the input has changed")
	}
	return p.Kernels[0], out.Kernels[0]
}

// row computes the elements of a row from those before, by loops in a loop.
const row = `kernel k(read @xs_0: i32, write @ys_1: i32) group 2 {
  private @row_2: i32[3]
  for i_1: idx < 3:idx {
    @row_2[i_1] = @xs_0[add.idx(mul.idx(thread_id, 3:idx), i_1)]
  }
  for j_2: idx < 2:idx {
    let next_3: idx = add.idx(j_2, 1:idx)
    let sum_4: i32 = 0:i32
    for k_5: idx < next_3 {
      sum_4 = add.i32(sum_4, mul.i32(@row_2[k_5], 3:i32))
    }
    @row_2[next_3] = add.i32(@row_2[next_3], sum_4)
  }
  for l_6: idx < 3:idx {
    @ys_1[add.idx(mul.idx(thread_id, 3:idx), l_6)] = @row_2[l_6]
  }
}
`

func TestIndicesOfPrivateArraysBecomeConstants(t *testing.T) {
	before, after := inRegisters(t, row)
	got := imp.PrintKernel(after)
	const want = `  let j_10: idx = 0:idx
  let next_11: idx = add.idx(j_10, 1:idx)
  let sum_12: i32 = 0:i32
  let k_13: idx = 0:idx
  sum_12 = add.i32(sum_12, mul.i32(@row_2[0:idx], 3:i32))
  @row_2[1:idx] = add.i32(@row_2[1:idx], sum_12)
  let j_14: idx = 1:idx
  let next_15: idx = add.idx(j_14, 1:idx)
  let sum_16: i32 = 0:i32
  let k_17: idx = 0:idx
  sum_16 = add.i32(sum_16, mul.i32(@row_2[0:idx], 3:i32))
  let k_18: idx = 1:idx
  sum_16 = add.i32(sum_16, mul.i32(@row_2[1:idx], 3:i32))
  @row_2[2:idx] = add.i32(@row_2[2:idx], sum_16)
`
	if _, rest, _ := strings.Cut(got, "  let j"); !strings.HasPrefix("  let j"+rest, want) {
		t.Errorf("no\n%s in\n%s", want, got)
	}
	for _, s := range []string{"for ", "@row_2[l", "@row_2[i"} {
		if strings.Contains(got, s) {
			t.Errorf("%q is left:\n%s", s, got)
		}
	}
	sameStores(t, before, after)
}

// sameStores runs two workgroups of two kernels, which get the same numbers, and compares what they have stored.
func sameStores(t *testing.T, before, after *imp.Kernel) {
	t.Helper()
	var stored [2][]byte
	for i, k := range []*imp.Kernel{before, after} {
		xs, ys := words(7, -3, 5, 2, 11, 6, 4, -9, 1, 8, 13, 12), make([]byte, 48)
		if err := eval.CompileKernel(k).Run(eval.Launch{Groups: 2, Blocks: [][]byte{xs, ys}}); err != nil {
			t.Fatalf("%v\n%s", err, imp.PrintKernel(k))
		}
		stored[i] = ys
	}
	if d := cmp.Diff(stored[0], stored[1]); d != "" || bytes.Count(stored[0], []byte{0}) == len(stored[0]) {
		t.Errorf("stored (-before +after):\n%s\n%s", d, imp.PrintKernel(after))
	}
}

// words are numbers as a block of memory holds them.
func words(xs ...int32) []byte {
	var b []byte
	for _, x := range xs {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return b
}

// All kinds of statements that bind or set variables are copied with variables of their own.
func TestStatementsOfUnrolledLoopsHaveVariablesOfTheirOwn(t *testing.T) {
	const text = `device twice(x_1: i32) -> (add.i32(x_1, x_1)) {
}
kernel k(read @xs_0: i32, write @ys_1: i32) group 2 {
  shared @part_2: i32[4]
  shared @count_3: i32[4]
  private @own_4: i32[4]
  for i_1: idx < 4:idx {
    let at_2: idx = sub.idx(3:idx, i_1)
    let a_3: i32 = @xs_0[add.idx(mul.idx(group_id, 4:idx), at_2)]
    if eq.idx(local_id, 0:idx) {
      @part_2[i_1] = a_3
      @count_3[i_1] = 5:i32
    } else {
      a_3 = add.i32(a_3, 1:i32)
    }
    barrier
    loadvec b_4: i32, c_5: i32 = @xs_0[mul.idx(2:idx, thread_id)]
    uniform d_6: i32 = @part_2[i_1]
    atomic old_7: i32 = add @count_3[i_1] 1:i32
    update f_8: i32 = @count_3[i_1] {
      let g_9: i32 = add.i32(f_8, a_3)
    } new g_9
    subgroup_update p_13: i32, q_14: i32 = @count_3 (i_1) copies 1:idx, 0:idx with (a_3) {
      let r_15: i32 = add.i32(p_13, q_14)
    } new r_15
    subgroup h_10: i32 = add(a_3)
    invoke e_11: i32 = twice(h_10)
    barrier
    @own_4[at_2] = add.i32(add.i32(add.i32(b_4, c_5), add.i32(d_6, e_11)), @count_3[i_1])
    barrier
  }
  for j_12: idx < 4:idx {
    if lt.idx(j_12, 3:idx) {
      @own_4[j_12] = add.i32(@own_4[j_12], @own_4[add.idx(j_12, 1:idx)])
    }
  }
  storevec @ys_1[mul.idx(2:idx, thread_id)] = @own_4[0:idx], @own_4[3:idx]
}
`
	before, after := inRegisters(t, text)
	got := imp.PrintKernel(after)
	bound := map[imp.Var]bool{}
	imp.Walk(after.Body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			if v != 0 && bound[v] {
				t.Errorf("variable %d is bound twice", v)
			}
			bound[v] = true
		}
		return true
	})
	// The index behind the array, in a branch that no thread takes, is as it was.
	if n := strings.Count(got, "@own_4[add.idx("); n != 1 || strings.Contains(got, "for ") {
		t.Errorf("%d indices are no constants:\n%s", n, got)
	}
	sameStores(t, before, after)
}

// Loops are left where an index would not be a constant, or the text too much.
func TestLoopsAreLeftWhereArraysStayInMemory(t *testing.T) {
	for _, c := range []struct {
		name, array, bound, body string
		unrolled                 bool
	}{
		{"constant", "8", "8:idx", "@own_2[i_2] = @xs_0[i_2]", true},
		{"part of the array", "9", "8:idx", "@own_2[add.idx(i_2, 1:idx)] = @xs_0[i_2]", true},
		{"bound at run time", "8", "n_1", "@own_2[i_2] = @xs_0[i_2]", false},
		{"index from memory", "8", "8:idx", "@own_2[i_2] = @xs_0[i_2]\n @own_2[conv.i32.idx(@xs_0[i_2])] = 1:i32", false},
		{"index that changes", "8", "8:idx", "let at_3: idx = i_2\n at_3 = n_1\n @own_2[at_3] = @xs_0[i_2]", false},
		{"no index", "8", "8:idx", "@ys_1[i_2] = @xs_0[i_2]", false},
		{"large array", "200", "8:idx", "@own_2[i_2] = @xs_0[i_2]", false},
		{"many iterations", "8", "80:idx", "@own_2[quot.idx(i_2, 10:idx)] = @xs_0[i_2]", false},
		{"loop inside", "8", "8:idx", "for j_3: idx < n_1 {\n @own_2[i_2] = @xs_0[j_3]\n }", false},
		{"much text", "8", "64:idx", strings.Repeat("@own_2[rem.idx(i_2, 8:idx)] = @xs_0[i_2]\n", 64), false},
		{"much text at most", "8", "63:idx", strings.Repeat("@own_2[rem.idx(i_2, 8:idx)] = @xs_0[i_2]\n", 64), true},
		{"much text in the loop", "8", "8:idx", strings.Repeat("@own_2[i_2] = @xs_0[i_2]\n", 65), false},
		{"much text of functions", "8", "63:idx", "@own_2[rem.idx(i_2, 8:idx)] = conv.f32.i32(call.sqrt.f32(conv.i32.f32(@xs_0[i_2])))", false},
		{"functions", "8", "62:idx", "@own_2[rem.idx(i_2, 8:idx)] = conv.f32.i32(call.sqrt.f32(conv.i32.f32(@xs_0[i_2])))", true},
		{"emulated", "8", "2:idx", "@own_2[i_2] = conv.i64.i32(add.i64(conv.i32.i64(@xs_0[i_2]), 1:i64))", false},
		{"emulated, but only converted", "8", "2:idx", "@own_2[i_2] = conv.i64.i32(conv.i32.i64(@xs_0[i_2]))", true},
	} {
		text := fmt.Sprintf("kernel k(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 32 {\n private @own_2: i32[%s]\n"+
			" for i_2: idx < %s {\n %s\n }\n @ys_1[thread_id] = @own_2[0:idx]\n}", c.array, c.bound, c.body)
		before, after := inRegisters(t, text)
		if same := &before.Body[0] == &after.Body[0]; same == c.unrolled || strings.Contains(imp.PrintKernel(after), "for i_2") != same {
			t.Errorf("%s: unrolled is not %v:\n%s", c.name, c.unrolled, imp.PrintKernel(after))
		}
	}
}

// Of arrays that are more than registers, the first ones are kept there; loops that only others index remain.
func TestArraysThatFillTheRegistersLeaveOthersInMemory(t *testing.T) {
	var text strings.Builder
	text.WriteString("kernel k(read @xs_0: f64, write @ys_1: f64) group 32 {\n")
	for i := range 3 {
		fmt.Fprintf(&text, " private @own_%d: f64[30]\n", i+2)
	}
	for i := range 3 {
		fmt.Fprintf(&text, " for i_%d: idx < 30:idx {\n @own_%d[i_%d] = @xs_0[i_%d]\n }\n", i+1, i+2, i+1, i+1)
	}
	text.WriteString(" @ys_1[thread_id] = 0x0:f64\n}")
	_, after := inRegisters(t, text.String())
	got := imp.PrintKernel(after)
	for i, want := range []bool{false, false, true} {
		if is := strings.Contains(got, fmt.Sprintf("for i_%d", i+1)); is != want {
			t.Errorf("loop %d remains: %v\n%s", i, is, got)
		}
	}
}

// Functions that call others count with these, each of which is looked at once, however often it is called.
func TestFunctionsThatCallOthersCountWithThem(t *testing.T) {
	i32 := imp.Of(prim.I32)
	var f *imp.DeviceFunction
	for depth := range 40 {
		g := &imp.DeviceFunction{
			Name: fmt.Sprintf("f%d", depth), Params: []imp.Var{1}, Vars: []imp.VarDecl{{}, {Name: "x", Type: i32}},
			Results: []imp.Exp{&imp.VarExp{Var: 1}},
		}
		for range 2 {
			if f == nil {
				break
			}
			y := imp.Var(len(g.Vars))
			g.Vars = append(g.Vars, imp.VarDecl{Name: "y", Type: i32})
			g.Body = append(g.Body, &imp.Invoke{Dst: []imp.Var{y}, DeviceFunction: f, Args: []imp.Exp{&imp.VarExp{Var: 1}}})
			g.Results = []imp.Exp{&imp.VarExp{Var: y}}
		}
		f = g
	}
	p, err := imp.Parse("kernel k(read @xs_0: i32, write @ys_1: i32) group 32 {\n private @own_2: i32[4]\n" +
		" for i_1: idx < 4:idx {\n let x_2: i32 = @xs_0[i_1]\n @own_2[i_1] = x_2\n }\n @ys_1[thread_id] = @own_2[0:idx]\n}")
	if err != nil {
		t.Fatal(err)
	}
	loop := p.Kernels[0].Body[0].(*imp.For)
	calls := *loop
	x := loop.Body[0].(*imp.Let)
	calls.Body = []imp.Stm{
		&imp.Invoke{Dst: []imp.Var{x.Var}, DeviceFunction: f, Args: []imp.Exp{&imp.Const{Type: i32, Value: prim.MakeI32(1)}}}, loop.Body[1],
	}
	unrolls := func(body []imp.Stm) bool {
		k := *p.Kernels[0]
		k.Body = append(slices.Clone(body), k.Body[1:]...)
		out := imp.Registers(&imp.Prog{Kernels: []*imp.Kernel{&k}}, func(prim.Type) bool { return false })
		return &out.Kernels[0].Body[0] != &k.Body[0]
	}
	if !unrolls([]imp.Stm{loop}) || unrolls([]imp.Stm{&calls}) {
		t.Error("a loop without calls remains, or one with many is unrolled")
	}
}
