package howto

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/testsuite/depth"
)

// tree is a copy of the repository, with tools that are built when they are first needed.
type tree struct {
	dir, bin string
	// before are the texts of the files that examples change.
	before map[string]string
}

// readExamples returns the examples in the order of their names.
func readExamples(t *testing.T) []*example {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples")
	}
	var examples []*example
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e, err := parse(ar)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		e.name = strings.TrimSuffix(filepath.Base(path), ".txtar")
		examples = append(examples, e)
	}
	return examples
}

func TestExamplesOfPagesWork(t *testing.T) {
	depth.Need(t, depth.Deep)
	tr := copyTree(t)
	examples := readExamples(t)
	for _, e := range examples {
		for _, f := range e.files {
			tr.apply(t, f)
		}
	}
	// All examples are there at once: they are apart from each other, and one build serves all.
	if out, err := tr.run("go build -o " + tr.bin + "/ ./cmd/skald"); err != nil {
		t.Fatalf("with all examples: %v\n%s", err, out)
	}
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			for _, s := range e.sessions {
				if out, err := tr.run(s.command); err != nil || out != s.output {
					t.Errorf("$ %s\n%s(%v), want\n%s", s.command, out, err, s.output)
				}
			}
			tr.withoutFiles(t, e)
		})
	}
}

// withoutFiles checks that each file of an example is needed. Files that the same command misses are left out together, where the
// command says of each what it misses.
func (tr *tree) withoutFiles(t *testing.T, e *example) {
	needed := map[string]bool{}
	groups := map[string][]without{}
	var order []string
	for _, w := range e.without {
		key := w.command
		if w.says == "" {
			key += " without " + w.path
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], w)
		needed[w.path] = true
	}
	for _, f := range e.files {
		if !needed[f.path] {
			t.Errorf("nothing is said of what fails without %s", f.path)
		}
	}
	good := map[string]bool{}
	for _, key := range order {
		group := groups[key]
		command := group[0].command
		if out, err := tr.run(command); !good[command] && err != nil {
			t.Errorf("$ %s\n%v with the whole example:\n%s", command, err, out)
		}
		good[command] = true
		restore := map[string]string{}
		for _, w := range group {
			restore[w.path] = tr.leaveOut(t, w.path)
		}
		out, err := tr.run(command)
		for _, w := range group {
			if err == nil || !strings.Contains(out, w.says) {
				t.Errorf("$ %s\nwithout %s: %v, and not a word of %q:\n%s", command, w.path, err, w.says, out)
			}
			tr.write(t, w.path, restore[w.path])
		}
	}
}

// copyTree copies the repository's files, those that git ignores apart.
func copyTree(t *testing.T) *tree {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tr := &tree{dir: t.TempDir(), bin: t.TempDir(), before: map[string]string{}}
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard").Output()
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	if err != nil { // not a checkout
		names = nil
		err = fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				names = append(names, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		tr.write(t, name, string(text))
	}
	return tr
}

func (tr *tree) path(name string) string { return filepath.Join(tr.dir, filepath.FromSlash(name)) }

func (tr *tree) write(t *testing.T, name, text string) {
	t.Helper()
	path := tr.path(name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (tr *tree) apply(t *testing.T, f file) {
	t.Helper()
	text, err := os.ReadFile(tr.path(f.path))
	if f.edit && err != nil || !f.edit && err == nil {
		t.Fatalf("%s: a new file that is there, or a change of one that is not: %v", f.path, err)
	}
	if _, ok := tr.before[f.path]; !ok {
		tr.before[f.path] = string(text)
	}
	changed, err := f.apply(string(text))
	if err != nil {
		t.Fatal(err)
	}
	tr.write(t, f.path, changed)
}

// leaveOut makes a file what it was before all examples, and returns what it was until now.
func (tr *tree) leaveOut(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(tr.path(name))
	if err != nil {
		t.Fatal(err)
	}
	if tr.before[name] == "" {
		err = os.Remove(tr.path(name))
	} else {
		tr.write(t, name, tr.before[name])
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs a command of an example in the tree: a shell's, where `sumtypes PACKAGE...` and `enumerations PACKAGE...` are the checkers
// of switches.
func (tr *tree) run(command string) (string, error) {
	tool := "go tool -modfile=tools/go.mod "
	functions := fmt.Sprintf(`set -o pipefail
sumtypes() { %sgo-check-sumtype -default-signifies-exhaustive=false -include-shared-interfaces=true "$@"; }
enumerations() { go run -modfile=tools/go.mod github.com/nishanths/exhaustive/cmd/exhaustive -d "$@"; }
`, tool)
	cmd := exec.Command("bash", "-c", functions+command)
	cmd.Dir = tr.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath -buildvcs=false", "PATH="+tr.bin+":"+os.Getenv("PATH"), "SKALD_TEST_DEPTH=quick")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
