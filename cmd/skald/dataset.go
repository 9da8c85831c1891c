//go:build !runner

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/value/random"
)

// dataset is what the flags of `skald dataset` build up: each applies to the ones after it.
type dataset struct {
	bounds *random.Bounds
	format random.Format
	seed   uint64
	orders []random.Order
}

// orderedFlag is a flag that does something when it is met.
type orderedFlag struct {
	kind string
	text string
	set  func(text string) error
}

func (f *orderedFlag) String() string        { return f.text }
func (f *orderedFlag) Type() string          { return f.kind }
func (f *orderedFlag) Set(text string) error { return f.set(text) }

func newDataset() *cobra.Command {
	d := &dataset{bounds: random.DefaultBounds(), seed: 1}
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "Make random values, or convert values between formats",
		Long: "Make a value for each --generate, which takes a type such as [10]f32 or a value. Flags apply to those after them.\n" +
			"With no --generate, convert the values on standard input.",
		Example: "  skald dataset -g '[10]f32' --i64-bounds=0:9 -g '[100]i64'\n  skald dataset --binary < values > values.in",
		Args:    exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return d.run(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	d.formatFlag(fs, random.Binary, "binary", "b", "write values in the binary format")
	d.formatFlag(fs, random.Text, "text", "", "write values as text (the default)")
	d.formatFlag(fs, random.Types, "type", "t", "write the types of values only")
	fs.VarP(&orderedFlag{kind: "TYPE", set: d.generate}, "generate", "g", "make a value (may be repeated)")
	fs.VarP(&orderedFlag{kind: "INT", set: d.setSeed}, "seed", "s", "the seed of the random numbers (1 unless given)")
	for _, t := range prim.AllTypes() {
		if t == prim.Bool {
			continue
		}
		f := &orderedFlag{kind: "MIN:MAX", set: func(text string) error { return d.setBounds(t, text) }}
		fs.Var(f, t.String()+"-bounds", "the least and the greatest random "+t.String())
	}
	return cmd
}

func (d *dataset) formatFlag(fs *pflag.FlagSet, f random.Format, name, short, doc string) {
	v := &orderedFlag{kind: "bool", set: func(string) error { d.format = f; return nil }}
	fs.VarPF(v, name, short, doc).NoOptDefVal = "true"
}

func (d *dataset) setSeed(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return errors.New("an integer is wanted")
	}
	d.seed = uint64(n)
	return nil
}

// setBounds leaves the bounds of orders before it as they are.
func (d *dataset) setBounds(t prim.Type, text string) error {
	b := *d.bounds
	d.bounds = &b
	return d.bounds.Set(t, text)
}

func (d *dataset) generate(text string) error {
	if t, err := value.ParseType(text); err == nil {
		if _, ok := t.Bytes(); !ok {
			return fmt.Errorf("a value of type %s has no size, or does not fit in memory", t)
		}
	}
	d.orders = append(d.orders, random.Order{Spec: text, Bounds: *d.bounds, Format: d.format})
	return nil
}

// run makes the values.
func (d *dataset) run(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	if len(d.orders) == 0 {
		if err := d.format.Convert(w, in); err != nil {
			return errors.Join(w.Flush(), fail(exitUser, "standard input: %v", err))
		}
	}
	for i := range d.orders {
		if err := d.orders[i].Run(w, d.seed+uint64(i)); err != nil {
			return errors.Join(w.Flush(), fail(exitUser, "%v", err))
		}
	}
	if err := w.Flush(); err != nil {
		return fail(exitUser, "cannot write: %v", err)
	}
	return nil
}

func newDatacmp() *cobra.Command {
	var tolerance float64
	cmd := &cobra.Command{
		Use:   "datacmp FILE EXPECTED",
		Short: "Compare two files of values; floats may differ a little",
		Args:  exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			got, err := readValues(args[0])
			if err != nil {
				return err
			}
			want, err := readValues(args[1])
			if err != nil {
				return err
			}
			return compareValues(cmd.OutOrStdout(), got, want, tolerance)
		},
	}
	cmd.Flags().Float64Var(&tolerance, "tolerance", value.DefaultTolerance, "how much floats may differ")
	return cmd
}

// shownDifferences is how many differences of a value are printed.
const shownDifferences = 10

func compareValues(w io.Writer, got, want []value.Value, tolerance float64) error {
	differ := len(got) != len(want)
	if differ {
		fmt.Fprintf(w, "the files have %d and %d values\n", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		for _, d := range value.Differences(got[i], want[i], tolerance, shownDifferences) {
			differ = true
			fmt.Fprintf(w, "value %d: %v\n", i+1, d)
		}
	}
	if differ {
		return &failure{code: exitUser}
	}
	return nil
}

func readValues(path string) ([]value.Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fail(exitUser, "%v", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	values, err := value.ReadAll(f)
	if err != nil {
		return nil, fail(exitUser, "%s: %v", path, err)
	}
	return values, nil
}
