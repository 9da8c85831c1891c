package pass

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/facts"
)

// Pass turns a program of one form into one of another.
type Pass[From, To any] struct {
	// Name is what `skald dev --after` calls the pass.
	Name string
	// Doc is one line that says what the pass does.
	Doc string
	// Needed says why the pass cannot be left out, as a clause about it; it is empty for a pass that only makes programs better.
	Needed string
	// When says of a program as it comes to the pipeline whether the pass is for it; nil says that it is for all.
	When func(From) bool
	// Run does it. It must not change its argument.
	Run func(*Context, From) To
}

// CodeBug is the code of faults of ours. That of limitations is diag.CodeLimit.
var CodeBug = diag.Declare(diag.Code{
	ID:       "internal-error",
	Severity: diag.Internal,
	Doc: "The compiler has failed. The message names the pass, and the file that holds the pass's input: " +
		"please report both.",
})

// Context is what a pass may use besides its input.
type Context struct {
	// DumpDir is where the input of a failed pass is written; "" means the directory for temporary files.
	DumpDir string
	// Check asks for the result of each pass to be verified.
	Check bool
	// Safe keeps the checks of a program that it asks to leave out, by #[unsafe].
	Safe bool
	// Device is what is known of the device, for the passes of its pipeline; others must not look at it. Passes ask Facts.
	Device facts.Facts
	// Timed, if not nil, is told how long each pass took.
	Timed func(pass string, took time.Duration)
	// Budget is how many statements a program may have, instead of MostStatements, if it is not 0: Note [Budgets].
	Budget int
	// Heard, if not nil, is called after each question about the device.
	Heard func()

	mu    sync.Mutex
	asked Answers
	told  []*diag.Diagnostic
	known *facts.Facts // what IsFor said
}

// Answers are what passes asked of a device: whether another one answers a question alike.
type Answers []func(facts.Facts) bool

// Fit reports whether a device has the same answers.
func (a Answers) Fit(device facts.Facts) bool {
	return !slices.ContainsFunc(a, func(same func(facts.Facts) bool) bool { return !same(device) })
}

// Facts returns all that is known of the device, to a pass of a device's pipeline. To Ask for what matters lets more devices share the
// result.
func (c *Context) Facts() facts.Facts { return Ask(c, func(f facts.Facts) facts.Facts { return f }) }

// Ask answers a question about the device, to a pass of a device's pipeline. The result is then that of the devices with the same answer.
func Ask[T any](c *Context, question func(facts.Facts) T) T {
	answer := question(c.Device.WithDefaults())
	c.hear(func(f facts.Facts) bool { return reflect.DeepEqual(question(f.WithDefaults()), answer) })
	return answer
}

// hear notes an answer.
func (c *Context) hear(same func(facts.Facts) bool) {
	c.mu.Lock()
	c.asked = append(c.asked, same)
	c.mu.Unlock()
	if c.Heard != nil {
		c.Heard()
	}
}

// Asked returns the answers so far. If there are none the result is the same for every device.
func (c *Context) Asked() Answers {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clip(c.asked)
}

// Resume takes over the answers to what passes in front of those that are to run have asked, and what they told.
func (c *Context) Resume(a Answers, told []*diag.Diagnostic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.told = slices.Clip(a), slices.Clip(told)
}

// Fits reports whether passes would have had the same answers of another device.
func (c *Context) Fits(device facts.Facts) bool { return c.Asked().Fit(device) }

// IsFor says which device the result is for, where passes began before it was known.
func (c *Context) IsFor(device facts.Facts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = &device
}

// Void reports whether passes had other answers than those of the device that the result is for: nobody will take it.
func (c *Context) Void() bool {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	return known != nil && !c.Fits(*known)
}

// stop is what Bug and Limit panic with; only Apply sees it.
type stop struct{ d *diag.Diagnostic }

// Limit leaves the pass because the program needs something that is not supported. The message is a clause about the place
// at: what cannot be translated, and what to do instead if anything can be done.
func (c *Context) Limit(at source.Span, format string, args ...any) {
	panic(stop{diag.New(diag.CodeLimit, at, format, args...)})
}

// LimitAt is Limit for a place that is known by its text, "" if it is not known.
func (c *Context) LimitAt(place, format string, args ...any) {
	panic(stop{diag.Limit(place, format, args...)})
}

// Leave leaves the pass with a limitation.
func (c *Context) Leave(d *diag.Diagnostic) { panic(stop{d}) }

// Bug leaves the pass because something holds that must not: a fault in the compiler.
func (c *Context) Bug(at source.Span, format string, args ...any) {
	panic(stop{diag.New(CodeBug, at, format, args...)})
}

// Apply runs p on in. The diagnostic is nil when that worked. dump, if not nil, prints the input for the file that a fault
// leaves behind.
func Apply[From, To any](ctx *Context, p Pass[From, To], in From, dump func(From) string) (out To, d *diag.Diagnostic) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		s, ok := r.(stop)
		if !ok {
			s = stop{diag.New(CodeBug, source.Span{}, "%v\n%s", r, debug.Stack())}
		}
		d = s.d
		if d.Code == CodeBug {
			d.Message = fmt.Sprintf("pass %s: %s", p.Name, d.Message)
			ctx.keep(d, p.Name, func() string { return dump(in) }, dump != nil)
		}
	}()
	if ctx.Timed != nil {
		start := time.Now()
		defer func() { ctx.Timed(p.Name, time.Since(start)) }()
	}
	return p.Run(ctx, in), nil
}

// keep writes the input of a failed pass to a file and says so in d.
func (c *Context) keep(d *diag.Diagnostic, name string, text func() string, printable bool) {
	if !printable {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			d.Note(source.Span{}, "the pass's input could not be printed either: %v", r)
		}
	}()
	dir := c.DumpDir
	if dir == "" {
		dir = os.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("skald-%s-%d.txt", name, os.Getpid()))
	if err := os.WriteFile(path, []byte(text()), 0o644); err != nil {
		d.Note(source.Span{}, "the pass's input could not be kept: %v", err)
		return
	}
	d.Note(source.Span{}, "the pass's input is in %s", path)
}
