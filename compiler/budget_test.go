package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/frontend/diag"

	"skald/compiler"
	"skald/middle/pass"
	"skald/runtime/cpu"
	"skald/runtime/value"
	"skald/testsuite/depth"
)

// twice has n functions of arrays, each of which calls the one before twice; main calls the last as body says.
func twice(n int, main string) string {
	var b strings.Builder
	b.WriteString("def f0 [k] (x: [k]i32) = map (* 3) x\n")
	for i := range n {
		fmt.Fprintf(&b, "def f%d [k] (x: [k]i32) = scan (+) %d (f%d (f%d x))\n", i+1, i, i, i)
	}
	return b.String() + strings.ReplaceAll(main, "#", fmt.Sprintf("f%d", n)) + "\n"
}

// functionals has n functions, each of which calls the one before with two functions.
func functionals(n int) string {
	var b strings.Builder
	b.WriteString("def f0 (g: i32 -> i32) (x: i32) = g (g x)\n")
	for i := range n {
		fmt.Fprintf(&b, "def f%d (g: i32 -> i32) (x: i32) = f%d (\\a -> g (a + %d)) (f%d (\\b -> g (b * %d)) x)\n", i+1, i, i, i, i)
	}
	return b.String() + fmt.Sprintf("entry main [k] (xs: [k]i32) = map (f%d (+ 1)) xs\n", n)
}

// instances has n functions, each of which calls the one before on two types.
func instances(n int) string {
	var b strings.Builder
	b.WriteString("def f0 'a (x: a) = (x, 0i32).1\n")
	for i := range n {
		fmt.Fprintf(&b, "def f%d 'a (x: a) = f%d (x, 1i32) + f%d (2i64, x)\n", i+1, i, i)
	}
	return b.String() + fmt.Sprintf("entry main (x: i32) = f%d x\n", n)
}

// A program that would become too long is refused with the place that this comes from, and soon.
func TestProgramsHaveABudget(t *testing.T) {
	nested := nest(8, "last (scan (+) 0 (map (\\x# -> $) (iota (m + #))))")
	for _, c := range []struct {
		name, text  string
		budget      int
		place, says string
	}{
		{
			"copies in callers", twice(20, "entry main [k][m] (xs: [k][m]i32) = map # xs"), 0, ":22:37-46",
			"comes to more than 200000 statements",
		},
		{"copies for functions", functionals(20), 0, ":", "takes more than 20000 copies of functions"},
		{"copies for types", instances(16), 0, ":", "takes more than 20000 copies of functions"},
		{"passes", nested, 1000, ":1:23-", "comes to more than 1000 statements, "},
		{
			"kernels", "entry main [k] (xs: [k]i32) = (" + strings.Repeat("scan (+) 0 xs, ", 19) + "scan (*) 1 xs)\n", 200, ":1:",
			"kernels come to more than 1000 statements, ",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog := checkText(t, c.text)
			p, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir(), Budget: c.budget})
			if d == nil {
				_, err := p.Lower(compiler.DeviceProfile("portable"))
				d, _ = err.(*diag.Diagnostic) //nolint:errorlint // what Lower returns
			}
			if d == nil || d.Code != diag.CodeLimit || !strings.Contains(d.Message, c.says) || !strings.Contains(d.Error(), c.place) {
				t.Errorf("said: %v", d)
			}
		})
	}
}

// The host calls functions of which it would have too many copies.
func TestTheHostCallsWhatWouldBeManyCopies(t *testing.T) {
	prog := checkText(t, twice(40, "entry main [k] (xs: [k]i32) = # xs"))
	p, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		t.Fatal(d)
	}
	low, err := p.Lower(compiler.DeviceProfile("cpu"))
	if err != nil || len(low.Funs) < 20 {
		t.Errorf("%d functions, %v", len(low.Funs), err)
	}
}

// A kernel whose text is too long is a limit of the devices that take it so.
func TestKernelsHaveABudgetOfText(t *testing.T) {
	prog := checkText(t, "entry main [k] (xs: [k]i64) = map (\\x -> x / 3i64 % 7) xs\n")
	p, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir(), Budget: 60})
	if d != nil {
		t.Fatal(d)
	}
	for _, d := range p.Refusals([]string{"portable"}) {
		if strings.Contains(d.Message, "bytes, at most 2400 are compiled") {
			return
		}
	}
	t.Errorf("said: %v", p.Refusals([]string{"portable"}))
}

// Chains of branches are cut in pieces, one behind the other: they are no nests, however long, also in kernels with barriers.
func TestLongChainsAreNotNested(t *testing.T) {
	var arms strings.Builder
	for i := range 300 {
		fmt.Fprintf(&arms, "case %d -> x * %d ", i, i%13+1)
	}
	sum := "entry main (xs: []i64) = i64.sum (map (\\x -> match x " + arms.String() + "case _ -> 0) xs)"
	for _, text := range []string{elseIfs(depth.Choose(1000, 1000, 4000)), sum} { // The work is quadratic.
		p, d := compiler.Compile(checkText(t, text), compiler.CompileOptions{DumpDir: t.TempDir()})
		if d != nil {
			t.Fatal(d)
		}
		if said := p.Refusals([]string{"portable"}); len(said) > 0 {
			t.Error(said)
		}
	}
}

// Where versions would come to more than a program may have, those are left out that others can stand in for: the program is compiled, has
// the same result, and a note says where versions are missing.
func TestVersionsAreLeftOutWhereTheyExceedTheBudget(t *testing.T) {
	nested := nest(4, "last (scan (+) 0 (map (\\x# -> $) (iota (m + #))))")
	entries := nested + strings.ReplaceAll(nested, "main", "other") + strings.ReplaceAll(nested, "main", "third")
	first := "entry main (m: i64) = let ys0 = tabulate_2d m 50 (\\i j -> i * j)\n"
	scans := chain(12, first, "  let ys$ = map (scan (+) #) ys#\n", "  in ys12\n")
	const refused = "maps from here run in fewer versions than they could: a kernel of another one is refused, as its "
	sums := "entry main (m: i64) = let ys = tabulate_2d m (m + 3) (\\i j -> i + j)\n" +
		"  in map (\\y -> let s = i64.sum (scan (+) 0 y) in map (\\v -> "
	for _, c := range []struct {
		name, text, profile string
		budget              int
		says                string
	}{
		{"versions of maps", nested, "sm_90", 1000, "maps from here run in fewer versions than they could"},
		{"versions of several functions", entries, "sm_90", 3000, "maps from here run in fewer versions than they could"},
		{"forms of kernels", scans, "sm_90", 800, "kernels from here have one form each"},
		{
			"a kernel with too many levels", chain(60, sums, "loop v for i# < m / 2 do ", "v + i0 + s) y) ys\n"), "portable", 0,
			refused + "branches and loops are nested 64 deep, at most 62 are compiled",
		},
		{
			"a kernel with too long a text", chain(12, first+"  in map (\\x0 ->\n", "  let x$ = scan (+) # x# in\n", "  x12) ys0\n"),
			"portable", 400, refused + "text has ",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, d := compiler.Compile(checkText(t, c.text), compiler.CompileOptions{DumpDir: t.TempDir(), Budget: c.budget})
			if d != nil {
				t.Fatal(d)
			}
			said := p.Refusals([]string{c.profile})
			found := false
			for _, d := range said {
				found = found || strings.Contains(d.Message, "on devices like "+c.profile+", "+c.says)
				if d.Code != pass.CodeFewer || d.Place == "" {
					t.Error(d)
				}
			}
			if !found {
				t.Errorf("said: %v", said)
			}
			if want, got := evaluated(t, compile(t, c.text), "sm_90"), evaluated(t, p, c.profile); got != want {
				t.Errorf("main returns %s, with all versions %s", got, want)
			}
		})
	}
}

// evaluated is what main of a program returns for 2, as the evaluator runs it in the place of a device.
func evaluated(t *testing.T, p *compiler.Program, profile string) string {
	t.Helper()
	on, err := p.On(compiler.DeviceProfile(profile).Evaluated(cpu.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	out, err := on.Call("main", []value.Value{value.FromSlice([]int64{2}).Row(0)})
	if err != nil {
		t.Fatal(err)
	}
	return out[0].String()
}
