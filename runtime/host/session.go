package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
	"skald/runtime/prim"
)

// Note [Overlapping calls]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Several calls of one program may be under way. Host code runs for one of them at a time, under Program.mu, which is let go
// while a call waits for the device or moves its arguments and results: so one call's transfers and waits overlap with another's
// host code and kernels. What is a call's own is in its session: the failure buffer that its kernels note failures in, its
// context, and the plans of its launches, with the memory that these are made in. Sessions are kept for later calls.
// Blocks and kernels are the program's, and a call frees only what it holds itself.

// session is what the host code of one call works with: it implements eval.Host.
type session struct {
	p       *Program
	ctx     context.Context
	tunes   []int64
	fail    *eval.Failure
	failure device.Buffer                                    // see imp.FailureWords
	busy    bool                                             // something was launched since the last wait
	risk    bool                                             // a kernel that may fail was launched since failures were read
	read    func(out []uint64, known []bool) []device.Region // of the call under way
	plans   map[*imp.Launch]*plan

	// Memory for read-backs.
	regions []device.Region
	data    [][8]byte
	words   []uint64
	failed  [4 * imp.FailureWords]byte
	early   []*early // readings under way, and those that are not, whose memory the next ones use
	unused  []*early
}

var (
	_ eval.Host       = (*session)(nil)
	_ eval.Watcher    = (*session)(nil)
	_ eval.LastReader = (*session)(nil)
	_ eval.Mapper     = (*session)(nil)
)

// session returns a session for a call. Program.mu is held.
func (p *Program) session(ctx context.Context) (*session, error) {
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		s.ctx, s.tunes = ctx, p.tunes
		return s, nil
	}
	failure, err := p.dev.Alloc(4 * imp.FailureWords)
	if err != nil {
		return nil, err
	}
	if err := p.dev.Fill(failure, 0, 4*imp.FailureWords, 0); err != nil {
		p.dev.Free(failure)
		return nil, err
	}
	return &session{p: p, ctx: ctx, tunes: p.tunes, failure: failure, plans: map[*imp.Launch]*plan{}}, nil
}

// rest keeps a session for a later call. Program.mu is held.
func (p *Program) rest(s *session) {
	if p.closed {
		p.dev.Free(s.failure)
		return
	}
	p.idle = append(p.idle, s)
}

// hostCall is a call of a host function.
type hostCall struct {
	fun   string
	args  []uint64
	given []uint64 // Blocks of the arguments that the function may free.
	// What to read with the last wait, given the results, of which some are known; nil for all of them. It may be nil.
	read func(out []uint64, known []bool) []device.Region
}

// run calls a host function, waits for the device and looks for failures. After an error the blocks that the function made are
// freed. Program.mu is held.
func (s *session) run(c hostCall) (out []uint64, err error) {
	defer func() {
		if err == nil {
			return
		}
		waits := s.busy || len(s.early) > 0
		if len(s.early) > 0 {
			err = errors.Join(err, s.finishAll())
		}
		if s.busy { // what was launched may report a failure, which came first and is not the next run's
			err = errors.Join(err, s.wait())
		}
		if site, values, ok := s.fail.Get(); ok && waits {
			err = errorAt(s.p.prog, site, values)
		}
		f, _ := s.p.parts.Function(c.fun) // It has run.
		for i, w := range out {
			if f.Scope().TypeOf(f.Results[i]) == imp.Block {
				s.Release(w)
			}
		}
		out = nil
	}()
	s.fail, s.read = new(eval.Failure), c.read
	if out, err = s.p.code.Run(s, c.fun, c.args, c.given...); err != nil {
		return out, err
	}
	hostFailure := s.fail
	s.fail = new(eval.Failure)
	if err := s.finishAll(); err != nil { // A check of host code ended the run before.
		return out, err
	}
	var regions []device.Region
	if c.read != nil && !hostFailure.Failed() {
		regions = c.read(out, nil)
	}
	if s.busy || len(regions) > 0 { // what kernels report came first
		if err := s.wait(regions...); err != nil {
			return out, err
		}
	}
	for _, f := range []*eval.Failure{s.fail, hostFailure} {
		if site, values, ok := f.Get(); ok {
			return out, errorAt(s.p.prog, site, values)
		}
	}
	return out, nil
}

// Read waits for the device and reads elements, and whether a kernel failed.
func (s *session) Read(places []eval.Place) ([]uint64, error) { return s.readWith(places, nil) }

// ReadLast is Read, and reads what the call wants of the results in the same wait: see Note [Results with the last reading] of package
// eval.
func (s *session) ReadLast(places []eval.Place, results []uint64, known []bool) ([]uint64, error) {
	if s.read == nil {
		return s.Read(places)
	}
	return s.readWith(places, s.read(results, known))
}

// readWith is Read, with other regions.
func (s *session) readWith(places []eval.Place, with []device.Region) ([]uint64, error) {
	if err := s.Ended(); err != nil {
		return nil, err
	}
	s.regions, s.words = s.regions[:0], s.words[:0]
	for len(s.data) < len(places) {
		s.data = append(s.data, [8]byte{})
	}
	for i, p := range places {
		size := p.Elem.Size()
		s.data[i] = [8]byte{}
		s.regions = append(s.regions, s.p.blocks.region(p.Block, p.Index*int64(size), s.data[i][:size]))
	}
	s.regions = append(s.regions, with...)
	if err := s.wait(s.regions...); err != nil {
		return nil, err
	}
	for i, p := range places {
		s.words = append(s.words, prim.Canonical(p.Elem, binary.LittleEndian.Uint64(s.data[i][:])))
	}
	return s.words, nil
}

// wait reads regions back, and the failure buffer with them if a kernel may have failed. Other calls go on meanwhile.
func (s *session) wait(regions ...device.Region) error {
	risk := s.risk
	s.busy, s.risk = false, false
	if risk {
		regions = append(regions, device.Region{Buffer: s.failure, Data: s.failed[:]})
	}
	s.p.mu.Unlock()
	err := s.p.dev.Download(regions...)
	s.p.mu.Lock()
	if err != nil || !risk {
		return err
	}
	return s.noteFailure(s.failed[:])
}

// noteFailure notes what the failure buffer says, and clears it.
func (s *session) noteFailure(failed []byte) error {
	site := binary.LittleEndian.Uint32(failed)
	if site == 0 {
		return nil
	}
	if int(site) > len(s.p.prog.Sites) {
		return fmt.Errorf("the device reports a failure at a place that does not exist (%d)", site)
	}
	values := make([]uint64, len(s.p.prog.Sites[site-1].Types))
	for i := range values {
		values[i] = binary.LittleEndian.Uint64(failed[4*(imp.FailureValues+2*i):])
	}
	s.fail.Set(int32(site-1), values)
	return s.p.dev.Fill(s.failure, 0, 4*imp.FailureWords, 0)
}

// Const is a constant of the program.
func (s *session) Const(i int) uint64 { return s.p.consts[i] }

// Tune is a tuning parameter.
func (s *session) Tune(i int) int64 { return s.tunes[i] }

// Compared tells what a tuning parameter is compared with to whoever watches.
func (s *session) Compared(tune int, with int64) {
	if s.p.compared != nil {
		s.p.compared(s.p.prog.Tunes[tune].Name, with)
	}
}

// Failure is where a failed assertion is noted.
func (s *session) Failure() *eval.Failure { return s.fail }
