package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
)

// A load that follows from the number of the round is done before the loop and a round ahead, under the conditions that it is under;
// others stay where they are.
func TestLoadsAreDoneARoundAhead(t *testing.T) {
	for _, c := range []struct {
		name, load, use, end string
		ahead                bool
	}{
		{"ahead", "@as_0[add.idx(i_3, j_4)]", "@s_2[j_4]", "barrier", true},
		{"what the loop carries", "@as_0[c_2]", "@s_2[j_4]", "barrier", false},
		{"what was loaded", "@as_0[conv.i32.idx(@s_2[i_3])]", "@s_2[j_4]", "barrier", false},
		{"written", "@bs_1[i_3]", "@s_2[j_4]", "barrier", false},
		{"no barrier", "@as_0[i_3]", "@s_2[j_4]", "", false},
		{"a tile's", "@as_0[i_3]", "c_9", "barrier", false},
		{"checked", "@as_0[i_3]", "@s_2[j_4]", "assert lt.idx(i_3, 9:idx) site 0 ()\n barrier", false},
	} {
		text := fmt.Sprintf("site \"here\" \"wrong\" ()\nkernel k(n_1: idx, read @as_0: i32, write @bs_1: i32) group 32 {\n"+
			" shared @s_2: i32[32]\n"+
			" let c_2: idx = 0:idx\n let c_9: i32 = 1:i32\n for i_3: idx < n_1 {\n let j_4: idx = local_id\n if lt.idx(j_4, i_3) {\n"+
			" let d_5: idx = add.idx(j_4, 1:idx)\n let x_6: i32 = %s\n @bs_1[d_5] = add.i32(x_6, %s)\n }\n"+
			" c_2 = add.idx(c_2, 2:idx)\n %s\n }\n}", c.load, c.use, c.end)
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
