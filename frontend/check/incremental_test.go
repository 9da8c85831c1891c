package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/frontend/check"
	"skald/frontend/check/checktest"
	"skald/frontend/diag"
	"skald/frontend/source"
)

// whole is what checking a text from its beginning says, one line a diagnostic.
func whole(text string) []string {
	var sink diag.Sink
	check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	var out []string
	for _, d := range sink.Sorted() {
		out = append(out, d.Error())
	}
	return out
}

// again is what x says of a text, with the places of parts that were not checked again moved to where they are now.
func again(x *check.Incremental, text string) []string {
	file := source.NewFile("a.fut", text)
	parts, list := x.Check(file)
	for _, p := range parts {
		for _, d := range p.Diagnostics {
			moved := *d
			at := int(d.Span.Start-p.At.Start) + p.Start
			moved.Span = file.Span(at, at+int(d.Span.End-d.Span.Start))
			list = append(list, &moved)
		}
	}
	slices.SortStableFunc(list, func(a, b *diag.Diagnostic) int { return int(a.Span.Start - b.Span.Start) })
	var out []string
	for _, d := range list {
		out = append(out, d.Error())
	}
	return out
}

// Whatever is edited, checking again says what checking from the beginning says.
func TestCheckingAgainSaysTheSame(t *testing.T) {
	lines := []string{
		"def n = 3i64", "def n = 4i64", "def n = 3i32",
		"def xs : [n]i32 = replicate n 0i32", "def ys = map (+1) xs", "def zs = map2 (+) xs ys", "def ys = iota 3",
		"type t = i32", "type t = f32", "def a: t = 1", "def b = a + 1i32", "def b = a + 1", "def c = b",
		"module m = {type t = i32 def x: t = 1}", "module m: {type t val x: t val f: t -> i32} = {type t = i32 def x: t = 1 def f (x: t) = x}",
		"module m = {type t = f32 def x: t = 1 def f (x: t) = 2i32}",
		"def d = m.x", "def e = m.f d", "def g (x: m.t) = m.f x", "open m", "local open m", "def h = x", "def h (k: i64) = k + 1",
		"def map 'a 'b [n] (f: a -> b) (xs: [n]a): [n]b = ???", "def k = h 3", "def k (x: t) = h", "def (+++) (x: i32) (y: i32) = x + y",
		"def l = 1 +++ 2", "def (+++) (x: f32) (y: f32) = x - y", "def l2 = l", "entry main (x: i32) = l2 + x", "module type s = {val x: i32}",
		"module p (q: s) = {def y = q.x}", "module r = p {def x = 1i32}", "def v = r.y", "module r = p m", "def w = ", "def fact (x: i32) = x",
	}
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		x := check.NewIncremental(check.Files{}, "a.fut")
		var now []string
		for step := range 60 {
			at := rnd.IntN(len(now) + 1)
			line := lines[rnd.IntN(len(lines))]
			switch n := rnd.IntN(4); {
			case n == 0 && at < len(now):
				now = slices.Delete(now, at, at+1)
			case n == 1 && at < len(now):
				now[at] = line
			case n == 2 && at < len(now):
				other := rnd.IntN(len(now))
				now[at], now[other] = now[other], now[at]
			default:
				now = slices.Insert(now, at, line)
			}
			text := strings.Join(now, "\n") + "\n"
			if slices.Contains(now, "def w = ") {
				x.Check(source.NewFile("a.fut", text))
				continue
			}
			want, got := whole(text), again(x, text)
			if !slices.Equal(want, got) {
				t.Fatalf("seed %d, step %d:\n%s\nsays\n%s\nwant\n%s", seed, step, text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// A tree is a declaration, or a module with declarations.
type tree struct {
	line  string
	inner []tree
	tail  string // not empty of modules
}

func (t tree) String() string {
	if t.tail == "" {
		return t.line + "\n"
	}
	return t.line + "\n" + textOf(t.inner) + t.tail + "\n"
}

func textOf(ts []tree) string {
	var b strings.Builder
	for _, t := range ts {
		b.WriteString(t.String())
	}
	return b.String()
}

// edit changes something in a list of declarations or in the modules there; it shares what has not changed.
func edit(rnd *rand.Rand, ts []tree, depth int, lines, heads []string) []tree {
	ts = slices.Clone(ts)
	at := rnd.IntN(len(ts) + 1)
	for i := range ts {
		if ts[i].tail != "" && rnd.IntN(3) == 0 {
			if rnd.IntN(8) == 0 {
				ts[i].line = heads[rnd.IntN(len(heads))]
			} else {
				ts[i].inner = edit(rnd, ts[i].inner, depth+1, lines, heads)
			}
			return ts
		}
	}
	one := tree{line: lines[rnd.IntN(len(lines))]}
	if depth < 3 && rnd.IntN(5) == 0 {
		one = tree{line: heads[rnd.IntN(len(heads))], tail: "}"}
		for range rnd.IntN(4) {
			one.inner = append(one.inner, tree{line: lines[rnd.IntN(len(lines))]})
		}
	}
	switch n := rnd.IntN(5); {
	case n == 0 && at < len(ts):
		return slices.Delete(ts, at, at+1)
	case n == 1 && at < len(ts):
		ts[at] = one
	case n == 2 && at < len(ts):
		other := rnd.IntN(len(ts))
		ts[at], ts[other] = ts[other], ts[at]
	default:
		ts = slices.Insert(ts, at, one)
	}
	return ts
}

// Declarations and beginnings of modules for TestCheckingModulesAgainSaysTheSame.
const (
	linesOfModules = `
def x = 1i32
def x = 2i32
def x = 1f32
def x = 1i32 + true
def y = x
def y = x + 1i32
def z = y
def w = z + x
def n = 3i64
def n = 4i64
def xs = replicate n x
def f (a: i32) = a
def f (a: i32) = a + x
def g = f x
def h = f (g)
type t = i32
type t = f32
def v: t = x
def u = m.x
def k = m.y
def l = k
open m
def q2 = q.x
def q3 = q2
module r = p {type t = i32 def x = 5i32 def y = 5i32}
def s2 = r.y
module type s = {type t val x: t}
module type s = {val x: i32}
module o = m
def o2 = o.y
def a1 (b: m.t) = b
def a2 = a1 m.x
def b1 = a2
entry main (i: i32) = i + x
def (+++) (a: i32) (b: i32) = a + b
def c1 = x +++ 2i32
def c2 = c1
local def x = 7i32
def d1 (x: i32) = x
def d2 = d1 y
def rec = {x = 1i32}
def e1 = rec.x
`
	headsOfModules = `
module m = {
module m = {
module m: {type t val x: t} = {
module m: {val x: i32 val y: i32} = {
module p (q: {type t val x: t}) = {
module p (q: s) = {
module p (q: s): {val y: i32} = {
local module m = {
module n = {
module r = p {
`
)

// What is edited inside of modules, and taken back, is checked like everything else; parts cover the text.
func TestCheckingModulesAgainSaysTheSame(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(linesOfModules), "\n")
	heads := strings.Split(strings.TrimSpace(headsOfModules), "\n")
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		x := check.NewIncremental(check.Files{}, "a.fut")
		var now, before []tree
		for step := range 60 {
			if rnd.IntN(4) == 0 {
				now, before = before, now
			} else {
				before, now = now, edit(rnd, now, 0, lines, heads)
			}
			text := textOf(now)
			if seed%2 == 1 {
				inSteps(t, x, text, seed%4 == 1)
				if step%5 != 4 {
					continue // something may be left when the next version comes
				}
			}
			want, got := whole(text), again(x, text)
			slices.Sort(want) // those of several declarations at one place have no order
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Fatalf("seed %d, step %d, from\n%s\nto\n%s\nsays\n%s\nwant\n%s", seed, step, textOf(before), text,
					strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			covered(t, x, text)
		}
	}
}

// inSteps checks a text again, one declaration at a time, until it is done or only once.
func inSteps(t *testing.T, x *check.Incremental, text string, once bool) {
	t.Helper()
	for range 1000 {
		if _, _, done := x.CheckSome(source.NewFile("a.fut", text), 1); done || once {
			return
		}
	}
	t.Fatalf("there is no end to checking\n%s", text)
}

// covered fails unless the parts of a text follow each other and have their text.
func covered(t *testing.T, x *check.Incremental, text string) {
	t.Helper()
	parts, _ := x.Check(source.NewFile("a.fut", text))
	end := 0
	for _, p := range parts {
		was := p.At.Text()
		if p.Start != end || !strings.HasPrefix(text[p.Start:], was) {
			t.Fatalf("a part at %d, after %d, with text\n%s\nin\n%s", p.Start, end, was, text)
		}
		end += len(was)
	}
}

// counted makes edits of a text, one after the other, and fails unless each has checked as many declarations as wanted, all of them or
// those with an error left.
func counted(t *testing.T, text string, edits ...countedEdit) {
	t.Helper()
	x := check.NewIncremental(check.Files{}, "a.fut")
	x.Check(source.NewFile("a.fut", text))
	for _, e := range edits {
		before := x.Checks()
		if !strings.Contains(text, e.old) {
			t.Fatalf("%q is not there", e.old)
		}
		text = strings.Replace(text, e.old, e.now, 1)
		if got, want := again(x, text), whole(text); !slices.Equal(got, want) {
			t.Errorf("%q instead of %q: %v, want %v", e.now, e.old, got, want)
		}
		if n := x.Checks() - before; n != e.checks {
			t.Errorf("%q instead of %q: %d declarations were checked, want %d", e.now, e.old, n, e.checks)
		}
	}
}

type countedEdit struct {
	old, now string
	checks   int
}

func TestAnEditChecksOneDeclaration(t *testing.T) {
	counted(t, checktest.Functions(60), countedEdit{"[x, 29]", "[x, 29, 7]", 1}, countedEdit{"-- | Function 3.", "-- Function 3.", 1})
}

// Thirty functions, or all, depend on the edited one; they are not checked while it is wrong, nor when it is right again.
func TestWhatIsBrokenForAMomentIsNotCheckedAgain(t *testing.T) {
	counted(t, checktest.Functions(60),
		countedEdit{"[x, 29]", "[x, 2.9]", 1}, countedEdit{"[x, 2.9]", "[x, 2.8]", 1}, countedEdit{"[x, 2.8]", "[x, 27]", 1},
		// The one after it says what is wrong.
		countedEdit{"def f30 ", "def g30 ", 2}, countedEdit{"def g30 ", "def f30 ", 2},
		countedEdit{"f0 (x: i32)", "f0 (x: i64)", 2}, countedEdit{"f0 (x: i64)", "f0 (x: i32)", 2},
	)
}

// A module is a declaration around others.
func TestAnEditInAModuleChecksOneDeclarationInIt(t *testing.T) {
	edits := []countedEdit{
		{"[x, 29]", "[x, 29, 7]", 2},
		{"[x, 29, 7]", "[x, 2.9]", 2},
		{"[x, 2.9]", "[x, 29]", 2},
		{"f0 (x: i32)", "f0 (x: i64)", 3},
		{"f0 (x: i64)", "f0 (x: i32)", 3},
	}
	user := "def g = m.f60 1\ndef h = m.f60 g\n"
	counted(t, checktest.Module(60)+"def g = 1\n", edits...)
	// A user is checked when the module means something else, because something in it is broken.
	edits[1].checks, edits[2].checks, edits[3].checks, edits[4].checks = 4, 4, 5, 5
	counted(t, checktest.Module(60)+user, edits...)
	sealed := strings.Replace(checktest.Module(60), "module m =", "module m : {val f60: i32 -> i32} =", 1)
	counted(t, sealed+user, edits[0])
	functor := strings.Replace(checktest.Module(60), "module m =", "module m (p: {type t val x: t}) =", 1) + "def g = 1\n"
	counted(t, strings.Replace(functor, "def f0 ", "def y = p.x\n\ndef f0 ", 1), edits[0])
}

// However much depends on an edit, no more than some declarations are checked before it is answered.
func TestCheckingIsDoneInSteps(t *testing.T) {
	const limit = 10
	about := "type t = i32\n" + strings.ReplaceAll(checktest.Functions(60), "(x: i32)", "(x: t): t")
	for module, text := range map[string]string{"": about, "module m = {\n": "module m = {\n" + about + "}\n"} {
		x := check.NewIncremental(check.Files{}, "a.fut")
		x.Check(source.NewFile("a.fut", text))
		for _, now := range []string{"type t = i64", "type t = bool", "type t = i32"} {
			text = strings.Replace(text, text[len(module):strings.Index(text, "\ndef")], now, 1)
			steps := 0
			for done := false; !done; steps++ {
				before := x.Checks()
				_, _, done = x.CheckSome(source.NewFile("a.fut", text), limit)
				if n := x.Checks() - before; n > limit+2 { // the module and the type are always
					t.Fatalf("%s: %d declarations were checked", now, n)
				}
			}
			if got, want := again(x, text), whole(text); !slices.Equal(got, want) || steps > 7 {
				t.Errorf("%s after %d steps: %v, want %v", now, steps, got, want)
			}
		}
	}
}

func TestPartsOfAVersionThatCannotBeParsed(t *testing.T) {
	x := check.NewIncremental(check.Files{}, "a.fut")
	x.Check(source.NewFile("a.fut", checktest.Module(60)))
	parts, said := x.Check(source.NewFile("a.fut", strings.Replace(checktest.Module(60), "[x, 29]", "[x, 29", 1)))
	// What is before and behind the edited one of 61, and around all.
	if len(parts) != 62 || len(said) == 0 {
		t.Errorf("%d parts, %v", len(parts), said)
	}
}

func BenchmarkAnEdit(b *testing.B) {
	x := check.NewIncremental(check.Files{}, "a.fut")
	text := checktest.Functions(checktest.Many)
	x.Check(source.NewFile("a.fut", text))
	var longest time.Duration
	n := 0
	for b.Loop() {
		n++
		start := time.Now()
		x.Check(source.NewFile("a.fut", strings.Replace(text, "[x, 499]", fmt.Sprintf("[x, %d]", n), 1)))
		longest = max(longest, time.Since(start))
	}
	b.ReportMetric(float64(longest.Microseconds()), "µs/longest")
}
