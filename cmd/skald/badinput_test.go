//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// here is this test binary as skald, in a folder.
func here(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"skald"}, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SKALD_HISTORY=", "TMPDIR="+filepath.Join(dir, "tmp"))
	return cmd
}

// listing are the files in a folder.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fileCommands are the commands that read a file, with FILE in its place; each must refuse what is not there or is none of its files.
var fileCommands = []string{
	"check FILE", "check-syntax FILE", "run FILE", "build FILE", "build --server FILE", "build --library FILE", "build --go out/deep FILE",
	"c FILE", "multicore FILE", "cuda FILE", "webgpu FILE", "dev FILE", "test -i FILE", "bench --backend cpu FILE",
	"autotune --backend cpu FILE", "profile FILE",
	"benchcmp FILE FILE", "script --backend cpu FILE 1", "literate --backend cpu FILE", "dataget FILE x", "doc -o out FILE", "fmt FILE",
	"fmt --check FILE", "tokens FILE", "defs FILE", "imports FILE", "hash FILE", "query FILE 1 1", "datacmp FILE FILE", "eval -f FILE 1",
}

func TestEachCommandRefusesBadFiles(t *testing.T) {
	for _, command := range fileCommands {
		name, _, _ := strings.Cut(command, " ")
		for _, file := range []string{"missing.fut", "folder.fut", "garbage.fut", "broken.fut"} {
			t.Run(strings.ReplaceAll(command, "FILE", file), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for _, folder := range []string{"tmp", "folder.fut"} {
					if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				for path, text := range map[string]string{
					"garbage.fut": "\x00\xff\xfe\x80garbage", "broken.fut": "-- ==\n-- input { 1i32 }\ndef main (x: i32 = [\n",
				} {
					if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				before := listing(t, dir)
				cmd := here(t, dir, strings.Fields(strings.ReplaceAll(command, "FILE", file))...)
				var said bytes.Buffer
				cmd.Stderr = &said
				err := cmd.Run()
				var exit *exec.ExitError
				switch {
				case name == "tokens" && err == nil: // lists what is no token, too
				case name == "test" && file != "missing.fut" && errors.As(err, &exit) && exit.ExitCode() == 1: // a failed test
				case (name == "test" || name == "bench") && file == "folder.fut" && err == nil: // no programs in it
				case !errors.As(err, &exit) || exit.ExitCode() != exitUser || said.Len() == 0:
					t.Errorf("%v: %s", err, said.String())
				}
				if strings.Contains(said.String(), "panic") || strings.Contains(said.String(), "internal error") {
					t.Error(said.String())
				}
				if after := listing(t, dir); !slices.Equal(before, after) {
					t.Errorf("it leaves %v, before there were %v", after, before)
				}
			})
		}
	}
}

// An interrupt ends each command that takes long soon, with the exit code that README promises, and leaves neither files nor processes.
func TestInterruptsEndEachCommand(t *testing.T) {
	for _, command := range []string{
		"run forever.fut", "eval -f forever.fut main", "script --backend cpu forever.fut main", "bench --backend cpu forever.fut --json out.json",
		"literate --backend cpu forever.fut", "test -i forever.fut",
		"test --backend cpu forever.fut", "dataset -g [10000][10000][10]f32",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := "-- > main\n\n-- ==\n-- input {} output { 1i64 }\n\nentry main : i64 = loop x = 1 while x > 0 do (x % 1000000) + 1\n"
			if err := os.WriteFile(filepath.Join(dir, "forever.fut"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := here(t, dir, strings.Fields(command)...)
			var said bytes.Buffer
			cmd.Stderr = &said
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			var err error
			select {
			case err = <-ended:
			case <-time.After(30 * time.Second):
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
				t.Fatal("it does not end")
			}
			var exit *exec.ExitError
			killed := errors.As(err, &exit) && !exit.Exited() && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGINT
			if !errors.As(err, &exit) || exit.ExitCode() != exitUser && !killed && exit.ExitCode() != 130 {
				t.Errorf("%v: %s", err, said.String())
			}
			for deadline := time.Now().Add(5 * time.Second); syscall.Kill(-cmd.Process.Pid, 0) == nil; time.Sleep(50 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Error("it leaves a process")
					break
				}
			}
			want := fmt.Sprint([]string{dir, filepath.Join(dir, "forever.fut"), filepath.Join(dir, "tmp")})
			if after := fmt.Sprint(listing(t, dir)); after != want {
				t.Errorf("it leaves %v", after)
			}
		})
	}
}
