//go:build !runner

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skald/tooling/artifact"
	"skald/tooling/bench"
)

// benchFlags are the flags of `skald bench`.
type benchFlags struct {
	measuredFlags
	json        string
	plot        string
	exclude     []string
	entry       string
	ignore      string
	noConverge  bool
	longest     float64
	skipCompile bool
	profile     bool
	specFile    string
	noTuning    bool
}

// measuredFlags are those of all commands that measure.
type measuredFlags struct {
	backends []string
	runs     int
	timeout  int
	tuning   string
	passed   []string
	verbose  bool
	// program are the options that --pass-option passes to programs.
	program programFlags
}

func (f *measuredFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.passed, "pass-option", nil, "an option for the programs, as their executables take it (may be repeated)")
	fs.StringVar(&f.tuning, "tuning", "tuning", "the ending of tuning files: PROGRAM.fut.tuning")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "say what is done")
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench FILE|FOLDER...",
		Short: "Measure programs on the data sets of their test blocks",
		Long: "Measure programs on the data sets of their test blocks: after one run that is not measured, at least ten runs and half\n" +
			"a second; if these times do not agree well enough, others until they do. Shown are the mean and its 95 % confidence\n" +
			"interval; where arguments and results have bytes worth mentioning, how many a second that is, and what share of the\n" +
			"device's rate of copying. --json writes all times for `skald benchcmp` and Futhark's tools, --plot draws the means.",
		Args: atLeastOne,
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return f.run(ctx, cmd.OutOrStdout(), args)
		}),
	}
	fs := cmd.Flags()
	f.measuredFlags.add(fs)
	fs.StringArrayVar(&f.backends, "backend", []string{"auto"}, "what programs run on; several are compared (may be repeated)")
	fs.IntVarP(&f.runs, "runs", "r", 10, "the least number of runs of each data set")
	fs.IntVar(&f.timeout, "timeout", -1, "how many seconds all runs of a data set may take; -1 for ever")
	fs.StringVar(&f.json, "json", "", "write all times to this file; with several backends, to one for each, with its name before .json")
	fs.StringVar(&f.plot, "plot", "", "draw the means to this file, in SVG or PNG by its ending")
	fs.StringArrayVar(&f.exclude, "exclude-case", nil,
		"leave out cases with this tag, besides nobench, disable and no_BACKEND (may be repeated)")
	fs.StringVar(&f.entry, "entry-point", "", "measure only this entry point")
	fs.StringVar(&f.ignore, "ignore-files", "", "leave out files whose path matches this regular expression")
	fs.BoolVar(&f.noConverge, "no-convergence-phase", false, "take the first runs as they are")
	fs.Float64Var(&f.longest, "convergence-max-seconds", 300, "how long to wait for times that agree")
	fs.BoolVar(&f.skipCompile, "skip-compilation", false, "take programs from the executables beside them")
	fs.BoolVar(&f.profile, "profile", false, "add a profiled run of each data set to the file of --json, for `skald profile`")
	fs.StringVar(&f.specFile, "spec-file", "", "take the test block from this file, in which it is no comment")
	fs.BoolVar(&f.noTuning, "no-tuning", false, "read no tuning files")
	return cmd
}

func (f *benchFlags) run(ctx context.Context, w io.Writer, args []string) error {
	files, err := f.files(args)
	if err != nil {
		return err
	}
	if f.profile && f.json == "" {
		return fail(exitUser, "--profile wants --json: the profile is in that file")
	}
	if f.runs < 1 || f.timeout == 0 {
		return fail(exitUser, "--runs and --timeout take positive numbers")
	}
	if err := f.program.parsePassed(f.passed); err != nil {
		return err
	}
	s := &benchSession{f: f, w: w, show: newStatus(w), reports: make([]bench.Report, len(f.backends)), named: args}
	for i := range s.reports {
		s.reports[i] = bench.Report{}
	}
	for _, file := range files {
		if err := s.file(ctx, file); err != nil {
			return err
		}
	}
	return s.finish()
}

// files lists the programs that are measured.
func (f *benchFlags) files(args []string) ([]string, error) {
	files, err := programFiles(args)
	if err != nil {
		return nil, fail(exitUser, "%v", err)
	}
	if f.ignore == "" {
		return files, nil
	}
	re, err := regexp.Compile(f.ignore)
	if err != nil {
		return nil, fail(exitUser, "--ignore-files: %v", err)
	}
	kept := files[:0]
	for _, file := range files {
		if !re.MatchString(file) {
			kept = append(kept, file)
		}
	}
	return kept, nil
}

// parsePassed reads the options for programs.
func (f *programFlags) parsePassed(passed []string) error {
	cmd := &cobra.Command{}
	f.add(cmd)
	if err := cmd.Flags().Parse(passed); err != nil {
		return fail(exitUser, "--pass-option: %v", err)
	}
	if rest := cmd.Flags().Args(); len(rest) > 0 {
		return fail(exitUser, "--pass-option: %q is no option", rest[0])
	}
	for _, name := range []string{"log", "profile", "print-params", "cache-file", "without"} {
		if cmd.Flags().Changed(name) {
			return fail(exitUser, "--pass-option: --%s means nothing here: the program runs in this process, not in one of its own", name)
		}
	}
	return nil
}

// named is the backend's name, or if it is auto the device that --pass-option names.
func (f *programFlags) named(backend string) (string, error) {
	switch d := f.device.Name; {
	case d == "" || d == backend:
		return backend, nil
	case backend != "auto":
		return "", fail(exitUser, "--backend says %s, and --device of --pass-option says %s", backend, d)
	default:
		return d, nil
	}
}

// readTuning adds the tuning parameters of a program, from the file beside it with an ending, whose name it returns if there is one, and
// those that options for programs give.
func (f *measuredFlags) readTuning(t *tuning, p *bench.Program, ending string) (read string, err error) {
	if file := p.File + "." + ending; ending != "" && f.program.tuning == "" {
		switch err := t.addFile(file, foreignFile); {
		case err == nil:
			read = file
		case !errors.Is(err, os.ErrNotExist):
			return "", fail(exitUser, "%v", err)
		}
	}
	if err := f.program.given(t); err != nil {
		return "", fail(exitUser, "--pass-option: %v", err)
	}
	return read, nil
}

// benchSession is one run of `skald bench`.
type benchSession struct {
	f       *benchFlags
	w       io.Writer
	show    *status
	reports []bench.Report
	bars    benchBars
	// named are the arguments of the command.
	named []string
	// found says that some program has a data set.
	found, failed bool
}

// file measures one program on all backends.
func (s *benchSession) file(ctx context.Context, file string) error {
	f := s.f
	p, err := bench.Read(file, bench.Selection{
		Entry: f.entry, Exclude: append([]string{"nobench", "disable"}, f.exclude...), SpecFile: f.specFile, Prebuilt: f.skipCompile,
	})
	if err != nil {
		return programError(err)
	}
	if p == nil {
		return s.unmeasured(file)
	}
	s.found = true
	loaded := make([]*bench.Loaded, len(f.backends))
	defer func() {
		for _, l := range loaded {
			f.drop(l)
		}
	}()
	tuned := ""
	for i := range f.backends {
		if loaded[i], tuned, err = f.load(f.backends[i], p, f.profile, f.ending()); err != nil {
			return err
		}
	}
	s.show.clear()
	if tuned != "" {
		tuned = " (tuned by " + tuned + ")"
	}
	name := ""
	for _, c := range p.Cases {
		if n := p.Name(c.Entry); n != name {
			name = n
			fmt.Fprintf(s.w, "%s%s:\n", name, tuned)
		}
		if err := s.measure(ctx, p, loaded, c); err != nil {
			return err
		}
	}
	return nil
}

// unmeasured looks at a program without data sets: if it is named, and not one of a folder, what is wrong with it is said.
func (s *benchSession) unmeasured(file string) error {
	if !slices.Contains(s.named, file) || s.f.skipCompile {
		return nil
	}
	if err := bench.Check(file); err != nil {
		return programError(err)
	}
	return nil
}

func (f *benchFlags) ending() string {
	if f.noTuning {
		return ""
	}
	return f.tuning
}

// load opens a backend for a program.
func (f *measuredFlags) load(backend string, p *bench.Program, profile bool, ending string) (*bench.Loaded, string, error) {
	name, err := f.program.named(backend)
	if err != nil {
		return nil, "", err
	}
	o, err := bench.Options(name, f.program.device.Flags)
	if err != nil {
		return nil, "", fail(exitUser, "--backend: %v", err)
	}
	o.Profile, o.Checked, o.Sizes = profile, f.program.debug, f.program.device.Sizes
	var t tuning
	tuned, err := f.readTuning(&t, p, ending)
	if err != nil {
		return nil, "", err
	}
	t.open(&o)
	if f.timeout > 0 {
		o.Timeout = time.Duration(f.timeout) * time.Second
	}
	m, note, err := bench.Open(name, o)
	if err != nil {
		return nil, "", fail(exitUser, "%s: %v", name, err)
	}
	if f.verbose {
		fmt.Fprintf(os.Stderr, "%s runs on %s\n", p.File, m.Describe())
		if note != "" {
			fmt.Fprintln(os.Stderr, strings.Join(strings.Fields(note), " "))
		}
	}
	l, err := m.Load(p)
	if err != nil {
		_ = m.Close() // the other error says more
		return nil, "", fail(exitInternal, "%s: %v", p.File, err)
	}
	if err := t.set(l.Host); err != nil {
		f.drop(l)
		return nil, "", fail(exitUser, "%v", err)
	}
	return l, tuned, nil
}

// drop closes a program and its device. One that does not come to an end is left to end with the process.
func (*measuredFlags) drop(l *bench.Loaded) {
	if l == nil || l.Stuck() {
		return
	}
	l.Host.Close()
	_ = l.Close() // all is measured
}

// programError is the failure for what bench.Read says.
func programError(err error) error {
	var rejected *bench.Rejected
	if errors.As(err, &rejected) {
		if err := render(os.Stderr, "text", rejected.Messages); err != nil {
			return err
		}
		return &failure{code: codeOf(rejected.Messages)}
	}
	return asReport(err)
}

// measure measures a case on each backend.
func (s *benchSession) measure(ctx context.Context, p *bench.Program, on []*bench.Loaded, c bench.Case) error {
	f := s.f
	first := 0.0
	for i, l := range on {
		if c.HasTag("no_" + l.Machine.Name) {
			continue
		}
		title := shortened(c.Name())
		if len(on) > 1 {
			title += " [" + l.Machine.Name + "]"
		}
		m := bench.Method{
			Runs: f.runs, Time: 500 * time.Millisecond, Converge: !f.noConverge, Longest: time.Duration(f.longest * float64(time.Second)),
			Profile: f.profile, Each: s.progress(title),
		}
		if f.timeout > 0 {
			m.Timeout = time.Duration(f.timeout) * time.Second
		}
		s.show.set("%s ...", title)
		res, err := l.Measure(ctx, c, m)
		s.show.clear()
		if ctx.Err() != nil {
			return fail(exitUser, "interrupted")
		}
		s.reports[i].Add(p.Name(c.Entry), c.Name(), res, err)
		if err != nil {
			s.failed = true
			fmt.Fprintf(s.w, "  %s: FAILED: %v\n", title, err)
			if l.Stuck() {
				if on[i], _, err = f.load(f.backends[i], p, f.profile, f.ending()); err != nil {
					return err
				}
			}
			continue
		}
		mean := bench.Mean(res.Times)
		fmt.Fprintf(s.w, "  %-40s %s%s%s\n", title+":", times(res), bandwidth(l, res), ratio(mean, first))
		if first == 0 {
			first = mean
		}
		s.bars.add(p.Name(c.Entry)+" "+shortened(c.Name()), l.Machine.Name, res)
	}
	return nil
}

// progress shows how far a measurement is.
func (s *benchSession) progress(title string) func(bench.Progress) {
	return func(p bench.Progress) {
		if p.Done < 1 || p.Error == 0 {
			s.show.set("%s: %10.0f µs %s %d runs", title, p.Mean, bar(p.Done), p.Runs)
		} else {
			s.show.set("%s: %10.0f µs, error of the mean %.2f %%, %d runs", title, p.Mean, 100*p.Error, p.Runs)
		}
	}
}

// times shows the mean and its confidence interval.
func times(res *bench.Result) string {
	low, high := bench.Interval(res.Times)
	return fmt.Sprintf("%10.0f µs (95%% CI: [%10.1f, %10.1f])", bench.Mean(res.Times), low, high)
}

// worthMentioning is how many bytes an entry point must take and give for a bandwidth to say something.
const worthMentioning = 1 << 20

// bandwidth shows how fast the bytes of arguments and results went by, and what share of the rate of copying that is.
func bandwidth(l *bench.Loaded, res *bench.Result) string {
	if res.Moved < worthMentioning {
		return ""
	}
	rate := float64(res.Moved) / bench.Mean(res.Times) * 1e6
	copying, err := l.CopyRate()
	if err != nil {
		return fmt.Sprintf("  %.1f GB/s", rate/1e9)
	}
	return fmt.Sprintf("  %.1f GB/s, %.0f %% of copying", rate/1e9, 100*rate/copying)
}

// ratio compares with the first backend.
func ratio(mean, first float64) string {
	if first == 0 {
		return ""
	}
	return fmt.Sprintf("  %.2fx", first/mean)
}

// shortened is the name of a data set where room is short.
func shortened(name string) string {
	const most = 40
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}

// finish writes the files.
func (s *benchSession) finish() error {
	for i, r := range s.reports {
		if s.f.json == "" {
			break
		}
		if err := artifact.Write(s.f.reportFile(i), r.Write); err != nil {
			return fail(exitUser, "cannot write the report: %v", err)
		}
	}
	if s.f.plot != "" {
		if err := s.bars.draw(s.f.plot); err != nil {
			return fail(exitUser, "cannot draw the plot: %v", err)
		}
	}
	switch {
	case s.found:
	case s.f.entry != "":
		return fail(exitUser, "nothing is measured: %s", s.f.missing())
	default:
		fmt.Fprintln(os.Stderr, "skald: nothing is measured: "+s.f.missing())
	}
	if s.failed {
		return &failure{code: exitTest}
	}
	return nil
}

// missing says what no program has.
func (f *benchFlags) missing() string {
	what := "no program has a data set (a case with an input in a test block)"
	if f.entry != "" {
		what += " for the entry point " + f.entry
	}
	if len(f.exclude) > 0 || f.ignore != "" {
		what += " that is not left out"
	}
	return what
}

// reportFile names the report of a backend.
func (f *benchFlags) reportFile(i int) string {
	if len(f.backends) == 1 {
		return f.json
	}
	ext := filepath.Ext(f.json)
	return strings.TrimSuffix(f.json, ext) + "." + strings.ReplaceAll(f.backends[i], ":", "-") + ext
}
