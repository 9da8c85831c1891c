package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with a command at its other end.
type terminal struct {
	t      *testing.T
	master *os.File
	mu     sync.Mutex
	shown  bytes.Buffer
}

// startAtTerminal starts this binary as skald, whose input, output and controlling terminal are a new pseudo-terminal.
func startAtTerminal(t *testing.T, args ...string) (*terminal, *exec.Cmd) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"skald"}, args...)
	cmd.Env = append(os.Environ(), "SKALD_HISTORY=", "TERM=xterm")
	return connect(t, cmd), cmd
}

// connect starts a command at a new pseudo-terminal of 30 lines.
func connect(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED: there are no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	if err := unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 120}); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := &terminal{t: t, master: master}
	go func() {
		part := make([]byte, 4096)
		for {
			n, err := master.Read(part)
			out.mu.Lock()
			out.shown.Write(part[:n])
			out.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return out
}

// settled is how long the screen has to stay as it is: behind a result comes a prompt, and keys that are typed before may be lost.
const settled = 200 * time.Millisecond

// types types keys, and waits until the screen shows a text that it did not show before, and stays as it is.
func (o *terminal) types(keys, want string) {
	o.t.Helper()
	o.mu.Lock()
	before := o.shown.Len()
	o.mu.Unlock()
	if _, err := o.master.WriteString(keys); err != nil {
		o.t.Fatal(err)
	}
	last, since := 0, time.Now()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		o.mu.Lock()
		news := o.shown.String()[before:]
		o.mu.Unlock()
		if len(news) != last {
			last, since = len(news), time.Now()
		}
		if strings.Contains(news, want) && time.Since(since) > settled {
			return
		}
	}
	o.t.Fatalf("after %q the terminal does not show %q, but:\n%q", keys, want, o.shown.String())
}

// A session at a terminal has a greeting, prompts, a line editor with completion, and ends with Ctrl-D.
func TestReplIsInteractiveAtATerminal(t *testing.T) {
	o, cmd := startAtTerminal(t, "repl")
	o.types("", ":help lists the commands")
	o.types("def answer = 41i32\r", "> ")
	o.types("answer + 1\r", "42i32")
	o.types("answ\t", "answer")
	o.types("\x7f\x7f\x7f\x7f\x7f\x7f7i64\r", "7i64\r\n") // Typed over what was completed.
	o.types("\x1b[A\x1b[A\r", "42i32")                    // Two lines up in the history.
	o.types("1 +\r", "\n")                                // It goes on in the next line.
	o.types("99\r", "100i32")
	o.types("\x12answ\r\r", "42i32")  // Search in the history.
	o.types("garbage\x03", "> ")      // The interrupt key clears the line.
	o.types("f32.sq\t + 0\r", "sqrt") // Completion within a module.
	o.types("f32.sqrt 4\r", "2.0f32")
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The result is shown before the next line is read: keys typed in between are the terminal's, and may be lost.
	again, deadline := time.NewTicker(time.Second), time.After(30*time.Second)
	defer again.Stop()
	for {
		_, _ = o.master.WriteString("\x04") // Fails where the session has ended, which ended then says.
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("Ctrl-D: %v", err)
			}
			return
		case <-again.C:
		case <-deadline:
			_ = cmd.Process.Kill()
			t.Fatal("Ctrl-D does not end the session")
		}
	}
}
