//go:build !runner

package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/tooling/lsp"
)

func newLsp() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve editors: diagnostics, types, places and edits, by the Language Server Protocol over standard input and output",
		Long: "Serve editors by the Language Server Protocol over standard input and output; docs/editors.md tells how editors are set up.\n" +
			"Exit status: 0 if the editor has said that it would end, otherwise 1.",
		Args: cobra.NoArgs,
		RunE: interruptible(func(ctx context.Context, _ *cobra.Command, _ []string) error {
			if err := lsp.Serve(ctx, os.Stdin, os.Stdout, compiler.Version); err != nil && !errors.Is(err, context.Canceled) {
				return fail(exitInternal, "%v", err)
			}
			return nil
		}),
	}
	// Editors pass it to servers that have other ways, too.
	cmd.Flags().Bool("stdio", true, "use standard input and output, as is done anyway")
	return cmd
}
