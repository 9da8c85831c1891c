package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"skald/runtime/device"
)

// Note [Processes]
//
// The lab starts itself again for some cases at a time. Such a part writes each result as a line of JSON to its standard
// output; the first process, which opens no device, collects them. A part that ends before its time, or says nothing for
// long, loses the case that it was at: the next begins with the case after it.

const (
	// casesEach is how many cases a part runs, on all devices.
	casesEach = 24
	// patience is how long a part may work at one case on one device.
	patience = time.Minute
)

// runPart is what a part does: some cases, each on all devices before the next. See Note [Processes].
func (s *session) runPart(from int) error {
	all := s.chosen(s.sizesOn(s.options.devices))
	out := json.NewEncoder(os.Stdout)
	w := worker{runs: s.runs, open: map[string]device.Device{}}
	for i := from; i < min(from+casesEach, len(all)); i++ {
		for _, d := range s.options.devices {
			r, err := w.one(d, &all[i])
			if err != nil {
				return err
			}
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		all[i] = Case{} // With it go its input and reference.
		forget()
	}
	return w.close()
}

// part is a part that runs.
type part struct {
	results *json.Decoder
	kill    func()
	wait    func() error
	said    *strings.Builder
	timer   *time.Timer
}

// start starts a part as a process.
func start(devices []string, from int) (*part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append(os.Args[1:], "-device", strings.Join(devices, ","), "-part", strconv.Itoa(from))...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &part{results: json.NewDecoder(out), wait: cmd.Wait, said: &strings.Builder{}}
	cmd.Stderr = p.said
	p.kill = func() {
		_ = cmd.Process.Kill() // It may have ended in the meantime.
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p.timer = time.AfterFunc(patience, p.kill)
	return p, nil
}

// next returns the next result; the error is io.EOF after the last.
func (p *part) next() (*Result, error) {
	p.timer.Reset(patience)
	r := &Result{}
	return r, p.results.Decode(r)
}

// end waits for a part that sent no more results for a reason, io.EOF where that is as it should be, and says what
// went wrong, with the last that the part wrote of it.
func (p *part) end(reason error) error {
	p.timer.Stop()
	if !errors.Is(reason, io.EOF) {
		p.kill() // What it wrote is not understood, or not wanted.
	}
	err := p.wait()
	said := strings.TrimSpace(p.said.String())
	if err == nil && errors.Is(reason, io.EOF) {
		return nil
	}
	return fmt.Errorf("%w: %s", errors.Join(err, reason), said[max(0, len(said)-300):])
}
