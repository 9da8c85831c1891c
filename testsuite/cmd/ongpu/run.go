package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"skald/tooling/conformance"
)

// patience is how long a worker may take beyond the limit for a case: it opens a device and compiles the program.
const patience = 30 * time.Second

// outcome is a line of a backend's file: a program with its results.
type outcome struct {
	Program string               `json:"program"`
	Results []conformance.Result `json:"results"`
}

// run runs what has not been run yet, backend after backend, and writes the tables if that is all. It returns the number of failures.
func run(o *options, w io.Writer) (failures int, err error) {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return 0, err
	}
	programs, err := o.programs()
	if err != nil {
		return 0, err
	}
	deadline := time.Now().Add(o.limit)
	t := &table{o: o}
	for i, backend := range o.configurations() {
		about, err := describe(backend)
		if err != nil { // A library that is not there is no failure of ours, but is told.
			fmt.Fprintf(w, "%s: not run: %v\n", backend, err)
			t.missing(backend, err)
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", backend, about)
		some := o.shareOf(programs, i)
		done, err := o.backend(w, backend, some, deadline)
		if err != nil {
			return 0, err
		}
		t.add(backend, about, some, done)
	}
	if len(t.backends) == 0 {
		return 0, fmt.Errorf("no backend can be used")
	}
	return t.failures, t.write(w)
}

// describe opens a backend and says what device it is.
func describe(backend string) (string, error) {
	e, err := conformance.Open(backend)
	if err != nil {
		return "", err
	}
	defer e.Close() //nolint:errcheck // nothing is under way
	d, ok := e.(*conformance.Device)
	if !ok {
		return e.Name(), nil
	}
	f := d.Facts()
	return fmt.Sprintf("%s, %s, driver %s", f.Name, f.API, f.Driver), nil
}

// resultsPath is where the results of a backend are kept.
func (o *options) resultsPath(backend string) string {
	return filepath.Join(o.out, "results-"+backend+".jsonl")
}

// kept reads what is known of a backend's programs. A line that was cut off, when the process was ended, does not count.
func (o *options) kept(backend string) (map[string][]conformance.Result, error) {
	done := map[string][]conformance.Result{}
	f, err := os.Open(o.resultsPath(backend))
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<28)
	for lines.Scan() {
		var x outcome
		if json.Unmarshal(lines.Bytes(), &x) == nil {
			done[x.Program] = x.Results
		}
	}
	return done, lines.Err()
}

// backend runs the programs that have no results yet, several at a time.
func (o *options) backend(w io.Writer, name string, programs []string, deadline time.Time) (map[string][]conformance.Result, error) {
	done, err := o.kept(name)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(o.resultsPath(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(file) // Ends a line that was cut off.
	start, begun := time.Now(), len(done)
	todo := make(chan string)
	go func() {
		defer close(todo)
		for _, p := range programs {
			if _, known := done[p]; !known && time.Now().Before(deadline) {
				todo <- p
			}
		}
	}()
	others, mu, all := &sync.RWMutex{}, &sync.Mutex{}, map[string][]conformance.Result{}
	var failed error
	var wg sync.WaitGroup
	for range o.workers {
		wg.Go(func() {
			worker := &conformance.Worker{Command: o.command(name), Silence: o.timeout + patience, Others: others}
			defer worker.Close()
			for p := range todo {
				x := outcome{p, worker.File(p)}
				line, err := json.Marshal(x)
				mu.Lock()
				all[p] = x.Results
				if err == nil {
					_, err = file.Write(append(line, '\n'))
				}
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Fprintf(w, "%s: %d programs before, %d now, in %v\n", name, begun, len(all), time.Since(start).Round(time.Second))
	for p, rs := range all {
		done[p] = rs
	}
	return done, errors.Join(failed, file.Close())
}

// command starts this program as a worker on a backend.
func (o *options) command(backend string) func() *exec.Cmd {
	return func() *exec.Cmd {
		path, err := os.Executable()
		if err != nil {
			path = os.Args[0]
		}
		return exec.Command(path, "-worker", backend, "-folder", o.folder, "-timeout", o.timeout.String()) //nolint:gosec // this program itself
	}
}
