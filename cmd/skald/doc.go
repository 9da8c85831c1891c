//go:build !runner

package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/tooling/artifact"
)

func newDoc() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "doc -o FOLDER FILE|FOLDER...",
		Short: "Write HTML pages of the documentation comments in programs and what they import",
		Args:  atLeastOne,
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := programFiles(args)
			if err != nil {
				return fail(exitUser, "%v", err)
			}
			if len(files) == 0 {
				return fail(exitUser, "there are no programs in %s", strings.Join(args, ", "))
			}
			for i, f := range files {
				files[i] = filepath.ToSlash(f)
			}
			pages, sink, ok := compiler.Document(files, nil)
			if err := renderSome(os.Stderr, sink.Sorted(), hideWarnings); err != nil {
				return err
			}
			if !ok {
				return &failure{code: codeOf(sink.All())}
			}
			for _, p := range pages {
				if err := writePage(filepath.Join(dir, filepath.FromSlash(p.Path)), p.Text); err != nil {
					return fail(exitUser, "%v", err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the folder to write to; it is made if it is not there")
	if err := cmd.MarkFlagRequired("output"); err != nil {
		panic(err)
	}
	return cmd
}

// writePage writes a file, and makes the folder that it is in.
func writePage(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return artifact.WriteText(path, text)
}
