package host_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

// text prints kernels for the evaluator.
func text(k *imp.Kernel) (*imp.Code, error) {
	c := &imp.Code{Source: imp.PrintKernel(k), Entry: k.Name, Wide: true, Failure: true}
	c.Layout(k)
	return c, nil
}

// load parses, verifies and loads a program on a device.
func load(t testing.TB, dev device.Device, src string) *host.Program {
	t.Helper()
	p, err := imp.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Fatal(err)
	}
	out, err := host.Load(p, dev, text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const double = `tune "times" "count" 1
site "a.fut:1:2-3\na.fut:9:9-9" "bad % at % in %%" (i32, i64)
init consts
entry "main" main "" {
  param "xs" "[n]i32" -1 (1: [param 0]i32)
  result "" "[]i32" -1 (0: [param 0]i32)
  result "" "i64" -1 (1: i64)
}
kernel add(n_1: idx, k_2: i32, read @xs_0: i32, write @ys_1: i32) group 8 {
  let i_3: idx = thread_id
  if lt.idx(i_3, n_1) {
    assert lt.i32(@xs_0[i_3], 100:i32) site 0 (@xs_0[i_3], conv.idx.i64(i_3))
    @ys_1[i_3] = add.i32(@xs_0[i_3], k_2)
  }
}
fun consts() -> (k_1) {
  let k_1: i32 = 10:i32
}
fun main(n_1: i64, xs_2: block) -> (ys_3, t_5) {
  const k_4: i32 = 0
  tune t_5 = 0
  alloc ys_3: i32[n_1]
  copy i32 ys_3[0:i64] = xs_2[0:i64], n_1
  for i_6: i64 < t_5 {
    alloc zs_7: i32[n_1]
    launch add<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1), k_4) blocks(ys_3, zs_7) fits(n_1)
    ys_3 = zs_7
    free zs_7
  }
}
`

func TestCallRunsHostCodeAndKernels(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	args := []value.Value{value.FromSlice([]int32{1, 2, 3})}
	for times, want := range []string{"[1i32, 2i32, 3i32]", "[11i32, 12i32, 13i32]", "[21i32, 22i32, 23i32]"} {
		if err := p.SetTune("times", int64(times)); err != nil {
			t.Fatal(err)
		}
		got, err := p.Call("main", args)
		if err != nil {
			t.Fatal(err)
		}
		if got[0].String() != want || got[1].At(0).Int() != int64(times) {
			t.Errorf("%d times: %v", times, got)
		}
	}
	if err := p.SetTune("other", 1); err == nil {
		t.Error("an unknown parameter is set")
	}
}

func TestEveryBlockIsFreed(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	before := dev.Stats().InUse
	if err := p.SetTune("times", 5); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Call("main", []value.Value{value.FromSlice(make([]int32, 1000))}); err != nil {
		t.Fatal(err)
	}
	s := dev.Stats()
	if s.InUse != before {
		t.Errorf("%d bytes stay in use", s.InUse-before)
	}
	if s.Peak > before+3*device.Class(4000) {
		t.Errorf("%d bytes at the peak: blocks of earlier iterations live on", s.Peak-before)
	}
	p.Close()
	if n := dev.Stats().InUse; n != 0 {
		t.Errorf("%d bytes stay in use after Close", n)
	}
}

func TestFailureOfAKernel(t *testing.T) {
	p := load(t, cpu.Open(cpu.Options{}), double)
	for range 2 { // the first failure does not stick
		_, err := p.Call("main", []value.Value{value.FromSlice([]int32{1, 2, 300})})
		var e *host.Error
		if !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		want := &host.Error{Message: "bad 300 at 2 in %", Where: []string{"a.fut:1:2-3", "a.fut:9:9-9"}}
		if d := cmp.Diff(want, e); d != "" {
			t.Error(d)
		}
		if !strings.Contains(e.Error(), "-> #1 a.fut:9:9-9") {
			t.Errorf("no backtrace: %s", e.Error())
		}
		if _, err := p.Call("main", []value.Value{value.FromSlice([]int32{1})}); err != nil {
			t.Error(err)
		}
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	p := load(t, cpu.Open(cpu.Options{}), `entry "main" main "" {
  param "a" "[n]i32" -1 (1: [param 0]i32)
  param "b" "[n]i32" -1 (2: [param 0]i32)
  result "" "i64" -1 (0: i64)
}
fun main(n_1: i64, a_2: block, b_3: block) -> (n_1) {
}
`)
	ok := value.FromSlice([]int32{1, 2})
	for _, c := range []struct {
		args []value.Value
		want string
	}{
		{[]value.Value{ok}, "too few"},
		{[]value.Value{ok, ok, ok}, "takes 2 arguments, not 3"},
		{[]value.Value{ok, value.FromSlice([]int32{1})}, "argument b has size 1"},
		{[]value.Value{ok, value.FromSlice([]int64{1, 2})}, "argument b should have type [n]i32"},
	} {
		if _, err := p.Call("main", c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.args, err)
		}
	}
	if _, err := p.Call("other", nil); err == nil || !strings.Contains(err.Error(), "no entry point") {
		t.Error(err)
	}
}

func TestOneBlockUnderTwoNames(t *testing.T) {
	p := load(t, cpu.Open(cpu.Options{}), `entry "main" main "" {
  param unique "xs" "[n]i32" -1 (1: [param 0]i32)
  result "" "[]i32" -1 (0: [param 0]i32)
}
kernel add(n_1: idx, read @xs_0: i32, read @ys_1: i32, write @zs_2: i32) group 8 {
  if lt.idx(thread_id, n_1) {
    @zs_2[thread_id] = add.i32(@xs_0[thread_id], @ys_1[thread_id])
  }
}
fun main(n_1: i64, xs_2: block) -> (xs_2) {
  launch add<n_1>(conv.i64.idx(n_1)) blocks(xs_2, xs_2, xs_2) fits(n_1)
}
`)
	xs := []int32{1, 2, 3}
	got, err := p.Call("main", []value.Value{value.FromSlice(xs)})
	if err != nil || got[0].String() != "[2i32, 4i32, 6i32]" {
		t.Errorf("%v %v", got, err)
	}
	if xs[0] != 1 {
		t.Error("the caller's array changed")
	}
}

func TestHostFailureAndScalars(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, `site "" "negative: %" (f32)
entry "main" main "" {
  param "x" "f32" -1 (0: f32)
  result "" "f32" -1 (0: f32)
}
fun main(x_1: f32) -> (y_3) {
  assert ge.f32(x_1, 0x0:f32) site 0 (x_1)
  data d_2: f32 "\x00\x00\x80\x3f\x00\x00\x00\x40"
  read y_3: f32 = d_2[1:i64]
  y_3 = add.f32(y_3, x_1)
}
`)
	arg := func(x float32) []value.Value { return []value.Value{value.FromSlice([]float32{x}).Row(0)} }
	got, err := p.Call("main", arg(0.5))
	if err != nil || got[0].At(0).Float() != 2.5 {
		t.Errorf("%v %v", got, err)
	}
	if _, err := p.Call("main", arg(-0.5)); err == nil || err.Error() != "Error: negative: -0.5" {
		t.Error(err)
	}
}

// A run that breaks off, because its context ended or a kernel failed, leaves no blocks behind, and the next one is as if it had not been.
func TestARunThatBreaksOffLeavesNothingBehind(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	p := load(t, dev, double)
	if err := p.SetTune("times", 4); err != nil {
		t.Fatal(err)
	}
	good := []value.Value{value.FromSlice([]int32{1, 2, 3})}
	if _, err := p.Call("main", good); err != nil {
		t.Fatal(err)
	}
	before := dev.Stats().InUse
	for name, call := range map[string]func() error{
		"ended before": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := p.CallContext(ctx, "main", good)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			return err
		},
		"ended meanwhile": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			launches := 0
			if err := p.Debug(func(l host.Launched) {
				if launches++; launches == 2 {
					cancel()
				}
			}); err != nil {
				t.Error(err)
			}
			_, err := p.CallContext(ctx, "main", good)
			if !errors.Is(err, context.Canceled) || launches != 2 {
				t.Errorf("%v after %d launches", err, launches)
			}
			return err
		},
		"failed": func() error {
			_, err := p.Call("main", []value.Value{value.FromSlice([]int32{1, 300, 3})})
			return err
		},
		"too few arguments": func() error {
			_, err := p.Call("main", nil)
			return err
		},
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
		if n := dev.Stats().InUse; n != before {
			t.Errorf("%s: %d bytes stay in use", name, n-before)
		}
		if got, err := p.Call("main", good); err != nil || got[0].String() != "[41i32, 42i32, 43i32]" {
			t.Errorf("after a run that %s: %v, %v", name, got, err)
		}
	}
}

// While debugging each launch is reported, and an error names the kernel.
func TestDebuggingNamesTheKernel(t *testing.T) {
	p := load(t, cpu.Open(cpu.Options{}), double)
	if err := p.SetTune("times", 3); err != nil {
		t.Fatal(err)
	}
	var launched []string
	if err := p.Debug(func(l host.Launched) { launched = append(launched, fmt.Sprint(l.Kernel, l.Groups, l.GroupSize)) }); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Call("main", []value.Value{value.FromSlice([]int32{1, 2})}); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"add1 8", "add1 8", "add1 8"}, launched); d != "" {
		t.Error(d)
	}
	var failed *host.Error
	_, err := p.Call("main", []value.Value{value.FromSlice([]int32{85, 2})})
	if !errors.As(err, &failed) || failed.Kernel != "add" || failed.Message != "bad 105 at 0 in %" {
		t.Errorf("%v", err)
	}
	if len(launched) != 5 {
		t.Errorf("%d launches worked, 5 are expected: none follows one that fails", len(launched))
	}
}
