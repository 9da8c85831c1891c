//go:build !runner

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

func newQuery() *cobra.Command {
	return &cobra.Command{
		Use:   "query FILE LINE COLUMN",
		Short: "Tell the name at a place, its type and where it is defined",
		Args:  exactly(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			var at source.Position
			for i, p := range []*int{&at.Line, &at.Column} {
				n, err := strconv.Atoi(args[i+1])
				if err != nil || n < 1 {
					return fail(exitUser, "%q is not the number of a line or column", args[i+1])
				}
				*p = n
			}
			var mentions []check.Mention
			note := func(m check.Mention) { mentions = append(mentions, m) }
			flags := checkFlags{noWarnings: true, format: "text", mentioned: note}
			prog, err := flags.check(args[0])
			if err != nil {
				return err
			}
			found, ok := compiler.Query(prog, mentions, args[0], at)
			w := cmd.OutOrStdout()
			if !ok {
				fmt.Fprintln(w, "No information available.")
				return nil
			}
			if found.Name != "" {
				fmt.Fprintf(w, "Name: %s\n", qualified(found))
			}
			fmt.Fprintf(w, "Position: %v\n", found.At)
			if found.Type != nil {
				fmt.Fprintf(w, "Type: %v\n", found.Type)
			}
			if found.Defined.Valid() {
				fmt.Fprintf(w, "Definition: %v\n", found.Defined)
			}
			return nil
		},
	}
}

// qualified is a name as it is written: with the modules before it.
func qualified(f compiler.Found) string {
	if text := f.At.Text(); strings.HasSuffix(text, "."+f.Name) && len(strings.Fields(text)) == 1 {
		return text
	}
	return f.Name
}

func newCheckSyntax() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "check-syntax FILE",
		Short: "Check only that a file can be parsed",
		Args:  exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := source.ReadFile(args[0])
			if err != nil {
				return fail(exitUser, "%v", err)
			}
			var sink diag.Sink
			syntax.Parse(source.NewFile(args[0], text), &sink)
			if err := render(os.Stderr, format, sink.Sorted()); err != nil {
				return err
			}
			if sink.HasErrors() {
				return &failure{code: codeOf(sink.All())}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "diagnostics", "text", "how errors are printed: text, short or json")
	return cmd
}
