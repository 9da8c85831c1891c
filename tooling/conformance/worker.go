package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Note [Isolation]
//
// Drivers crash and hang, and nothing can stop a kernel, or a call of the evaluator, that runs for too long. So programs are
// tested in worker processes: a worker reads requests on its standard input, and answers with messages, a line
// of JSON each. It is ended, and another one started for the next program, when it dies, when it is silent for too long
// (the program then failed), and when a case took longer than allowed (what it runs still goes on).
//
// Note [Blame for a lost device]
//
// A device that is lost stays lost, and on some drivers a program that loses its own takes those of other processes with it.
// So a worker whose device is lost, or that dies, is ended, and what it was at is run once more in a new one, from that
// result on, while no other worker runs anything. If it is lost again, that result is to blame: it failed, and the
// results after it are made in yet another worker. If not, the first loss was another's doing, and the result only notes it.

// afterTimeout is how long a process may go on after a case that took too long: the other cases are not run.
const afterTimeout = 2 * time.Second

// request is what a worker reads: a file to test, of whose results the first Known are not wanted.
type request struct {
	File  string `json:"file"`
	Known int    `json:"known,omitempty"`
}

// message is what a worker writes: the case that comes next, a result, with why the device is lost if it is, or that the
// file is done.
type message struct {
	Begin    *Result `json:"begin,omitempty"` // the case that is run next
	Result   *Result `json:"result,omitempty"`
	Lost     string  `json:"lost,omitempty"`
	Done     bool    `json:"done,omitempty"`
	Launches int64   `json:"launches,omitempty"`
}

// Serve is a worker: it tests the files of the requests on in, by the function File or another one that calls Each as that does, and
// writes messages to out. See Note [Isolation].
func Serve(in io.Reader, out io.Writer, test func(path string, o Options) []Result, o Options) error {
	enc := json.NewEncoder(out)
	dev, onDevice := o.Executor.(*Device)
	var failed error
	o.Begin = func(r Result) { failed = errors.Join(failed, enc.Encode(message{Begin: &r})) }
	o.Each = func(r Result) {
		m := message{Result: &r}
		if onDevice && !strings.Contains(r.Reason, errTimeout.Error()) {
			m.Lost = dev.lost()
		}
		failed = errors.Join(failed, enc.Encode(m))
	}
	requests := json.NewDecoder(in)
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("request: %w", err)
		}
		o.Known = r.Known
		test(r.File, o)
		done := message{Done: true}
		if onDevice {
			done.Launches = dev.Launches()
		}
		if failed = errors.Join(failed, enc.Encode(done)); failed != nil {
			return failed
		}
	}
}

// Worker tests files in another process, which Command makes again whenever it is needed: see Note [Isolation].
type Worker struct {
	// Command is a process that calls Serve; its standard streams are not set.
	Command func() *exec.Cmd
	// Silence is how long the process may take for one result.
	Silence time.Duration
	// Others is held for reading while a worker tests, and for writing by one that must be alone; workers side by side share it.
	Others *sync.RWMutex

	cmd      *exec.Cmd
	in       io.WriteCloser
	messages chan message // closed when the process has ended
	errors   *opening
}

// File tests one file, like the function File.
func (w *Worker) File(path string) []Result {
	w.Others.RLock()
	results, broken := w.run(path, nil)
	w.Others.RUnlock()
	if broken == nil {
		return results
	}
	w.Others.Lock() // See Note [Blame for a lost device].
	defer w.Others.Unlock()
	known, first := len(results), broken.Reason
	results, broken = w.run(path, results)
	if len(results) > known {
		results[known].Earlier = first
	}
	for broken != nil {
		results = append(results, *broken)
		if broken.Case == "" { // Nothing after it can be reached.
			break
		}
		results, broken = w.run(path, results)
	}
	return results
}

// run tests a file of which some results are known, and adds the others to them, up to the one at which the device was lost or the
// process died; broken is that one.
func (w *Worker) run(path string, results []Result) (all []Result, broken *Result) {
	at := Result{File: path, Kind: Ran}
	fail := func(format string, args ...any) *Result {
		w.kill()
		at.Status, at.Reason = Fail, fmt.Sprintf(format, args...)
		return &at
	}
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return results, fail("worker: %v", err)
		}
	}
	if err := json.NewEncoder(w.in).Encode(request{path, len(results)}); err != nil {
		return results, fail("worker: %v", err)
	}
	late, silence := false, w.Silence
	for {
		select {
		case m, ok := <-w.messages:
			switch {
			case !ok:
				return results, fail("crash: %s", w.errors)
			case m.Begin != nil:
				at = *m.Begin
			case m.Lost != "":
				at = *m.Result
				return results, fail("lost the device: %s", m.Lost)
			case m.Done:
				if late {
					w.kill()
				}
				return results, nil
			case m.Result != nil:
				results = append(results, *m.Result)
				if m.Result.Status == Fail && strings.Contains(m.Result.Reason, errTimeout.Error()) {
					late, silence = true, min(silence, afterTimeout)
				}
			}
		case <-time.After(silence):
			if late { // what still runs keeps the process from ending the program
				w.kill()
				return results, nil
			}
			return append(results, *fail("%v: no result for %v", errTimeout, w.Silence)), nil
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
