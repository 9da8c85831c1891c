package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
)

// A load that follows from the number of the round is done before the loop and a round ahead, under no condition: where there is none, its
// place is 0. Others stay where they are, and so do those whose conditions are the same in each round.
func TestLoadsAreDoneARoundAhead(t *testing.T) {
	for _, c := range []struct {
		name, cond, load, use, end string
		ahead                      bool
	}{
		{"ahead", "i_3", "@as_0[add.idx(i_3, j_4)]", "@s_2[j_4]", "barrier", true},
		{"what the loop carries", "i_3", "@as_0[c_2]", "@s_2[j_4]", "barrier", false},
		{"what was loaded", "i_3", "@as_0[conv.i32.idx(@s_2[i_3])]", "@s_2[j_4]", "barrier", false},
		{"written", "i_3", "@bs_1[i_3]", "@s_2[j_4]", "barrier", false},
		{"no barrier", "i_3", "@as_0[i_3]", "@s_2[j_4]", "", false},
		{"a tile's", "i_3", "@as_0[i_3]", "c_9", "barrier", false},
		{"checked", "i_3", "@as_0[i_3]", "@s_2[j_4]", "assert lt.idx(i_3, 9:idx) site 0 ()\n barrier", false},
		{"the same condition in each round", "n_1", "@as_0[i_3]", "@s_2[j_4]", "barrier", false},
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
		if (got != before) != c.ahead || imp.Print(p) != before {
			t.Errorf("%s: unexpected:\n%s", c.name, got)
		}
		if !c.ahead {
			continue
		}
		first, loop, _ := strings.Cut(got, "for i_3")
		for part, want := range map[string]string{first: "if lt.idx(j_", loop: "add.idx(i_3, 1:idx)"} {
			if strings.Count(part, "= @as_0[") != 1 || !strings.Contains(part, want) {
				t.Errorf("%s: not in its place:\n%s", c.name, got)
			}
		}
	}
}

func TestThePlaceOfALoadAheadIsSelected(t *testing.T) {
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
  let place_6: idx = 0:idx
  let i_7: idx = 0:idx
  if lt.idx(i_7, bound_5) {
    if lt.idx(local_id, i_7) {
      place_6 = i_7
    }
  }
  let ahead_4: i32 = @as_0[maybe place_6]
  for i_2: idx < bound_5 {
    let now_10: i32 = ahead_4
    let place_8: idx = 0:idx
    let i_9: idx = add.idx(i_2, 1:idx)
    if lt.idx(i_9, bound_5) {
      if lt.idx(local_id, i_9) {
        place_8 = i_9
      }
    }
    ahead_4 = @as_0[maybe place_8]
    if lt.idx(local_id, i_2) {
      let x_3: i32 = now_10
      @bs_1[i_2] = add.i32(x_3, @s_2[local_id])
    }
    barrier
  }
}
`
	if d := cmp.Diff(want, imp.Print(imp.Prefetch(p))); d != "" {
		t.Errorf("unexpected (-want +got):\n%s", d)
	}
}
