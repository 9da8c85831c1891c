package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
)

// Loads that follow from the number of the round are done for four rounds together, under no condition: where there is nothing to load, the
// place is 0. Others stay where they are, and so do those whose conditions are the same in each round.
func TestLoadsOfRoundsAreDoneTogether(t *testing.T) {
	for _, c := range []struct {
		name, cond, load, use, end string
		together                   bool
	}{
		{"together", "i_3", "@as_0[add.idx(i_3, j_4)]", "@s_2[j_4]", "barrier", true},
		{"what the loop carries", "i_3", "@as_0[c_2]", "@s_2[j_4]", "barrier", false},
		{"what was loaded", "i_3", "@as_0[conv.i32.idx(@s_2[i_3])]", "@s_2[j_4]", "barrier", false},
		{"written", "i_3", "@bs_1[i_3]", "@s_2[j_4]", "barrier", false},
		{"no barrier", "i_3", "@as_0[i_3]", "@s_2[j_4]", "", false},
		{"a tile's", "i_3", "@as_0[i_3]", "c_9", "barrier", false},
		{"checked", "i_3", "@as_0[i_3]", "@s_2[j_4]", "assert lt.idx(i_3, 9:idx) site 0 ()\n barrier", false},
		{"the same condition in each round", "n_1", "@as_0[i_3]", "@s_2[j_4]", "barrier", false},
		{"a long round", "i_3", "@as_0[i_3]", "@s_2[j_4]", strings.Repeat("c_9 = add.i32(c_9, 1:i32)\n ", 200) + "barrier", false},
	} {
		text := fmt.Sprintf("site \"here\" \"wrong\" ()\nkernel k(n_1: idx, read @as_0: i32, write @bs_1: i32) group 32 {\n"+
			" shared @s_2: i32[32]\n"+
			" let c_2: idx = 0:idx\n let c_9: i32 = 1:i32\n for i_3: idx < n_1 {\n let j_4: idx = local_id\n if lt.idx(j_4, %s) {\n"+
			" let d_5: idx = add.idx(j_4, 1:idx)\n let x_6: i32 = %s\n @bs_1[d_5] = add.i32(x_6, %s)\n }\n"+
			" c_2 = add.idx(c_2, 2:idx)\n %s\n }\n}", c.cond, c.load, c.use, c.end)
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, text)
		}
		before := imp.Print(p)
		out := imp.Prefetch(p)
		if err := imp.Verify(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := imp.Print(out)
		if (got != before) != c.together || imp.Print(p) != before {
			t.Errorf("%s: unexpected:\n%s", c.name, got)
		}
		first, rest, _ := strings.Cut(got, "@bs_1[")
		if c.together && (strings.Count(first, "= @as_0[maybe ") != 4 || strings.Count(rest, "@as_0") != 0) {
			t.Errorf("%s: not in their place:\n%s", c.name, got)
		}
	}
}

func TestThePlaceOfALoadIsSelected(t *testing.T) {
	p, err := imp.Parse(`kernel k(n_1: idx, read @as_0: i32, write @bs_1: i32) group 32 {
  shared @s_2: i32[32]
  for i_2: idx < n_1 {
    if lt.idx(local_id, i_2) {
      let x_3: i32 = @as_0[i_2]
      @bs_1[i_2] = add.i32(x_3, @s_2[local_id])
    }
    barrier
  }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `kernel k(n_1: idx, read @as_0: i32, write @bs_1: i32) group 32 {
  shared @s_2: i32[32]
  let bound_5: idx = n_1
  for chunk_6: idx < quot.idx(add.idx(bound_5, 3:idx), 4:idx) {
    let first_7: idx = mul.idx(chunk_6, 4:idx)
    let place_9: idx = 0:idx
    let i_10: idx = add.idx(first_7, 0:idx)
    if lt.idx(i_10, bound_5) {
      if lt.idx(local_id, i_10) {
        place_9 = i_10
      }
    }
    let place_14: idx = 0:idx
    let i_15: idx = add.idx(first_7, 1:idx)
    if lt.idx(i_15, bound_5) {
      if lt.idx(local_id, i_15) {
        place_14 = i_15
      }
    }
    let place_19: idx = 0:idx
    let i_20: idx = add.idx(first_7, 2:idx)
    if lt.idx(i_20, bound_5) {
      if lt.idx(local_id, i_20) {
        place_19 = i_20
      }
    }
    let place_24: idx = 0:idx
    let i_25: idx = add.idx(first_7, 3:idx)
    if lt.idx(i_25, bound_5) {
      if lt.idx(local_id, i_25) {
        place_24 = i_25
      }
    }
    let now_11: i32 = @as_0[maybe place_9]
    let now_16: i32 = @as_0[maybe place_14]
    let now_21: i32 = @as_0[maybe place_19]
    let now_26: i32 = @as_0[maybe place_24]
    let i_8: idx = add.idx(first_7, 0:idx)
    if lt.idx(i_8, bound_5) {
      if lt.idx(local_id, i_8) {
        let x_12: i32 = now_11
        @bs_1[i_8] = add.i32(x_12, @s_2[local_id])
      }
      barrier
    }
    let i_13: idx = add.idx(first_7, 1:idx)
    if lt.idx(i_13, bound_5) {
      if lt.idx(local_id, i_13) {
        let x_17: i32 = now_16
        @bs_1[i_13] = add.i32(x_17, @s_2[local_id])
      }
      barrier
    }
    let i_18: idx = add.idx(first_7, 2:idx)
    if lt.idx(i_18, bound_5) {
      if lt.idx(local_id, i_18) {
        let x_22: i32 = now_21
        @bs_1[i_18] = add.i32(x_22, @s_2[local_id])
      }
      barrier
    }
    let i_23: idx = add.idx(first_7, 3:idx)
    if lt.idx(i_23, bound_5) {
      if lt.idx(local_id, i_23) {
        let x_27: i32 = now_26
        @bs_1[i_23] = add.i32(x_27, @s_2[local_id])
      }
      barrier
    }
  }
}
`
	if d := cmp.Diff(want, imp.Print(imp.Prefetch(p))); d != "" {
		t.Errorf("unexpected (-want +got):\n%s", d)
	}
}
