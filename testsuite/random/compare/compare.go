package compare

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/middle/core/eval"
	"skald/runtime/host"
	"skald/runtime/value"
	"skald/testsuite/random"
	"skald/tooling/conformance"
)

// patience is how long the interpreter may take for a program.
const patience = 5 * time.Second

// Verdict says how an executor's results compare with the interpreter's.
type Verdict string

// The verdicts. Programs with a Limit or Slow are not compared: they hit a limitation of the compiler that it tells, or take the
// interpreter too long.
const (
	Agrees  Verdict = "agrees"
	Fails   Verdict = "fails in the same way"
	Limit   Verdict = "needs what is not supported"
	Slow    Verdict = "takes the interpreter too long"
	Differs Verdict = "differs"
)

// Result is a verdict and, where there is something to tell, the reason.
type Result struct {
	Seed    uint64
	Verdict Verdict
	Reason  string
}

// Run compares one program on one executor.
func Run(c *random.Case, exec conformance.Executor) Result {
	verdict, reason := run(c, exec)
	return Result{c.Seed, verdict, reason}
}

func run(c *random.Case, exec conformance.Executor) (verdict Verdict, reason string) {
	defer func() {
		if r := recover(); r != nil {
			verdict, reason = Differs, fmt.Sprintf("panic: %v", r)
		}
	}()
	prog, sink, ok := compiler.Check("main.fut", compiler.CheckOptions{Loader: check.Files{"main.fut": c.Text}})
	if !ok {
		return Differs, "not accepted: " + firstError(sink).Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	want, wantErr := compiler.Interpret(prog, interp.Options{CheckConsumption: true}).Call(ctx, "main", clones(c.Args))
	if ctx.Err() != nil {
		return Slow, ""
	}
	loaded, err := exec.Load(conformance.NewChecked(prog))
	if err != nil {
		var d *diag.Diagnostic
		if errors.As(err, &d) && d.Severity == diag.Limitation {
			return Limit, d.Message
		}
		return Differs, "does not compile: " + err.Error()
	}
	defer loaded.Close()
	got, err := loaded.Call(context.Background(), "main", clones(c.Args))
	verdict, reason = judge(got, want, err, wantErr)
	tunable, ok := loaded.(tunable)
	if !ok || verdict == Differs || len(tunable.Tunes()) == 0 {
		return verdict, reason
	}
	// The sizes of a program are such that all but a few take the same version of nested parallelism.
	tuning := retuned(c.Seed, tunable.Tunes())
	if err := tunable.Tunable().TuneAll(tuning, foreign); err != nil {
		return Differs, err.Error()
	}
	got, err = loaded.Call(context.Background(), "main", clones(c.Args))
	if verdict, reason := judge(got, want, err, wantErr); verdict == Differs {
		return verdict, fmt.Sprintf("tuned by %q: %s", strings.Fields(tuning), reason)
	}
	return verdict, reason
}

// tunable is a program on a device, with the names of its tuning parameters.
type tunable interface {
	Tunes() []string
	Tunable() conformance.Tunable
}

// Whether what retuned writes may name parameters that the program does not have.
const foreign = false

// retuned is a tuning file that sets each parameter to what chooses one version or the other.
func retuned(seed uint64, names []string) string {
	rng := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%s=%d\n", name, []int64{1, 1 << 40}[rng.IntN(2)])
	}
	return b.String()
}

// firstError is the first diagnostic that is not a warning.
func firstError(sink *diag.Sink) *diag.Diagnostic {
	all := sink.Sorted()
	return all[slices.IndexFunc(all, (*diag.Diagnostic).IsError)]
}

// judge compares results and failures.
func judge(got, want []value.Value, err, wantErr error) (Verdict, string) {
	switch {
	case wantErr != nil && err != nil:
		if message(err) == message(wantErr) {
			return Fails, message(err)
		}
		return Differs, fmt.Sprintf("fails with %q, not with %q", message(err), message(wantErr))
	case wantErr != nil:
		return Differs, fmt.Sprintf("does not fail with %q", message(wantErr))
	case err != nil:
		return Differs, fmt.Sprintf("fails with %q", message(err))
	case len(got) != len(want):
		return Differs, fmt.Sprintf("%d results, not %d", len(got), len(want))
	}
	for i := range want {
		if diff := value.Compare(got[i], want[i], 0); diff != nil {
			return Differs, fmt.Sprintf("result %d: %v", i, diff)
		}
	}
	return Agrees, ""
}

// message is what an error says, without the places, and in the words of those executors that say least: the interpreter prints
// sizes as numbers and ends with a period, the device says the same as Futhark's executables.
func message(err error) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(suffix.ReplaceAllString(text(err), "$1$2"))), ".")
}

// suffix is the type of a number, or that of the elements of an array that has a wrong shape.
var suffix = regexp.MustCompile(`\b(\d+)i(?:8|16|32|64)\b|(of shape \S*\])\w+`)

func text(err error) string {
	var onHost *host.Error
	var interpreted *interp.Error
	var asserted *eval.AssertError
	switch {
	case errors.As(err, &onHost):
		return onHost.Message
	case errors.As(err, &interpreted):
		return interpreted.Message
	case errors.As(err, &asserted):
		return asserted.Msg
	default:
		return err.Error()
	}
}

// clones protects arguments from programs that update them.
func clones(vs []value.Value) []value.Value {
	out := make([]value.Value, len(vs))
	for i, v := range vs {
		out[i] = v.Clone()
	}
	return out
}

// Evaluator runs programs in the evaluator of the core IR as they are after the pass Stage, or after all if that is "".
type Evaluator struct{ Stage string }

// Name is "core" with the stage.
func (e Evaluator) Name() string { return "core " + e.Stage }

// Compiles is true.
func (Evaluator) Compiles() bool { return true }

// Close does nothing.
func (Evaluator) Close() error { return nil }

// Load compiles the program up to the stage, verifying the IR between passes.
func (e Evaluator) Load(prog *conformance.Checked) (conformance.Loaded, error) {
	ir, d := compiler.Core(prog.Prog, e.Stage, compiler.CompileOptions{Verify: true})
	if d != nil {
		return nil, d
	}
	return evaluated(func(entry string, args []value.Value) ([]value.Value, error) {
		return eval.RunEntry(ir, entry, args, eval.Options{})
	}), nil
}

type evaluated func(entry string, args []value.Value) ([]value.Value, error)

func (e evaluated) Call(_ context.Context, entry string, args []value.Value) ([]value.Value, error) {
	return e(entry, args)
}

func (e evaluated) Close() {}
