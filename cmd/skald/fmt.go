//go:build !runner

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"skald/frontend/diag"
	"skald/frontend/format"
	"skald/frontend/source"
	"skald/tooling/artifact"
)

func newFmt() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt [FILES]",
		Short: "Format programs; without files, standard input to standard output",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return formatStream(cmd.InOrStdin(), cmd.OutOrStdout(), check)
			}
			unformatted := 0
			for _, path := range args {
				changed, err := formatFile(path, check)
				if err != nil {
					return err
				}
				if changed && check {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s is not formatted\n", path)
					unformatted++
				}
			}
			if unformatted > 0 {
				return &failure{code: exitUnformatted}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing, and fail if a file is not formatted")
	return cmd
}

// formatStream formats a program from one stream to another.
func formatStream(in io.Reader, out io.Writer, check bool) error {
	text, err := source.ReadAll("standard input", in)
	if err != nil {
		return fail(exitUser, "%v", err)
	}
	formatted, err := formatText("<stdin>", text)
	switch {
	case err != nil:
		return err
	case !check:
		_, err = io.WriteString(out, formatted)
		return err
	case formatted != text:
		return fail(exitUnformatted, "standard input is not formatted")
	}
	return nil
}

// formatFile formats a file in its place, unless it is only to be checked, and reports whether that changes it.
func formatFile(path string, check bool) (changed bool, err error) {
	text, err := source.ReadFile(path)
	if err != nil {
		return false, fail(exitUser, "%v", err)
	}
	formatted, err := formatText(path, text)
	if err != nil || formatted == text {
		return false, err
	}
	if check {
		return true, nil
	}
	if err := artifact.WriteText(path, formatted); err != nil {
		return false, fail(exitUser, "%v", err)
	}
	return true, nil
}

// formatText formats a program, and prints its syntax errors.
func formatText(name, text string) (string, error) {
	var sink diag.Sink
	formatted, ok := format.Source(source.NewFile(name, text), &sink)
	if !ok {
		if err := render(os.Stderr, "text", sink.Sorted()); err != nil {
			return "", err
		}
		return "", &failure{code: codeOf(sink.All())}
	}
	return formatted, nil
}
