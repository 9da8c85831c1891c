package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestProgramsAreClassified shows for each construct outside the level that it is seen, and that the level's own pass.
func TestProgramsAreClassified(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"map", "entry main [n] (xs: [n]i32) = map (+ 1) xs |> reduce (+) 0", ""},
		{"record", "def r = {a = 1i32}\nentry main (x: i32) = r.a + i32.max x 2", ""},
		{"loop", "entry main (n: i64) = loop a = iota n for i < n do a with [i] = i", ""},
		{"own filter", "def filter x = x + 1i32\nentry main (x: i32) = filter x", ""},
		{"bound by a size", "entry main [n] (_: [n]i32) = n", ""},
		{"import", "import \"map\"\nentry two (x: i32) = x", ""},
		{"filter", "entry main [n] (xs: [n]i32) = filter (> 0) xs", "prelude: filter"},
		{"module", "module m = { def x = 1i32 }\nentry main (y: i32) = m.x + y", "modules"},
		{"functor", "entry main (y: i32) = m.x + y", "modules"},
		{"sum", "type t = #a | #b\nentry main (x: t) = x", "sum types"},
		{"match", "entry main (x: i32) = match x case _ -> 1i32", "match"},
		{"recursion", "def f (n: i32) : i32 = if n == 0 then 0 else f (n - 1)\nentry main (x: i32) = f x", "recursive functions"},
		{"hidden", "def f (n: i32) = let f = n in f + 1\nentry main (x: i32) = f x", ""},
		{"assert", "entry main (x: i32) = assert (x > 0) x", "assert"},
		{"import of it", "import \"filter\"\nentry two (x: i32) = x", "prelude: filter"},
		{"absent", "import \"nothing\"", "import of a file that is not there"},
		{"negative", "-- ==\n-- error:\nentry main (x: i32) = x", "must be rejected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "map", "def twice (x: i32) = x * 2")
			write(t, dir, "filter", "def positive [n] (xs: [n]i32) = filter (> 0) xs")
			if got := outside(write(t, dir, "program", c.text)); got != c.want {
				t.Errorf("left out for %q, want %q", got, c.want)
			}
		})
	}
}

func TestReasonsAreCounted(t *testing.T) {
	dir := t.TempDir()
	inside := write(t, dir, "a", "entry main (x: i32) = x")
	write(t, dir, "b", "entry main (x: i32) = assert true x")
	write(t, dir, "c", "entry main (x: i32) = assert true x")
	var list, counts bytes.Buffer
	if err := run([]string{dir}, false, &list, &counts); err != nil {
		t.Fatal(err)
	}
	if got, want := list.String(), inside+"\n"; got != want {
		t.Errorf("list is %q, want %q", got, want)
	}
	if got, want := counts.String(), "     1 programs inside\n     2 left out: assert\n"; got != want {
		t.Errorf("counts are %q, want %q", got, want)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name+".fut")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
