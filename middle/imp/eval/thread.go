package eval

import (
	"fmt"
	"sync/atomic"
)

// exp computes a value, stm runs a statement and reports whether the thread
// goes on.
type (
	exp func(t *thread) uint64
	stm func(t *thread) bool
)

// thread is what closures run for: host code, or one lane of a block.
type thread struct {
	regs  []uint64 // those of a lane are as far apart as its block is wide
	same  []uint64 // by variable: those that all active lanes agree on
	mems  [][]byte // by imp.Mem
	group *group
	id    int64 // in the grid
	lane  int   // in the block
	host  Host  // of host code
	// failed says that an assertion failed in the AtomicUpdate that runs.
	failed bool
	calls  int    // of host code: those that it is nested in
	begun  []bool // of host code: read-backs that have begun, by their slots
	// fetched is what has been read before the readings that come next: see Note [Recording ahead].
	fetched fetched
	windows []window // of host code: what is read for several rounds of loops, by slots
	// args and blocks are memory for the launches of host code.
	args, blocks []uint64
	room         []int64 // likewise
	// frames are the blocks that stand for this one in device functions, by the device functions' numbers. No device function calls
	// itself, so one each
	// is enough.
	frames []*block
}

// group is the state of one workgroup, or of threads of several.
type group struct {
	count    int64 // of workgroups
	subgroup int64
	blocks   []*block
	fail     *Failure
	stop     *atomic.Bool // see Launch.Stop
	watch    *Watch       // see Launch.Watch
	races    *Races       // see Launch.Races
	// epoch and sharedEpoch count the barriers so far that order accesses to global and to shared arrays.
	epoch, sharedEpoch int64
}

// stopped reports whether the work is to be broken off. Each loop asks after each round.
func (t *thread) stopped() bool {
	if t.group != nil {
		return t.group.stop.Load()
	}
	return !must(t.host.Ended())
}

// Failure is the first failed assertion of a batch; its zero value is none.
type Failure struct {
	claimed atomic.Bool
	done    atomic.Bool
	site    int32
	values  []uint64
}

// Failed reports whether an assertion failed.
func (f *Failure) Failed() bool { return f != nil && f.claimed.Load() }

// Get is the site that failed and the values it reports, if one has. No
// kernel may be running.
func (f *Failure) Get() (site int32, values []uint64, ok bool) {
	return f.site, f.values, f.done.Load()
}

// Set notes a failure unless there is one already.
func (f *Failure) Set(site int32, values []uint64) {
	if f.claimed.CompareAndSwap(false, true) {
		f.site, f.values = site, values
		f.done.Store(true)
	}
}

// fault is what panics when generated code is wrong; Run recovers it.
type fault struct{ text string }

func (f fault) Error() string { return f.text }

func faultf(format string, args ...any) { panic(fault{fmt.Sprintf(format, args...)}) }
