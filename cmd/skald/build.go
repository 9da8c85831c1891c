//go:build !runner

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/runtime/bundle"
	"skald/runtime/manifest"
	"skald/targets"
	"skald/tooling/artifact"
)

// buildFlags are the options of commands that compile a program.
type buildFlags struct {
	checkFlags
	output, emit, profile string
	carry                 []string
	carrying              targets.Options
	verify                bool
	server, library, safe bool
	device                string
	goFolder              string
	target, runner        string
	backend               string // how descriptions call what the program was compiled by
	// reading reads the runner, once.
	reading func() (*compiler.Runner, error)
}

func newBuild() *cobra.Command {
	var flags buildFlags
	cmd := &cobra.Command{
		Use:   "build FILE",
		Short: "Compile a program to an executable",
		Long: "Compile a program to an executable: one file that needs nothing else, picks the best device where it runs, reads its\n" +
			"arguments from standard input and writes its results to standard output. Run it with --help for its options.\n" +
			"With --server it takes commands of Futhark's server protocol instead, from tools and other programs;\n" +
			"with --library it is a C library, with --go a package of Go.",
		Args:   exactly(1),
		PreRun: collectRarely,
		RunE:   func(cmd *cobra.Command, args []string) error { return flags.build(cmd, args[0]) },
	}
	flags.add(cmd)
	flags.addOutput(cmd)
	cmd.Flags().StringVar(&flags.emit, "emit", "",
		"print instead of building: imp (the low-level program), or its kernels in "+targets.Listed(targets.EmitNames()))
	cmd.Flags().StringVar(&flags.profile, "profile", "",
		"the device that --emit is for: "+targets.Listed(targets.ProfileNames())+" (the first of the target unless given)")
	cmd.Flags().StringVar(&flags.device, "device", "", "the device that the executable takes unless told otherwise: "+targets.DeviceNames())
	cmd.Flags().StringArrayVar(&flags.carry, "bundle", nil, "put into the executable: "+bundleNames()+" (may be repeated)")
	addTargetFlags(cmd.Flags(), &flags.carrying, func(f targets.Flag) bool { return f.Bundling })
	cmd.Flags().StringVar(&flags.target, "target", "", "the system and processor to build for, such as linux/arm64 (this one's unless given)")
	cmd.Flags().StringVar(&flags.runner, "runner", "", "the skald that the executable is a copy of: a `file`, for the target")
	cmd.Flags().StringVar(&flags.goFolder, "go", "", "make a package of Go in this `folder`, which is called like it")
	cmd.Flags().BoolVar(&flags.verify, "check", false, "verify the program after each pass")
	return cmd
}

// addOutput adds the options that say what is written.
func (f *buildFlags) addOutput(cmd *cobra.Command) {
	f.reading = sync.OnceValues(func() (*compiler.Runner, error) {
		binary, err := f.readRunner()
		if err != nil {
			return nil, err
		}
		return compiler.NewRunner(binary), nil
	})
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "the file to write (FILE without .fut, on Windows with .exe, unless given)")
	cmd.Flags().BoolVar(&f.safe, "safe", false, "keep the checks that #[unsafe] in the program leaves out")
	cmd.Flags().BoolVar(&f.library, "library", false, "make a C library: three files, called like the file to write, with .c, .h and .json")
	cmd.Flags().BoolVar(&f.server, "server", false, "make an executable that speaks the server protocol, and describe it beside it (.json)")
}

// build compiles a program and writes or prints what is asked for.
func (f *buildFlags) build(cmd *cobra.Command, path string) error {
	if f.profile != "" && f.emit == "" {
		return fail(exitUser, "--profile says which device --emit prints for, which is not given; --bundle names profiles to compile for")
	}
	if f.emit == "" {
		go f.reading() //nolint:errcheck // who needs the runner hears of it; its hash takes longer than a small program
	}
	prog, err := f.checkNamed(path)
	if err != nil {
		return err
	}
	if len(prog.Entries()) == 0 {
		return fail(exitUser, "%s has no entry point: name a function main, or begin its definition with `entry`", path)
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{Verify: f.verify, Safe: f.safe})
	if d != nil {
		return report(d)
	}
	if err := f.show(f.told(compiled)); err != nil {
		return err
	}
	if f.emit != "" {
		return emitCode(cmd, compiled, f.emit, f.profile)
	}
	if err := errors.Join(f.checkDevice(), f.checkTarget()); err != nil {
		return err
	}
	stem := strings.TrimSuffix(path, ".fut")
	if f.goFolder != "" {
		return f.writeGo(compiled, path)
	}
	if f.library {
		return f.writeLibrary(compiled, cmp.Or(f.output, stem))
	}
	if f.output == "" {
		f.output = stem
		if strings.HasPrefix(f.targetName(), "windows/") {
			f.output += ".exe" // or it cannot be started
		}
	}
	if err := mayReplace(f.output, path); err != nil {
		return err
	}
	carried, err := f.sections(compiled)
	if err != nil {
		return err
	}
	return f.writeExecutable(compiled, carried)
}

// told is what a build tells of a compiled program, as it is for the usual device and for those of the built profiles, which all begin at
// the same time.
func (f *buildFlags) told(p *compiler.Program) []*diag.Diagnostic {
	if f.emit != "" {
		return p.Warnings()
	}
	var refusals []*diag.Diagnostic
	var wait sync.WaitGroup
	wait.Go(func() { refusals = p.Refusals(targets.BuiltProfiles()) })
	warnings := p.Warnings()
	wait.Wait()
	return append(warnings, refusals...)
}

// checkDevice refuses a default device that there cannot be.
func (f *buildFlags) checkDevice() error {
	if kind, _, _ := strings.Cut(f.device, ":"); kind != "" && kind != "auto" && targets.Find(kind) == nil {
		return fail(exitUser, "no device is called %q; there are %s", f.device, targets.DeviceNames())
	}
	return nil
}

// sections are what the executable carries besides the program.
func (f *buildFlags) sections(p *compiler.Program) ([]bundle.Section, error) {
	carried, err := f.readCarried(p)
	if err != nil {
		return nil, err
	}
	if f.server {
		carried = append(carried, bundle.Section{Name: sectionServer})
	}
	if f.device != "" {
		carried = append(carried, bundle.Section{Name: sectionDevice, Data: []byte(f.device)})
	}
	return carried, nil
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

// writeExecutable writes a runner with a program behind it. Nothing half-written is left when it is interrupted.
func (f *buildFlags) writeExecutable(p *compiler.Program, carried []bundle.Section) error {
	runner, err := f.reading()
	if err != nil {
		return err
	}
	return uninterrupted(func() error {
		if err := p.WriteCopy(f.output, runner, carried...); err != nil {
			return fail(exitUser, "cannot write the executable: %v", err)
		}
		if !f.server {
			return nil
		}
		described, err := p.Describe()
		if err != nil {
			return fail(exitInternal, "%v", err)
		}
		return writeManifest(strings.TrimSuffix(f.output, ".exe")+".json", described, f.backendName())
	})
}

// backendName is what descriptions call what the program was compiled by: Futhark's tools link the libraries of those that use any.
func (f *buildFlags) backendName() string {
	if f.backend == "c" || f.backend == "multicore" {
		return f.backend
	}
	return "skald"
}

// writeManifest writes the description of a program.
func writeManifest(path string, m *manifest.Program, backend string) error {
	text, err := m.JSON(backend, compiler.Version)
	if err == nil {
		err = artifact.WriteText(path, string(text))
	}
	if err != nil {
		return fail(exitUser, "cannot write the description of the program: %v", err)
	}
	return nil
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

// readCarried reads what targets put into the executable.
func (f *buildFlags) readCarried(p *compiler.Program) ([]bundle.Section, error) {
	var out []bundle.Section
	for _, name := range f.carry {
		more, err := f.readOne(p, name)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// readOne is readCarried for one thing: a target's own, a profile, or a machine to compile for.
func (f *buildFlags) readOne(p *compiler.Program, name string) ([]bundle.Section, error) {
	if t := targets.Find(name); t != nil && t.Bundle != nil {
		data, err := t.Bundle(f.carrying)
		if err != nil {
			return nil, fail(exitUser, "--bundle %s: %v", name, err)
		}
		return []bundle.Section{{Name: t.Name, Data: data}}, nil
	}
	if m := findBundled(name); m != nil {
		return f.keptFor(p, name, m)
	}
	if kind, machine, ok := strings.Cut(name, ":"); ok {
		code, err := f.compileFor(p, kind, machine)
		return []bundle.Section{{Name: name, Data: code}}, err
	}
	return nil, fail(exitUser, "--bundle takes %s, not %q", bundleNames(), name)
}

// compileFor compiles the program's kernels for machines that need not be here.
func (f *buildFlags) compileFor(p *compiler.Program, kind, machine string) ([]byte, error) {
	t := targets.Find(kind)
	if t == nil || t.CompileFor == nil {
		return nil, fail(exitUser, "--bundle takes %s, not %q", bundleNames(), kind+":"+machine)
	}
	kernels, err := p.KernelSources(targets.FindProfile(t.Profiles[0].Name))
	if err != nil {
		return nil, fail(exitUser, "--bundle %s:%s: %v", kind, machine, err)
	}
	code, err := t.CompileFor(f.carrying, f.targetName(), machine, kernels)
	if err != nil {
		return nil, fail(exitUser, "--bundle %s:%s: %v", kind, machine, err)
	}
	return code, nil
}

// findBundled finds a profile by its name, before which may be that of its target with a colon; nil if there is none.
func findBundled(name string) *compiler.Model {
	target, profile, found := strings.Cut(name, ":")
	if !found {
		return targets.FindProfile(name)
	}
	if m := targets.FindProfile(profile); m != nil && m.Target.Name == target {
		return m
	}
	return nil
}

// keptFor is the program as it is compiled for a profile, with machine code if it can be made here.
func (f *buildFlags) keptFor(p *compiler.Program, name string, m *compiler.Model) ([]bundle.Section, error) {
	runner, err := f.reading()
	if err != nil {
		return nil, err
	}
	kept, without, err := p.Keep(runner, m)
	if err != nil {
		return nil, fail(exitUser, "--bundle %v", err)
	}
	if without != nil {
		warnSlow(fmt.Sprintf("--bundle %s: without machine code, which is compiled where the program runs: %v", name, without))
	}
	return kept, nil
}

// noProfile is the failure that no profile has a name.
func noProfile(name string) error {
	return fail(exitUser, "no device profile is called %q; there are %s", name, strings.Join(targets.ProfileNames(), ", "))
}

// notEmitted is the failure that a program cannot be compiled for a profile: a limitation of its devices, or a fault of ours.
func notEmitted(err error) error {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return report(d)
	}
	return fail(exitInternal, "%v", err)
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
		return noProfile(profile)
	case t != nil && t != m.Target:
		return fail(exitUser, "--emit %s is for devices of %s, and %s is one of %s", emit, t.Name, profile, m.Target.Name)
	case t != nil && m.Emitting(emit) == nil:
		return fail(exitUser, "--emit %s is for devices with a compiler: %s evaluates kernels, as --emit imp prints them", emit, profile)
	}
	var text string
	var err error
	if t == nil {
		text, err = p.LowText(m)
	} else {
		text, err = p.KernelText(m.Emitting(emit))
	}
	if err != nil {
		return notEmitted(err)
	}
	fmt.Fprint(cmd.OutOrStdout(), text)
	return nil
}
