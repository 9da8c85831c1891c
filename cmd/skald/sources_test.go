package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// skaldIn runs the command line and returns what it printed; DIR in arguments and output stands for a folder.
func skaldIn(t *testing.T, dir, stdin string, args ...string) (string, error) {
	t.Helper()
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR", dir)
	}
	root := newRoot()
	var out bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.Execute()
	return strings.ReplaceAll(out.String(), dir, "DIR"), err
}

// folder makes a folder with files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFmtChangesFilesAndChecksThem(t *testing.T) {
	dir := folder(t, map[string]string{"a.fut": "def  x=1", "b.fut": "def y = 2\n"})
	if out, err := skaldIn(t, dir, "", "fmt", "--check", "DIR/a.fut", "DIR/b.fut"); err == nil || out != "DIR/a.fut is not formatted\n" {
		t.Errorf("got %q, %v", out, err)
	}
	if out, err := skaldIn(t, dir, "", "fmt", "DIR/a.fut", "DIR/b.fut"); err != nil || out != "" {
		t.Errorf("got %q, %v", out, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.fut")); err != nil || string(text) != "def x = 1\n" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if out, err := skaldIn(t, dir, "", "fmt", "--check", "DIR/a.fut", "DIR/b.fut"); err != nil || out != "" {
		t.Errorf("got %q, %v", out, err)
	}
	if out, err := skaldIn(t, dir, "def  z=1 -- c", "fmt"); err != nil || out != "def z = 1 -- c\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestSourcesAreListed(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.fut": "import \"b\"\nmodule m = import \"c\"\ndef x = 1\n",
		"b.fut": "import \"c\"\nopen import \"/prelude/math\"\ntype t = i32\n",
		"c.fut": "module n = { def (+^) a b = a }\n",
	})
	for command, want := range map[string]string{
		"imports": "DIR/c.fut\nDIR/b.fut\nDIR/a.fut\n",
		"defs": "module n DIR/c.fut:1:1-31\nvalue +^ DIR/c.fut:1:14-29\ntype t DIR/b.fut:3:1-12\n" +
			"module m DIR/a.fut:2:1-21\nvalue x DIR/a.fut:3:1-9\n",
	} {
		out, err := skaldIn(t, dir, "", command, "DIR/a.fut")
		if err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(want, out); d != "" {
			t.Errorf("%s:\n%s", command, d)
		}
	}
	out, err := skaldIn(t, dir, "", "tokens", "DIR/b.fut")
	if err != nil || !strings.HasPrefix(out, "DIR/b.fut:1:1-6 import\nDIR/b.fut:1:8-10 string \"c\"\n") {
		t.Errorf("got %q, %v", out, err)
	}
}
