// Command demo is what `make run` runs: it compiles examples/histogram.fut, runs the executable on the bytes of a file on the
// best device there is, draws the histogram in the terminal, and compares a part with the interpreter.
//
//	usage: demo SKALD FILE
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// source is the example.
const source = "examples/histogram.fut"

// compared is how many bytes the interpreter counts too.
const compared = 100_000

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: demo SKALD FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(skald, file string) error {
	dir, err := os.MkdirTemp("", "skald-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder for temporary files
	program := filepath.Join(dir, "histogram")
	start := time.Now()
	if _, err := command(nil, skald, "build", source, "-o", program); err != nil {
		return err
	}
	step("compile "+source, start)

	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	start = time.Now()
	counts, err := count(data, program, "-e", "histogram", "-b", "-L")
	if err != nil {
		return err
	}
	step(fmt.Sprintf("run it on the %d bytes of %s, start of the device and transfers included", len(data), file), start)
	draw(counts)
	return check(data[:min(len(data), compared)], skald, program)
}

func step(what string, start time.Time) {
	fmt.Printf("%-90s %8.1f ms\n", what, float64(time.Since(start).Microseconds())/1000)
}

// count runs a program on an array of bytes and returns the counts that it prints.
func count(data []byte, program string, args ...string) ([]int32, error) {
	var in bytes.Buffer
	if err := value.WriteBinary(&in, value.FromSlice(data, len(data))); err != nil {
		return nil, err
	}
	out, err := command(&in, program, args...)
	if err != nil {
		return nil, err
	}
	values, err := value.ReadAll(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	if len(values) != 1 || values[0].Elem() != prim.I32 || values[0].Len() != 256 {
		return nil, fmt.Errorf("%s returned %d values where 256 counts are expected", program, len(values))
	}
	return value.Slice[int32](values[0]), nil
}

// command runs a program and returns its output; what it says on standard error is passed on, indented.
func command(in *bytes.Buffer, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	if in != nil {
		cmd.Stdin = in
	}
	var notes bytes.Buffer
	cmd.Stderr = &notes
	out, err := cmd.Output()
	for line := range strings.Lines(notes.String()) {
		fmt.Print("    " + line)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}

// check compares the program with the interpreter on some bytes.
func check(data []byte, skald, program string) error {
	start := time.Now()
	want, err := count(data, skald, "run", source, "-e", "histogram", "-b")
	if err != nil {
		return err
	}
	step(fmt.Sprintf("interpret it on the first %d bytes", len(data)), start)
	got, err := count(data, program, "-e", "histogram", "-b")
	if err != nil {
		return err
	}
	for i := range want {
		if got[i] != want[i] {
			return errors.New("the executable and the interpreter differ: byte " + fmt.Sprintf("%d occurs %d or %d times", i, got[i], want[i]))
		}
	}
	fmt.Println("the executable and the interpreter agree on them")
	return nil
}

// draw draws the counts as bars, eight bytes a column, on a logarithmic scale.
func draw(counts []int32) {
	const rows, width = 12, 4
	var bars []float64
	top := 1.0
	for i := 0; i < len(counts); i += width {
		sum := 0.0
		for _, c := range counts[i : i+width] {
			sum += float64(c)
		}
		bars = append(bars, bits(sum))
		top = max(top, bits(sum))
	}
	for row := rows; row > 0; row-- {
		var line strings.Builder
		for _, b := range bars {
			fill := b/top*rows - float64(row-1)
			switch {
			case fill >= 1:
				line.WriteRune('█')
			case fill > 0:
				line.WriteRune([]rune(" ▁▂▃▄▅▆▇")[int(fill*8)])
			default:
				line.WriteByte(' ')
			}
		}
		fmt.Println("  |" + line.String())
	}
	fmt.Println("  +" + strings.Repeat("-", len(bars)))
	fmt.Printf("   0%sbyte%s255   (%d values a column, logarithmic)\n", strings.Repeat(" ", 26), strings.Repeat(" ", 27), width)
}

// bits is the base-2 logarithm of x+1, with linear steps between powers of two.
func bits(x float64) float64 {
	n := 0.0
	for x >= 1 {
		x = (x - 1) / 2
		n++
	}
	return n + x
}
