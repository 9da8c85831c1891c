package imp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
)

// Quotients and remainders of words by constants are what they were. Divisions by powers of two stay, and those of unsigned numbers by odd
// ones for which a product of 64 bits is not enough.
func TestDivisionsByConstantsAreProducts(t *testing.T) {
	for _, c := range []struct {
		by    uint64
		stays string // the types whose divisions stay
	}{
		{3, ""},
		{5, ""},
		{6, ""},
		{7, "u64"},
		{8, "u64 i64"},
		{10, ""},
		{14, ""},
		{641, ""},
		{1000, ""},
		{1<<31 - 1, "u64"},
		{1<<32 + 1, ""},
		{1<<62 + 2, ""},
		{1<<63 - 1, "u64"},
		{1<<63 + 1, ""},
		{1<<64 - 1, ""},
	} {
		testQuotients(t, "u64", c.by, strings.Contains(c.stays, "u64"), "%s", "%s")
		if c.by < 1<<63 {
			testQuotients(t, "i64", c.by, strings.Contains(c.stays, "i64"), "conv.u64.i64(%s)", "conv.i64.u64(%s)")
		}
	}
}

// testQuotients divides numbers of a type, made of words and stored as words in some way.
func testQuotients(t *testing.T, typ string, by uint64, stays bool, made, stored string) {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "kernel k(read @xs_0: u64, write @ys_1: u64) group 1 {\nlet x_2: %s = %s\n", typ, fmt.Sprintf(made, "@xs_0[group_id]"))
	for i, op := range []string{"div", "mod", "quot", "rem"} {
		e := fmt.Sprintf("%s.%s(x_2, %d:%[2]s)", op, typ, by)
		fmt.Fprintf(&text, "@ys_1[add.idx(mul.idx(4:idx, group_id), %d:idx)] = %s\n", i, fmt.Sprintf(stored, e))
	}
	p, err := imp.Parse(text.String() + "}\n")
	if err != nil {
		t.Fatal(err)
	}
	after := imp.Divide(p)
	if err := imp.Verify(after); err != nil {
		t.Fatalf("%v\n%s", err, imp.Print(after))
	}
	if got := imp.Print(after); strings.Contains(got, "quot.") != stays {
		t.Errorf("%s by %d: the division stays: %v\n%s", typ, by, !stays, got)
	}
	if !bytes.Equal(wordsStored(t, p.Kernels[0]), wordsStored(t, after.Kernels[0])) {
		t.Errorf("%s by %d: results differ\n%s", typ, by, imp.Print(after))
	}
}
