package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"skald/runtime/limits"
)

// Note [Crashes]
//
// A panic that leaves the compiler is a mistake in it. The user is told so in a sentence, with exit code 1; the stack goes to a file, for
// the report. An interactive session goes on.

// guard runs f and turns a panic into an error: see Note [Crashes].
func guard(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *limits.Error:
			err = fail(exitInternal, "%v", r)
		default:
			err = crash(r, debug.Stack())
		}
	}()
	return f()
}

// crash writes down a panic and returns what to tell the user: see Note [Crashes].
func crash(reason any, stack []byte) error {
	text := fmt.Sprintf("internal error: %v\nThis is a mistake in skald; please report it, with the program and the contents of ", reason)
	file, err := os.CreateTemp("", "skald-crash-*.txt")
	if err != nil {
		return fail(exitInternal, "%sthis stack:\n%s", text, stack)
	}
	_, err = fmt.Fprintf(file, "%v\n\n%s", reason, stack)
	if err = errors.Join(err, file.Close()); err != nil {
		return fail(exitInternal, "%sthis stack:\n%s", text, stack)
	}
	return fail(exitInternal, "%s%s", text, file.Name())
}
