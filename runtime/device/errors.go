package device

import (
	"errors"
	"fmt"
	"strings"
)

// Fault classifies failures. It is itself an error, so that
// errors.Is(err, device.OutOfMemory) asks for a class.
type Fault uint8

// The classes of failure.
const (
	Internal      Fault = iota + 1 // The driver failed in a way that has no class.
	NoLibrary                      // No library was found to reach the device through.
	BadLibrary                     // The library lacks calls that we need or does not load.
	NoAdapter                      // The library offers no such device.
	Missing                        // A feature is asked for that the device lacks.
	Limit                          // A request exceeds a limit of the device.
	CompileFailed                  // A kernel does not compile; see Error.Shader.
	OutOfMemory                    // The device's memory does not suffice.
	Lost                           // The device is gone: reset, removed, or closed.
	Timeout                        // The device did not finish in the time allowed.
	Misuse                         // The caller broke the interface's contract.
)

var faultNames = map[Fault]string{
	Internal: "device failure", NoLibrary: "no device library", BadLibrary: "unusable device library",
	NoAdapter: "no device", Missing: "feature not offered by the device", Limit: "device limit exceeded",
	CompileFailed: "kernel does not compile", OutOfMemory: "out of device memory", Lost: "device lost",
	Timeout: "device time-out", Misuse: "wrong use of the device",
}

// Error names the class.
func (f Fault) Error() string {
	if s, ok := faultNames[f]; ok {
		return s
	}
	return fmt.Sprintf("device fault %d", uint8(f))
}

// FixKernel is the hint of a CompileFailed error: whoever wrote the kernel fixes it.
const FixKernel = "correct the kernel; if skald made it, that is a mistake in skald: please report it, with the program"

// Error is a failure of a device.
type Error struct {
	Fault  Fault
	Op     string       // What was being done, e.g. "allocate 4096 bytes".
	Detail string       // What the driver or library said.
	Hint   string       // What to do about it; may be empty.
	Shader *ShaderError // Place of a CompileFailed error, if known.
	Err    error        // Cause, if there is one.
}

// Error returns the failure, the hint after a semicolon or below the line of a kernel
// that is at fault.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Fault.Error())
	if e.Op != "" {
		b.WriteString(": " + e.Op)
	}
	if e.Shader != nil {
		b.WriteString(": " + e.Shader.Error())
	} else if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	switch {
	case e.Hint != "" && e.Shader != nil && e.Shader.Text != "":
		b.WriteString("\n" + e.Hint)
	case e.Hint != "":
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Is matches the error's class.
func (e *Error) Is(target error) bool {
	f, ok := target.(Fault)
	return ok && f == e.Fault
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ShaderError is a compiler's complaint about a kernel's text.
type ShaderError struct {
	Kernel       string
	Line, Column int    // From 1; 0 where unknown.
	Text         string // The line of the source, for the message.
	Message      string // What the compiler said.
}

// Error shows place, message and source line.
func (s *ShaderError) Error() string {
	place := s.Kernel
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", s.Kernel, s.Line, s.Column)
	}
	if s.Text != "" {
		return fmt.Sprintf("%s: %s\n\t%s", place, s.Message, s.Text)
	}
	return place + ": " + s.Message
}

// NewShaderError places a message in the source that it is about.
func NewShaderError(spec *KernelSpec, line, column int, message string) *ShaderError {
	s := &ShaderError{Kernel: spec.Name, Line: line, Column: column, Message: message}
	if lines := strings.Split(spec.Source, "\n"); line > 0 && line <= len(lines) {
		s.Text = strings.TrimSpace(lines[line-1])
	}
	return s
}

// FaultOf returns the class of an error, or 0 if it is none of a device.
func FaultOf(err error) Fault {
	var e *Error
	if errors.As(err, &e) {
		return e.Fault
	}
	var f Fault
	if errors.As(err, &f) {
		return f
	}
	return 0
}
