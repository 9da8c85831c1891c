package lower_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/passtest"
)

// lowered is the text of a program for a device with some facts.
func lowered(t *testing.T, src string, facts lower.Facts) string {
	t.Helper()
	p, err := run(passtest.Parse(t, src), facts)
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Fatal(err)
	}
	return imp.Print(p)
}

// has checks which words a text has and which it has not, those that begin with a minus sign.
func has(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		word, not := strings.CutPrefix(w, "-")
		if strings.Contains(text, word) == not {
			t.Errorf("the text has %q: %v\n%s", word, !not, text)
		}
	}
}

// torus adds up what an element's neighbours hold and marks it if that is enough.
const torus = `stage memory
fun main (n_1: i64, m_2: mem(u8, device), xs_3: [n_1]u8 @m_2{0; 1}): (m_4: mem(u8, device), ys_5: [n_1]u8 @m_4{0; 1}) = {
  let (m_6: mem(u8, device)) = alloc u8 n_1 device
  let (ys_7: [n_1]u8 @m_6{0; 1}) = segmap.grid (i_8 < n_1) (u8) {
    let (l_9: i64) = sub.i64 i_8 1i64
    let (l_10: i64) = mod.i64 l_9 n_1
    let (r_11: i64) = add.i64 1i64 i_8
    let (r_12: i64) = mod.i64 r_11 n_1
    let (a_13: u8) = index xs_3 [l_10]
    let (b_14: u8) = index xs_3 [r_12]
    let (s_15: u8) = add.u8 a_13 b_14
    let (c_16: bool) = eq.u8 s_15 2u8
    let (y_17: u8) = if c_16 {
      in (1u8)
    } else {
      let (own_18: u8) = index xs_3 [i_8]
      in (own_18)
    }
    in (y_17)
  }
  in (m_6, ys_7)
}
`

func TestNeighboursOnATorusNeedNoDivision(t *testing.T) {
	has(t, lowered(t, torus, lower.Facts{}), "select.idx(", "-mod.idx", "-rem.idx")
	far := strings.ReplaceAll(torus, "i_8 1i64", "i_8 2i64")
	has(t, lowered(t, far, lower.Facts{}), "mod.idx")
}

func TestResultsOfBranchesAreStoredByWords(t *testing.T) {
	has(t, lowered(t, torus, lower.Facts{Vectors: true, Words: true}), "storevec @ys_1[", "own @ys_1[point_", "-kernel main_map_2")
	has(t, lowered(t, torus, lower.Facts{Vectors: true}), "storevec @ys_1[", "@ys_1[left_", "-own @")
	has(t, lowered(t, torus, lower.Facts{}), "-storevec")
}

// affine composes affine functions, which does not commute.
const affine = `stage memory
fun main (n_1: i64, m_2: mem(u32, device), xs_3: [n_1]u32 @m_2{0; 1}): (a_4: u32, b_5: u32) = {
  let (a_6: u32, b_7: u32) = segred.grid (i_8 < n_1) (u32, u32) ops (neutral (1u32, 0u32)
    fn (a_9: u32, b_10: u32, c_11: u32, d_12: u32): (u32, u32) {
    let (e_13: u32) = mul.u32 a_9 c_11
    let (f_14: u32) = mul.u32 b_10 c_11
    let (g_15: u32) = add.u32 f_14 d_12
    in (e_13, g_15)
  }) {
    let (x_16: u32) = index xs_3 [i_8]
    in (x_16, 1u32)
  }
  in (a_6, b_7)
}
`

func TestSubgroupsJoinWhatDoesNotCommute(t *testing.T) {
	has(t, lowered(t, affine, lower.Facts{Vectors: true, SubgroupSize: 32}), "for tile_", "shuffle_xor", "part_3: u32[8]")
	has(t, lowered(t, affine, lower.Facts{Vectors: true}), "-subgroup", "loadvec", "part_3: u32[256]")
	// Values that are no neighbours might divide by zero.
	checked := strings.Replace(affine, "let (e_13", `let (ok_20: bool) = le.u32 a_9 c_11
    let (k_21: cert) = assert ok_20 ("out of order") at "a.fut:1:2-3"
    let (e_13`, 1)
	has(t, lowered(t, checked, lower.Facts{Vectors: true, SubgroupSize: 32}), "-shuffle_xor")
}

// count counts keys in k bins; the number of bins is what replaces it.
const count = `stage memory
fun main (n_1: i64, k_2: i64, m_3: mem(i64, device), is_4: [n_1]i64 @m_3{0; 1}, m_5: mem(i32, device), d_6: [k_2]i32 @m_5{0; 1}):
  (m_7: mem(i32, device), h_8: [k_2]i32 @m_7{0; 1}) = {
  let (h_9: [k_2]i32 @m_5{0; 1}) = seghist.grid (i_10 < n_1) (i64, i32) ops ([k_2] (d_6) neutral (0i32) fn (a_11: i32, b_12: i32): (i32) {
    let (c_13: i32) = add.i32 a_11 b_12
    in (c_13)
  }) {
    let (x_14: i64) = index is_4 [i_10]
    in (x_14, 1i32)
  }
  in (m_5, h_9)
}
`

// saturating adds up to 255 in k bins that begin with its neutral element.
const saturating = `stage memory
fun main (n_1: i64, k_2: i64, m_3: mem(i64, device), is_4: [n_1]i64 @m_3{0; 1}):
  (m_7: mem(i32, device), h_8: [k_2]i32 @m_7{0; 1}) = {
  let (m_5: mem(i32, device)) = alloc i32 k_2 device
  let (d_6: [k_2]i32 @m_5{0; 1}) = segmap.grid (i_15 < k_2) (i32) {
    in (0i32)
  }
  let (h_9: [k_2]i32 @m_5{0; 1}) = seghist.grid (i_10 < n_1) (i64, i32) ops ([k_2] (d_6) neutral (0i32) fn (a_11: i32, b_12: i32): (i32) {
    let (c_13: i32) = add.i32 a_11 b_12
    let (d_16: i32) = min.i32 c_13 255i32
    in (d_16)
  }) {
    let (x_14: i64) = index is_4 [i_10]
    in (x_14, 1i32)
  }
  in (m_5, h_9)
}
`

// Threads with bins of their own load the next points first where a driver compiles WGSL, in as many variables as they take together.
func TestPrivateBinsLoadAhead(t *testing.T) {
	facts := lower.Facts{WideGroup: 512, WideBytes: 1 << 14, Vectors: true}
	has(t, lowered(t, saturating, facts), "loadvec is_", "-let next_")
	facts.Words = true
	text := lowered(t, saturating, facts)
	has(t, text, "let then_", "next_")
	private, _, _ := strings.Cut(text[strings.Index(text, "kernel main_hist_private_"):], "\n}")
	if sets, vars := strings.Count(private, "\n      next_"), strings.Count(private, "let next_"); vars == 0 || sets != vars {
		t.Errorf("%d variables, %d are set in the loop:\n%s", vars, sets, private)
	}
	facts.Software = true
	has(t, lowered(t, saturating, facts), "-let next_")
}

// A map makes bins that are neutral only for the ways that update them, all others store what they combine.
func TestNeutralBinsAreMadeWhereTheyAreUpdated(t *testing.T) {
	facts := lower.Facts{WideGroup: 512, WideBytes: 1 << 14}
	text := lowered(t, saturating, facts)
	launches, first := strings.Index(text, "launch "), "launch main_hist_private_"
	if launches < 0 || !strings.HasPrefix(text[launches:], first) {
		t.Errorf("the first launch is not %q:\n%s", first, text)
	}
	if n := strings.Count(text, "launch main_map_"); n != 1 {
		t.Errorf("%d launches make bins, want one, before updates of these:\n%s", n, text)
	}
	has(t, lowered(t, strings.Replace(saturating, "in (0i32)", "in (7i32)", 1), facts), "kernel main_map_1")
	// A map without results, as an assertion on the device leaves it, makes none.
	empty := strings.Replace(saturating, "let (h_9", "let () = segmap.grid () () {\n    in ()\n  }\n  let (h_9", 1)
	has(t, lowered(t, empty, facts), "kernel main_map_1")
	// What reads the bins first has them made before.
	read := strings.Replace(saturating, "let (h_9", "let (x_17: i32) = index d_6 [0i64]\n  let (h_9", 1)
	has(t, lowered(t, read, facts), "kernel main_map_1")
}

func TestLaunchesSayHowLargeTablesAre(t *testing.T) {
	facts := lower.Facts{WideGroup: 512, WideBytes: 1024, Rooms: true}
	has(t, lowered(t, count, facts), "local_2: i32[room]", "counters_2: u32[room]", "room 1024", "room(k_2)")
	constant := strings.NewReplacer("k_2: i64, ", "", "[k_2]", "[100i64]").Replace(count)
	has(t, lowered(t, constant, facts), "local_2: i32[100]", "-room")
}

func TestTablesOfAHistogram(t *testing.T) {
	facts := lower.Facts{WideGroup: 512, WideBytes: 1024}
	text := lowered(t, count, facts)
	has(t, text, "local_2: i32[256]", "counters_2: u32[256]", "le.i64(k_2, 256:i64)", "le.i64(k_2, 4096:i64)", "le.i64(k_2, 1024:i64)")
	if n := strings.Count(text, "kernel main_"); n != 4 {
		t.Errorf("%d kernels, not one for each way", n)
	}
	constant := strings.NewReplacer("k_2: i64, ", "", "[k_2]", "[100i64]").Replace(count)
	has(t, lowered(t, constant, facts), "kernel main_hist_local_1", "-kernel main_hist_2", "-hist_count")
	twos := strings.Replace(count, "x_14, 1i32", "x_14, 2i32", 1)
	has(t, lowered(t, twos, facts), "-hist_count")
}

// rows adds up the rows of a matrix.
const rows = `stage memory
fun main (n_1: i64, k_2: i64, m_3: mem(u32, device), xs_4: [n_1][k_2]u32 @m_3{0; k_2, 1}, m_5: mem(u32, device), d_6: [n_1]u32 @m_5{0; 1}):
  (m_7: mem(u32, device), r_8: [n_1]u32 @m_7{0; 1}) = {
  let (m_9: mem(u32, device)) = alloc u32 n_1 device
  let (r_10: [n_1]u32 @m_9{0; 1}) = segred.grid (i_11 < n_1, j_12 < k_2) (u32) ops (comm neutral (0u32) fn (a_13: u32, b_14: u32): (u32) {
    let (c_15: u32) = add.u32 a_13 b_14
    in (c_15)
  }) {
    let (x_16: u32) = index xs_4 [i_11, j_12]
    in (x_16)
  }
  in (m_9, r_10)
}
`

func TestThreadsDoNotTakeLongRows(t *testing.T) {
	many := "lt.i64(16384:i64, n_1" // segments that saturate the device by a thread each
	facts := lower.Facts{SubgroupSize: 32}
	has(t, lowered(t, rows, facts), "kernel main_red_subgroup", "-"+many)
	columns := strings.Replace(rows, "{0; k_2, 1}", "{0; 1, n_1}", 1)
	has(t, lowered(t, columns, facts), "kernel main_red_subgroup", many)
	has(t, lowered(t, rows, lower.Facts{}), "-red_subgroup", many)
}

// scaled multiplies floats.
const scaled = `stage memory
fun main (n_1: i64, m_2: mem(f32, device), xs_3: [n_1]f32 @m_2{0; 1}): (m_4: mem(f32, device), ys_5: [n_1]f32 @m_4{0; 1}) = {
  let (m_6: mem(f32, device)) = alloc f32 n_1 device
  let (ys_7: [n_1]f32 @m_6{0; 1}) = segmap.grid (i_8 < n_1) (f32) {
    let (x_9: f32) = index xs_3 [i_8]
    let (y_10: f32) = add.f32 x_9 x_9
    in (y_10)
  }
  in (m_6, ys_7)
}
`

func TestPointsThatFillNoVectorAreTakenByTheSameKernel(t *testing.T) {
	has(t, lowered(t, scaled, lower.Facts{Vectors: true}), "storevec @ys_1[", "@ys_1[left_", "-kernel main_map_2")
}

// pairs adds elements whose indices are computed in i32.
const pairs = `stage memory
fun main (n_1: i64, m_2: mem(u8, device), xs_3: [n_1]u8 @m_2{0; 1}): (m_4: mem(u8, device), ys_5: [n_1]u8 @m_4{0; 1}) = {
  let (m_6: mem(u8, device)) = alloc u8 n_1 device
  let (ys_7: [n_1]u8 @m_6{0; 1}) = segmap.grid (i_8 < n_1) (u8) {
    let (k_9: i32) = conv.i64.i32 i_8
    let (l_10: i32) = sub.i32 k_9 1i32
    let (l_11: i64) = conv.i32.i64 l_10
    let (a_12: u8) = index xs_3 [l_11]
    let (r_13: i32) = FAR
    let (r_14: i64) = conv.i32.i64 r_13
    let (b_15: u8) = index xs_3 [r_14]
    let (s_16: u8) = add.u8 a_12 b_15
    in (s_16)
  }
  in (m_6, ys_7)
}
`

// Where all sizes are small an i32 is the index that it was made of, unless it may overflow all the same. Other devices have no
// second form.
func TestIndicesInOtherTypesAreIndicesInTasks(t *testing.T) {
	tasks := lower.Facts{GroupSize: 1, WideGroup: 1, Groups: 16, Tasks: 16}
	near := strings.ReplaceAll(pairs, "FAR", "add.i32 k_9 2i32")
	has(t, lowered(t, near, tasks), "lt.idx(n_5, 1073741824:idx)", "= sub.idx(i_9, 1:idx)", "= add.idx(i_9, 2:idx)", "conv.i32.idx(r_")
	far := strings.ReplaceAll(pairs, "FAR", "mul.i32 k_9 4i32")
	has(t, lowered(t, far, tasks), "= sub.idx(i_9, 1:idx)", "= mul.i32(k_10, 4:i32)", "-= mul.idx(i_9, 4:idx)")
	has(t, lowered(t, near, lower.Facts{GroupSize: 64, WideGroup: 64, Groups: 16}), "-1073741824:idx", "conv.i32.idx(r_")
}

// copied copies rows of some elements in workgroups.
const copied = `stage memory
fun main (n_1: i64, m_2: mem(i32, device), xs_3: [n_1][POINTSi64]i32 @m_2{0; POINTS, 1}):
  (m_4: mem(i32, device), ys_5: [n_1][POINTSi64]i32 @m_4{0; POINTS, 1}) = {
  let (t_6: i64) = mul.i64 n_1 POINTSi64
  let (m_7: mem(i32, device)) = alloc i32 t_6 device
  let (ys_8: [n_1][POINTSi64]i32 @m_7{0; POINTS, 1}) = segmap.group (i_9 < n_1) ([POINTSi64]i32) {
    let (ys_10: [POINTSi64]i32 @m_7{POINTS*i_9; 1}) = segmap.ingroup (j_11 < POINTSi64) (i32) {
      let (x_12: i32) = index xs_3 [i_9, j_11]
      in (x_12)
    }
    in (ys_10)
  }
  in (m_7, ys_8)
}
`

// A number of points that is known tells how many loads of a thread can be under way; of fewer in the last round, half are together.
func TestNoMoreLoadsAreUnderWayThanThereArePoints(t *testing.T) {
	of := func(points string) string {
		return lowered(t, strings.ReplaceAll(copied, "POINTS", points), lower.Facts{Vectors: true})
	}
	for _, c := range []struct {
		points      string
		loads       int
		conditional bool
	}{{"9", 1, true}, {"64", 1, false}, {"300", 3, true}, {"512", 2, false}, {"1000", 8, true}, {"1024", 4, false}} {
		text := of(c.points)
		if n := strings.Count(text, "@xs_0["); n != c.loads || strings.Contains(text, "  if ") != c.conditional {
			t.Errorf("%s points: %d loads\n%s", c.points, n, text)
		}
	}
}

// halves divides by powers of two; what is divided may be negative.
const halves = `stage memory
fun main (n_1: i64, m_2: mem(i32, device), xs_3: [n_1]i32 @m_2{0; 1}): (m_4: mem(i32, device), ys_5: [n_1]i32 @m_4{0; 1}) = {
  let (m_6: mem(i32, device)) = alloc i32 n_1 device
  let (ys_7: [n_1]i32 @m_6{0; 1}) = segmap.grid (i_8 < n_1) (i32) {
    let (x_9: i32) = index xs_3 [i_8]
    let (q_10: i32) = div.i32 x_9 8i32
    let (r_11: i32) = mod.i32 x_9 8i32
    let (before_12: i64) = sub.i64 i_8 4i64
    let (h_13: i64) = div.i64 before_12 2i64
    let (g_14: i32) = conv.i64.i32 h_13
    let (s_15: i32) = add.i32 q_10 r_11
    let (y_16: i32) = add.i32 s_15 g_14
    in (y_16)
  }
  in (m_6, ys_7)
}
`

func TestDivisionsByPowersOfTwoAreShifts(t *testing.T) {
	has(t, lowered(t, halves, lower.Facts{}), "shr.i32(x_", "and.i32(x_", ", 7:i32)", "shr.idx(before_", "-div.", "-mod.")
	unsigned := strings.ReplaceAll(halves, "i32", "u32")
	has(t, lowered(t, unsigned, lower.Facts{}), "div.u32(x_", "mod.u32(x_")
	unsigned = strings.NewReplacer("div.i32", "quot.u64", "mod.i32", "rem.u64", "i32", "u64").Replace(halves)
	has(t, lowered(t, unsigned, lower.Facts{}), "shr.u64(x_", "and.u64(x_", ", 7:u64)", "-quot.u64", "-rem.u64")
	has(t, lowered(t, strings.ReplaceAll(halves, " 8i32", " 7i32"), lower.Facts{}), "div.i32(x_", "mod.i32(x_")
}

// bits counts, for each number, by its bits from the lowest on.
const bits = `stage memory
fun main (n_1: i64, k_2: i32, m_3: mem(i32, device), xs_4: [n_1]i32 @m_3{0; 1}): (m_5: mem(i32, device), ys_6: [n_1]i32 @m_5{0; 1}) = {
  let (m_7: mem(i32, device)) = alloc i32 n_1 device
  let (ys_8: [n_1]i32 @m_7{0; 1}) = segmap.grid (i_9 < n_1) (i32) {
    let (x_10: i32) = index xs_4 [i_9]
    let (s_11: i32) = loop (a_12: i32 = 0i32) for b_13: i64 < 40i64 {
      let (c_14: i32) = conv.i64.i32 b_13
      let (d_15: i32) = shl.i32 1i32 c_14
      let (e_16: i32) = and.i32 x_10 d_15
      let (f_17: i32) = xor.i32 a_12 e_16
      in (f_17)
    }
    in (s_11)
  }
  in (m_7, ys_8)
}
`

func TestBitsOfALoopAreCarried(t *testing.T) {
	has(t, lowered(t, bits, lower.Facts{}), "let bit_", "= add.i32(bit_", "-shl.i32(")
	has(t, lowered(t, strings.Replace(bits, "shl.i32 1i32", "shl.i32 x_10", 1), lower.Facts{}), "shl.i32(x_")
}

// distances counts pairs of a row and a column by their distance.
const distances = `stage memory
fun main (n_1: i64, s_2: i64, m_3: mem(i64, device), is_4: [s_2][n_1]i64 @m_3{0; n_1, 1}, m_5: mem(i64, device), b_6: [9i64]i64 @m_5{0; 1},
  m_7: mem(i32, device), d_8: [s_2][16i64]i32 @m_7{0; 16, 1}): (m_9: mem(i32, device), h_10: [s_2][16i64]i32 @m_9{0; 16, 1}) = {
  let (l_11: i64) = mul.i64 n_1 n_1
  let (h_12: [s_2][16i64]i32 @m_7{0; 16, 1}) = seghist.grid (s_13 < s_2, k_14 < l_11) (i64, i32) ops ([16i64] (d_8) neutral (0i32)
    fn (a_15: i32, b_16: i32): (i32) {
    let (c_17: i32) = add.i32 a_15 b_16
    in (c_17)
  }) {
    let (i_18: i64) = quot.i64 k_14 n_1
    let (j_19: i64) = rem.i64 k_14 n_1
    let (x_20: i64) = index is_4 [s_13, i_18]
    let (y_21: i64) = index is_4 [s_13, j_19]
    let (z_22: i64) = sub.i64 x_20 y_21
    let (at_23: i64) = loop (at_24: i64 = 0i64) for q_25: i64 < 9i64 {
      let (bound_26: i64) = index b_6 [q_25]
      let (c_27: bool) = le.i64 bound_26 z_22
      let (r_28: i64) = if c_27 {
        in (q_25)
      } else {
        in (at_24)
      }
      in (r_28)
    }
    in (at_23, 1i32)
  }
  in (m_7, h_12)
}
`

func TestPointsOfTablesAreNotDivided(t *testing.T) {
	facts := lower.Facts{WideGroup: 512, WideBytes: 1024}
	has(t, lowered(t, distances, facts), "let quot_", "shared @copied_", ": i32[16]", "n_14), quot_15)]", "n_14), rem_16)]")
	has(t, lowered(t, strings.ReplaceAll(distances, "[9i64]", "[200i64]"), facts), "-shared @copied_")
}

// Constants of a literal are uploaded together, unless they are few among others.
func TestConstantsOfLiteralsAreUploadedTogether(t *testing.T) {
	literal := func(elems string) string {
		n := strings.Count(elems, ",") + 1
		return lowered(t, strings.NewReplacer("$", elems, "#", fmt.Sprint(n)).Replace(`stage memory
fun main (x_1: i32): (m_2: mem(i32, device), xs_3: [#i64]i32 @m_2{0; 1}) = {
  let (m_4: mem(i32, device)) = alloc i32 #i64 device
  let (xs_5: [#i64]i32 @m_4{0; 1}) = array i32 ($)
  in (m_4, xs_5)
}
`), lower.Facts{})
	}
	for _, c := range []struct {
		elems   string
		uploads int
		writes  int
	}{
		{"1i32, 2i32", 1, 0},
		{"1i32", 0, 1},
		{"x_1, 1i32, 2i32, 3i32", 0, 4},
		{"1i32, x_1, 2i32, 3i32, x_1, 4i32", 1, 2},
	} {
		text := literal(c.elems)
		if uploads, writes := strings.Count(text, " data "), strings.Count(text, " write "); uploads != c.uploads || writes != c.writes {
			t.Errorf("[%s]: %d uploads and %d writes\n%s", c.elems, uploads, writes, text)
		}
	}
}

// A lane of WebAssembly loads the last element of its square first, and the others where they are used.
func TestElementsOfASquareAreLoadedWhereTheyAreUsed(t *testing.T) {
	text := lowered(t, affine, lower.Facts{GroupSize: 1, WideGroup: 1, Groups: 16, Tasks: 16})
	_, body, ok := strings.Cut(text, "for k_")
	if !ok {
		t.Fatal(text)
	}
	var seen []string // What the lines of the loop over lanes are.
	for line := range strings.Lines(strings.Split(body, "}")[0]) {
		switch {
		case strings.Contains(line, "= @xs_"):
			seen = append(seen, "load")
		case strings.Contains(line, "= mul.u32("):
			seen = append(seen, "use")
		}
	}
	want := append([]string{"load"}, slices.Repeat([]string{"load", "use", "use"}, 7)...)
	if want = append(want, "use", "use"); !slices.Equal(seen, want) {
		t.Errorf("%q\n%s", seen, text)
	}
}
