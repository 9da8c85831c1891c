//go:build !runner

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
)

func newRepl() *cobra.Command {
	return &cobra.Command{
		Use:   "repl [FILE]",
		Short: "Evaluate declarations and expressions as they are typed",
		Long: "Evaluate declarations and expressions as they are typed; :help lists the commands, the tab key completes names. At a " +
			"terminal,\nlines are kept for later sessions in $SKALD_HISTORY (empty for nowhere), or in ~/.local/state/skald/history.",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			r := &repl{out: cmd.OutOrStdout()}
			r.lines = openLines(cmd.InOrStdin(), r.out, r.completions)
			r.opts = interp.Options{Trace: r.trace, Break: r.stopped}
			r.session = compiler.NewSession(nil, r.opts)
			if r.lines.interactive() {
				fmt.Fprintf(r.out, "%s; :help lists the commands\n", compiler.Version)
			}
			if len(args) > 0 {
				r.load(args[0])
			}
			r.loop("> ")
			return nil
		},
	}
}

// repl is an interactive session: lines are commands, which begin with a colon, declarations or expressions.
type repl struct {
	lines   lineReader
	out     io.Writer
	opts    interp.Options
	session *compiler.Session
	// file is the one that was loaded last.
	file string
	// stop is where the program has stopped, and abort ends it; nil if it does not run. It ends soon, but not at once:
	// until then aborted is set.
	stop    *interp.Stop
	abort   context.CancelFunc
	aborted bool
	// passed are breakpoints at which the program is not to stop again.
	passed map[source.Span]bool
}

// loop reads lines and answers them until the input ends, or a command says so.
func (r *repl) loop(prompt string) {
	for {
		line, err := r.lines.read(prompt)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintln(r.out, err)
			}
			r.giveUp()
			return
		}
		line = strings.TrimSpace(line)
		end := false
		err = guard(func() error {
			end = r.answer(line)
			return nil
		})
		if err != nil {
			fmt.Fprintln(r.out, err)
		}
		if end {
			return
		}
	}
}

// answer does what a line says, and reports whether the loop ends.
func (r *repl) answer(line string) (end bool) {
	switch {
	case line == "":
		return false
	case line[0] == ':':
		return r.command(line[1:])
	default:
		r.evaluate(func(ctx context.Context) *compiler.Answer { return r.session.Enter(ctx, line) })
		return false
	}
}

// evaluate runs something that Ctrl-C interrupts, and prints the answer.
func (r *repl) evaluate(f func(ctx context.Context) *compiler.Answer) {
	ctx, done := signal.NotifyContext(context.Background(), os.Interrupt)
	outer, session, stop := r.abort, r.session, r.stop
	r.abort = done
	defer func() {
		// An evaluation that crashes at a breakpoint leaves it, too.
		r.abort, r.session, r.stop, r.aborted = outer, session, stop, false
		done()
	}()
	a := f(ctx)
	if r.aborted {
		a = &compiler.Answer{Text: "given up"}
	}
	r.print(a)
}

// giveUp ends what is being evaluated, if anything is.
func (r *repl) giveUp() {
	if r.abort != nil {
		r.aborted = true
		r.abort()
	}
}

func (r *repl) print(a *compiler.Answer) {
	if err := printAnswer(r.out, r.out, a, showWarnings); err != nil {
		fmt.Fprintln(r.out, err)
	}
}

// A replCommand is what a word after a colon does. It reports whether the loop ends.
type replCommand struct {
	name, args, doc string
	run             func(r *repl, arg string) (end bool)
}

// replCommands are all commands, in the order in which :help lists them. They are made by a function since :help refers to them.
func replCommands() []replCommand {
	return []replCommand{
		{"load", "FILE", "forget all and load a file; without FILE, the last one again", func(r *repl, arg string) bool {
			r.load(arg)
			return false
		}},
		{"type", "EXPRESSION", "tell the type of an expression", func(r *repl, arg string) bool {
			r.print(r.session.Type(arg))
			return false
		}},
		{"step", "", "go on from a breakpoint", func(r *repl, _ string) bool { return r.resume() }},
		{"string", "EXPRESSION", "evaluate an array of bytes and print it as text", func(r *repl, arg string) bool {
			r.evaluate(func(ctx context.Context) *compiler.Answer { return r.session.Text(ctx, arg) })
			return false
		}},
		{"mtype", "MODULE", "tell what a module exports", func(r *repl, arg string) bool {
			r.print(r.session.Module(arg))
			return false
		}},
		{"unbreak", "", "go on from a breakpoint, and do not stop there again", func(r *repl, _ string) bool {
			if r.stop != nil {
				r.passed[r.stop.At] = true
			}
			return r.resume()
		}},
		{"abort", "", "give up the program that has stopped", func(r *repl, _ string) bool {
			if r.stop != nil {
				r.giveUp()
			}
			return r.resume()
		}},
		{"frame", "[N]", "show the breakpoint, or the Nth call that leads to it", func(r *repl, arg string) bool {
			r.frame(arg)
			return false
		}},
		{"help", "", "list the commands", func(r *repl, _ string) bool {
			r.help()
			return false
		}},
		{"quit", "", "end the session", func(r *repl, _ string) bool {
			r.giveUp()
			r.lines.end()
			return true
		}},
	}
}

// command runs a command. Its name may be cut short where that is clear.
func (r *repl) command(text string) (end bool) {
	name, arg, _ := strings.Cut(text, " ")
	for _, c := range replCommands() {
		if name != "" && strings.HasPrefix(c.name, name) {
			return c.run(r, strings.TrimSpace(arg))
		}
	}
	fmt.Fprintf(r.out, "there is no command :%s; :help lists them\n", name)
	return false
}

func (r *repl) help() {
	fmt.Fprintln(r.out, "Type a declaration, an expression or a command:")
	for _, c := range replCommands() {
		fmt.Fprintf(r.out, "  %-18s %s\n", ":"+c.name+" "+c.args, c.doc)
	}
}

// load begins again with the definitions of a file.
func (r *repl) load(path string) {
	if path == "" {
		path = r.file
	}
	switch {
	case r.stop != nil:
		fmt.Fprintln(r.out, "the program has stopped at a breakpoint; :step or :abort first")
		return
	case path == "":
		fmt.Fprintln(r.out, ":load wants the name of a file")
		return
	}
	if !strings.HasSuffix(path, ".fut") {
		path += ".fut"
	}
	s, sink, ok := compiler.LoadSession(path, nil, r.opts)
	if err := render(r.out, "text", sink.Sorted()); err != nil {
		fmt.Fprintln(r.out, err)
	}
	r.file = path
	if ok {
		r.session = s
		r.passed = nil
		fmt.Fprintf(r.out, "loaded %s\n", path)
	}
}

// trace prints the value of an expression with the attribute #[trace].
func (r *repl) trace(at source.Span, tag, text string) {
	if tag == "" {
		tag = at.String()
	}
	fmt.Fprintf(r.out, "Trace at %s: %s\n", tag, text)
}

// stopped is called at a breakpoint: it reads commands and expressions until one says to go on.
func (r *repl) stopped(stop *interp.Stop) {
	if r.aborted || r.passed[stop.At] {
		return
	}
	if r.passed == nil {
		r.passed = map[source.Span]bool{}
	}
	session, outer := r.session, r.stop
	r.session, r.stop = session.At(stop), stop
	fmt.Fprintln(r.out, "stopped; :step goes on, :frame shows more, expressions may mention the variables here")
	r.frame("")
	r.loop("break> ")
	r.session, r.stop = session, outer
}

// resume says whether the loop ends: only that of a breakpoint does.
func (r *repl) resume() bool {
	if r.stop == nil {
		fmt.Fprintln(r.out, "no program has stopped at a breakpoint")
	}
	return r.stop != nil
}

// frame shows the breakpoint with its variables, or a call that leads there.
func (r *repl) frame(arg string) {
	if r.stop == nil {
		fmt.Fprintln(r.out, "no program has stopped at a breakpoint")
		return
	}
	n := 0
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 0 || n > len(r.stop.Calls) {
			fmt.Fprintf(r.out, ":frame takes a number from 0 to %d\n", len(r.stop.Calls))
			return
		}
	}
	if n > 0 {
		r.show(r.stop.Calls[n-1], fmt.Sprintf("call %d of %d", n, len(r.stop.Calls)))
		return
	}
	r.show(r.stop.At, fmt.Sprintf("breakpoint, %d calls deep", len(r.stop.Calls)))
	for _, v := range r.stop.Vars {
		fmt.Fprintf(r.out, "  %s : %s = %s\n", v.Sym.Name, v.Sym.Type, v.Text)
	}
}

// show prints a place in the source.
func (r *repl) show(at source.Span, what string) {
	if err := diag.Place(r.out, at, what); err != nil {
		fmt.Fprintln(r.out, err)
	}
}

// completions completes commands and names.
func (r *repl) completions(text string) (names []string, length int) {
	if rest, ok := strings.CutPrefix(text, ":"); ok && !strings.Contains(text, " ") {
		for _, c := range replCommands() {
			if strings.HasPrefix(c.name, rest) {
				names = append(names, c.name)
			}
		}
		return names, len(rest)
	}
	return r.session.Complete(text)
}
