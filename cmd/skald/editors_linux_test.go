package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"skald/testsuite/depth"
)

// editorLines are the lines of docs/editors.md in a language: what a reader copies into a configuration.
func editorLines(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/editors.md has no lines in %s", language)
	}
	return string(found[1])
}

// editor finds an editor that scripts/fetch-editors.sh has fetched, and makes a home with a configuration and a folder with mine.fut, in
// which one name is wrong. It returns a command in that folder.
func editor(t *testing.T, name, config, text string) (cmd *exec.Cmd, mine string) {
	t.Helper()
	depth.Need(t, depth.Deep)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if c := os.Getenv("SKALD_CACHE"); c != "" {
		cache = c
	} else {
		cache = filepath.Join(cache, "skald")
	}
	path := filepath.Join(cache, "editors", "bin", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("SKIPPED: %v; scripts/fetch-editors.sh fetches it", err)
	}
	home, folder := t.TempDir(), t.TempDir()
	mine = filepath.Join(folder, "mine.fut")
	for file, text := range map[string]string{
		filepath.Join(home, config): text,
		mine:                        "-- | Twice a number.\ndef twice (x: i32): i32 = x + x\n\ndef main (n: i32): i32 = twice (twicee n)\n",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd = exec.CommandContext(t.Context(), path)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+home, "TERM=xterm-256color",
		"XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_CACHE_HOME="+filepath.Join(home, ".cache"),
		"PATH="+filepath.Dir(skaldHere(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd, mine
}

// lacks reports what of some texts a file lacks.
func lacks(t *testing.T, file string, texts ...string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, text := range texts {
		if !strings.Contains(string(b), text) {
			missing = append(missing, text)
		}
	}
	return missing
}

// The keys and commands that the page names, in Neovim's own client.
func TestNeovimWithTheLinesOfThePage(t *testing.T) {
	cmd, mine := editor(t, "nvim", ".config/nvim/init.lua", editorLines(t, "lua"))
	script, err := filepath.Abs("testdata/editors/nvim.lua")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = append(cmd.Args, "--headless", "-c", "luafile "+script)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "done") {
		t.Fatalf("%v\n%s", err, out)
	}
	if missing := lacks(t, mine, "double (double n)", "def last (x: i32) = double x"); missing != nil {
		t.Errorf("the file lacks %q", missing)
	}
}

// The same by keys of Helix.
func TestHelixWithTheLinesOfThePage(t *testing.T) {
	cmd, mine := editor(t, "hx", ".config/helix/languages.toml", editorLines(t, "toml"))
	health := exec.CommandContext(t.Context(), cmd.Path, "--health", "futhark")
	health.Env = cmd.Env
	if out, err := health.CombinedOutput(); err != nil || !strings.Contains(string(out), "✓") {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd.Args = append(cmd.Args, "mine.fut")
	o := connect(t, cmd)
	// press types keys and lets the editor take them: what follows an escape at once would be a key with Alt.
	press := func(keys string) {
		t.Helper()
		o.types(keys, "")
		time.Sleep(300 * time.Millisecond)
	}
	// written writes the file until it has a text, which the server's answer may bring later.
	written := func(text string) {
		t.Helper()
		for range 60 {
			if press(":w\r"); lacks(t, mine, text) == nil {
				return
			}
		}
		b, _ := os.ReadFile(mine)
		t.Fatalf("%q is not written, but:\n%s", text, b)
	}
	o.types("", "Did you mean")
	press("/twicee\r")
	o.types(" a", "Replace twicee by twice")
	press("\r")
	written("twice (twice n)")
	press("2G4l")
	o.types(" k", "Twice a number")
	press("\x1b")
	press("/twice n\r")
	press("hgd")
	press("O-- defined below")
	press("\x1b")
	written("-- defined below\ndef twice")
	press("/def twice\rh")
	o.types(" r", "rename")
	press("\x15double\r")
	written("double (double n)")
	press("geo")
	press("def   last (x: i32) =  dou")
	time.Sleep(time.Second) // The list comes by itself.
	press("\x0e")
	press("\r")
	press("  x")
	press("\x1b")
	written("def last (x: i32) = double x")
	press(":q\r")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
