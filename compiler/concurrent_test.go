package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/runtime/value"
	"skald/targets"
)

// Everything may be called from several goroutines at once: each checks and compiles a program of its own, and all run one program on one
// device.
func TestSeveralGoroutinesAtOnce(t *testing.T) {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	shared := compile(t, dot)
	loaded, err := shared.On(dev)
	if err != nil {
		t.Fatal(err)
	}
	defer loaded.Close()
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			xs := value.FromSlice([]float32{1, float32(i)})
			want := fmt.Sprintf("%d.0f32", 1+i*i)
			for range 5 {
				if got, err := loaded.Call("main", []value.Value{xs, xs}); err != nil || got[0].String() != want {
					t.Errorf("shared: %v %v, want %s", got, err, want)
				}
			}
			if got, err := shared.Run(t.Context(), dev, "main", xs, xs); err != nil || got[0].String() != want {
				t.Errorf("shared, prepared again: %v %v, want %s", got, err, want)
			}
			text := fmt.Sprintf("def main [n] (xs: [n]i64) = i64.sum (map (+%d) xs)\n", i)
			prog, _, ok := compiler.Check("own.fut", compiler.CheckOptions{Loader: check.Files{"own.fut": text}})
			if !ok {
				t.Error("not accepted")
				return
			}
			own, d := compiler.Compile(prog, compiler.CompileOptions{})
			if d != nil {
				t.Error(d.Message)
				return
			}
			got, err := own.Run(t.Context(), dev, "main", value.FromSlice([]int64{1, 2}))
			if err != nil || got[0].String() != fmt.Sprintf("%di64", 3+2*i) {
				t.Errorf("own: %v %v", got, err)
			}
		})
	}
	wg.Wait()
}

// What a build tells is the same whether devices are asked about one after the other or at the same time.
func TestWarningsAndRefusalsAtTheSameTime(t *testing.T) {
	const text = "def main [n][m] (xss: [n][m]i32) (ks: [n]i64) (s: i32) =\n" +
		"  (map (\\xs -> scan (+) s (map (* 2) xs)) xss, #[warn(safety_checks)] map (\\k -> xss[k, 0]) ks)\n"
	apart := compile(t, text)
	want := fmt.Sprint(apart.Warnings(), apart.Refusals(targets.BuiltProfiles()))
	if !strings.Contains(want, "Safety check required") {
		t.Errorf("no warning: %s", want)
	}
	for range 10 {
		p := compile(t, text)
		var warnings, refusals []*diag.Diagnostic
		var wg sync.WaitGroup
		wg.Go(func() { refusals = p.Refusals(targets.BuiltProfiles()) })
		warnings = p.Warnings()
		wg.Wait()
		if got := fmt.Sprint(warnings, refusals); got != want {
			t.Errorf("at the same time: %s, want %s", got, want)
		}
	}
}

// A program that would not end does when its context does, and its memory is free again.
func TestARunEndsWithItsContext(t *testing.T) {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	p := compile(t, "def main (xs: []i32) : []i32 = loop xs while length xs > 0 do map (+1) (copy xs)\n")
	ctx, cancel := context.WithCancel(t.Context())
	before := dev.Stats()
	go func() {
		for dev.Stats().Launches < before.Launches+10 {
		}
		cancel()
	}()
	if _, err := p.Run(ctx, dev, "main", value.FromSlice([]int32{1, 2})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := dev.Stats().InUse; n != before.InUse {
		t.Errorf("%d bytes stay in use", n-before.InUse)
	}
}
