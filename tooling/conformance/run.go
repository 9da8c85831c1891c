package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/runtime/limits"
	"skald/runtime/value"
	"skald/tooling/spec"
)

// Mode says how far programs are taken.
type Mode uint8

// The modes: run the cases, only check, only compile, or only count what the structures of a program are about.
const (
	RunCases Mode = iota
	CheckOnly
	CompileOnly
	StructureOnly
)

// Options say what is run and how.
type Options struct {
	Mode     Mode
	Executor Executor
	// Exclude lists tags: programs and cases that have one are skipped.
	Exclude []string
	// Entry, if not empty, is the only entry point whose cases are run.
	Entry string
	// Wants, if set, says whether the cases of an entry point are run on an executor.
	Wants func(e Executor, entry string) bool
	// Timeout bounds each case; 0 means DefaultTimeout.
	Timeout time.Duration
	// AutoOutput is a folder with reference outputs and an index.csv that lists them; "" for none.
	AutoOutput string
	// Reference computes what a case with `auto output` is compared with where AutoOutput has no file for it; nil is the figures
	// of the result that the index has, where it has them, and else the interpreter.
	Reference Executor
	// Tuning is the ending of the files beside programs that set tuning parameters; "" is .tuning. Untuned reads none.
	Tuning  string
	Untuned bool
	// Prepare, if set, is called with each compiled program before its cases are run; an error fails them.
	Prepare func(Tunable) error
	// Root is the folder that the index's paths are relative to.
	Root string
	// Seed is where the random values that properties are tried on begin.
	Seed uint64
	// Properties say how properties are tried.
	Properties Properties
	// Known is how many of a file's results are known: cases that these are of are not run, and Each is not called with them.
	Known int
	// Begin, if set, is called with what is known of a result before its case is run; Each, if set, with each result as soon as
	// there is one.
	Begin, Each func(Result)
	// Done, if set, is called when the program has been tested on an executor.
	Done func(Executor)
}

// DefaultTimeout is how long a case may take.
const DefaultTimeout = 60 * time.Second

// oracle is where references come from.
func (o *Options) oracle() Executor {
	if o.Reference == nil {
		return Interpreter{}
	}
	return o.Reference
}

// File tests one program file.
func File(path string, o Options) []Result { return Everywhere(path, []Executor{o.Executor}, o)[0] }

// Everywhere tests one program file on several executors instead of Options.Executor; it is checked and compiled once. It
// returns the results of each.
func Everywhere(path string, on []Executor, o Options) [][]Result {
	p := read(path)
	results := make([][]Result, len(on))
	for i, e := range on {
		t := &tester{o: o, path: path, shared: p, spec: p.spec}
		t.o.Executor = e
		t.safely()
		results[i] = t.results
		if o.Done != nil {
			o.Done(e)
		}
	}
	return results
}

// shared is what is the same on all executors: the test block and the outcome of checking.
type shared struct {
	spec *spec.Program
	// broken says why there is no test block to go by.
	broken string
	// check checks the program; it is called when it is known that the program is not excluded.
	check func() checking
}

// checking is the outcome of checking a program; prog is nil if it is rejected.
type checking struct {
	prog *Checked
	sink *diag.Sink
}

// read reads a program and its test block.
func read(path string) *shared {
	text, err := source.ReadFile(path)
	if err != nil {
		return &shared{broken: err.Error()}
	}
	var sink diag.Sink
	p := &shared{spec: spec.Parse(source.NewFile(path, text), &sink)}
	if sink.HasErrors() {
		p.broken = "test block: " + rendered(&sink)
	}
	p.check = sync.OnceValue(func() checking {
		prog, sink, ok := compiler.Check(path, compiler.CheckOptions{})
		if !ok {
			return checking{sink: sink}
		}
		return checking{NewChecked(prog), sink}
	})
	return p
}

// tester tests one program on one executor.
type tester struct {
	o       Options
	path    string
	shared  *shared
	spec    *spec.Program
	results []Result
}

func (t *tester) add(r Result) {
	r.File = t.path
	t.results = append(t.results, r)
	if t.o.Each != nil && len(t.results) > t.o.Known {
		t.o.Each(r)
	}
}

// safely makes a panic a result.
func (t *tester) safely() {
	defer func() {
		if r := recover(); r != nil {
			t.add(Result{Kind: Accepted, Status: Fail, Reason: recovered(r).Error()})
		}
	}()
	t.run()
}

func (t *tester) run() {
	if t.shared.broken != "" {
		t.add(Result{Kind: Accepted, Status: Fail, Reason: t.shared.broken})
		return
	}
	if tag := t.excluded(t.spec.Tags); tag != "" {
		t.add(Result{Kind: Accepted, Status: Skip, Reason: "tag " + tag})
		return
	}
	c := t.shared.check()
	if t.spec.Rejected != nil {
		t.rejected(c.sink, c.prog != nil)
		return
	}
	if !t.accepted(c) {
		return
	}
	switch t.o.Mode {
	case CheckOnly:
	case StructureOnly:
		t.structures(c.prog.Prog)
	case CompileOnly, RunCases:
		t.cases(c.prog)
	}
}

func (t *tester) excluded(tags []string) string {
	for _, tag := range tags {
		if slices.Contains(t.o.Exclude, tag) {
			return tag
		}
	}
	return ""
}

func rendered(sink *diag.Sink) string { return text(sink.Sorted()) }

func text(list []*diag.Diagnostic) string {
	var b strings.Builder
	if err := diag.Text(&b, list); err != nil {
		return err.Error()
	}
	return b.String()
}

// compilerWarnings compiles a program for the sake of its warnings.
func compilerWarnings(prog *Checked) string {
	p, d := prog.compile()
	if d != nil {
		return d.Error()
	}
	return text(p.Warnings())
}

// rejected judges a program that must be rejected: for the user's error, not for a limit or fault of ours.
func (t *tester) rejected(sink *diag.Sink, ok bool) {
	r := Result{Kind: Rejected}
	message := rendered(sink)
	for _, d := range sink.Sorted() {
		if d.IsError() {
			r.Code = d.Code.String()
			r.Error, _, _ = strings.Cut(d.Message, "\n")
			break
		}
	}
	switch {
	case ok:
		r.Status, r.Reason = Fail, "accepted, but must be rejected: "+t.spec.Rejected.Pattern
	case !usersError(sink):
		r.Status, r.Reason = Fail, message
	}
	t.add(r)
	if t.spec.Rejected.Pattern == "" {
		return
	}
	m := Result{Kind: Message}
	if ok || !matches(t.spec.Rejected, message) {
		m.Status, m.Reason = Fail, fmt.Sprintf("want a message that matches %q, got:\n%s", t.spec.Rejected.Pattern, message)
	}
	t.add(m)
}

// usersError reports whether all errors are the user's.
func usersError(sink *diag.Sink) bool {
	for _, d := range sink.All() {
		if d.Severity == diag.Internal || d.Severity == diag.Limitation {
			return false
		}
	}
	return sink.HasErrors()
}

// accepted judges a program that must be accepted, perhaps with warnings.
func (t *tester) accepted(c checking) bool {
	r := Result{Kind: Accepted}
	message := rendered(c.sink)
	if c.prog == nil {
		r.Status, r.Reason = Fail, message
		t.add(r)
		return false
	}
	if slices.ContainsFunc(t.spec.Warnings, func(w *spec.Error) bool { return !matches(w, message) }) {
		message += compilerWarnings(c.prog)
	}
	for _, w := range t.spec.Warnings {
		if !matches(w, message) {
			r.Status, r.Reason = Fail, fmt.Sprintf("want a warning that matches %q, got:\n%s", w.Pattern, message)
		}
	}
	t.add(r)
	return true
}

// cases compiles the program and runs its cases.
func (t *tester) cases(prog *Checked) {
	var loaded Loaded
	if t.o.Executor.Compiles() || t.anyCase() {
		var tuned, err error
		loaded, tuned, err = t.load(prog)
		r := Result{Kind: Compiled}
		if err != nil {
			r.Status, r.Reason = Fail, err.Error()
		}
		if t.o.Executor.Compiles() || err != nil {
			t.add(r)
		}
		if err != nil {
			t.failAll("does not compile")
			return
		}
		defer loaded.Close()
		if tuned != nil {
			t.failAll(tuned.Error())
			return
		}
	}
	if t.o.Mode == CompileOnly {
		return
	}
	run := &caseRunner{t: t, prog: prog, loaded: loaded}
	n, late := 0, false
	for _, g := range t.spec.Groups {
		for _, c := range g.Cases {
			r, wanted := t.wanted(g.Entry, c)
			switch {
			case wanted && late:
				r.Status, r.Reason = Fail, "not run: a case before it did not end"
			case wanted && len(t.results) < t.o.Known:
			case wanted:
				t.begin(r)
				r = run.safely(r, func() Result { return run.one(g.Entry, c, n) })
				late = t.o.Executor.Compiles() && r.Status == Fail && strings.Contains(r.Reason, errTimeout.Error())
			}
			t.add(r)
			n++
		}
	}
	for _, name := range t.spec.Properties {
		r := Result{Kind: Ran, Entry: name, Case: "property"}
		if len(t.results) >= t.o.Known {
			t.begin(r)
			r = run.safely(r, func() Result { return run.property(name) })
		}
		t.add(r)
	}
}

// begin says that a case is run next.
func (t *tester) begin(r Result) {
	if t.o.Begin != nil {
		r.File = t.path
		t.o.Begin(r)
	}
}

// Tunable is a program whose tuning parameters can be set.
type Tunable interface {
	// Tune carries out one assignment, and TuneAll those of a text; in a foreign one names may be unknown.
	Tune(assignment string) error
	TuneAll(text string, foreign bool) error
}

// Whether another compiler may have written a file beside a program.
const foreignFile = true

// tuning reads the file with tuning parameters that is named after the program; where there is none, or it is not wanted, the text is
// empty. Programs come with files for other compilers.
func (t *tester) tuning() (path, text string, err error) {
	if t.o.Untuned || !t.o.Executor.Compiles() {
		return "", "", nil
	}
	path = t.path + "." + cmp.Or(t.o.Tuning, "tuning")
	text, err = source.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil
	}
	return path, text, err
}

// tune sets the tuning parameters of a text, of which those that this program does not have are passed over, and then as the options say.
func (t *tester) tune(loaded Loaded, path, text string) error {
	compiled, ok := loaded.(interface{ Tunable() Tunable })
	if !ok {
		return nil
	}
	if err := compiled.Tunable().TuneAll(text, foreignFile); err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if t.o.Prepare == nil {
		return nil
	}
	return t.o.Prepare(compiled.Tunable())
}

// load loads the program with the sizes of its tuning file, and sets its parameters.
func (t *tester) load(prog *Checked) (loaded Loaded, tuned error, err error) {
	path, text, err := t.tuning()
	if err != nil {
		return nil, nil, err
	}
	sized := *prog
	if text, err = sized.Tuned.Take(text); err != nil {
		return nil, nil, fmt.Errorf("%s:%w", path, err)
	}
	if loaded, err = load(t.o.Executor, &sized); err != nil {
		return nil, nil, err
	}
	return loaded, t.tune(loaded, path, text), nil
}

// recovered is the error for what a function that panics has to say: too little memory is no fault of ours.
func recovered(r any) error {
	if e, ok := r.(*limits.Error); ok {
		return e
	}
	return fmt.Errorf("internal error: panic: %v\n%s", r, debug.Stack())
}

// load is Executor.Load, with a panic made an error.
func load(e Executor, prog *Checked) (l Loaded, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = recovered(r)
		}
	}()
	return e.Load(prog)
}

func (t *tester) anyCase() bool {
	if len(t.spec.Properties) > 0 {
		return true
	}
	for _, g := range t.spec.Groups {
		for _, c := range g.Cases {
			if _, wanted := t.wanted(g.Entry, c); wanted {
				return true
			}
		}
	}
	return false
}

// OtherEntry is the reason to skip cases of an entry point that Options do not want.
const OtherEntry = "another entry point"

// wants reports whether cases of an entry point are to be run.
func (o *Options) wants(entry string) bool {
	return (o.Entry == "" || entry == o.Entry) && (o.Wants == nil || o.Wants(o.Executor, entry))
}

// wanted reports whether a case is to be run; if not, the result says why.
func (t *tester) wanted(entry string, c *spec.Case) (Result, bool) {
	r := Result{Kind: Ran, Entry: entry, Case: c.Name(), Status: Skip}
	switch {
	case !t.o.wants(entry):
		r.Reason = OtherEntry
	case t.excluded(c.Tags) != "":
		r.Reason = "tag " + t.excluded(c.Tags)
	case c.HasTag("compiled") && !t.o.Executor.Compiles():
		r.Reason = "tag compiled"
	default:
		return r, true
	}
	return r, false
}

// failAll sets one outcome for all wanted cases.
func (t *tester) failAll(reason string) {
	for _, g := range t.spec.Groups {
		for _, c := range g.Cases {
			r, wanted := t.wanted(g.Entry, c)
			if wanted {
				r.Status, r.Reason = Fail, reason
			}
			t.add(r)
		}
	}
}

// call runs an entry point within the time allowed.
func (o *Options) call(p Loaded, entry string, args []value.Value) (vs []value.Value, err error) {
	limit := o.Timeout
	if limit == 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = recovered(r)
		}
	}()
	return p.Call(ctx, entry, args)
}
