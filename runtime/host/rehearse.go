package host

import (
	"errors"
	"slices"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/prim"
)

// Note [Rehearsals]
// ~~~~~~~~~~~~~~~~~
// Most guards compare sizes, which the arguments tell. So before an entry point runs for the first time its host code is run without a
// device: blocks are numbers, launches are noted and nothing is moved. It goes on up to where host code reads what kernels
// computed, or until it has done enough work. The forms of kernels that are noted are those that the run itself will launch; they
// are compiled together, all in parallel, before it starts. Programs whose guards are nested deeply would
// otherwise compile a few kernels at a time. What comes behind a read is compiled round by round: Note [Kernels on demand].
//
// A rehearsal is repeated before the next run after one that had to compile something all the same, for then the arguments have
// changed so much that other guards decide.

// rehearsal is the host of a rehearsal: it implements eval.Host.
type rehearsal struct {
	p       *Program
	tunes   []int64
	failure eval.Failure
	last    uint64          // the last handle that was given out
	large   map[uint64]bool // blocks that are bound in chunks
	alias   []int
	steps   int // how many more launches, calls and rounds of loops there may be
	noted   map[*kernel]bool
	forms   []*kernel
}

var _ eval.Host = (*rehearsal)(nil)

// firstRehearsed is where handles of rehearsals begin; those of blocks are below.
const firstRehearsed = 1 << 32

// rehearsalSteps bounds a rehearsal to a few milliseconds.
const rehearsalSteps = 10_000

// errUnknown ends a rehearsal where it cannot tell how the run goes on.
var errUnknown = errors.New("not known before the program runs")

// rehearse compiles what a call will launch, as far as its arguments tell, unless that is known to be compiled. It calls printed when
// all of it is printed, and the device has not begun. Program.mu is held.
func (p *Program) rehearse(c hostCall, printed func()) error {
	if p.rehearsed[c.fun] {
		return nil
	}
	if err := p.rounds.add(c.fun, p.parts); err != nil {
		return err
	}
	r := &rehearsal{
		p: p, tunes: p.tunes, last: firstRehearsed, steps: rehearsalSteps, large: map[uint64]bool{}, noted: map[*kernel]bool{},
	}
	// However it ends, the run launches what is noted by then.
	_, _ = p.code.Run(r, c.fun, c.args)
	if err := p.printForms(r.forms); err != nil {
		return err
	}
	printed()
	if err := p.compile(r.forms); err != nil {
		return err
	}
	p.rehearsed[c.fun] = true
	return nil
}

// Launch notes the form of the kernel that will be launched.
func (r *rehearsal) Launch(l *imp.Launch, _ int64, _, blocks []uint64, counts []int64, wide bool) error {
	if err := r.Ended(); err != nil {
		return err
	}
	r.alias = r.alias[:0]
	for _, b := range blocks {
		if r.isLarge(b) {
			return nil
		}
		r.alias = append(r.alias, slices.Index(blocks, b))
	}
	room, err := r.p.roomFor(l.Kernel, counts, !inLoop)
	if err != nil {
		return err
	}
	k, err := r.p.formFor(l.Kernel, r.alias, room, wide)
	if err == nil && !r.noted[k] {
		r.noted[k] = true
		r.forms = append(r.forms, k)
	}
	return err
}

// isLarge reports whether launches on a block are rare ones: see Note [Launch plans].
func (r *rehearsal) isLarge(block uint64) bool {
	if block < firstRehearsed {
		return r.p.blocks.place(block).Size > r.p.ordinary
	}
	return r.large[block]
}

// Alloc makes the number of a block.
func (r *rehearsal) Alloc(elem prim.Type, count int64) (uint64, error) {
	if count < 0 {
		return 0, errUnknown
	}
	r.last++
	if count > r.p.ordinary/int64(elem.Size()) {
		r.large[r.last] = true
	}
	return r.last, nil
}

// Data makes the number of a block.
func (r *rehearsal) Data(d *imp.Data) (uint64, error) { return r.Alloc(d.Elem, 0) }

// Copy does nothing.
func (r *rehearsal) Copy(prim.Type, uint64, int64, uint64, int64, int64) error { return nil }

// Fill does nothing.
func (r *rehearsal) Fill(prim.Type, uint64, int64, int64, uint64) error { return nil }

// Write does nothing.
func (r *rehearsal) Write(prim.Type, uint64, int64, uint64) error { return nil }

// Read ends the rehearsal: what it would read is not computed.
func (r *rehearsal) Read([]eval.Place) ([]uint64, error) { return nil, errUnknown }

// Trace does nothing.
func (r *rehearsal) Trace(*imp.Trace, []eval.Traced) error { return nil }

// Retain does nothing: the blocks of arguments are the caller's.
func (r *rehearsal) Retain(uint64) {}

// Release does nothing.
func (r *rehearsal) Release(uint64) {}

// Const is a constant of the program.
func (r *rehearsal) Const(i int) uint64 { return r.p.consts[i] }

// Tune is a tuning parameter.
func (r *rehearsal) Tune(i int) int64 { return r.tunes[i] }

// Failure is where a failed assertion is noted; the run will meet it again.
func (r *rehearsal) Failure() *eval.Failure { return &r.failure }

// Ended ends a rehearsal that has done enough.
func (r *rehearsal) Ended() error {
	if r.steps--; r.steps < 0 {
		return errUnknown
	}
	return nil
}
