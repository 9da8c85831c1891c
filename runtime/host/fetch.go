package host

import (
	"encoding/binary"
	"slices"
	"time"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
	"skald/runtime/prim"
)

var (
	_ eval.EarlyReader = (*session)(nil)
	_ eval.Granter     = (*session)(nil)
	_ eval.Sizer       = (*session)(nil)
)

// mostEarly is how many readings may be under way.
const mostEarly = 2

// early is a read-back that has begun before the host waits for it.
type early struct {
	fetch   device.Fetch
	places  []eval.Place
	regions []device.Region
	data    [][8]byte
	failed  [4 * imp.FailureWords]byte
	risk    bool // failures are read, too
}

// Grant is how long what a loop records ahead may take: nothing where each launch is waited for.
func (s *session) Grant() time.Duration {
	d, ok := s.p.dev.(device.Fetcher)
	if !ok || s.p.debug != nil {
		return 0
	}
	return d.Grant()
}

// Begin begins to read elements, and whether a kernel before failed, if the device can.
func (s *session) Begin(places []eval.Place) (bool, error) {
	d, ok := s.p.dev.(device.Fetcher)
	if !ok || s.p.debug != nil || len(s.early) == mostEarly {
		return false, nil
	}
	if err := s.Ended(); err != nil {
		return false, err
	}
	if len(s.unused) == 0 {
		s.unused = append(s.unused, new(early))
	}
	e := s.unused[len(s.unused)-1]
	e.places, e.regions, e.data = places, e.regions[:0], make([][8]byte, len(places))
	for i, p := range places {
		size, b := int64(p.Elem.Size()), s.p.blocks.place(p.Block)
		if !s.Has(p) { // A check that comes before the reading may say so.
			return false, nil
		}
		e.regions = append(e.regions, regionOf(b, p.Index*size, e.data[i][:size]))
	}
	if s.risk {
		e.regions = append(e.regions, device.Region{Buffer: s.failure, Data: e.failed[:]})
	}
	f, err := d.Fetch(e.regions...)
	if f == nil || err != nil {
		return false, err
	}
	e.fetch, e.risk, s.busy, s.risk = f, s.risk, false, false
	s.early, s.unused = append(s.early, e), s.unused[:len(s.unused)-1]
	return true, nil
}

// Has reports whether a block has an element.
func (s *session) Has(p eval.Place) bool {
	b := s.p.blocks.place(p.Block)
	return p.Index >= 0 && b.Buffer != nil && (p.Index+1)*int64(p.Elem.Size()) <= b.Size
}

// Finish waits for the elements whose reading began first.
func (s *session) Finish() ([]uint64, error) {
	e := s.early[0]
	if err := s.finish(); err != nil {
		return nil, err
	}
	s.words = s.words[:0]
	for i, p := range e.places {
		s.words = append(s.words, prim.Canonical(p.Elem, binary.LittleEndian.Uint64(e.data[i][:])))
	}
	return s.words, nil
}

// finish waits for the reading that began first, and notes what failed before it. Other calls go on meanwhile.
func (s *session) finish() error {
	e := s.early[0]
	s.early, s.unused = slices.Delete(s.early, 0, 1), append(s.unused, e)
	s.p.mu.Unlock()
	err := e.fetch.Wait()
	s.p.mu.Lock()
	if err != nil || !e.risk {
		return err
	}
	return s.noteFailure(e.failed[:])
}

// finishAll waits for all readings that have begun.
func (s *session) finishAll() error {
	var err error
	for len(s.early) > 0 {
		if failed := s.finish(); err == nil {
			err = failed
		}
	}
	return err
}

// Drop ends the readings that have begun. What failed before them is read with the next one.
func (s *session) Drop() {
	for _, e := range s.early {
		e.fetch.Drop()
		s.busy, s.risk = true, s.risk || e.risk
	}
	s.early, s.unused = s.early[:0], append(s.unused, s.early...)
}
