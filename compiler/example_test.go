package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
	"skald/runtime/bundle"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// dot is the program of the examples.
const dot = "def main [n] (xs: [n]f32) (ys: [n]f32) : f32 = reduce (+) 0 (map2 (*) xs ys)\n"

// mustCheck checks a program that is known to be good.
func mustCheck(text string) *types.Prog {
	prog, sink, ok := compiler.Check("a.fut", compiler.CheckOptions{Loader: check.Files{"a.fut": text}})
	if !ok {
		log.Fatal(sink.Sorted()[0])
	}
	return prog
}

func mustCompile(text string) *compiler.Program {
	compiled, d := compiler.Compile(mustCheck(text), compiler.CompileOptions{})
	if d != nil {
		log.Fatal(d)
	}
	return compiled
}

// What is wrong with a program comes back as diagnostics, all that there are, with places.
func ExampleCheck() {
	files := check.Files{"wrong.fut": "def f (x: i32) : bool = x\ndef g = unknown\n"}
	_, sink, ok := compiler.Check("wrong.fut", compiler.CheckOptions{Loader: files})
	fmt.Println(ok)
	if err := diag.Lines(os.Stdout, sink.Sorted()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// false
	// wrong.fut:1:25-25: error: Function body does not have expected type. [type-mismatch]
	// wrong.fut:2:9-15: error: Unknown name "unknown". [unknown-name]
}

// The interpreter runs checked programs, on the same values as compiled ones.
func ExampleInterpret() {
	in := compiler.Interpret(mustCheck(dot), interp.Options{})
	xs := value.FromSlice([]float32{1, 2, 3})
	results, err := in.Call(context.Background(), "main", []value.Value{xs, xs})
	fmt.Println(results, err)
	// Output: [14.0f32] <nil>
}

// A compiled program runs on any device. DeviceOptions{} means the best one present.
func ExampleProgram_Run() {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	xs, ys := value.FromSlice([]float32{1, 2, 3}), value.FromSlice([]float32{4, 5, 6})
	results, err := mustCompile(dot).Run(context.Background(), dev, "main", xs, ys)
	fmt.Println(results, err)
	// Output: [32.0f32] <nil>
}

// Failures of the program, of the device and of the caller are told apart.
func ExampleProgram_Run_errors() {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	p := mustCompile("def main (n: i64) (i: i64) : i64 = (iota n)[i]\nentry many (n: i64) : []i64 = iota n\n")
	three, seven, huge := value.Scalar(prim.MakeI64(3)), value.Scalar(prim.MakeI64(7)), value.Scalar(prim.MakeI64(1<<45))
	for _, call := range []struct {
		entry string
		args  []value.Value
	}{
		{"main", []value.Value{three, seven}},
		{"many", []value.Value{huge}},
		{"main", []value.Value{three}},
	} {
		_, err := p.Run(context.Background(), dev, call.entry, call.args...)
		var failed *host.Error
		switch {
		case errors.As(err, &failed):
			fmt.Println("the program:", failed.Message)
		case errors.Is(err, device.OutOfMemory):
			fmt.Println("the device:", device.OutOfMemory)
		default:
			fmt.Println("the caller:", err)
		}
	}
	// Output:
	// the program: Index [7] out of bounds for array of shape [3].
	// the device: out of device memory
	// the caller: entry point main: too few arguments
}

// A program that runs often is prepared once; its arguments stay on the device.
func ExampleProgram_On() {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	p, err := mustCompile(dot).On(dev)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	xs := value.FromSlice([]float32{1, 2, 3})
	args, err := p.Upload("main", []value.Value{xs, xs})
	if err != nil {
		log.Fatal(err)
	}
	defer p.FreeArgs(args)
	for range 2 {
		results, err := p.Run(args)
		if err != nil {
			log.Fatal(err)
		}
		values, err := p.Download(results)
		p.FreeResults(results)
		fmt.Println(values, err)
	}
	// Output:
	// [14.0f32] <nil>
	// [14.0f32] <nil>
}

// An executable is a skald binary with a program behind it, which can be read again.
func ExampleLoad() {
	dir, err := os.MkdirTemp("", "skald-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)               //nolint:errcheck // a folder for temporary files
	runner := filepath.Join(dir, "skald") // stands for the file of skald itself
	if err := os.WriteFile(runner, []byte("ELF"), 0o600); err != nil {
		log.Fatal(err)
	}
	executable := filepath.Join(dir, "dot")
	if err := mustCompile(dot).WriteExecutable(executable, runner); err != nil {
		log.Fatal(err)
	}
	b, err := bundle.Open(executable)
	if err != nil {
		log.Fatal(err)
	}
	p, err := compiler.Load(b)
	fmt.Println(p != nil, err)
	// Output: true <nil>
}

// Programs print as they are after any pass.
func ExampleDump() {
	text, _, err := compiler.Dump(mustCheck("def main (x: i32) = x * 2\n"), "internalise", compiler.CompileOptions{})
	fmt.Print(text, err)
	// Output:
	// stage soacs
	//
	// fun main (x_1: i32): (r_2: i32) = {
	//   let (t_3: i32) = mul.i32 x_1 2i32
	//   in (t_3)
	// }
	//
	// entry "main" main ""
	//   param "x" "i32" -1 0 1
	//   result "" "i32" -1 0 1
	// <nil>
}
