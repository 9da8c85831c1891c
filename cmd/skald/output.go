package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// output is standard output as commands write to it. It remembers the first failure, so that no command has to look at each write to
// find out that a disk is full.
type output struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// execute runs a command whose standard output is w. It fails, too, when something could not be written there.
func execute(cmd *cobra.Command, w io.Writer) error {
	out := &output{w: w}
	cmd.SetOut(out)
	err := guard(cmd.Execute)
	if err == nil && out.err != nil {
		err = fail(exitUser, "cannot write to standard output: %v", out.err)
	}
	return err
}

// strict makes the commands that cobra adds refuse what they do not know, where they would print a help text and succeed.
func strict(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if found, rest, err := root.Find(args); found == nil || err != nil || len(rest) > 0 {
					return fail(exitUser, "there is no command %q; `skald help` lists them", strings.Join(args, " "))
				}
				return nil
			}
		case "completion":
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		default:
		}
	}
}
