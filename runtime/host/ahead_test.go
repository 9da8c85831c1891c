package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// granting is a device that grants rounds that are recorded together so much time, and has room for so many buffers.
type granting struct {
	*cpu.Device
	time time.Duration
	room int // negative for any
	used int
}

func (g *granting) Grant() time.Duration { return g.time }

func (g *granting) Alloc(size int64) (device.Buffer, error) {
	if g.room >= 0 && g.used >= g.room {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: "allocate"}
	}
	b, err := g.Device.Alloc(size)
	if err == nil {
		g.used++
	}
	return b, err
}

func (g *granting) Free(b device.Buffer) {
	g.used--
	g.Device.Free(b)
}

// roundsAhead adds 1 and 2 to the numbers of a block, in rounds, until the first is n or more.
const roundsAhead = `site "a.fut:1:1" "too large" ()
entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  result "" "i64" -1 (0: i64)
  result "" "i64" -1 (1: i64)
  result "" "i64" -1 (2: i64)
}
kernel one(read @xs_0: i64, write @ys_1: i64) group 4 {
  @ys_1[thread_id] = add.i64(@xs_0[thread_id], 1:i64)
}
kernel two(n_1: i64, read @xs_0: i64, write @ys_1: i64, write @zs_2: i64) group 4 {
  assert lt.i64(n_1, 50:i64) site 0 ()
  @ys_1[thread_id] = add.i64(@xs_0[thread_id], 2:i64)
  @zs_2[thread_id] = @xs_0[thread_id]
}
fun main(n_1: i64) -> (sum_2, i_3, last_4) {
  alloc a_5: i64[4:i64]
  alloc z_6: i64[4:i64]
  fill i64 a_5[0:i64], 4:i64 = 0:i64
  fill i64 z_6[0:i64], 4:i64 = 0:i64
  let p_7: block = a_5
  free a_5
  let i_3: i64 = 0:i64
  let last_4: i64 = 0:i64
  let more_8: bool = lt.i64(0:i64, n_1)
  while more_8 {
    let t_12: i64 = add.i64(i_3, 1:i64)
    alloc b_9: i64[4:i64]
    launch one<1:i64>() blocks(p_7, b_9) fits()
    BODY
    let next_11: block = c_10
    free c_10
    p_7 = next_11
    free next_11
    i_3 = t_12
    last_4 = x_13
    more_8 = logand.bool(lt.i64(x_13, n_1), lt.i64(t_12, 12:i64))
  }
  read x_14: i64 = p_7[3:i64]
  read x_15: i64 = z_6[0:i64]
  let sum_2: i64 = add.i64(mul.i64(x_14, 1000:i64), x_15)
}
`

// Loops whose rounds are recorded ahead end as they would otherwise, with fewer waits, and hold nothing that they have thrown away.
func TestRoundsAreRecordedAhead(t *testing.T) {
	const whole = `alloc c_10: i64[4:i64]
    launch one<1:i64>() blocks(b_9, c_10) fits()
    free b_9
    read x_13: i64 = c_10[0:i64]`
	const start = `read x_16: i64 = b_9[0:i64]
    alloc c_10: i64[4:i64]
    launch two<1:i64>(x_16) blocks(b_9, c_10, z_6) fits()
    free b_9
    read x_13: i64 = c_10[1:i64]`
	const larger = `alloc d_17: i64[4:i64]
    launch one<1:i64>() blocks(p_7, d_17) fits()
    read x_16: i64 = b_9[0:i64]
    free d_17
    alloc c_10: i64[4:i64]
    launch two<1:i64>(x_16) blocks(b_9, c_10, z_6) fits()
    free b_9
    alloc r_18: i64[4:i64]
    launch one<1:i64>() blocks(c_10, r_18) fits()
    read x_13: i64 = r_18[0:i64]
    free r_18`
	for _, c := range []struct {
		name, body string
		n          int64
		grant      time.Duration
		room       int // beside what the run needs without
		waits      int64
		want       string // sum, rounds, the last number that was read
	}{
		{"whole rounds", whole, 20, time.Hour, -1, 1 + 7, "20000i64 10i64 20i64"}, // a round by itself, then 1, 1, 1, 2, 2 and 3
		{"whole rounds, one by one", whole, 20, 0, -1, 1 + 10, "20000i64 10i64 20i64"},
		{"whole rounds that take long", whole, 20, 1, -1, 1 + 10, "20000i64 10i64 20i64"},
		{"whole rounds with memory for one more", whole, 20, time.Hour, 0, 1 + 10, "20000i64 10i64 20i64"},
		{"whole rounds to a number of them", whole, 1000, time.Hour, -1, 1 + 8, "24000i64 12i64 24i64"},
		{"one whole round", whole, 2, time.Hour, -1, 1 + 1, "2000i64 1i64 2i64"},
		{"no round", whole, 0, time.Hour, -1, 1, "0i64 0i64 0i64"},
		{"starts of rounds", start, 30, time.Hour, -1, 1 + 1 + 11, "30028i64 10i64 30i64"},
		{"starts of rounds, one by one", start, 30, 0, -1, 1 + 20, "30028i64 10i64 30i64"},
		{"starts of rounds that take long", start, 30, 1, -1, 1 + 20, "30028i64 10i64 30i64"},
		{"starts of rounds with memory for them", larger, 30, time.Hour, 1, 1 + 1 + 11, "30028i64 10i64 31i64"},
		{"starts of rounds without memory for them", larger, 30, time.Hour, 0, 1 + 20, "30028i64 10i64 31i64"},
		{"one start of a round", start, 3, time.Hour, -1, 1 + 2, "3001i64 1i64 3i64"},
		{"starts of rounds to a number of them", start, 1000, time.Hour, -1, 1 + 1 + 13, "36034i64 12i64 36i64"},
		{"a failure", strings.ReplaceAll(start, "(x_16)", "(mul.i64(x_16, 3:i64))"), 1000, time.Hour, -1, -1, "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := imp.Parse(strings.ReplaceAll(roundsAhead, "BODY", c.body))
			if err != nil {
				t.Fatal(err)
			}
			text := imp.Print(imp.Ahead(p))
			if !strings.Contains(text, " ahead ") {
				t.Fatalf("nothing may be done ahead:\n%s", text)
			}
			dev := &granting{Device: cpu.Open(cpu.Options{}), time: c.grant, room: -1}
			program := load(t, dev, text)
			for range 2 { // the second time there must be nothing left of the first
				before, used := dev.Stats(), dev.used
				if c.room >= 0 {
					dev.room = used + 4 + c.room
				}
				got, err := program.Call("main", []value.Value{value.Scalar(prim.MakeI64(c.n))})
				dev.room = -1
				text := fmt.Sprint(err)
				if err == nil {
					text = fmt.Sprint(got[0], got[1], got[2])
				}
				if !strings.Contains(text, c.want) {
					t.Errorf("%s, wanted %s", text, c.want)
				}
				if n := dev.Stats().Syncs - before.Syncs; c.waits >= 0 && n != c.waits {
					t.Errorf("%d waits, wanted %d", n, c.waits)
				}
				if dev.used != used {
					t.Errorf("%d buffers are in use, %d before", dev.used, used)
				}
			}
		})
	}
}

// ordering notes when launches are recorded, and readings begin and end.
type ordering struct {
	granting
	events strings.Builder
}

func (o *ordering) Launch(l device.Launch) error {
	o.events.WriteString(" launch")
	return o.granting.Launch(l)
}

func (o *ordering) Fetch(regions ...device.Region) (device.Fetch, error) {
	o.events.WriteString(" begin")
	f, err := o.granting.Fetch(regions...)
	return ordered{f, o}, err
}

type ordered struct {
	device.Fetch
	o *ordering
}

func (f ordered) Wait() error {
	f.o.events.WriteString(" wait\n")
	return f.Fetch.Wait()
}

func (f ordered) Drop() {
	f.o.events.WriteString(" drop\n")
	f.Fetch.Drop()
}

// Rounds that are recorded while the host waits for those before are handed to the device with the reading of their conditions, before the
// host waits. Nobody waits for rounds in vain.
func TestABatchOfRoundsIsOneSubmission(t *testing.T) {
	const body = `alloc c_10: i64[4:i64]
    launch one<1:i64>() blocks(b_9, c_10) fits()
    free b_9
    read x_13: i64 = c_10[0:i64]`
	p, err := imp.Parse(strings.ReplaceAll(roundsAhead, "BODY", body))
	if err != nil {
		t.Fatal(err)
	}
	dev := &ordering{granting: granting{Device: cpu.Open(cpu.Options{}), time: time.Hour, room: -1}}
	program := load(t, dev, imp.Print(imp.Ahead(p)))
	if _, err := program.Call("main", []value.Value{value.Scalar(prim.MakeI64(14))}); err != nil {
		t.Fatal(err)
	}
	const want = ` launch launch launch launch begin launch launch begin wait
 launch launch begin wait
 launch launch launch launch begin wait
 launch launch launch launch begin wait
 launch launch launch launch launch launch begin wait
 drop
`
	if got := dev.events.String(); got != want {
		t.Errorf("the device hears\n%swanted\n%s", got, want)
	}
}

// A loop that ends by a number of rounds, which the host knows, records none in vain.
func TestNoRoundIsRecordedPastAKnownBound(t *testing.T) {
	const whole = `alloc c_10: i64[4:i64]
    launch one<1:i64>() blocks(b_9, c_10) fits()
    free b_9
    read x_13: i64 = c_10[0:i64]`
	const start = `read x_16: i64 = b_9[0:i64]
    alloc c_10: i64[4:i64]
    launch two<1:i64>(x_16) blocks(b_9, c_10, z_6) fits()
    free b_9
    read x_13: i64 = c_10[1:i64]`
	for _, body := range []string{whole, start} {
		p, err := imp.Parse(strings.ReplaceAll(roundsAhead, "BODY", body))
		if err != nil {
			t.Fatal(err)
		}
		dev := &ordering{granting: granting{Device: cpu.Open(cpu.Options{}), time: time.Hour, room: -1}}
		program := load(t, dev, imp.Print(imp.Ahead(p)))
		if _, err := program.Call("main", []value.Value{value.Scalar(prim.MakeI64(1000))}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(dev.events.String(), "launch"); n != 2*12 {
			t.Errorf("%d launches, wanted those of 12 rounds:\n%s", n, dev.events.String())
		}
	}
}
