// Package compiler joins the layers of the compiler, which do not know of each other. The command line, the tests and package skald,
// which is the interface for other programs, call it and nothing below.
//
// Check reads a program and reports what is wrong with it. Interpret makes an interpreter for a checked program. Compile makes a Program,
// which runs on any device: OpenDevice opens one, Run runs an entry point there, and On prepares the program for many runs.
// WriteExecutable and Bundle store it, Load reads it again. Stages lists what happens to a program on its way to a device,
// and Dump shows it at any stage.
//
//	prog, sink, ok := compiler.Check("dot.fut", compiler.CheckOptions{})
//	compiled, diagnostic := compiler.Compile(prog, compiler.CompileOptions{})
//	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{})
//	results, err := compiled.Run(ctx, dev, "main", xs, ys)
//
// Nothing here prints or exits; whatever is wrong comes back as diagnostics (package frontend/diag) or errors. There is no state but in
// the values: all functions may be called from several goroutines at once, and so may the methods of Program, of what On returns and
// of devices; a Session and an Interpreter belong to one goroutine at a time.
package compiler
