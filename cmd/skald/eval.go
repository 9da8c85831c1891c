//go:build !runner

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
)

func newEval() *cobra.Command {
	var file string
	var noWarnings bool
	cmd := &cobra.Command{
		Use:   "eval EXPRESSION...",
		Short: "Evaluate expressions in the interpreter and print their values",
		Args:  atLeastOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := newSession(file, noWarnings, interp.Options{Trace: printTrace})
			if err != nil {
				return err
			}
			ctx, done := signal.NotifyContext(context.Background(), os.Interrupt)
			defer done()
			for _, text := range args {
				a := s.Enter(ctx, text)
				if err := printAnswer(cmd.OutOrStdout(), os.Stderr, a, noWarnings); err != nil {
					return err
				}
				switch {
				case ctx.Err() != nil:
					return &failure{code: exitUser}
				case a.Err != nil:
					return &failure{code: runCode(a.Err)}
				case !a.OK():
					return &failure{code: codeOf(a.Messages)}
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "the program whose definitions expressions may mention")
	cmd.Flags().BoolVarP(&noWarnings, "no-warnings", "w", false, "print no warnings")
	return cmd
}

// newSession makes a session for the program in a file, or for none, and prints what is wrong with it.
func newSession(file string, noWarnings bool, opts interp.Options) (*compiler.Session, error) {
	if file == "" {
		return compiler.NewSession(nil, opts), nil
	}
	s, sink, ok := compiler.LoadSession(file, nil, opts)
	if err := renderSome(os.Stderr, sink.Sorted(), noWarnings); err != nil {
		return nil, err
	}
	if !ok {
		return nil, &failure{code: codeOf(sink.All())}
	}
	return s, nil
}

// Arguments of printAnswer and renderSome.
const (
	hideWarnings = true
	showWarnings = false
)

// printAnswer prints values to one stream, and errors and warnings to another.
func printAnswer(out, errs io.Writer, a *compiler.Answer, noWarnings bool) error {
	if err := renderSome(errs, a.Messages, noWarnings); err != nil {
		return err
	}
	if a.Err != nil {
		fmt.Fprintln(errs, a.Err)
		return nil
	}
	if a.Text != "" {
		fmt.Fprintln(out, a.Text)
	}
	return nil
}

// renderSome prints diagnostics, warnings only if they are wanted.
func renderSome(w io.Writer, list []*diag.Diagnostic, noWarnings bool) error {
	shown := list[:0:0]
	for _, d := range list {
		if d.IsError() || !noWarnings {
			shown = append(shown, d)
		}
	}
	return render(w, "text", shown)
}

// printTrace prints the value of an expression with the attribute #[trace].
func printTrace(at source.Span, tag, text string) {
	if tag == "" {
		tag = at.String()
	}
	fmt.Fprintf(os.Stderr, "Trace at %s: %s\n", tag, text)
}
