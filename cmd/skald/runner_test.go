package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skald/runtime/bundle"
	"skald/testsuite/depth"
)

// maxExecutable is the size of the largest executable of a small program: the runner has the passes for devices, whose code is what has
// grown, and wazero, and none of the tools' libraries.
const maxExecutable = 18 << 20

func TestExecutablesAreCopiesOfTheRunner(t *testing.T) {
	depth.Need(t, depth.Full)
	if runtime.GOOS == "windows" {
		t.Skip("skipped: skald is built as make builds it, by a script for Unix")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.fut"), []byte("entry main (x: i32) : i32 = x + 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	skald, runner := skaldHere(t), builtRunner()
	succeed(t, dir, skald, "build", "a.fut", "-o", "prog")
	succeed(t, dir, skald, "build", "--runner", runner, "a.fut", "-o", "same")
	succeed(t, dir, skald, "build", "--runner", skald, "a.fut", "-o", "whole") // whose runner is no executable of a program
	info, err := os.Stat(filepath.Join(dir, "prog"))
	if err != nil || info.Size() > maxExecutable {
		t.Errorf("the executable has %d bytes: %v", info.Size(), err)
	}
	for _, name := range []string{"prog", "same", "whole"} {
		cmd := exec.Command(filepath.Join(dir, name), "--device", "cpu")
		cmd.Stdin = strings.NewReader("41i32")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "42i32\n" {
			t.Errorf("%s: %s, %v", name, out, err)
		}
	}
	if out, err := exec.Command(runner, "check").CombinedOutput(); err == nil || !strings.Contains(string(out), "this is the runner") {
		t.Errorf("the runner alone says %s, %v", out, err)
	}
}

// toolLibraries are those that only the tools need.
var toolLibraries = []string{
	"yuin/goldmark", "alecthomas/chroma", "gonum.org", "go.lsp.dev", "reeflective/readline", "go-audio", "html/template",
}

func TestTheRunnerHasNoLibrariesOfTools(t *testing.T) {
	out, err := exec.Command("go", "list", "-tags", "runner", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range toolLibraries {
		if strings.Contains(string(out), name) {
			t.Errorf("the runner is linked with %s", name)
		}
	}
}

// One other system stands for all: that skald builds for each is asserted by scripts/check.sh.
func TestBuildingForAnotherSystem(t *testing.T) {
	depth.Need(t, depth.Deep)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.fut"), []byte("entry main (x: i32) : i32 = x + 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("../../scripts/dist.sh", "windows/amd64")
	cmd.Env = append(os.Environ(), "DIST="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil || !strings.Contains(string(sums), "  skald-windows-amd64.exe\n") {
		t.Errorf("checksums: %s, %v", sums, err)
	}
	skald := skaldHere(t)
	succeed(t, dir, skald, "build", "--target", "windows/amd64", "--runner", "skald-windows-amd64.exe", "a.fut")
	if b, err := bundle.Open(filepath.Join(dir, "a.exe")); err != nil || len(b) == 0 {
		t.Errorf("the executable has no program: %v", err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--target", "windows/arm64", "--runner", "skald-windows-amd64.exe"}, "it is for windows/amd64, not for windows/arm64"},
		{[]string{"--target", "windows/arm64"}, "there is no skald for windows/arm64: --runner names one"},
		{[]string{"--target", "windows"}, "--target takes a system and a processor"},
		{[]string{"--runner", "a.fut"}, "no executable"},
		{[]string{"--runner", "nowhere"}, "nowhere"},
	} {
		cmd := exec.Command(skald, append(append([]string{"build"}, c.args...), "a.fut", "-o", "b")...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != exitUser || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, out)
		}
	}
}
