//go:build !runner

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skald/runtime/device"
	"skald/targets"
)

func newDevices() *cobra.Command {
	var onlyGPU, asJSON, asFacts bool
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
				return printJSON(cmd.OutOrStdout(), findDevices())
			case asFacts:
				return printJSON(cmd.OutOrStdout(), recordDevices())
			}
			return printDevices(cmd.OutOrStdout(), findDevices())
		},
	}
	cmd.Flags().BoolVar(&onlyGPU, "have-gpu", false, "list nothing; fail unless there is a GPU")
	cmd.Flags().BoolVar(&asJSON, "json", false, "list as JSON: what to select each device with, its facts or why it cannot be used")
	cmd.Flags().BoolVar(&asFacts, "facts", false, "list as JSON the facts of those that can be used, each as a profile of skald's holds them")
	return cmd
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// recordDevices returns the facts of all devices that can be used.
func recordDevices() []targets.Recorded {
	out := []targets.Recorded{}
	for _, t := range targets.All {
		for _, f := range t.Find() {
			if f.Err == nil {
				r := targets.Recorded{Target: t.Name, Facts: *f.Facts}
				r.Facts.Library = "" // a file of this machine
				out = append(out, r)
			}
		}
	}
	return out
}

// found is a device, or a library or driver that none can be reached through, and why.
type found struct {
	Select string        // What --device and the flags beside it are told to get it.
	Facts  *device.Facts `json:",omitempty"`
	Error  string        `json:",omitempty"`
	Fault  string        `json:",omitempty"` // The class of the error.
}

// findDevices looks for every device and opens each, so that its facts are those that programs see.
func findDevices() []found {
	var out []found
	for _, t := range targets.All {
		for _, f := range t.Find() {
			one := found{Select: f.Select, Facts: f.Facts}
			if f.Err != nil {
				one.Facts, one.Error = nil, f.Err.Error()
				if fault := device.FaultOf(f.Err); fault != 0 {
					one.Fault = fault.Error()
				}
			}
			out = append(out, one)
		}
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
	return slices.ContainsFunc(targets.All, func(t *targets.Target) bool { return t.GPU != nil && t.GPU() })
}
