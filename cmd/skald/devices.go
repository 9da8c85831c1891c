package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func newDevices() *cobra.Command {
	var onlyGPU bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices that programs can run on, with their limits, features and float arithmetic",
		Args:  exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !onlyGPU {
				return listDevices(cmd.OutOrStdout())
			}
			if !haveGPU() {
				return fail(exitUser, "there is no GPU")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&onlyGPU, "have-gpu", false, "list nothing; fail unless there is a GPU")
	return cmd
}

// listDevices prints every device found.
func listDevices(w io.Writer) error {
	found := webgpu.List(webgpu.Options{})
	if len(found) == 0 {
		fmt.Fprintln(w, "webgpu: no library found (scripts/fetch-webgpu.sh fetches one; SKALD_WEBGPU_LIB names one)")
	}
	for _, l := range found {
		name := fmt.Sprintf("webgpu:%d --webgpu-library %s", l.Adapter, l.Library)
		if l.Driver != "" {
			name += " --webgpu-driver " + l.Driver
		}
		if l.Err != nil {
			fmt.Fprintf(w, "%s\n  cannot be used: %v\n", name, l.Err)
			continue
		}
		facts, err := probed(l)
		if err != nil {
			fmt.Fprintf(w, "%s\n  cannot be opened: %v\n", name, err)
			continue
		}
		if err := printFacts(w, name, facts); err != nil {
			return err
		}
	}
	n, err := cuda.Count()
	if err != nil {
		fmt.Fprintf(w, "cuda\n  cannot be used: %v\n", err)
	}
	for i := range n {
		name := fmt.Sprintf("cuda:%d", i)
		facts, err := cuda.Describe(i)
		if err != nil {
			fmt.Fprintf(w, "%s\n  cannot be used: %v\n", name, err)
			continue
		}
		if err := printFacts(w, name, &facts); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w, "cpu\n  the evaluator of the low-level program; always there")
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

// probed opens a device, so that its facts are those that programs see, and finds out how its floating point behaves.
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

// printFacts prints what Open is told to get the device, and then what is known of it, indented.
func printFacts(w io.Writer, name string, f *device.Facts) error {
	var b strings.Builder
	if err := f.Describe(&b); err != nil {
		return err
	}
	text := strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", "\n  ")
	_, err := fmt.Fprintf(w, "%s\n  %s\n", name, text)
	return err
}
