package imp_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// everything uses each construct of the text form once.
const everything = `tune "t" "threshold" 32
opaque "complex"
site "a.fut:1:2" "index % is bad" (i64)
init consts
entry "main" main "Doubles." {
  param "xs" "[n]i32" -1 (1: [param 0]i32)
  result unique "" "[n]i32" -1 (0: [result 1][2]i32)
}
device half(x_1: i64) -> (q_2, eq.i64(mul.i64(q_2, 2:i64), x_1)) fails {
  private @p_0: i32[2]
  let q_2: i64 = quot.i64(x_1, 2:i64)
  assert le.i64(0:i64, x_1) site 0 (x_1)
}
device quarter(x_1: i64) -> (r_4) fails {
  invoke h_2: i64, even_3: bool = half(x_1)
  let r_4: i64 = select.i64(even_3, h_2, 0:i64)
}
kernel k(n_1: idx, a_2: f32, read @xs_0: i32, write @ys_1: i8, atomic @hs_2: u32) group 64 room 4096 guarded at "a.fut:3:1" {
  shared @tmp_3: i64[64]
  private @p_4: f64[3]
  shared @sized_5: f32[room]
  let i_3: idx = thread_id
  comment "a remark"
  if lt.idx(i_3, n_1) {
    let x_4: i32 = @xs_0[i_3]
    assert le.i32(0:i32, x_4) site 0 (conv.i32.i64(x_4))
    @ys_1[i_3] = conv.i32.i8(un.neg.i32(x_4))
    own @ys_1[i_3] = 3:i8
    x_4 = select.i32(true, x_4, -5:i32)
  } else {
    loadvec b_5: i32, c_6: i32 = @xs_0[mul.idx(2:idx, i_3)] once
    storevec @ys_1[0:idx] = 1:i8, 2:i8
  }
  for j_7: idx < n_1 {
    barrier
    barrier global
    uniform u_15: i64 = @tmp_3[j_7]
  }
  parallel for m_14: idx < n_1 {
    @p_4[0:idx] = 0x3ff0000000000000:f64
  }
  while gt.f32(a_2, 0x3f800000:f32) {
    atomic old_8: u32 = add @hs_2[local_id] 1:u32
    atomic max @hs_2[group_id] 18:u32
  }
  update old_9: u32 = @hs_2[lane] {
    let new_10: u32 = add.u32(old_9, 1:u32)
  } new new_10
  subgroup_update a_16: i64, b_17: i64 = @tmp_3 (i_3, -1:idx) copies 2:idx, rem.idx(lane, 2:idx) with (1:i64, 2:i64) selects {
    let new_18: i64 = add.i64(a_16, b_17)
  } new new_18
  subgroup s_11: u32 = add(1:u32)
  subgroup s_12: f32 = shuffle_down(call.sqrt.f32(a_2), 1:idx)
  invoke q_13: i64 = quarter(conv.idx.i64(n_1))
}
fun main(n_1: i64, xs_2: block) -> (ys_3, n_1) {
  const g_8: block = 0
  tune t_9 = 0
  alloc ys_3: i32[n_1]
  alloc m_20: i32[1:i64] mapped
  free m_20
  data d_4: i8 "\x01\xff"
  copy i32 ys_3[0:i64] = xs_2[1:i64], sub.i64(n_1, 1:i64)
  fill i32 ys_3[0:i64], n_1 = 7:i32
  launch k<1:i64>(conv.i64.idx(n_1), 0x0:f32) blocks(xs_2, d_4, ys_3) room(4:i64) fits(n_1)
  read x_5: i32 = ys_3[0:i64]
  write i32 ys_3[0:i64] = x_5
  trace "a.fut:2:3" "{\"array\":{\"prim\":\"i32\"}}" (i32 ys_3 [n_1])
  trace "tag" "{\"prim\":\"i32\"}" (i32 value x_5)
  call y_6: block, m_7: i64 = main(n_1, ys_3) site 0
  call consts() site 0
  let z_10: block = none
  free y_6
}
fun consts() -> () {
}
`

func TestTextReadsBack(t *testing.T) {
	p, err := imp.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	text := imp.Print(p)
	if d := cmp.Diff(everything, text); d != "" {
		t.Errorf("text changed (-want +got):\n%s", d)
	}
	q, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p, q, cmp.AllowUnexported(prim.Value{})); d != "" {
		t.Errorf("program changed:\n%s", d)
	}
	if err := imp.Verify(p); err != nil {
		t.Errorf("Verify: %v", err)
	}
}

func TestParseReportsTheLine(t *testing.T) {
	for _, src := range []string{
		"kernel k() group 1 {\n  let x_1: i32 = y_2\n}", "fun f() -> () {\n  walk\n}", "site \"a\"\n \"b\" (i128)",
		"kernel k() group 1 {\n  let x_1: i32 = frob.i32(1:i32, 2:i32)\n}",
	} {
		if _, err := imp.Parse(src); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func FuzzTextReadsBack(f *testing.F) {
	f.Add(everything)
	f.Fuzz(func(t *testing.T, src string) {
		p, err := imp.Parse(src)
		if err != nil {
			return
		}
		text := imp.Print(p)
		q, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := imp.Print(q); again != text {
			t.Fatalf("%s\nbecame\n%s", text, again)
		}
	})
}

// A uniform load has the same result in all threads: barriers may stand in what it decides.
func TestUniformLoadsAreUniform(t *testing.T) {
	p, err := imp.Parse("kernel k() group 4 {\n shared @a_0: i32[4]\n @a_0[local_id] = 1:i32\n uniform x_1: i32 = @a_0[2:idx]\n" +
		" while lt.i32(x_1, 9:i32) {\n barrier\n uniform y_2: i32 = @a_0[0:idx]\n x_1 = y_2\n }\n}")
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Error(err)
	}
}

func TestVerifyRejects(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{
			"wrong operand type", "kernel k(n_1: idx) group 1 {\n let x_2: i32 = add.i32(n_1, 1:i32)\n}",
			"has type idx, not i32",
		},
		{
			"store to a read array", "kernel k(read @a_0: i32) group 1 {\n @a_0[0:idx] = 1:i32\n}",
			"not declared for such an access",
		},
		{
			"a mapped block is written by host code",
			"fun f() -> () {\n alloc x_1: i32[1:i64] mapped\n write i32 x_1[0:i64] = 1:i32\n}", "x_1 is mapped",
		},
		{
			"a kernel reads a mapped block",
			"kernel k(read @a_0: i32, write @b_1: i32) group 1 {\n @b_1[0:idx] = @a_0[0:idx]\n}\n" +
				"fun f() -> () {\n alloc x_1: i32[1:i64] mapped\n alloc y_2: i32[1:i64] mapped\n launch k<1:i64>() blocks(x_1, y_2) fits()\n}",
			"x_1 is mapped",
		},
		{"host code in a kernel", "kernel k(b_1: block) group 1 {\n free b_1\n}", "in a kernel"},
		{"barrier in a kernel only", "fun f() -> () {\n barrier\n}", "in host code"},
		{
			"divergent barrier", "kernel k() group 4 {\n let i_1: idx = local_id\n if lt.idx(i_1, 2:idx) {\n barrier\n }\n}",
			"divergent",
		},
		{
			"divergence through a variable",
			"kernel k(n_1: idx) group 4 {\n let i_2: idx = 0:idx\n for j_3: idx < local_id {\n i_2 = j_3\n }\n" +
				" while lt.idx(i_2, n_1) {\n barrier\n }\n}",
			"divergent",
		},
		{
			"perhaps an element of a shared array",
			"kernel k() group 4 {\n shared @a_0: i32[4]\n let x_1: i32 = @a_0[maybe 0:idx]\n}", "never empty",
		},
		{
			"uniform load of a private array",
			"kernel k() group 4 {\n private @a_0: i32[4]\n uniform x_1: i32 = @a_0[0:idx]\n}", "not shared",
		},
		{
			"uniform load of different elements",
			"kernel k() group 4 {\n shared @a_0: i32[4]\n uniform x_1: i32 = @a_0[local_id]\n}", "differs",
		},
		{
			"update by subgroups of a private array",
			"kernel k() group 4 {\n private @a_0: i32[4]\n subgroup_update x_1: i32, y_2: i32 = @a_0 (lane) copies 1:idx, 0:idx with (1:i32) {\n" +
				" } new y_2\n}", "not shared",
		},
		{
			"update by subgroups without a value",
			"kernel k() group 4 {\n shared @a_0: i32[4]\n subgroup_update x_1: i32, y_2: i32 = @a_0 (lane) copies 1:idx, 0:idx with () {\n" +
				" } new y_2\n}", "with 0 values",
		},
		{
			"update by subgroups in one thread",
			"kernel k() group 4 {\n shared @a_0: i32[4]\n if lt.idx(local_id, 1:idx) {\n" +
				" subgroup_update x_1: i32, y_2: i32 = @a_0 (lane) copies 1:idx, 0:idx with (1:i32) {\n } new y_2\n }\n}", "divergent",
		},
		{
			"arguments of a launch",
			"kernel k(n_1: idx) group 4 {\n}\nfun f() -> () {\n launch k<1:i64>() blocks() fits()\n}", "takes 1 arguments",
		},
		{"site", "fun f() -> () {\n assert true site 0 ()\n}", "no site 0"},
	} {
		p, err := imp.Parse(c.src)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := imp.Verify(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
