package cuda

import (
	"bytes"
	"errors"
	"testing"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// chain launches scale on two buffers in turn, by factors in turn, and returns what it makes of 1 in each.
type chain struct {
	d       *Device
	kernel  device.Kernel
	buffers [2]device.Buffer
	want    [2]uint32
	n       int
}

func newChain(t *testing.T, d *Device) *chain {
	t.Helper()
	ks, err := d.Compile([]device.KernelSpec{scaleSpec})
	if err != nil {
		t.Fatal(err)
	}
	c := &chain{d: d, kernel: ks[0], want: [2]uint32{1, 1}}
	for i := range c.buffers {
		b, err := d.Alloc(4)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Upload(b, 0, devicetest.Words(1)); err != nil {
			t.Fatal(err)
		}
		c.buffers[i] = b
	}
	return c
}

// launch launches n more.
func (c *chain) launch(n int) error {
	for range n {
		at, factor := c.n%2, uint32(c.n%5)*2+3
		c.n++
		c.want[at] *= factor
		err := c.d.Launch(device.Launch{
			Kernel: c.kernel, Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: c.buffers[at]}},
			Params: devicetest.Words(1, factor),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// check compares what is in the buffers with what must be.
func (c *chain) check(t *testing.T) {
	t.Helper()
	for i, b := range c.buffers {
		got := make([]byte, 4)
		if err := c.d.Download(device.Region{Buffer: b, Data: got}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, devicetest.Words(c.want[i])) {
			t.Errorf("after %d launches buffer %d has %x, not %x", c.n, i, got, c.want[i])
		}
	}
}

func TestManyLaunchesBecomeGraphs(t *testing.T) {
	d, f := openFake(t, Options{})
	c := newChain(t, d)
	for range 40 { // Before there are graphs, too.
		if err := c.launch(4 + 16 + 16 + 16 + 8 + 4 + 3); err != nil {
			t.Fatal(err)
		}
		c.check(t)
	}
	if f.calls["GraphCreate"] != 3 || f.calls["GraphLaunch"] < 150 {
		t.Errorf("%d graphs were made, %d launched", f.calls["GraphCreate"], f.calls["GraphLaunch"])
	}
	if n := d.Stats().Launches; n != int64(c.n) {
		t.Errorf("%d launches are counted, of %d", n, c.n)
	}
	if err := d.Close(); err != nil || f.held != 0 || len(f.memory) != 0 {
		t.Errorf("closed with %v; %d handles and %d blocks are left", err, f.held, len(f.memory))
	}
}

func TestWhatFollowsLaunchesComesAfterThem(t *testing.T) {
	d, f := openFake(t, Options{})
	c := newChain(t, d)
	if err := c.launch(launchesBeforeGraphs + aheadOfGraphs); err != nil {
		t.Fatal(err)
	}
	b, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	for name, follow := range map[string]func() error{
		"copy":   func() error { return d.Copy(b, 0, c.buffers[0], 0, 4) },
		"fill":   func() error { return d.Fill(b, 0, 4, 7) },
		"upload": func() error { return d.Upload(b, 0, devicetest.Words(9)) },
		"flush":  d.Flush,
		"drop": func() error {
			d.dropBlock(0)
			return nil
		},
		"sync": d.Sync,
	} {
		c.check(t)
		c.n = 0 // The same launches as before.
		if err := c.launch(aheadOfGraphs + 9); err != nil {
			t.Fatal(err)
		}
		before := f.calls["LaunchKernel"] + 8*f.calls["GraphLaunch"]
		if err := follow(); err != nil {
			t.Fatal(err)
		}
		if n := f.calls["LaunchKernel"] + 8*f.calls["GraphLaunch"] - before; n != 9 || d.collector.n.Load() != 0 {
			t.Errorf("%s put %d launches into the stream, and left %d", name, n, d.collector.n.Load())
		}
	}
}

func TestNodesWithTheSameArgumentsAreNotSetAgain(t *testing.T) {
	d, f := openFake(t, Options{})
	c := newChain(t, d)
	for range 10 {
		c.n = 0
		if err := c.launch(launchesBeforeGraphs + aheadOfGraphs); err != nil {
			t.Fatal(err)
		}
		c.check(t)
	}
	// 260 launches a round are 4 by themselves and 256 in graphs of 16, each of which begins with another factor than the one before.
	if n := f.calls["GraphExecKernelNodeSetParams"]; n == 0 || n >= 9*256 {
		t.Errorf("%d nodes were set", n)
	}
	set := f.calls["GraphExecKernelNodeSetParams"]
	for range 40 {
		if err := d.launchSame(c, graphSizes[0]); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.calls["GraphExecKernelNodeSetParams"] - set; n > graphSizes[0] {
		t.Errorf("%d nodes were set for launches that are all the same", n)
	}
}

// launchSame launches the same n times.
func (d *Device) launchSame(c *chain, n int) error {
	for range n {
		c.n = 0
		if err := c.launch(1); err != nil {
			return err
		}
	}
	return nil
}

func TestFrequentWaitsHaveNoGraphsOfOtherArguments(t *testing.T) {
	d, f := openFake(t, Options{})
	c := newChain(t, d)
	graphs := func(rounds, launches int, same bool) int {
		before := f.calls["GraphLaunch"]
		for range rounds {
			if same {
				c.n = 0
			}
			if err := c.launch(launches); err != nil {
				t.Fatal(err)
			}
			c.check(t)
		}
		return f.calls["GraphLaunch"] - before
	}
	if n := graphs(50, aheadOfGraphs+16, true); n < 20 {
		t.Errorf("%d graphs in 50 rounds of the same launches", n)
	}
	if n := graphs(50, 27, false); n > 4 {
		t.Errorf("%d graphs in 50 rounds of few launches, which are others each time", n)
	}
	if n := graphs(2, 200, false); n < 10 {
		t.Errorf("%d graphs in two rounds of many launches", n)
	}
}

func TestLaunchesGoOnWithoutGraphs(t *testing.T) {
	for _, failing := range []string{
		"GraphCreate", "GraphAddKernelNode", "GraphInstantiateWithFlags", "GraphExecKernelNodeSetParams", "GraphLaunch",
	} {
		d, f := openFake(t, Options{})
		c := newChain(t, d)
		f.fail[failing] = 801
		if err := c.launch(1000); err != nil {
			t.Fatal(failing, err)
		}
		c.check(t)
		if f.calls[failing] != 1 {
			t.Errorf("%s was called %d times", failing, f.calls[failing])
		}
		if err := d.Close(); err != nil || f.held != 0 {
			t.Errorf("%s: closed with %v; %d handles are left", failing, err, f.held)
		}
	}
}

func TestACollectedLaunchThatFailsIsNamed(t *testing.T) {
	d, f := openFake(t, Options{})
	c := newChain(t, d)
	if err := c.launch(launchesBeforeGraphs + aheadOfGraphs + 3); err != nil {
		t.Fatal(err)
	}
	f.fail["LaunchKernel"] = 701
	if err := d.Sync(); !errors.Is(err, device.Limit) {
		t.Errorf("three launches of too large workgroups: %v", err)
	}
}

func TestProfilesAreOfLaunchesByThemselves(t *testing.T) {
	d, f := openFake(t, Options{Profile: true})
	c := newChain(t, d)
	if err := c.launch(1000); err != nil {
		t.Fatal(err)
	}
	c.check(t)
	if n := len(d.Timings()); n != 1000 || f.calls["GraphCreate"] != 0 {
		t.Errorf("%d launches are measured, %d graphs made", n, f.calls["GraphCreate"])
	}
}
