package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func main() {
	which := flag.String("device", "webgpu", "webgpu, portable, dawn or cuda")
	only := flag.String("only", "", "regular expression of the cases to run")
	small := flag.Bool("small", false, "small sizes, as the tests run them")
	times := flag.Int("runs", 30, "timed runs of each case")
	file := flag.String("json", "", "file for the results")
	picture := flag.String("svg", "", "file for a picture of the results")
	flag.Parse()
	if err := lab(*which, *only, *small, *times, *file, *picture); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// open opens a device with profiling.
func open(which string) (device.Device, error) {
	switch which {
	case "webgpu":
		return webgpu.Open(webgpu.Options{Profile: true})
	case "portable":
		return webgpu.Open(webgpu.Options{Profile: true, Portable: true})
	case "dawn":
		return webgpu.Open(webgpu.Options{Profile: true, Library: "dawn"})
	case "cuda":
		return cuda.Open(cuda.Options{Profile: true})
	}
	return nil, fmt.Errorf("no device is called %q", which)
}

func lab(which, only string, small bool, times int, file, picture string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	cases := fullCases()
	if small {
		cases = smallCases()
	}
	rate, results := 0.0, []Result(nil)
	for i, c := range cases {
		if !pattern.MatchString(c.Name) && !strings.HasPrefix(c.Name, "copy/") {
			continue
		}
		fmt.Fprintf(os.Stderr, "\r\x1b[K%d of %d: %s", i+1, len(cases), c.Name)
		// A device of its own for each case: what earlier cases allocated changes where memory lies, and times.
		dev, err := open(which)
		if err != nil {
			return err
		}
		if i == 0 {
			f := dev.Facts()
			fmt.Printf("%s, %s, %s\n", f.Name, f.API, f.Driver)
			header(os.Stdout)
		}
		r := run(dev, c, times)
		if err := dev.Close(); err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		r.Device = which
		if r.Median() > 0 && strings.HasPrefix(c.Name, "copy/") {
			rate = max(rate, float64(c.Bytes)/r.Median())
		}
		if rate > 0 {
			r.Floor = float64(c.Bytes) / rate
		}
		r.Target = c.Target[0]
		if which == "cuda" {
			r.Target = c.Target[1]
		}
		row(os.Stdout, &r)
		results = append(results, r)
	}
	return save(results, file, picture)
}

func header(w io.Writer) {
	fmt.Fprintf(w, "%-34s %8s %8s %8s %8s %8s %8s\n", "case", "floor", "median", "min", "max", "/floor", "target")
}

// row prints one line of the table.
func row(w io.Writer, r *Result) {
	switch {
	case r.Skip != "":
		fmt.Fprintf(w, "%-34s SKIPPED: %s\n", r.Case, r.Skip)
	case r.Error != "":
		fmt.Fprintf(w, "%-34s WRONG: %s\n", r.Case, r.Error)
	default:
		ratio := 0.0
		if r.Floor > 0 {
			ratio = r.Median() / r.Floor
		}
		fmt.Fprintf(w, "%-34s %8.1f %8.1f %8.1f %8.1f %8.2f %8.0f", r.Case, r.Floor, r.Median(), r.Times[0],
			r.Times[len(r.Times)-1], ratio, r.Target)
		if r.Flops > 0 {
			fmt.Fprintf(w, "  %.1f TFLOP/s", r.Flops/r.Median()/1e6)
		}
		fmt.Fprintln(w)
	}
}

// save writes the results to the files that are named.
func save(results []Result, file, picture string) error {
	if file != "" {
		data, err := json.MarshalIndent(results, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	if picture == "" {
		return nil
	}
	return os.WriteFile(picture, []byte(svg(results)), 0o644)
}

// svg draws a bar a case, as a multiple of its floor, up to four.
func svg(results []Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="%d" font-size="12">`, 20*len(results)+10)
	for i, r := range results {
		ratio := 0.0
		if r.Floor > 0 {
			ratio = r.Median() / r.Floor
		}
		y := 20*i + 15
		fmt.Fprintf(&b, `<text x="4" y="%d">%s</text><rect x="260" y="%d" width="%.0f" height="14" fill="#48c"/>`,
			y, r.Case, y-11, 120*min(ratio, 4))
		fmt.Fprintf(&b, `<text x="%.0f" y="%d">%.1f µs, %.2f x floor</text>`, 264+120*min(ratio, 4), y, r.Median(), ratio)
	}
	return b.String() + "</svg>\n"
}
