package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skald"
	"skald/runtime/value"
)

// callsProgram has calls that do next to nothing, and one whose argument and result are copied.
const callsProgram = `entry inc (x: i32) : i32 = x + 1
entry sum (xs: []i32) : i32 = i32.sum xs
entry next [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs
`

// BenchmarkCalls measures what a call and a copy cost: in a Go process that has the program in it, and from C, whose program is a process
// of its own behind the server protocol. benchmarks/calls.csv has the medians.
func BenchmarkCalls(b *testing.B) {
	dir := b.TempDir()
	source := filepath.Join(dir, "calls.fut")
	if err := os.WriteFile(source, []byte(callsProgram), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("Go", func(b *testing.B) { callsFromGo(b, source) })
	b.Run("C", func(b *testing.B) {
		if _, err := exec.LookPath("cc"); err != nil {
			b.Skip("skipped: there is no C compiler (cc)")
		}
		copyTo(b, dir, "testdata/calls.c")
		succeed(b, dir, skaldHere(b), "build", "--library", "calls.fut", "-o", "lib")
		succeed(b, dir, "cc", "-O2", "-o", "calls", "calls.c", "lib.c", "-lm")
		for b.Loop() {
		}
		for _, line := range strings.Split(strings.TrimSpace(succeed(b, dir, "./calls", "cpu")), "\n") {
			var name string
			var us float64
			if _, err := fmt.Sscanf(line, "%s %g", &name, &us); err != nil {
				b.Fatalf("%q: %v", line, err)
			}
			b.ReportMetric(us, "µs/"+name)
		}
	})
}

func callsFromGo(b *testing.B, source string) {
	p, said := skald.Compile(source, skald.Options{})
	if p == nil {
		b.Fatal(said)
	}
	dev, _, err := skald.OpenDevice(skald.DeviceOptions{Name: "cpu"})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = dev.Close() }()
	loaded, err := p.On(dev)
	if err != nil {
		b.Fatal(err)
	}
	defer loaded.Close()
	for _, c := range []struct {
		entry string
		arg   value.Value
	}{
		{"inc", value.FromSlice([]int32{1}).Row(0)},
		{"sum", value.New(value.FromSlice([]int32{0}).Elem(), 1000)},
		{"next", value.New(value.FromSlice([]float32{0}).Elem(), 1_000_000)},
	} {
		b.Run(c.entry, func(b *testing.B) {
			var times []float64
			for b.Loop() {
				begin := time.Now()
				if _, err := loaded.Call(context.Background(), c.entry, c.arg); err != nil {
					b.Fatal(err)
				}
				times = append(times, float64(time.Since(begin).Nanoseconds())/1000)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "µs/median")
		})
	}
}
