package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"skald/runtime/cpu"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func newDevices() *cobra.Command {
	var onlyGPU, asJSON bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices that programs can run on, with their limits, features and float arithmetic",
		Args:  exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case onlyGPU && !haveGPU():
				return fail(exitUser, "there is no GPU")
			case onlyGPU:
				return nil
			case asJSON:
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(findDevices())
			}
			return printDevices(cmd.OutOrStdout(), findDevices())
		},
	}
	cmd.Flags().BoolVar(&onlyGPU, "have-gpu", false, "list nothing; fail unless there is a GPU")
	cmd.Flags().BoolVar(&asJSON, "json", false, "list as JSON: what to select each device with, its facts or why it cannot be used")
	return cmd
}

// found is a device, or a library or driver that none can be reached through, and why.
type found struct {
	Select string        // What --device and the flags beside it are told to get it.
	Facts  *device.Facts `json:",omitempty"`
	Error  string        `json:",omitempty"`
	Fault  string        `json:",omitempty"` // The class of the error.
}

// because notes why a device cannot be used.
func (f found) because(err error) found {
	f.Error = err.Error()
	if fault := device.FaultOf(err); fault != 0 {
		f.Fault = fault.Error()
	}
	return f
}

// findDevices looks for every device and opens each, so that its facts are those that programs see.
func findDevices() []found {
	out := findWebGPU()
	n, err := cuda.Count()
	if err != nil {
		out = append(out, found{Select: "cuda"}.because(err))
	}
	for i := range n {
		f := found{Select: fmt.Sprintf("cuda:%d", i)}
		facts, err := cuda.Describe(i)
		if err != nil {
			out = append(out, f.because(err))
			continue
		}
		f.Facts = &facts
		out = append(out, f)
	}
	return append(out, found{Select: "cpu", Facts: cpu.Open(cpu.Options{}).Facts()})
}

func findWebGPU() []found {
	listed := webgpu.List(webgpu.Options{})
	if len(listed) == 0 {
		_, err := webgpu.Open(webgpu.Options{}) // It says what was looked for.
		return []found{found{Select: "webgpu"}.because(err)}
	}
	var out []found
	for _, l := range listed {
		f := found{Select: fmt.Sprintf("webgpu:%d --webgpu-library %s", l.Adapter, l.Library)}
		if l.Driver != "" {
			f.Select += " --webgpu-driver " + l.Driver
		}
		if l.Err != nil {
			out = append(out, f.because(l.Err))
			continue
		}
		facts, err := probed(l)
		if err != nil {
			out = append(out, f.because(err))
			continue
		}
		f.Facts = facts
		out = append(out, f)
	}
	return out
}

// printDevices prints what each device is selected with, and then what is known of it, indented.
func printDevices(w io.Writer, all []found) error {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintln(&b, f.Select)
		var text strings.Builder
		if f.Facts == nil {
			fmt.Fprintf(&text, "cannot be used: %s\n", f.Error)
		} else if err := f.Facts.Describe(&text); err != nil {
			return err
		}
		for line := range strings.Lines(text.String()) {
			b.WriteString("  " + line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// haveGPU reports whether there is a GPU, without opening any device.
func haveGPU() bool {
	for _, l := range webgpu.List(webgpu.Options{}) {
		if l.Err == nil && isGPU(&l.Facts) {
			return true
		}
	}
	n, err := cuda.Count()
	return err == nil && n > 0
}

// probed opens a device and finds out how its floating point behaves.
func probed(l webgpu.Listing) (*device.Facts, error) {
	dev, err := webgpu.Open(webgpu.Options{Library: l.Library, Driver: l.Driver, Adapter: l.Adapter})
	if err != nil {
		return nil, err
	}
	defer dev.Close() //nolint:errcheck // nothing is under way
	if _, err := dev.ProbeFloats(); err != nil {
		return nil, err
	}
	return dev.Facts(), nil
}

func isGPU(f *device.Facts) bool { return f.Kind == device.Discrete || f.Kind == device.Integrated }
