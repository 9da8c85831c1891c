package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Note [Isolation]
//
// Drivers crash and hang, and nothing can stop a kernel, or a call of the evaluator, that runs for too long. So programs are
// tested in worker processes: a worker reads names of files on its standard input, and answers with messages, a line
// of JSON each. It is ended, and another one started for the next program, when it dies, when it is silent for too long
// (the program then failed), and when a case took longer than allowed (what it runs still goes on).

// afterTimeout is how long a process may go on after a case that took too long: the other cases are not run.
const afterTimeout = 2 * time.Second

// message is what a worker writes: one result, or that the file is done.
type message struct {
	Result   *Result `json:"result,omitempty"`
	Done     bool    `json:"done,omitempty"`
	Launches int64   `json:"launches,omitempty"`
}

// Serve is a worker: it tests the files that are named on in, one a line, and writes messages to out.
func Serve(in io.Reader, out io.Writer, o Options) error {
	enc := json.NewEncoder(out)
	var failed error
	o.Each = func(r Result) { failed = errors.Join(failed, enc.Encode(message{Result: &r})) }
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		File(lines.Text(), o)
		done := message{Done: true}
		if d, ok := o.Executor.(*Device); ok {
			done.Launches = d.Launches()
		}
		if failed = errors.Join(failed, enc.Encode(done)); failed != nil {
			return failed
		}
	}
	return lines.Err()
}

// Worker tests files in another process, which Command makes anew whenever it is needed.
type Worker struct {
	// Command is a process that calls Serve; its standard streams are not set.
	Command func() *exec.Cmd
	// Silence is how long the process may take for one result.
	Silence time.Duration

	cmd      *exec.Cmd
	in       io.WriteCloser
	messages chan message // closed when the process has ended
	errors   *opening
}

// File tests one file, like the function File.
func (w *Worker) File(path string) []Result {
	var results []Result
	fail := func(reason string) []Result {
		w.kill()
		return append(results, Result{File: path, Kind: Ran, Status: Fail, Reason: reason})
	}
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return fail("worker: " + err.Error())
		}
	}
	if _, err := fmt.Fprintln(w.in, path); err != nil {
		return fail("worker: " + err.Error())
	}
	late, silence := false, w.Silence
	for {
		select {
		case m, ok := <-w.messages:
			switch {
			case !ok:
				return fail("crash: " + w.errors.String())
			case m.Done:
				if late {
					w.kill()
				}
				return results
			case m.Result != nil:
				results = append(results, *m.Result)
				if m.Result.Status == Fail && strings.Contains(m.Result.Reason, errTimeout.Error()) {
					late, silence = true, min(silence, afterTimeout)
				}
			}
		case <-time.After(silence):
			if late { // what still runs keeps the process from ending the program
				w.kill()
				return results
			}
			return fail(fmt.Sprintf("%v: no result for %v", errTimeout, w.Silence))
		}
	}
}

// start runs a process.
func (w *Worker) start() error {
	cmd := w.Command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.errors = &opening{}
	cmd.Stderr = w.errors
	if err := cmd.Start(); err != nil {
		return err
	}
	messages := make(chan message)
	go func() {
		defer close(messages)
		for dec := json.NewDecoder(out); ; {
			var m message
			if dec.Decode(&m) != nil {
				_ = cmd.Wait() // the reason is on its standard error
				return
			}
			messages <- m
		}
	}()
	w.cmd, w.in, w.messages = cmd, in, messages
	return nil
}

// kill ends the process at once.
func (w *Worker) kill() {
	if w.cmd == nil {
		return
	}
	_ = w.cmd.Process.Kill() // it may have ended already
	for range w.messages {
	}
	w.cmd = nil
}

// Close lets the process end.
func (w *Worker) Close() {
	if w.cmd == nil {
		return
	}
	_ = w.in.Close() // the process may have ended already
	select {
	case <-w.messages:
	case <-time.After(w.Silence):
	}
	w.kill()
}

// opening keeps the beginning of what is written to it: where a crash says what happened.
type opening struct{ text strings.Builder }

// Write keeps the first kilobytes.
func (t *opening) Write(p []byte) (int, error) {
	if room := 4096 - t.text.Len(); room > 0 {
		t.text.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String is what was kept.
func (t *opening) String() string { return t.text.String() }
