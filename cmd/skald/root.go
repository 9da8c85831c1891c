//go:build !runner

package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"skald/compiler"
)

// run runs the command line and returns its exit code.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	strict(root)
	err := execute(root, os.Stdout)
	if err == nil {
		return exitOK
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{exitUser, suggestion(root, err).Error()}
	}
	if f.text != "" {
		fmt.Fprintln(os.Stderr, "skald: "+f.text)
	}
	return f.code
}

// collectRarely collects garbage rarely: commands that only compile end before they use much, and are a quarter faster. GOGC in the
// environment says otherwise.
func collectRarely(*cobra.Command, []string) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(rarely)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "skald",
		Short: "A compiler for the Futhark language, for GPUs and processors",
		Long: "A compiler for the Futhark language. Programs run on:\n\n" + targetList() + "\n" +
			"Exit status: 0 when all went well; 1 for an internal error, something that skald cannot do yet, or memory that does not\n" +
			"suffice; 2 for an error of the user's (in a program, an argument, a file or a value);\n" +
			"3 for a program that ran and failed; 1 also where `skald test` found failures.",
		Version:       compiler.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(newCheck(), newRun(), newBuild(), newDev(), newDevices(), newTest(),
		newFmt(), newTokens(), newDefs(), newImports(), newEval(), newRepl(),
		newBench(), newBenchcmp(), newProfile(), newAutotune(), newScript(), newLiterate(), newDataget(), newExplain(),
		newLsp(), newPkg(), newDataset(), newDatacmp(), newQuery(), newCheckSyntax(), newDoc(), newHash())
	root.AddCommand(newBackends()...)
	for _, c := range append(root.Commands(), root) {
		c.Version = root.Version
		c.SetVersionTemplate(root.VersionTemplate())
		c.Flags().BoolP("version", "V", false, "print the version of skald")
	}
	return root
}
