//go:build !runner

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/value"
)

func newRun() *cobra.Command {
	var flags checkFlags
	var entry string
	var binary bool
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program in the interpreter, on arguments from standard input",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.entries = []string{entry}
			prog, err := flags.check(args[0])
			if err != nil {
				return err
			}
			in := compiler.Interpret(prog, interp.Options{Trace: printTrace})
			def := in.Entry(entry)
			if def == nil {
				return unknownEntry(prog, entry)
			}
			values, err := readEntryArguments(cmd.InOrStdin(), def)
			if err != nil {
				return fail(exitUser, "standard input: %v", err)
			}
			results, err := in.Call(context.Background(), entry, values)
			if err != nil {
				return fail(runCode(err), "%v", err)
			}
			var streams []*value.Stream
			for _, v := range results {
				streams = append(streams, v.Stream())
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := errors.Join(writeResults(out, streams, binary), out.Flush()); err != nil {
				return fail(exitUser, "cannot write the results: %v", err)
			}
			return nil
		},
	}
	flags.addShown(cmd)
	cmd.Flags().StringVarP(&entry, "entry-point", "e", "main", "the function to run, whether it is an entry point or not")
	cmd.Flags().BoolVarP(&binary, "binary-output", "b", false, "print results in the binary format")
	return cmd
}

// runCode is the exit code for what the interpreter says: arguments that do not fit are the user's error.
func runCode(err error) int {
	var failed *interp.Error
	switch {
	case errors.Is(err, interp.ErrInternal):
		return exitInternal
	case errors.As(err, &failed) && !failed.Arguments:
		return exitRun
	default:
		return exitUser
	}
}

func unknownEntry(prog *types.Prog, entry string) error {
	var names []string
	for _, d := range prog.Entries() {
		names = append(names, d.Entry.Name)
	}
	if len(names) == 0 {
		return fail(exitUser, "there is no entry point: name a function main, or begin its definition with `entry`")
	}
	return fail(exitUser, "there is no entry point %q; there are: %s", entry, strings.Join(names, ", "))
}

// readEntryArguments reads the values of an entry point's parameters, and nothing after them.
func readEntryArguments(in io.Reader, def *types.Def) ([]value.Value, error) {
	r := value.NewReader(in)
	var args []value.Value
	for i, p := range def.Entry.Params {
		name := p.Type.String()
		if p.Name != "" {
			name = p.Name + ": " + name
		}
		plain, ok := interp.PlainTypes(p.Type)
		if !ok {
			return nil, fmt.Errorf("argument %d (%s) cannot be read: its type is not made of numbers", i+1, name)
		}
		for _, t := range plain {
			v, err := readValue(r, t)
			if err != nil {
				return nil, fmt.Errorf("argument %d (%s): %w", i+1, name, err)
			}
			args = append(args, v)
		}
	}
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("after the last argument of %s: %w", def.Entry.Name, err)
	}
	return args, nil
}

// readValue reads a value of a type, which must be there.
func readValue(r *value.Reader, t value.Type) (value.Value, error) {
	v, err := r.ReadAs(t)
	if errors.Is(err, io.EOF) {
		err = errNoValue(t)
	}
	return v, err
}
