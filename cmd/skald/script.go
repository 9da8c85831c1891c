//go:build !runner

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"skald/frontend/source"
	"skald/runtime/value"
	"skald/tooling/evaluate"
	"skald/tooling/script"
)

// scriptFlags are the flags of `skald script`.
type scriptFlags struct {
	measuredFlags
	backend  string
	binary   bool
	prebuilt bool
	// texts are the expressions of -e and -f in the order given, each with a name for its place.
	texts []scriptText
}

type scriptText struct{ name, text string }

// scriptOption is -e or -f, whose order among each other counts.
type scriptOption struct {
	f    *scriptFlags
	file bool
}

func (o scriptOption) String() string { return "" }

func (o scriptOption) Type() string {
	if o.file {
		return "file"
	}
	return "expression"
}

func (o scriptOption) Set(text string) error {
	name := fmt.Sprintf("<expression %d>", len(o.f.texts)+1)
	if o.file {
		var err error
		if name, text, err = readScript(text); err != nil {
			return err
		}
	}
	o.f.texts = append(o.f.texts, scriptText{name, text})
	return nil
}

func readScript(path string) (name, text string, err error) {
	text, err = source.ReadFile(path)
	return path, text, err
}

func newScript() *cobra.Command {
	f := scriptFlags{}
	cmd := &cobra.Command{
		Use:   "script FILE [EXPRESSION]",
		Short: "Evaluate an expression in FutharkScript, which calls functions of a program",
		Long: "Evaluate an expression in FutharkScript, the language in which test blocks and literate programs call functions of a\n" +
			"program, and print its value. Several expressions (-e, -f) are evaluated in order; the last one's value is printed.\n" +
			"Besides the functions of the program there are $loaddata, $loadbytes, $loadimg, $loadaudio, $restore and $store.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return usage(cmd, len(args) == 0)
			}
			return nil
		},
		RunE: interruptible(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return f.run(ctx, cmd.OutOrStdout(), args)
		}),
	}
	fs := cmd.Flags()
	f.measuredFlags.add(fs)
	fs.StringVar(&f.backend, "backend", "auto", "what the program runs on; interpreter is one of them")
	fs.BoolVarP(&f.binary, "binary", "b", false, "print a scalar or an array in the binary format")
	fs.VarP(scriptOption{&f, false}, "expression", "e", "evaluate this expression (may be repeated)")
	fs.VarP(scriptOption{&f, true}, "file", "f", "evaluate the expression in this file (may be repeated)")
	fs.BoolVarP(&f.program.debug, "debug", "D", false, "wait for each launch and name the kernel that fails")
	fs.BoolVarP(&f.program.log, "log", "L", false, "say on standard error what the program does")
	fs.BoolVar(&f.prebuilt, "skip-compilation", false, "take the program from the executable beside it")
	return cmd
}

func (f *scriptFlags) run(ctx context.Context, w io.Writer, args []string) error {
	if len(args) == 2 {
		f.texts = append(f.texts, scriptText{"<expression>", args[1]})
	}
	switch {
	case len(f.texts) == 0:
		return fail(exitUser, "there is no expression to evaluate: it is the second argument, or that of -e or -f")
	case !strings.HasSuffix(args[0], ".fut"):
		return fail(exitUser,
			"%s is no program: its name must end with .fut (an executable does not have the types that expressions need)", args[0])
	}
	if err := f.program.parsePassed(f.passed); err != nil {
		return err
	}
	exps, names := make([]script.Exp, len(f.texts)), []string(nil)
	for i, t := range f.texts {
		file := source.NewFile(t.name, t.text)
		e, d := script.Parse(file.All(), t.text)
		if d != nil {
			return report(d)
		}
		exps[i], names = e, append(names, script.Calls(e)...)
	}
	p, closed, err := f.evaluator(ctx, args[0], f.backend, names, f.prebuilt)
	if err != nil {
		return err
	}
	defer closed()
	p.MayStore = true
	var v evaluate.Value
	for _, e := range exps {
		if v, err = p.Eval(e); err != nil {
			return evaluationError(err)
		}
	}
	return f.print(w, v)
}

// evaluationError is the failure for what an expression ends with: an error of the expression, or of the program.
func evaluationError(err error) error {
	if shown := asReport(err); shown.Error() == "" {
		return shown
	}
	return fail(exitRun, "%v", err)
}

func (f *scriptFlags) print(w io.Writer, v evaluate.Value) error {
	out := bufio.NewWriter(w)
	switch {
	case v.IsFunction():
		return fail(exitUser, "the value is a function, which cannot be printed: %s wants more arguments", v.Fun)
	case f.binary && !v.IsPlain():
		return fail(exitUser, "a value of type %s has no binary form", v.Describe())
	case f.binary:
		if err := value.WriteBinary(out, v.Parts[0]); err != nil {
			return err
		}
	default:
		if err := v.Write(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return errors.Join(out.Flush())
}
