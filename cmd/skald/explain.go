//go:build !runner

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"skald/frontend/diag"
)

func newExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Say what a code at the end of a message means, with an example; without CODE, list all",
		Args:  atMostOne,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			if len(args) == 0 {
				for _, c := range diag.Codes() {
					first, _, _ := strings.Cut(c.Doc, ". ")
					fmt.Fprintf(w, "%-28s %s\n", c.ID, strings.TrimSuffix(strings.ReplaceAll(first, "\n", " "), "."))
				}
				return nil
			}
			name := strings.Trim(args[0], "[]")
			c := diag.Lookup(name)
			if c == nil {
				return fail(exitUser, "there is no code %q%s; `skald explain` lists them", name, meant(name, codeNames()))
			}
			explain(w, c)
			return nil
		},
	}
}

func codeNames() []string {
	var names []string
	for _, c := range diag.Codes() {
		names = append(names, c.ID)
	}
	return names
}

func explain(w io.Writer, c *diag.Code) {
	fmt.Fprintf(w, "%s (%s)\n\n%s\n", paintFor(w).bold(c.ID), c.Severity, c.Doc)
	if c.Hint != "" {
		fmt.Fprintf(w, "\nWhat to do: %s\n", c.Hint)
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nFor example:\n\n    %s\n", strings.ReplaceAll(strings.Trim(c.Example, "\n"), "\n", "\n    "))
	}
}
