package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skald/compiler"
	"skald/middle/imp"
	"skald/runtime/bundle"
	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
	"skald/targets"
)

// programFlags are the options of an executable that `skald build` wrote. Those that the peer's executables have
// mean the same here.
type programFlags struct {
	entry       string
	times       string
	timesFile   *os.File // nil if no times are asked for
	runs        int
	binary      bool
	quiet       bool
	debug       bool
	log         bool
	profile     bool
	params      []string
	tuning      string
	printParams bool
	timeout     time.Duration
	cacheFile   string
	without     []string
	device      compiler.DeviceOptions
}

// runProgram runs the program behind this executable, or serves it. It returns 0, or 1 for whatever went wrong.
func runProgram(b bundle.Bundle, args []string) int {
	if _, ok := b.Section(sectionServer); ok {
		return runServer(b, args)
	}
	var f programFlags
	cmd := &cobra.Command{
		Use:   os.Args[0],
		Short: "A program compiled by skald: it reads its arguments from standard input and writes its results to standard output",
		Long: "A program compiled by skald: it reads its arguments from standard input and writes its results to standard\n" +
			"output, in Futhark's text format or its binary one. Exit status: 0 when all went well, 124 when --timeout ended it,\n" +
			"1 otherwise; standard error says what went wrong.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%q is too much: arguments are read from standard input; --help lists the options", args[0])
			}
			return nil
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.open(); err != nil {
				return err
			}
			ctx, cancel := f.deadline(cmd.Context())
			defer cancel()
			return errors.Join(f.run(ctx, b, cmd.InOrStdin(), cmd.OutOrStdout()), f.closeTimes())
		},
	}
	f.add(cmd)
	f.addRunning(cmd)
	return f.start(cmd, args)
}

// start runs the command line of an executable.
func (f *programFlags) start(cmd *cobra.Command, args []string) int {
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	cmd.SetArgs(args)
	if err := execute(cmd, os.Stdout); err != nil {
		return f.report(err)
	}
	return 0
}

// exitTimeout is the exit code of an executable that --timeout ended: what timeout(1) says.
const exitTimeout = 124

// report prints an error of an executable and returns its exit code. As in the peer's executables it begins with the program's name.
func (f *programFlags) report(err error) int {
	code := 1
	var sig interrupted
	if errors.As(err, &sig) {
		return exitSignal + int(sig.Signal)
	}
	if f.timeout > 0 && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, device.Timeout)) {
		code, err = exitTimeout, fmt.Errorf("the program did not end within --timeout %v", f.timeout)
	}
	fmt.Fprintf(os.Stderr, "%s: Error: %s\n", os.Args[0], strings.TrimPrefix(err.Error(), "Error: "))
	return code
}

// forgotten is how long an executable goes on after its --timeout: for host code and devices to end by themselves.
const forgotten = time.Second

// deadline returns the context of a run that --timeout ends. Calls that nothing can end, such as reading standard input and compiling in
// a driver, end with the process.
func (f *programFlags) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	if f.timeout <= 0 {
		return ctx, func() {}
	}
	f.device.Timeout = f.timeout
	late := time.AfterFunc(f.timeout+forgotten, func() { os.Exit(f.report(context.DeadlineExceeded)) })
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	return ctx, func() {
		late.Stop()
		cancel()
	}
}

// flagError says of an option's value what is wanted instead.
func flagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return fmt.Errorf("%w; --help lists the options", err)
	}
	flag := invalid.GetFlag()
	if flag.Value.Type() == "duration" {
		return fmt.Errorf("--%s takes a time such as 30s or 2m, not %q", flag.Name, invalid.GetValue())
	}
	return fmt.Errorf("--%s takes a value of type %s, not %q", flag.Name, flag.Value.Type(), invalid.GetValue())
}

// addRunning adds the options of executables that are no servers.
func (f *programFlags) addRunning(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVarP(&f.entry, "entry-point", "e", "main", "the entry point to run")
	fs.StringVarP(&f.times, "write-runtime-to", "t", "", "write the time of each run to this `file`, in microseconds")
	fs.IntVarP(&f.runs, "runs", "r", 1, "how often to run, after one run to warm up if more than once; the last one's results are written")
	fs.BoolVarP(&f.binary, "binary-output", "b", false, "write results in the binary format")
	fs.BoolVarP(&f.quiet, "no-print-result", "n", false, "do not write results")
	fs.DurationVar(&f.timeout, "timeout", 0, "end with exit status 124 after this `time`, such as 2.5s or 10m; the device is given up")
}

// add adds the options of all executables.
func (f *programFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVarP(&f.debug, "debugging", "D", false,
		"like --log, and wait for each launch, look for failures after it, and keep the driver's own checks")
	fs.BoolVarP(&f.log, "log", "L", false, "say on standard error what is done")
	fs.BoolVarP(&f.profile, "profile", "P", false, "print on standard error what the device did, and for how long")
	fs.StringArrayVar(&f.params, "param", nil, "set a tuning parameter: `NAME=INT` (may be repeated)")
	fs.StringVar(&f.tuning, "tuning", "", "read tuning parameters from this `file`, NAME=INT a line")
	fs.BoolVar(&f.printParams, "print-params", false, "list the tuning parameters and exit")
	fs.StringVar(&f.cacheFile, "cache-file", "",
		"keep what is prepared for a device in this `file`, too, and take it from there: for a place without skald's cache")
	fs.StringVarP(&f.device.Name, "device", "d", "", "the device: "+targets.DeviceNames()+" (auto, unless it was built for another)")
	for _, p := range targets.SizeParams {
		for i, name := range p.Names {
			option := strings.ReplaceAll(name, "_", "-")
			fs.IntVar(p.Of(&f.device.Sizes), option, 0, p.Doc)
			if i > 0 {
				_ = fs.MarkHidden(option) // It is there; this is its older name.
			}
		}
	}
	fs.StringSliceVar(&f.without, "without", nil, "leave this `pass` of the compiler out (may be repeated); for finding faults")
	addTargetFlags(fs, &f.device, func(targets.Flag) bool { return true })
}

// open refuses options that cannot be followed, before any work is done for nothing.
func (f *programFlags) open() (err error) {
	if f.runs < 1 {
		return errors.New("--runs takes a positive number")
	}
	if f.timeout < 0 {
		return errors.New("--timeout takes a positive time")
	}
	if f.times == "" {
		return nil
	}
	if f.timesFile, err = os.Create(f.times); err != nil {
		return fmt.Errorf("cannot write the run times: %w", err)
	}
	return nil
}

func (f *programFlags) closeTimes() error {
	if f.timesFile == nil {
		return nil
	}
	if err := f.timesFile.Close(); err != nil {
		return fmt.Errorf("cannot write the run times: %w", err)
	}
	return nil
}

func (f *programFlags) run(ctx context.Context, b bundle.Bundle, in io.Reader, out io.Writer) error {
	return f.loaded(b, out, func(_ *compiler.Program, dev *compiler.Device, p *host.Program) error {
		if err := f.execute(ctx, dev, p, in, out); err != nil {
			return err
		}
		if f.profile {
			printProfile(os.Stderr, dev)
		}
		return nil
	})
}

// loaded calls use with the program on the device that the options ask for, unless they ask for its tuning parameters alone.
func (f *programFlags) loaded(b bundle.Bundle, out io.Writer,
	use func(compiled *compiler.Program, dev *compiler.Device, p *host.Program) error,
) error {
	start := time.Now()
	if f.cacheFile != "" {
		if err := cache.UseFile(f.cacheFile); err != nil {
			return fmt.Errorf("--cache-file: %w", err)
		}
	}
	compiled, err := compiler.Load(b)
	if err != nil {
		return err
	}
	if err := compiled.LeaveOut(f.without); err != nil {
		return err
	}
	f.note("read the program: %v", time.Since(start).Round(time.Microsecond))
	f.device.Bundle, f.device.Profile, f.device.Checked = b, f.profile, f.debug
	f.device.Warn, f.device.Needs, f.device.Program = warnSlow, compiled.Needs, compiled.Identity()
	if name, ok := b.Section(sectionDevice); ok && f.device.Name == "" {
		f.device.Name = string(name)
	}
	var t tuning
	if err := f.readTuning(&t); err != nil {
		return err
	}
	t.open(&f.device)
	start = time.Now()
	usually := collectRarelyWhile()
	compiled.Begin(f.device)
	dev, passed, err := compiler.OpenDevice(f.device)
	if err != nil {
		return err
	}
	defer dev.Close() //nolint:errcheck // the results are written; nothing can be done about it
	facts := dev.Facts()
	if passed != "" {
		warnSlow("running on " + dev.Model.Target.Place + ": " + passed)
	}
	f.note("device: %s (%s, %s): %v", facts.Name, facts.API, facts.Kind, time.Since(start).Round(time.Microsecond))
	if facts.Library != "" {
		f.note("library: %s", facts.Library)
	}
	start = time.Now()
	p, err := compiled.On(dev)
	usually()
	if err != nil {
		return err
	}
	defer p.Close()
	made := "made host code and kernels for the device"
	if where := compiled.KeptIn(); where != "" {
		made = "took host code and kernels from the " + where
	}
	f.note("%s: %v", made, time.Since(start).Round(time.Microsecond))
	if why := compiled.NotKept(); why != nil {
		warnSlow(fmt.Sprintf("what is compiled for the device is not kept, so that each start compiles it again "+
			"(--cache-file names a file for it): %v", why))
	}
	if f.printParams {
		printParams(out, p)
		return nil
	}
	if err := t.set(p); err != nil {
		return err
	}
	if f.debug {
		if err := p.Debug(noteLaunch); err != nil {
			return err
		}
	}
	return use(compiled, dev, p)
}

// collectRarelyWhile has garbage collected rarely until the function that it returns is called: where nothing is kept, preparing a program
// is compiling.
func collectRarelyWhile() (usually func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(rarely)
	return func() { debug.SetGCPercent(before) }
}

// execute reads the arguments, runs the entry point and writes the results.
func (f *programFlags) execute(ctx context.Context, dev device.Device, p *host.Program, in io.Reader, out io.Writer) error {
	entry := p.Entry(f.entry)
	if entry == nil {
		var names []string
		for _, e := range p.Entries() {
			names = append(names, e.Name)
		}
		return fmt.Errorf("there is no entry point %q; there are: %s", f.entry, strings.Join(names, ", "))
	}
	start := time.Now()
	uploaded, err := uploadArguments(in, p, entry, func(a *host.Args) error { return p.Prepare(ctx, a) })
	if err != nil {
		return err
	}
	defer p.FreeArgs(uploaded)
	f.note("brought the arguments to the device and compiled what they ask for: %v", time.Since(start).Round(time.Microsecond))
	results, err := f.measure(ctx, dev, p, uploaded)
	if err != nil {
		return err
	}
	defer p.FreeResults(results)
	if f.quiet {
		return nil
	}
	values, err := p.Streams(results)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	if err := errors.Join(writeResults(buffered, values, f.binary), buffered.Flush()); err != nil {
		return fmt.Errorf("cannot write the results: %w", err)
	}
	return nil
}

// measure runs the entry point as often as asked, and writes down how long each run took.
func (f *programFlags) measure(ctx context.Context, dev device.Device, p *host.Program, args *host.Args) (*host.Results, error) {
	warm := 0
	if f.runs > 1 {
		warm = 1
		if err := device.WarmUp(dev, device.WarmUpTime); err != nil {
			return nil, err
		}
	}
	var times strings.Builder
	var results *host.Results
	for i := range f.runs + warm {
		if results != nil {
			p.FreeResults(results)
		}
		start := time.Now()
		run := p.RunContext
		if i == f.runs+warm-1 {
			run = p.RunLast
		}
		r, err := run(ctx, args)
		if err != nil {
			return nil, err
		}
		results = r
		took := time.Since(start)
		f.note("run %d: %v", i, took.Round(time.Microsecond))
		if i >= warm {
			fmt.Fprintf(&times, "%d\n", took.Microseconds())
		}
	}
	if f.timesFile != nil {
		if _, err := f.timesFile.WriteString(times.String()); err != nil {
			return nil, fmt.Errorf("cannot write the run times: %w", err)
		}
	}
	return results, nil
}

// uploadArguments brings the values of an entry point's parameters from a stream, which has nothing after them, to the device, and
// meanwhile does what can be done once they are known.
func uploadArguments(in io.Reader, p *host.Program, entry *imp.Entry, meanwhile func(*host.Args) error) (*host.Args, error) {
	r := value.NewReader(in)
	var reading int // the parameter
	var want value.Type
	came := false // all of them
	args, err := p.UploadWhile(entry.Name, func(i int, t value.Type) (*value.Stream, error) {
		reading, want = i, t
		return r.Stream(t)
	}, func(a *host.Args) error {
		came = true
		if err := r.End(); err != nil {
			return fmt.Errorf("standard input: after the last argument of %s: %w", entry.Name, err)
		}
		return meanwhile(a)
	})
	var wrong *value.SyntaxError
	missing := errors.Is(err, io.EOF)
	if !came && (missing || errors.As(err, &wrong)) {
		if missing {
			err = errNoValue(want)
		}
		param := entry.Params[reading]
		return nil, fmt.Errorf("standard input: argument %d (%s: %s): %w", reading+1, param.Name, param.Type, err)
	}
	return args, err
}

func writeResults(out io.Writer, values []*value.Stream, binary bool) error {
	for _, v := range values {
		if binary {
			if err := v.WriteBinary(out); err != nil {
				return err
			}
			continue
		}
		if err := v.WriteText(out); err != nil {
			return err
		}
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
	}
	return nil
}

// errNoValue says that a value is missing.
func errNoValue(t value.Type) error {
	return fmt.Errorf("the input ends where a value of type %s is wanted", t)
}
