package host_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

// guarded has versions: few and both where n is below the tuning parameter, many in a loop otherwise, each behind a
// guard of its own, and last, which runs when a kernel has computed zero.
const guarded = `tune "threshold" "count" 10
entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  param "xs" "[m]i32" -1 (2: [param 1]i32)
}
kernel first(n_1: idx, write @xs_0: i32) group 8 { }
kernel few(n_1: idx, write @xs_0: i32) group 8 { }
kernel both(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 8 { }
kernel many(n_1: idx, write @xs_0: i32) group 8 { }
kernel last(n_1: idx, write @xs_0: i32) group 8 { }
kernel after(n_1: idx, write @xs_0: i32) group 8 { }
fun main(n_1: i64, m_2: i64, xs_3: block) -> () {
  tune t_4 = 0
  alloc ys_7: i32[n_1]
  alloc xs_9: i32[m_2]
  launch first<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) fits(n_1)
  if lt.i64(n_1, t_4) {
    launch few<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) fits(n_1)
    if lt.i64(n_1, 5:i64) {
      launch both<1:i64>(conv.i64.idx(n_1)) blocks(xs_9, xs_9) fits(n_1)
    } else {
      launch both<1:i64>(conv.i64.idx(n_1)) blocks(xs_9, ys_7) fits(n_1)
    }
  } else {
    for i_5: i64 < n_1 {
      launch many<1:i64>(i_5) blocks(xs_9) fits(n_1)
    }
  }
  read x_6: i32 = xs_9[0:i64]
  if eq.i32(x_6, 0:i32) {
    launch last<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) fits(n_1)
    while lt.i32(x_6, 0:i32) {
      launch after<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) fits(n_1)
    }
  }
}
`

// compiling is a null device that writes down the kernels of each batch that it compiles, and the launches between. It refuses one kernel.
type compiling struct {
	*device.Recorder
	mu       sync.Mutex
	events   []string
	refuse   string
	compiled []device.KernelSpec
	shared   []int // what launches ask for
}

func newCompiling() *compiling { return compilingWith(device.NullFacts()) }

func compilingWith(f device.Facts) *compiling {
	dev := &compiling{Recorder: device.NewRecorder(f)}
	dev.Quiet = true
	return dev
}

func (d *compiling) note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, text)
}

// told returns what was noted since the last call.
func (d *compiling) told() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	text := strings.Join(d.events, "; ")
	d.events = nil
	return text
}

var errRefused = errors.New("refused")

func (d *compiling) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	names := make([]string, len(specs))
	for i, s := range specs {
		if names[i] = s.Name; s.Name == d.refuse {
			return nil, errRefused
		}
	}
	d.note("compile " + strings.Join(names, " "))
	d.compiled = append(d.compiled, specs...)
	return d.Recorder.Compile(specs)
}

func (d *compiling) Launch(l device.Launch) error {
	d.note("launch " + l.Kernel.Spec().Name)
	d.shared = append(d.shared, l.Shared)
	return d.Recorder.Launch(l)
}

// Download reads zeros.
func (d *compiling) Download(regions ...device.Region) error {
	err := d.Recorder.Download(regions...)
	for _, r := range regions {
		clear(r.Data)
	}
	return err
}

func callGuarded(p *host.Program, n int64) error {
	_, err := p.Call("main", []value.Value{value.FromSlice([]int64{n}).Row(0), value.FromSlice([]int32{1})})
	return err
}

// print32 prints kernels for a device that counts in 32 bits unless a kernel is wide.
func print32(k *imp.Kernel) (*imp.Code, error) {
	c := &imp.Code{Source: imp.PrintKernel(k), Entry: k.Name, Wide: k.Vars[k.Params[0]].Type == imp.I64}
	c.Layout(k)
	return c, nil
}

func loadNarrow(t *testing.T, dev device.Device, src string) *host.Program {
	t.Helper()
	p, err := imp.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	out, err := host.Load(p, dev, print32)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKernelsAreCompiledBehindTheGuards(t *testing.T) {
	dev := newCompiling()
	p := loadNarrow(t, dev, guarded)
	steps := []struct {
		n    int64
		want string
	}{
		// All that the arguments decide, at once, in the form that is launched; behind the read a round.
		{3, "compile first few both; launch first; launch few; launch both; compile last after; launch last"},
		{3, "launch first; launch few; launch both; launch last"},
		// The last call compiled nothing, so there is no rehearsal before this one, which takes another form of a kernel.
		{7, "launch first; launch few; compile both; launch both; launch last"},
		// There is one now, since that call had to compile.
		{11, "compile many; launch first; " + strings.Repeat("launch many; ", 11) + "launch last"},
		{11, "launch first; " + strings.Repeat("launch many; ", 11) + "launch last"},
	}
	for i, s := range steps {
		if err := callGuarded(p, s.n); err != nil {
			t.Fatal(err)
		}
		if got := dev.told(); got != s.want {
			t.Errorf("call %d, n = %d:\n%s\nnot:\n%s", i, s.n, got, s.want)
		}
	}
}

func TestAWideFormTakesThePlaceOfTheUsualOne(t *testing.T) {
	dev := newCompiling()
	p := loadNarrow(t, dev, strings.ReplaceAll(guarded, "blocks(xs_9) fits(n_1)", "blocks(xs_9) fits(1073741824:i64)"))
	if err := callGuarded(p, 3); err != nil {
		t.Fatal(err)
	}
	want := "compile first few both; launch first; launch few; launch both; compile last after; launch last"
	if got := dev.told(); got != want {
		t.Errorf("%s\nnot:\n%s", got, want)
	}
}

// An array whose elements 31 bits cannot number is accessed by the wide form, whatever the sizes are that the kernel is given.
func TestALargeArrayTakesTheWideForm(t *testing.T) {
	facts := device.NullFacts()
	facts.MaxBufferSize, facts.MaxBindingSize = imp.WideLimit, imp.WideLimit
	dev := compilingWith(facts)
	p := loadNarrow(t, dev, `entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  param "xs" "[m]i32" -1 (2: [param 1]i32)
}
kernel fill(n_1: idx, write @rows_0: u8) group 8 {
  @rows_0[mul.idx(group_id, n_1)] = 1:u8
}
fun main(n_1: i64, m_2: i64, xs_3: block) -> () {
  alloc rows_4: u8[mul.i64(n_1, 65536:i64)]
  launch fill<65536:i64>(conv.i64.idx(n_1)) blocks(rows_4) fits(n_1)
}
`)
	for _, n := range []int64{1, imp.NarrowLimit / 65536} {
		if err := callGuarded(p, n); err != nil {
			t.Fatal(err)
		}
		wide := n > 1
		if last := dev.compiled[len(dev.compiled)-1].Source; strings.Contains(last, "mul.i64") != wide {
			t.Errorf("rows of %d elements:\n%s", n, last)
		}
	}
}

// A kernel that the device refuses is an error before anything is launched if the arguments lead there, and none if they do not.
func TestARefusedKernelIsAnErrorOnlyWhereItIsLaunched(t *testing.T) {
	dev := newCompiling()
	dev.refuse = "many"
	p := loadNarrow(t, dev, guarded)
	if err := callGuarded(p, 3); err != nil {
		t.Errorf("a kernel that is not launched: %v", err)
	}
	dev = newCompiling()
	dev.refuse = "many"
	p = loadNarrow(t, dev, guarded)
	if err := callGuarded(p, 11); !errors.Is(err, errRefused) {
		t.Errorf("a kernel that is launched: %v", err)
	}
	if got := dev.told(); got != "" {
		t.Errorf("done before the error: %s", got)
	}
}

// A kernel behind a read takes the form of its blocks, and the usual form of one that is compiled otherwise is not compiled with it.
func TestNoKernelIsCompiledInAFormThatNobodyLaunches(t *testing.T) {
	dev := newCompiling()
	p := loadNarrow(t, dev, `entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  param "xs" "[m]i32" -1 (2: [param 1]i32)
}
kernel both(n_1: idx, read @xs_0: i32, write @ys_1: i32) group 8 { }
kernel last(n_1: idx, write @xs_0: i32) group 8 { }
fun main(n_1: i64, m_2: i64, xs_3: block) -> () {
  launch both<1:i64>(conv.i64.idx(n_1)) blocks(xs_3, xs_3) fits(n_1)
  read x_6: i32 = xs_3[0:i64]
  launch last<1:i64>(conv.i64.idx(n_1)) blocks(xs_3) fits(n_1)
}
`)
	if err := callGuarded(p, 3); err != nil {
		t.Fatal(err)
	}
	if got, want := dev.told(), "compile both; launch both; compile last; launch last"; got != want {
		t.Errorf("%s\nnot:\n%s", got, want)
	}
}

// A rehearsal ends where it would read, where assertions fail and after enough work.
func TestRehearsalsEnd(t *testing.T) {
	const endless = `site "a.fut:1:2-3" "bad" ()
entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  param "xs" "[m]i32" -1 (2: [param 1]i32)
}
kernel many(n_1: idx, write @xs_0: i32) group 8 { }
kernel other(n_1: idx, write @xs_0: i32) group 8 { }
fun main(n_1: i64, m_2: i64, xs_3: block) -> () {
  alloc xs_9: i32[m_2]
  if true {
    for i_5: i64 < 1000000:i64 {
      launch many<1:i64>(i_5) blocks(xs_9) fits(n_1)
    }
  }
  assert lt.i64(n_1, 5:i64) site 0 ()
  if true {
    launch other<1:i64>(n_1) blocks(xs_9) fits(n_1)
  }
}
`
	dev := newCompiling()
	p := loadNarrow(t, dev, endless)
	args, err := p.Upload("main", []value.Value{value.FromSlice([]int64{3}).Row(0), value.FromSlice([]int32{1})})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Prepare(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	if got := dev.told(); got != "compile many" {
		t.Errorf("the rehearsal of a long loop: %s", got)
	}
	p = loadNarrow(t, dev, strings.ReplaceAll(endless, "1000000", "10"))
	var failed *host.Error
	if err := callGuarded(p, 7); !errors.As(err, &failed) || failed.Message != "bad" {
		t.Errorf("a failing assertion: %v", err)
	}
	if got := dev.told(); strings.Contains(got, "other") {
		t.Errorf("a failing assertion: %s", got)
	}
}

// However many calls come at once, each kernel is compiled once.
func TestCallsAtOnceCompileOnce(t *testing.T) {
	dev := newCompiling()
	p := loadNarrow(t, dev, guarded)
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := callGuarded(p, int64(3+4*(i%3))); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	seen := map[string]int{}
	for _, e := range strings.Split(dev.told(), "; ") {
		if names, ok := strings.CutPrefix(e, "compile "); ok {
			for _, n := range strings.Fields(names) {
				seen[n]++
			}
		}
	}
	want := map[string]int{"first": 1, "few": 1, "both": 2, "many": 1, "last": 1, "after": 1} // both has two forms
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("compiled %v", seen)
	}
}
