package lower_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/passtest"
)

// checked is a program of maps with reductions between them, each of which has an assertion of its own.
func checked(maps int) string {
	var b strings.Builder
	b.WriteString("stage memory\n\nfun main (n_1: i64, mem_2: mem(i64, device), xs_3: [n_1]i64 @mem_2{0; 1}): " +
		"(r_mem_4: mem(i64, device), r_5: *[n_1]i64 @r_mem_4{0; 1}) = {\n")
	array, v := "xs_3", 5
	next := func(name string) string { v++; return fmt.Sprintf("%s_%d", name, v) }
	operation := func(text, head string) {
		x, c, ok, i := next("x"), next("c"), next("ok"), next("i")
		fmt.Fprintf(&b, head, i)
		fmt.Fprintf(&b, "    let (%s: i64) = index %s [%s]\n    let (%s: bool) = lt.i64 0i64 %s\n    let (%s: cert) = assert %s (%q)\n"+
			"    let (y_%d: i64) = add.i64 %s 1i64 certs(%s)\n    in (y_%d)\n  }\n", x, array, i, c, x, ok, c, text, v+1, x, ok, v+1)
		v++
	}
	for m := range maps {
		mem, ys := next("mem"), next("ys")
		fmt.Fprintf(&b, "  let (%s: mem(i64, device)) = alloc i64 n_1 device\n", mem)
		operation(fmt.Sprint("map ", m), "  let ("+ys+": [n_1]i64 @"+mem+"{0; 1}) = segmap.grid (%s < n_1) (i64) {\n")
		array = ys
		if m%2 == 0 {
			s, p, q, t := next("s"), next("p"), next("q"), next("t")
			operation(fmt.Sprint("sum ", m), "  let ("+s+": i64) = segred.grid (%s < n_1) (i64) ops (neutral (0i64) "+
				"fn ("+p+": i64, "+q+": i64): (i64) {\n    let ("+t+": i64) = add.i64 "+p+" "+q+"\n    in ("+t+")\n  }) {\n")
		}
		if m == maps-1 {
			fmt.Fprintf(&b, "  in (%s, %s)\n}\n", mem, ys)
		}
	}
	b.WriteString("\nentry \"main\" main \"\"\n  param \"xs\" \"[n]i64\" -1 1 1\n  result \"\" *\"[]i64\" -1 0 1\n")
	return b.String()
}

// Kernels that are generated beside host code have the same sites, in the order of the code, as if each had been at its place: Note
// [Kernels beside host code].
func TestKernelsBesideHostCodeHaveTheirSites(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const maps = 50
	p, err := run(passtest.Parse(t, checked(maps)), lower.Facts{GroupSize: 4, Groups: 2, SharedBytes: 64})
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, s := range p.Sites {
		got = append(got, s.Text)
	}
	for m := range maps {
		want = append(want, fmt.Sprint("map ", m))
		if m%2 == 0 {
			want = append(want, fmt.Sprint("sum ", m))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("sites are %q", got)
	}
	got = nil
	for _, k := range p.Kernels {
		imp.Walk(k.Body, func(s imp.Stm) bool {
			if a, ok := s.(*imp.Assert); ok && (len(got) == 0 || got[len(got)-1] != p.Sites[a.Site].Text) {
				got = append(got, p.Sites[a.Site].Text)
			}
			return true
		})
	}
	if !slices.Equal(got, want) {
		t.Errorf("the sites of kernels are %q", got)
	}
}
