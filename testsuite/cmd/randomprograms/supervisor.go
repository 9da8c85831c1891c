package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"skald/testsuite/random"
	"skald/testsuite/random/compare"
)

// startTime is how long a worker may take to open its device.
const startTime = time.Minute

// interruptedCode is the exit code of a run that was interrupted before it found a difference.
const interruptedCode = 130

// tally is what came of all programs.
type tally struct {
	sync.Mutex
	o      options
	counts map[compare.Verdict]int
	done   int
	err    error
}

// supervise hands the seeds to workers. When ctx ends it stops them, and counts what is done.
func supervise(ctx context.Context, o options) (int, error) {
	seeds := make(chan uint64)
	start := time.Now()
	go func() {
		defer close(seeds)
		for i := 0; ctx.Err() == nil && (o.programs == 0 || i < o.programs); i++ {
			if o.limit > 0 && time.Since(start) > o.limit {
				return
			}
			seeds <- o.seed + uint64(i)
		}
	}()
	t := &tally{o: o, counts: map[compare.Verdict]int{}}
	var all sync.WaitGroup
	for range max(o.workers, 1) {
		all.Go(func() { t.lead(ctx, seeds) })
	}
	all.Wait()
	n, how := t.counts, ""
	if ctx.Err() != nil {
		how = "interrupted after "
	}
	fmt.Fprintf(os.Stdout, "%s: "+how+"%d programs from seed %d in %.0f s: %d agree, %d fail in the same way, %d differ, "+
		"%d need what is not supported, %d take the interpreter too long\n", o.backend, t.done, o.seed, time.Since(start).Seconds(),
		n[compare.Agrees], n[compare.Fails], n[compare.Differs], n[compare.Limit], n[compare.Slow])
	if t.err != nil {
		return 2, t.err
	}
	switch {
	case t.counts[compare.Differs] > 0:
		return 1, nil
	case ctx.Err() != nil:
		return interruptedCode, nil
	}
	return 0, nil
}

// lead keeps one worker busy, and replaces it when it ends.
func (t *tally) lead(ctx context.Context, seeds <-chan uint64) {
	var w *worker
	defer func() {
		if w != nil {
			w.stop()
		}
	}()
	for seed := range seeds {
		if ctx.Err() != nil || t.failed() {
			continue
		}
		if w == nil {
			var err error
			if w, err = start(ctx, t.o); err != nil {
				if ctx.Err() == nil {
					t.fail(err)
				}
				continue
			}
		}
		a, err := w.ask(ctx, seed, t.o.patience*time.Duration(1+t.o.shrink))
		if ctx.Err() != nil {
			continue // The program that was under way does not count.
		}
		if err != nil {
			w.stop()
			w = nil
			a = answer{compare.Result{Seed: seed, Verdict: compare.Differs, Reason: err.Error()}, random.Make(seed).File()}
		}
		t.add(a)
	}
}

// fail keeps the first error that is not a program's.
func (t *tally) fail(err error) {
	t.Lock()
	defer t.Unlock()
	t.err = errors.Join(t.err, err)
}

func (t *tally) failed() bool {
	t.Lock()
	defer t.Unlock()
	return t.err != nil
}

// add counts an answer and prints a difference.
func (t *tally) add(a answer) {
	t.Lock()
	defer t.Unlock()
	t.done++
	t.counts[a.Verdict]++
	if a.Verdict != compare.Differs {
		return
	}
	fmt.Fprintf(os.Stdout, "seed %d: %s\n%s\n", a.Seed, a.Reason, shortened(a.Program))
	if t.o.out == "" {
		return
	}
	path := filepath.Join(t.o.out, fmt.Sprintf("seed%d.fut", a.Seed))
	if err := os.WriteFile(path, []byte("-- "+strconv.Quote(a.Reason)+"\n"+a.Program), 0o644); err != nil {
		t.err = errors.Join(t.err, err)
	}
}

// shortened cuts off lines of a program that are long, as those of large arrays are.
func shortened(program string) string {
	var b strings.Builder
	for line := range strings.Lines(program) {
		if len(line) > widest && strings.HasPrefix(line, "--") {
			line = line[:widest] + fmt.Sprintf(" ... (%d bytes more; -out writes them into a file)\n", len(line)-widest)
		}
		b.WriteString(line)
	}
	return b.String()
}

const widest = 400

// worker is a process that answers seeds.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer
}

func start(ctx context.Context, o options) (*worker, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-worker", "-backend", o.backend, "-shrink", strconv.Itoa(o.shrink))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &worker{cmd, in, make(chan answer)}
	go func() {
		defer close(w.answers)
		decoder := json.NewDecoder(bufio.NewReader(out))
		for {
			var a answer
			if decoder.Decode(&a) != nil {
				return
			}
			w.answers <- a
		}
	}()
	if _, err := w.answer(ctx, startTime); err != nil {
		w.stop()
		return nil, fmt.Errorf("a worker does not start: %w", err)
	}
	return w, nil
}

// ask waits for the answer to a seed.
func (w *worker) ask(ctx context.Context, seed uint64, patience time.Duration) (answer, error) {
	if _, err := fmt.Fprintln(w.in, seed); err != nil {
		return answer{}, err
	}
	return w.answer(ctx, patience)
}

// answer waits for what the worker writes next.
func (w *worker) answer(ctx context.Context, patience time.Duration) (answer, error) {
	select {
	case a, ok := <-w.answers:
		if !ok {
			return answer{}, errors.New("the process ended")
		}
		return a, nil
	case <-ctx.Done():
		return answer{}, ctx.Err()
	case <-time.After(patience):
		return answer{}, fmt.Errorf("no answer within %s", patience)
	}
}

// stop ends the process, whatever it is doing.
func (w *worker) stop() {
	w.in.Close()         //nolint:errcheck // it is killed anyway
	w.cmd.Process.Kill() //nolint:errcheck // it may have ended
	for range w.answers {
	}
	w.cmd.Wait() //nolint:errcheck // it was killed
}
