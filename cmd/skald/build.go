package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"skald"
	"skald/runtime/webgpu"
)

func newBuild() *cobra.Command {
	var flags checkFlags
	var output, emit, profile, library string
	var withLibrary, verify bool
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
			compiled, d := skald.Compile(prog, skald.CompileOptions{Verify: verify})
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
			var lib []byte
			if withLibrary {
				if lib, err = readLibrary(library); err != nil {
					return err
				}
			}
			return writeExecutable(output, compiled, lib)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVarP(&output, "output", "o", "", "the executable to write (FILE without .fut, on Windows with .exe, unless given)")
	cmd.Flags().StringVar(&emit, "emit", "", "print instead of building: imp (the low-level program) or wgsl (its kernels)")
	cmd.Flags().StringVar(&profile, "profile", "portable", "the device that --emit is for: portable or native")
	cmd.Flags().BoolVar(&withLibrary, "bundle", false, "put a WebGPU library into the executable")
	cmd.Flags().StringVar(&library, "webgpu-library", "", "the library that --bundle takes (the first one found unless given)")
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
func writeExecutable(path string, p *skald.Program, library []byte) error {
	self, err := os.Executable()
	if err != nil {
		return fail(exitInternal, "cannot find the file of this program: %v", err)
	}
	return uninterrupted(func() error {
		if err := p.WriteExecutable(path, self, library); err != nil {
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

func readLibrary(path string) ([]byte, error) {
	options := webgpu.Options{Library: path}
	found := webgpu.FindLibraries(options)
	if len(found) == 0 {
		return nil, fail(exitUser, "--bundle found no WebGPU library; name one with --webgpu-library")
	}
	if err := webgpu.CheckLibrary(found[0], options); err != nil {
		return nil, fail(exitUser, "--bundle: %v", err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return nil, fail(exitUser, "cannot read the WebGPU library: %v", err)
	}
	return data, nil
}

// emitCode prints the low-level program or its kernels for a named device profile.
func emitCode(cmd *cobra.Command, p *skald.Program, emit, profile string) error {
	facts, ok := skald.DeviceProfile(profile)
	if !ok {
		return fail(exitUser, "no device profile is called %q; there are portable and native", profile)
	}
	w := cmd.OutOrStdout()
	switch emit {
	case "imp":
		text, err := p.LowText(facts)
		if err != nil {
			return fail(exitInternal, "%v", err)
		}
		fmt.Fprint(w, text)
	case "wgsl":
		codes, err := p.Kernels(facts)
		if err != nil {
			return fail(exitInternal, "%v", err)
		}
		for _, c := range codes {
			fmt.Fprintln(w, c.Source)
		}
	default:
		return fail(exitUser, "--emit takes imp or wgsl, not %q", emit)
	}
	return nil
}
