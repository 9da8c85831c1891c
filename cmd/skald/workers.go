//go:build !runner

package main

import (
	"os"
	"os/exec"
	"sync"
	"time"

	"skald/tooling/conformance"
)

// startup is how long a worker may take beyond the limit for a case: it opens a device and compiles the program.
const startup = 60 * time.Second

// workers are processes that test programs: this command itself, with its own arguments and the flag --worker.
type workers struct{ idle chan *conformance.Worker }

// newWorkers makes n workers; their processes are started when they are first needed.
func newWorkers(n int, limit time.Duration) *workers {
	n = max(n, 1)
	ws := &workers{make(chan *conformance.Worker, n)}
	others := &sync.RWMutex{}
	for range n {
		ws.idle <- &conformance.Worker{Command: workerCommand, Silence: limit + startup, Others: others}
	}
	return ws
}

func workerCommand() *exec.Cmd {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	cmd := exec.Command(path) //nolint:gosec // this program itself
	cmd.Args = append(append([]string(nil), os.Args...), "--worker")
	return cmd
}

// file tests a file in the next worker that is free.
func (ws *workers) file(path string) []conformance.Result {
	w := <-ws.idle
	defer func() { ws.idle <- w }()
	return w.File(path)
}

func (ws *workers) close() {
	for range cap(ws.idle) {
		(<-ws.idle).Close()
	}
}
