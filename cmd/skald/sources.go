//go:build !runner

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

func newHash() *cobra.Command {
	return &cobra.Command{
		Use:   "hash FILE",
		Short: "Print a number that changes when any file of a program does",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, sink, ok := compiler.Hash(args[0], nil)
			if !ok {
				if err := render(os.Stderr, "text", sink.Sorted()); err != nil {
					return err
				}
				return &failure{code: codeOf(sink.All())}
			}
			fmt.Fprintln(cmd.OutOrStdout(), sum)
			return nil
		},
	}
}

// sources parses a program with all its files, and prints its syntax errors.
func sources(path string) ([]*syntax.File, error) {
	files, sink, ok := compiler.Sources(path, nil)
	if !ok {
		if err := render(os.Stderr, "text", sink.Sorted()); err != nil {
			return nil, err
		}
		return nil, &failure{code: codeOf(sink.All())}
	}
	return files, nil
}

func newImports() *cobra.Command {
	return &cobra.Command{
		Use:   "imports FILE",
		Short: "List the files of a program, but for the prelude",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := sources(args[0])
			for _, f := range files {
				fmt.Fprintln(cmd.OutOrStdout(), f.Source.Name())
			}
			return err
		},
	}
}

func newDefs() *cobra.Command {
	return &cobra.Command{
		Use:   "defs FILE",
		Short: "List what a program's files and modules define, and where",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := sources(args[0])
			for _, f := range files {
				for _, d := range syntax.Definitions(f) {
					fmt.Fprintf(cmd.OutOrStdout(), "%s %s %v\n", d.Kind, d.Name.Text, d.At)
				}
			}
			return err
		},
	}
}

func newTokens() *cobra.Command {
	return &cobra.Command{
		Use:   "tokens FILE",
		Short: "List the tokens of a file",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := source.ReadFile(args[0])
			if err != nil {
				return fail(exitUser, "%v", err)
			}
			f := source.NewFile(args[0], text)
			tokens, _ := syntax.Lex(f)
			for _, t := range tokens {
				at := f.Span(int(t.Start), int(t.End))
				kind := t.Kind.String()
				if text := at.Text(); text != "" && text != kind {
					kind += " " + text
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%v %s\n", at, kind)
			}
			return nil
		},
	}
}
