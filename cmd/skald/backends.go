//go:build !runner

package main

import (
	"github.com/spf13/cobra"

	"skald/targets"
)

// newBackends makes the commands that Futhark has one of for each of its back ends: build, for a target.
func newBackends() []*cobra.Command {
	var out []*cobra.Command
	for _, t := range targets.All {
		for _, name := range t.Backends {
			out = append(out, newBackend(t, name))
		}
	}
	return out
}

func newBackend(t *targets.Target, name string) *cobra.Command {
	var executable bool
	flags := buildFlags{device: t.Name, backend: name}
	cmd := &cobra.Command{
		Use:    name + " FILE",
		Short:  "Compile a program as Futhark's tools do: `skald build --device " + t.Name + "`",
		Args:   exactly(1),
		PreRun: collectRarely,
		RunE:   func(cmd *cobra.Command, args []string) error { return flags.build(cmd, args[0]) },
	}
	flags.add(cmd)
	flags.addOutput(cmd)
	cmd.Flags().BoolVar(&executable, "executable", false, "make an executable, as is done anyway")
	return cmd
}
