// Command skald compiles and runs Futhark programs: see README.md. It is flags, exit codes and printing; the work is done by package
// skald. There is one file a subcommand.
//
// An executable that `skald build` wrote is this same binary with a program behind it: then main runs the program, whose options
// are in program.go. Built with the tag runner, it is nothing but that: see runner.go.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"skald/runtime/bundle"
	"skald/runtime/limits"
)

// Exit codes, as README.md documents them.
const (
	exitOK       = 0
	exitInternal = 1 // an internal error, or a limitation of the compiler
	exitUser     = 2 // the user's error: program, arguments, files
	exitRun      = 3 // the program ran and failed
	exitTest     = 1 // tests failed: what Futhark's own test command says
	// `fmt --check` found files that are not formatted, as Futhark's says it.
	exitUnformatted = 1
)

// failure is an error with its exit code. Its message has been printed already if it is empty.
type failure struct {
	code int
	text string
}

func (f *failure) Error() string { return f.text }

// fail makes an error that ends the process with code.
func fail(code int, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

func main() {
	watchMemory()
	if self, err := os.Executable(); err == nil {
		b, err := openSelf(self)
		switch {
		case err == nil:
			os.Exit(runProgram(b, os.Args[1:]))
		case errors.Is(err, bundle.ErrNone) && bundle.Expected():
			fmt.Fprintf(os.Stderr, "%s: the program behind this executable is missing: the file is cut off; build it again\n", os.Args[0])
			os.Exit(exitInternal)
		case !errors.Is(err, bundle.ErrNone):
			fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[0], err)
			os.Exit(exitInternal)
		}
	}
	os.Exit(run(os.Args[1:]))
}

// openSelf reads the program behind the running executable. One that a library started from memory has no file of that name.
func openSelf(path string) (bundle.Bundle, error) {
	if _, err := os.Stat(path); err != nil && runtime.GOOS == "linux" {
		path = "/proc/self/exe"
	}
	return bundle.Open(path)
}

// watchMemory has the process end with a sentence when it nearly reaches a limit of its memory.
func watchMemory() {
	end := func(err error) {
		fmt.Fprintf(os.Stderr, "%s: Error: %v\n", filepath.Base(os.Args[0]), err)
		os.Exit(exitInternal)
	}
	if err := limits.Watch(end); err != nil {
		end(err)
	}
}

// rarely makes the garbage collector wait for nine times the memory that is in use: InterestCalib of Futhark's benchmarks is built in 700
// MB instead of 540 (with 400), and a tenth of the processor's time is saved.
const rarely = 800
