package skald_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// shell runs a line in a folder, with the environment that is given, and returns all that it prints.
func shell(t *testing.T, dir, line string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// checkout makes a folder with what README.md's commands mention: skald and the examples.
func checkout(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: README.md's commands are those of a Unix shell")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "skald"), "./cmd/skald")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("examples")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// README.md's first program is built and prints what is shown. What the table of examples in docs/commands.md says can be tried works; each
// command of the other table there is one.
func TestCommandsOfTheReadmeWork(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	if lines := strings.Count(readme, "\n"); lines > 70 {
		t.Errorf("README.md has %d lines; one screen is 70 with its table and pictures", lines)
	}
	data, err = os.ReadFile("docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := string(data)
	dir := checkout(t)
	run := func(line string) string {
		// Which device a machine has is no matter of these lines: what programs say of that, on standard error, is left out.
		out, err := shell(t, dir, "{ "+line+"; } 2>> errors", os.Environ()...)
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		return out
	}

	file, program, ok := section(readme, "    -- ", "\n\n    $ ")
	if name, text, cut := strings.Cut(file+program, "\n"); !ok || !cut {
		t.Error("there is no first program")
	} else if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var shown, printed []string
	for line := range strings.Lines(readme) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			shown = append(shown, command)
			printed = append(printed, run(command))
		} else if len(printed) > 0 && strings.HasPrefix(line, "    ") {
			if want := strings.TrimSpace(line) + "\n"; printed[len(printed)-1] != want {
				t.Errorf("%s prints %q, not %q", shown[len(shown)-1], printed[len(printed)-1], want)
			}
		}
	}
	if len(shown) < 2 {
		t.Errorf("%d commands are shown", len(shown))
	}

	_, kernel, ok := strings.Cut(readme, "```wgsl\n")
	kernel, _, ok2 := strings.Cut(kernel, "```")
	emitted := run("./skald build axpy.fut --emit wgsl")
	if !ok || !ok2 || !strings.Contains(strings.ReplaceAll(emitted, "\n    ", "\n"), kernel) {
		t.Errorf("the kernel that is shown is not what is emitted:\n%s", emitted)
	}

	examples, _ := filepath.Glob("examples/*.fut")
	for _, example := range examples {
		if !strings.Contains(commands, "`"+filepath.ToSlash(example)+"`") {
			t.Errorf("%s is not mentioned", example)
		}
		run("./skald build " + example + " -o " + strings.TrimSuffix(filepath.Base(example), ".fut"))
	}
	tries := regexp.MustCompile("`((?:echo|\\./)[^`]*)`[^|\n]*\\|\n").FindAllStringSubmatch(commands, -1)
	for _, m := range tries {
		run(strings.ReplaceAll(m[1], `\|`, "|"))
	}
	if len(tries) < 4 {
		t.Errorf("%d things to try", len(tries))
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `skald ([a-z-]+)").FindAllStringSubmatch(commands, -1) {
		run("./skald " + m[1] + " --help")
	}
	for _, m := range regexp.MustCompile("`make ([a-z]+)").FindAllStringSubmatch(readme+commands, -1) {
		run("make -n -C " + must(os.Getwd()) + " " + m[1])
	}
}

// section returns the text between two marks, its first line apart, without the indentation.
func section(text, from, to string) (first, rest string, ok bool) {
	_, text, ok = strings.Cut(text, from)
	text, _, ok2 := strings.Cut(text, to)
	text = strings.ReplaceAll(text, "\n    ", "\n")
	first, rest, ok3 := strings.Cut(text, "\n")
	return first + "\n", rest + "\n", ok && ok2 && ok3
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

// A machine without Python, npm or apt, one whose cache cannot be written, and one without a network are told what is missing.
func TestFetchingSaysWhatIsMissing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the commands that the scripts need lie elsewhere")
	}
	bin := t.TempDir()
	const tools = "sh bash env dirname basename uname mktemp rm mkdir cat tr sed awk grep cut head tail sort id cp mv ls find"
	for _, tool := range strings.Fields(tools) {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("SKIPPED: there is no %s", tool)
		}
		if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(t.TempDir(), "cache")
	bare := []string{"PATH=" + bin, "HOME=" + t.TempDir(), "SKALD_CACHE=" + cache}
	for _, c := range []struct {
		line string
		env  []string
		want []string
	}{
		{"scripts/fetch-webgpu.sh", bare, []string{"Python 3 with pip is needed", "npm is needed to download it"}},
		{"scripts/fetch-drivers.sh lavapipe", bare, []string{"no apt on this system"}},
		{"scripts/fetch-drivers.sh toaster", bare, []string{"unknown driver toaster"}},
		{"scripts/fetch-webgpu.sh toaster", bare, []string{"unknown library toaster"}},
		{"scripts/fetch-webgpu.sh", []string{"PATH=" + bin, "SKALD_CACHE=/dev/null/cache"}, []string{
			"the cache /dev/null/cache cannot be written; SKALD_CACHE names another place",
		}},
		{"scripts/run-example.sh nowhere", bare, []string{"run: cannot read nowhere"}},
	} {
		out, err := shell(t, ".", c.line, c.env...)
		if err == nil {
			t.Errorf("%s succeeds: %s", c.line, out)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", c.line, want, out)
			}
		}
	}
	left, err := os.ReadDir(cache)
	if slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "fetch-") }) {
		t.Errorf("folders of failed downloads remain: %v %v", left, err)
	}
}
