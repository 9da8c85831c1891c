package limits

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"time"
)

// Error says that memory does not suffice. Its text is a sentence for people.
type Error struct{ text string }

// Error returns the sentence.
func (e *Error) Error() string { return e.text }

// limit is one of the limits of the process.
type limit struct {
	name string // As in "the limit of …".
	// bytes is the limit and left what is left of it now.
	bytes, left int64
	// margin is what has to be left for the process to go on.
	margin int64
}

// none is a size that no machine has.
const none = math.MaxInt64

// plenty is a size that is not worth the asking.
const plenty = 16 << 20

// Check says why an array of n bytes cannot be made now, if it cannot. Where garbage takes the memory, it is collected first: arrays of
// calls that are over may be most of what a process holds.
func Check(n int64) error {
	if n <= plenty {
		return nil
	}
	err := fits(n)
	if err == nil {
		return nil
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); n/2 > int64(m.HeapSys) {
		return err // The garbage is too little.
	}
	debug.FreeOSMemory()
	return fits(n)
}

func fits(n int64) error {
	for _, l := range current() {
		if n > l.left-l.margin/2 {
			return &Error{fmt.Sprintf("out of memory: an array of %s is wanted, and of %s %s are left; use smaller arrays or raise the limit",
				size(n), l.name, size(max(l.left, 0)))}
		}
	}
	return nil
}

// interval is how often Watch looks. Memory is filled with some gigabytes a second, so that margins are tens of megabytes.
const interval = 4 * time.Millisecond

// Watch tells the garbage collector of the limits, and calls end with an error when one is nearly reached. The error that it returns
// says that there is too little to begin with.
func Watch(end func(error)) error {
	lowest := int64(none)
	for _, l := range current() {
		if l.bytes == none {
			continue
		}
		if l.left < l.margin {
			return &Error{fmt.Sprintf("out of memory: of %s %s are left, and at least %s are needed", l.name, size(max(l.left, 0)), size(l.margin))}
		}
		lowest = min(lowest, l.left-l.margin-l.margin/2) // Garbage is collected before the margin is reached.
	}
	if lowest == none {
		return nil
	}
	debug.SetMemoryLimit(lowest)
	go watch(end)
	return nil
}

func watch(end func(error)) {
	for range time.Tick(interval) {
		if l := reached(); l != nil {
			end(&Error{fmt.Sprintf("out of memory: %s is reached; use smaller arrays or raise the limit", l.name)})
		}
	}
}

// reached returns the limit of the process that is nearly reached, if one is. That of the machine is for others to watch.
func reached() *limit {
	for _, l := range current() {
		if l.bytes < none && l.left < l.margin {
			return &l
		}
	}
	return nil
}

// size is a number of bytes for people.
func size(n int64) string {
	if n < 10<<30 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}
