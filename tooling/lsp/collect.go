package lsp

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// Note [Collecting between edits]
// While an editor waits, nothing should be collected: checking again after an edit makes up to 100 MB of types and trees, and collecting
// meanwhile takes as long as checking. So garbage is collected when no message has come for a moment, and otherwise when
// allowance bytes have been made since.

const (
	// allowance is how much is made before garbage is collected while messages come.
	allowance = 256 << 20
	// quiet is how long no message comes when the person who types has stopped.
	quiet = 300 * time.Millisecond
)

// collector collects the garbage of the process between messages.
type collector struct {
	timer *time.Timer
	// percent is what it was before the session.
	percent int
	mu      sync.Mutex
	stopped bool
}

func newCollector() *collector {
	c := &collector{percent: debug.SetGCPercent(100)}
	c.timer = time.AfterFunc(quiet, c.collect)
	return c
}

// later puts collecting off, since a message has come.
func (c *collector) later() { c.timer.Reset(quiet) }

func (c *collector) collect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return
	}
	runtime.GC()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(max(100, int(allowance*100/max(live[0].Value.Uint64(), 1))))
}

// stop leaves the process as it was.
func (c *collector) stop() {
	c.timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	debug.SetGCPercent(c.percent)
}
