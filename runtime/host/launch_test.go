package host_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// launches is a program whose entry point launches a kernel as often as its first argument says, and reads nothing back.
const launches = `entry "main" main "" {
  param "times" "i64" -1 (0: i64)
  param "xs" "[n]i32" -1 (2: [param 1]i32)
}
kernel add(n_1: idx, k_2: i64, read @xs_0: i32, write @ys_1: i32) group 8 {
  let i_3: idx = thread_id
  if lt.idx(i_3, n_1) {
    @ys_1[i_3] = add.i32(@xs_0[i_3], conv.i64.i32(k_2))
  }
}
fun main(times_1: i64, n_2: i64, xs_3: block) -> () {
  alloc ys_4: i32[n_2]
  for i_5: i64 < times_1 {
    launch add<div.i64(add.i64(n_2, 7:i64), 8:i64)>(conv.i64.idx(n_2), i_5) blocks(xs_3, ys_4) fits(n_2)
  }
}
`

// nullDevice counts what it is asked and does nothing.
func nullDevice() device.Device {
	dev := device.NewRecorder(device.NullFacts())
	dev.Quiet = true
	return dev
}

// upload uploads the arguments of the program above.
func upload(t testing.TB, p *host.Program, times int64) *host.Args {
	t.Helper()
	args, err := p.Upload("main", []value.Value{
		value.FromSlice([]int64{times}).Row(0), value.FromSlice(make([]int32, 100)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return args
}

func TestALaunchAllocatesNothing(t *testing.T) {
	p := load(t, nullDevice(), launches)
	allocations := func(times int64) float64 {
		args := upload(t, p, times)
		return testing.AllocsPerRun(10, func() {
			if _, err := p.Run(args); err != nil {
				t.Error(err)
			}
		})
	}
	if few, many := allocations(1), allocations(1001); many != few {
		t.Errorf("1 launch: %v allocations, 1001 launches: %v", few, many)
	}
}

// BenchmarkLaunch is what the host does for a launch, and the whole of it with what the null device adds.
func BenchmarkLaunch(b *testing.B) {
	p := load(b, nullDevice(), launches)
	args := upload(b, p, int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := p.Run(args); err != nil {
		b.Fatal(err)
	}
}

// held is a device whose first wait lasts until somebody lets it go.
type held struct {
	device.Device
	once          sync.Once
	waiting, free chan struct{}
}

func hold(dev device.Device) *held {
	return &held{Device: dev, waiting: make(chan struct{}), free: make(chan struct{})}
}

func (d *held) Download(regions ...device.Region) error {
	first := false
	d.once.Do(func() { first = true })
	if first {
		close(d.waiting)
		<-d.free
	}
	return d.Device.Download(regions...)
}

// A call that waits for the device holds up no other, and a failure is that of the call whose kernel failed.
func TestCallsOverlap(t *testing.T) {
	dev := hold(cpu.Open(cpu.Options{}))
	p := load(t, dev, double)
	failed := make(chan error, 1)
	go func() {
		_, err := p.Call("main", []value.Value{value.FromSlice([]int32{1, 300})})
		failed <- err
	}()
	<-dev.waiting
	other := make(chan error, 1)
	go func() {
		got, err := p.Call("main", []value.Value{value.FromSlice([]int32{1, 2})})
		if err == nil && got[0].String() != "[11i32, 12i32]" {
			t.Errorf("the other call returns %v", got[0])
		}
		other <- err
	}()
	select {
	case err := <-other:
		if err != nil {
			t.Errorf("the other call: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the other call waits for the first")
	}
	close(dev.free)
	if err := <-failed; err == nil || err.(*host.Error).Message != "bad 300 at 1 in %" {
		t.Errorf("the first call: %v", err)
	}
}

func TestResultsAndFailuresComeInOneRoundTrip(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	args := []value.Value{value.FromSlice([]int32{1, 2})}
	for range 2 { // the first call computes the constants, too
		before := dev.Stats().Syncs
		if _, err := p.Call("main", args); err != nil {
			t.Fatal(err)
		}
		if n := dev.Stats().Syncs - before; n != 1 {
			t.Errorf("a call waits %d times", n)
		}
	}
}

// The same for the last run on arguments that are on the device already, as executables have them, whose results are read as streams:
// large ones are read as they are taken.
func TestSmallResultsOfTheLastRunComeWithIt(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	for _, c := range []struct{ n, waits int }{{2, 1}, {0, 0}, {1 << 20, 2}} {
		a, err := p.Upload("main", []value.Value{value.FromSlice(make([]int32, c.n))})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Init(context.Background()); err != nil {
			t.Fatal(err)
		}
		before := dev.Stats().Syncs
		r, err := p.RunLast(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		streams, err := p.Streams(r)
		if err != nil {
			t.Fatal(err)
		}
		v, err := streams[0].Value()
		if err != nil || v.Len() != c.n || c.n > 0 && v.At(c.n-1).Int() != 10 {
			t.Errorf("%d elements: the result has %d, %v", c.n, v.Len(), err)
		}
		if n := int(dev.Stats().Syncs - before); n != c.waits {
			t.Errorf("%d elements: %d waits, wanted %d", c.n, n, c.waits)
		}
		p.FreeResults(r)
		p.FreeArgs(a)
	}
}

// The last run on arguments overwrites what it consumes, and frees the rest as it goes; others keep the arguments as they are.
func TestTheLastRunTakesItsArguments(t *testing.T) {
	const n = 1 << 16
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, `entry "main" main "" {
  param unique "xs" "[n]i32" -1 (1: [param 0]i32)
  result "" "[]i32" -1 (0: [param 0]i32)
}
kernel add(n_1: idx, write @xs_0: i32) group 8 {
  if lt.idx(thread_id, n_1) {
    @xs_0[thread_id] = add.i32(@xs_0[thread_id], 1:i32)
  }
}
fun main(n_1: i64, xs_2: block) -> (xs_2) {
  launch add<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(xs_2) fits(n_1)
}
`)
	before := dev.Stats()
	args, err := p.Upload("main", []value.Value{value.FromSlice(make([]int32, n))})
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range []func(context.Context, *host.Args) (*host.Results, error){p.RunContext, p.RunContext, p.RunLast} {
		r, err := run(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Download(r); err != nil || got[0].At(n-1).Int() != 1 {
			t.Errorf("run %d: %v, %v", i, got[0].At(n-1), err)
		}
		p.FreeResults(r)
	}
	s := dev.Stats()
	if copies := s.Copies - before.Copies; copies != 2 {
		t.Errorf("the argument is copied %d times for three runs", copies)
	}
	if s.InUse != before.InUse {
		t.Errorf("%d bytes stay in use after the last run", s.InUse-before.InUse)
	}
	p.FreeArgs(args) // There is nothing to free any more.
}

// Small arguments and large ones are all there once UploadWhile has returned, which has prepared the program meanwhile.
func TestArgumentsComeWhileTheProgramIsPrepared(t *testing.T) {
	for _, n := range []int{3, 1<<20 + 1, value.PieceBytes / 2} {
		p := load(t, cpu.Open(cpu.Options{}), double)
		xs := make([]int32, n)
		xs[n-1] = 5
		args, err := p.UploadWhile("main", func(int, value.Type) (*value.Stream, error) { return value.FromSlice(xs).Stream(), nil },
			func(a *host.Args) error { return p.Prepare(t.Context(), a) })
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.RunLast(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		streams, err := p.Streams(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := streams[0].Value(); err != nil || got.At(n-1).Int() != 15 || got.At(n-2).Int() != 10 {
			t.Errorf("%d elements: %v, %v", n, got.At(n-1), err)
		}
	}
}

// Arguments and results may come and go in chunks.
func TestStreamsOfArgumentsAndResults(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	xs := make([]int32, value.PieceBytes/2)
	xs[len(xs)-1] = 5
	args, err := p.UploadStreams("main", func(int, value.Type) (*value.Stream, error) { return value.FromSlice(xs).Stream(), nil })
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.RunLast(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	streams, err := p.Streams(r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := streams[0].Value()
	if err != nil || len(streams) != 2 || got.Len() != len(xs) || got.At(0).Int() != 10 || got.At(len(xs)-1).Int() != 15 {
		t.Errorf("%d streams, %v", len(streams), err)
	}
	p.FreeResults(r)
	before := dev.Stats().InUse
	broken := errors.New("broken")
	if _, err := p.UploadStreams("main", func(int, value.Type) (*value.Stream, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	halfway, err := value.NewStream(value.Type{Elem: prim.I32, Dims: []int{9}}, func(int) ([]byte, error) { return nil, broken })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UploadStreams("main", func(int, value.Type) (*value.Stream, error) { return halfway, nil }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := p.UploadWhile("main", func(int, value.Type) (*value.Stream, error) { return value.FromSlice(xs[:9]).Stream(), nil },
		func(*host.Args) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if n := dev.Stats().InUse; n != before {
		t.Errorf("%d bytes stay in use after uploads that broke off", n-before)
	}
}
