package cuda

import (
	"sync/atomic"
	"testing"
	"time"
)

// opened reports whether the fake's stream, which waited for the host, can go on.
func (f *fake) opened() bool { return atomic.LoadUint32(at[uint32](f.gate[0])) == uint32(f.gate[1]) }

// While launches are measured the stream waits for each until its second event is in the stream, and no longer; else it waits for none.
func TestMeasuredLaunchesBeginWhenTheyAreInTheStream(t *testing.T) {
	d, f := openFake(t, Options{Profile: true})
	c := newChain(t, d)
	for n := range 3 {
		if err := c.launch(1); err != nil {
			t.Fatal(err)
		}
		if f.calls["StreamWaitValue32"] != n+1 || !f.opened() {
			t.Fatalf("the stream waited %d times, the last %v", f.calls["StreamWaitValue32"], f.gate)
		}
	}
	if err := d.Close(); err != nil || len(f.memory) != 0 {
		t.Errorf("closed with %v; %d blocks are left", err, len(f.memory))
	}
	d, f = openFake(t, Options{})
	if err := newChain(t, d).launch(3); err != nil || f.calls["StreamWaitValue32"] != 0 {
		t.Errorf("launches that are not measured waited %d times (%v)", f.calls["StreamWaitValue32"], err)
	}
}

// The stream goes on after a launch that fails, and where the driver waits for the stream to launch.
func TestNoStreamWaitsForEver(t *testing.T) {
	d, f := openFake(t, Options{Profile: true})
	c := newChain(t, d)
	f.fail["LaunchKernel"] = 701
	if err := c.launch(1); err == nil || !f.opened() {
		t.Errorf("a launch that failed (%v) left the stream waiting", err)
	}
	if err := d.enter("launch", func() uint32 { d.gate.close(d); return 0 }); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); !f.opened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the stream waits")
		}
	}
}

// A timer that has run out may come to let the stream go on when the device is closed.
func TestATimerMayComeAfterTheDeviceIsClosed(t *testing.T) {
	d, _ := openFake(t, Options{Profile: true})
	if err := newChain(t, d).launch(1); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d.gate.let()
}

// Where the driver cannot make a stream wait, launches are measured all the same.
func TestLaunchesAreMeasuredWithoutWaits(t *testing.T) {
	d, f := openFake(t, Options{Profile: true})
	f.fail["StreamWaitValue32"] = 801
	c := newChain(t, d)
	if err := c.launch(3); err != nil {
		t.Fatal(err)
	}
	if n := len(d.Timings()); n != 3 || f.calls["StreamWaitValue32"] != 1 {
		t.Errorf("%d times, %d calls", n, f.calls["StreamWaitValue32"])
	}
}
