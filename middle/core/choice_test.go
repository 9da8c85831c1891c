package core

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The sample of choices has each way, number, flag and measure, so that the text form and the binary form are tested for all.
func TestTheSampleOfChoicesHasAll(t *testing.T) {
	src, err := os.ReadFile("testdata/chosen.core")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(src), func(r rune) bool { return strings.ContainsRune(" (),*\n", r) })
	var want []string
	for w, info := range ways {
		if info.name == "" || info.nodes == 0 || len(info.levels) == 0 {
			t.Errorf("way %d has an incomplete entry", w)
		}
		want = append(want, info.name)
		for _, n := range slices.Concat(info.needs, info.may) {
			if !slices.ContainsFunc((&Form{}).numbers(), func(x formNumber) bool { return x.name == n }) {
				t.Errorf("way %s has the number %s, which forms do not have", info.name, n)
			}
		}
	}
	for _, n := range (&Form{}).numbers() {
		want = append(want, n.name)
	}
	for _, f := range (&Form{}).flags() {
		want = append(want, f.name)
	}
	for _, m := range measures[1:] {
		want = append(want, m.name)
	}
	for _, w := range want {
		if !slices.Contains(words, w) {
			t.Errorf("the sample has no %s", w)
		}
	}
}

// Each choice is none of its operation, or incomplete, and the verifier says why.
func TestVerifierRejectsChoices(t *testing.T) {
	const maps, sums, counts = "segmap.grid (i_5 < n_1) (i32) ", "segred.grid (i_5 < n_1) (i32) ", "seghist.grid (i_5 < n_1) (i64, i32) "
	tests := []struct{ seg, choice, want string }{
		{maps, "", "no choice says how a device runs it"},
		{maps, "by ()", "without forms"},
		{maps, "by (subgroup group 256)", "`subgroup group 256` is none of this operation"},
		{sums, "by (thread group 256)", "is none of this operation"}, // of many segments
		{maps, "by (thread)", "lacks its number of group"},
		{maps, "by (thread group 256 rows 4)", "has a number of rows, which it has no use for"},
		{maps, "by (thread group 256 shuffles)", "is shuffles, which it cannot be"},
		{maps, "by (thread group 256 vector -1)", "negative number"},
		{maps, "by (thread group 256 if largest < 4)", "nothing runs where the form"},
		{maps, "by (thread group 64, thread group 256)", "nothing behind the form `thread group 64` ever runs"},
		{maps, "by (thread group 64 if segments < 4, thread group 256)", "`segments < 4` is no condition of this operation"},
		{sums, "by (grid group 256 groups 64)", "0 ways to combine partial results of 1 operators"},
		{sums, "by (grid group 256 groups 64) merge ((grid group 256 groups 64))", "combines no partial results"},
		{counts, "by (spread group 256 copies 32 budget 1024) merge ((thread group 256))", "nothing runs where the form"},
		{counts, "by (thread group 256) merge ((thread group 256))", "1 ways to combine partial results of 0 operators"},
	}
	for _, tt := range tests {
		t.Run(tt.choice, func(t *testing.T) {
			p, err := Parse(withChoice(tt.seg, tt.choice, "chosen"))
			if err != nil {
				t.Fatal(err)
			}
			if err := Verify(p); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v does not say %q", err, tt.want)
			}
		})
	}
	p, err := Parse(withChoice(maps, "by (thread group 256)", "memory"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(p); err == nil || !strings.Contains(err.Error(), "before the stage of choices") {
		t.Errorf("a choice at the memory stage: %v", err)
	}
}

// withChoice is a program of one operation with a choice.
func withChoice(seg, choice, stage string) string {
	op := "(comm neutral (0i32) fn (a_6: i32, b_7: i32): (i32) { let (c_8: i32) = add.i32 a_6 b_7 in (c_8) }) { in (1i32) }"
	dst := "y_9: i32"
	switch {
	case strings.HasPrefix(seg, "segmap"):
		dst, op = "ys_9: [n_1]i32 @m_2{0; 1}", "{ in (1i32) }"
	case strings.HasPrefix(seg, "seghist"):
		dst, op = "ys_9: [9i64]i32 @m_2{0; 1}", "ops ([9i64] (d_3) "+strings.TrimPrefix(op, "(comm ")
		op = strings.Replace(op, "in (1i32) }", "in (i_5, 1i32) }", 1)
	default:
		op = "ops " + op
	}
	return "stage " + stage + "\nfun main (n_1: i64, m_2: mem(i32, device), d_3: *[9i64]i32 @m_2{0; 1}): (r_4: i32) = {\n" +
		"  let (" + dst + ") = " + seg + choice + " " + op + "\n  in (0i32)\n}\n"
}
