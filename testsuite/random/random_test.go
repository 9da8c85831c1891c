package random_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"skald/middle/internalise"
	"skald/testsuite/depth"
	"skald/testsuite/random"
	"skald/testsuite/random/compare"
	"skald/tooling/conformance"
)

var (
	seeds = flag.Uint64("seeds", uint64(depth.Choose(60, 120, 2_000)), "how many random programs to compile")
	first = flag.Uint64("first", 0, "the first seed")
)

// Random programs mean the same to the interpreter, after internalisation, at the end of the pipeline, and lowered.
func TestRandomProgramsMeanTheSame(t *testing.T) {
	cpu, err := conformance.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close() //nolint:errcheck // nothing depends on it any more
	internalised := compare.Evaluator{Stage: internalise.Pass.Name}
	for _, exec := range []conformance.Executor{internalised, compare.Evaluator{}, cpu} {
		counts := map[compare.Verdict]int{}
		for seed := *first; seed < *first+*seeds; seed++ {
			t.Run(fmt.Sprintf("%s/seed%d", strings.TrimSpace(exec.Name()), seed), func(t *testing.T) {
				c := random.Make(seed)
				if exec == internalised && (strings.Contains(c.Text, "(jvp") || strings.Contains(c.Text, "(vjp")) {
					return // Derivatives are taken later.
				}
				r := compare.Run(c, exec)
				counts[r.Verdict]++
				if r.Verdict == compare.Differs {
					t.Errorf("%s\n%s", r.Reason, c.File())
				}
			})
		}
		t.Logf("%s: %v", exec.Name(), counts)
		if counts[compare.Agrees] < int(*seeds)/2 {
			t.Errorf("only %d of %d programs were compared", counts[compare.Agrees], *seeds)
		}
	}
}

func TestASeedMakesTheSameProgram(t *testing.T) {
	for seed := range uint64(20) {
		a, b := random.Make(seed), random.Make(seed)
		if a.File() != b.File() {
			t.Errorf("seed %d makes\n%s\nand\n%s", seed, a.File(), b.File())
		}
	}
}

// What the programs are for: each of these is in some of them.
func TestProgramsHaveEveryTypeAndConstruct(t *testing.T) {
	missing := strings.Fields(`: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 opt choice {a: (reduce (reduce_comm (scan (exscan
		(filter (partition (scatter (scatter_2d (reduce_by_index (reduce_by_index_2d (hist (map (map2 (map3 (map4 (map5 (zip2 (zip3 (zip4 (zip5
		(partition2 (unzip (iota (replicate ++ (transpose (flatten (unflatten (flatmap' (copy with while for (if (match (assert :>
		(tabulate_2d (foldl
		(rotate (reverse (jvp (jvp2 (vjp (vjp2 (any (all (upto (put (overlay (tally`)
	sizes := []string{"31i64", "32i64", "33i64", "255i64", "256i64", "257i64", "1023i64", "1024i64", "1025i64", "100000i64"}
	for seed := range uint64(1500) {
		c := random.Make(seed)
		missing = slices.DeleteFunc(missing, func(s string) bool { return strings.Contains(c.Text, s) })
		sizes = slices.DeleteFunc(sizes, func(s string) bool { return c.Args[0].String() == s })
	}
	if len(missing) > 0 || len(sizes) > 0 {
		t.Errorf("no program has %q, or one of the sizes %q", missing, sizes)
	}
}

// A case shrinks to the smallest program that still has what is looked for.
func TestShrinkKeepsWhatFails(t *testing.T) {
	fails := func(c *random.Case) bool { return strings.Contains(c.Text, "(scan ") }
	for seed := range uint64(200) {
		c := random.Make(seed)
		if !fails(c) || len(c.Text) < 1500 {
			continue
		}
		small := c.Shrink(2000, fails)
		if !fails(small) || len(small.Text) > len(c.Text)/2 {
			t.Errorf("seed %d shrinks from %d to %d bytes:\n%s", seed, len(c.Text), len(small.Text), small.Text)
		}
		return
	}
	t.Error("no program has a scan")
}
