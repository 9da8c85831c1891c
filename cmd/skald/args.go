//go:build !runner

package main

import "github.com/spf13/cobra"

// Arguments of usage: what is wrong with the arguments.
const (
	argumentsMissing = true
	argumentsTooMany = false
)

// usage is the error for a wrong number of arguments: it shows what the command takes.
func usage(cmd *cobra.Command, tooFew bool) error {
	what := "too many arguments"
	if tooFew {
		what = "an argument is missing"
	}
	return fail(exitUser, "%s; usage: %s", what, cmd.UseLine())
}

// exactly accepts n arguments.
func exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usage(cmd, len(args) < n)
		}
		return nil
	}
}

// atLeastOne accepts one argument or more.
func atLeastOne(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(cmd, argumentsMissing)
	}
	return nil
}

// atMostOne accepts one argument or none.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(cmd, argumentsTooMany)
	}
	return nil
}
