package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"skald"
	"skald/frontend/interp"
	"skald/runtime/value"
)

func newRun() *cobra.Command {
	var flags checkFlags
	var entry string
	var binary bool
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program in the interpreter, on arguments from standard input",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			prog, err := flags.check(args[0])
			if err != nil {
				return err
			}
			values, err := value.ReadAll(cmd.InOrStdin())
			if err != nil {
				return fail(exitUser, "standard input: %v", err)
			}
			in := skald.Interpret(prog, interp.Options{Trace: printTrace})
			results, err := in.Call(context.Background(), entry, values)
			if err != nil {
				return fail(exitRun, "%v", err)
			}
			for _, v := range results {
				write := value.WriteText
				if binary {
					write = value.WriteBinary
				}
				if err := write(cmd.OutOrStdout(), v); err != nil {
					return fail(exitRun, "%v", err)
				}
				if !binary {
					fmt.Fprintln(cmd.OutOrStdout())
				}
			}
			return nil
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVarP(&entry, "entry", "e", "main", "the entry point to run")
	cmd.Flags().BoolVarP(&binary, "binary-output", "b", false, "print results in the binary format")
	return cmd
}
