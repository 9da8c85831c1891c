package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/runtime/bundle"
	"skald/targets"
)

func newBuild() *cobra.Command {
	var flags checkFlags
	var output, emit, profile string
	var carry []string
	var carrying targets.Options
	var verify bool
	cmd := &cobra.Command{
		Use:   "build FILE",
		Short: "Compile a program to an executable",
		Long: "Compile a program to an executable: one file that needs nothing else, picks the best device where it runs, reads its\n" +
			"arguments from standard input and writes its results to standard output. Run it with --help for its options.",
		Args:   exactly(1),
		PreRun: collectRarely,
		RunE: func(cmd *cobra.Command, args []string) error {
			prog, err := flags.check(args[0])
			if err != nil {
				return err
			}
			if len(prog.Entries()) == 0 {
				return fail(exitUser, "%s has no entry point: name a function main, or begin its definition with `entry`", args[0])
			}
			compiled, d := compiler.Compile(prog, compiler.CompileOptions{Verify: verify})
			if d != nil {
				return report(d)
			}
			if err := flags.show(compiled.Warnings()); err != nil {
				return err
			}
			if emit != "" {
				return emitCode(cmd, compiled, emit, profile)
			}
			if output == "" {
				output = strings.TrimSuffix(args[0], ".fut")
				if runtime.GOOS == "windows" {
					output += ".exe" // or it cannot be started
				}
			}
			if err := mayReplace(output, args[0]); err != nil {
				return err
			}
			carried, err := readCarried(carry, carrying)
			if err != nil {
				return err
			}
			return writeExecutable(output, compiled, carried)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "the executable to write (FILE without .fut, on Windows with .exe, unless given)")
	cmd.Flags().StringVar(&emit, "emit", "",
		"print instead of building: imp (the low-level program), or its kernels in "+targets.Listed(targets.EmitNames()))
	cmd.Flags().StringVar(&profile, "profile", "",
		"the device that --emit is for: "+targets.Listed(targets.ProfileNames())+" (the first of the target unless given)")
	cmd.Flags().StringArrayVar(&carry, "bundle", nil, "put what a target needs into the executable: "+bundleNames()+" (may be repeated)")
	addTargetFlags(cmd.Flags(), &carrying, func(f targets.Flag) bool { return f.Bundling })
	cmd.Flags().BoolVar(&verify, "check", false, "verify the program after each pass")
	return cmd
}

// mayReplace refuses to put the executable in the place of something that is lost then: a program's source, a folder, a device.
func mayReplace(output, source string) error {
	if strings.HasSuffix(output, ".fut") {
		return fail(exitUser, "cannot write the executable: %s has the name of a program; -o names another file", output)
	}
	info, err := os.Stat(output)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to replace, or writing will say what is wrong
	}
	program, err := os.Stat(source)
	switch {
	case err == nil && os.SameFile(info, program):
		return fail(exitUser, "cannot write the executable: %s is the program itself; -o names another file", output)
	case info.IsDir():
		return fail(exitUser, "cannot write the executable: %s is a folder; -o names a file", output)
	case !info.Mode().IsRegular():
		return fail(exitUser, "cannot write the executable: %s is not an ordinary file", output)
	}
	return nil
}

// writeExecutable writes this very binary with a program behind it. Nothing half-written is left when it is interrupted.
func writeExecutable(path string, p *compiler.Program, carried []bundle.Section) error {
	self, err := os.Executable()
	if err != nil {
		return fail(exitInternal, "cannot find the file of this program: %v", err)
	}
	return uninterrupted(func() error {
		if err := p.WriteExecutable(path, self, carried...); err != nil {
			return fail(exitUser, "cannot write the executable: %v", err)
		}
		return nil
	})
}

// uninterrupted runs f to its end; if the user interrupts it, that is what it fails with.
func uninterrupted(f func() error) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	if err := f(); err != nil {
		return err
	}
	select {
	case <-interrupts:
		return fail(exitUser, "interrupted")
	default:
		return nil
	}
}

// readCarried reads what targets put into an executable.
func readCarried(names []string, o targets.Options) ([]bundle.Section, error) {
	var out []bundle.Section
	for _, name := range names {
		t := targets.Find(name)
		if t == nil || t.Bundle == nil {
			return nil, fail(exitUser, "--bundle takes %s, not %q", bundleNames(), name)
		}
		data, err := t.Bundle(o)
		if err != nil {
			return nil, fail(exitUser, "--bundle %s: %v", name, err)
		}
		out = append(out, bundle.Section{Name: t.Name, Data: data})
	}
	return out, nil
}

// emitCode prints the low-level program or its kernels for a named device profile; with no name, for the usual one of the target.
func emitCode(cmd *cobra.Command, p *compiler.Program, emit, profile string) error {
	t := targets.FindEmit(emit)
	if t == nil && emit != "imp" {
		return fail(exitUser, "--emit takes %s, not %q", targets.Listed(append([]string{"imp"}, targets.EmitNames()...)), emit)
	}
	if profile == "" && t != nil {
		profile = t.Profiles[0].Name
	} else if profile == "" {
		profile = targets.DefaultProfile()
	}
	m := targets.FindProfile(profile)
	switch {
	case m == nil:
		return fail(exitUser, "no device profile is called %q; there are %s", profile, strings.Join(targets.ProfileNames(), ", "))
	case t != nil && t != m.Target:
		return fail(exitUser, "--emit %s is for devices of %s, and %s is one of %s", emit, t.Name, profile, m.Target.Name)
	}
	w := cmd.OutOrStdout()
	if t == nil {
		text, err := p.LowText(m)
		if err != nil {
			return fail(exitInternal, "%v", err)
		}
		fmt.Fprint(w, text)
		return nil
	}
	codes, err := p.Kernels(m)
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	for _, c := range codes {
		fmt.Fprintln(w, c.Source)
	}
	return nil
}
