package skald_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"skald"
	"skald/frontend/diag"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// compile compiles a program that is known to be good.
func compile(text string) *skald.Program {
	p, messages := skald.Compile("a.fut", skald.Options{ReadFile: func(string) (string, error) { return text, nil }})
	if p == nil {
		log.Fatal(messages[0])
	}
	return p
}

func openCPU() *skald.Device {
	dev, _, err := skald.OpenDevice(skald.DeviceOptions{Name: "cpu"})
	if err != nil {
		log.Fatal(err)
	}
	return dev
}

// What is wrong with a program comes back as diagnostics, with their places.
func ExampleCompile() {
	text := "def f (x: i32) : bool = x\ndef g = unknown\n"
	p, messages := skald.Compile("a.fut", skald.Options{ReadFile: func(string) (string, error) { return text, nil }})
	fmt.Println(p == nil)
	if err := diag.Lines(os.Stdout, messages); err != nil {
		log.Fatal(err)
	}
	// Output:
	// true
	// a.fut:1:25-25: error: Function body does not have expected type. [type-mismatch]
	// a.fut:2:9-15: error: Unknown name "unknown". [unknown-name]
}

// A program that runs often is prepared once.
func ExampleProgram_On() {
	dev := openCPU()
	defer dev.Close()
	dot, err := compile("def main [n] (xs: [n]f32) (ys: [n]f32) : f32 = reduce (+) 0 (map2 (*) xs ys)\n").On(dev)
	if err != nil {
		log.Fatal(err)
	}
	defer dot.Close()
	for _, x := range []float32{3, 4} {
		results, err := dot.Call(context.Background(), "main", value.FromSlice([]float32{1, x}), value.FromSlice([]float32{5, 6}))
		fmt.Println(results, err)
	}
	// Output:
	// [23.0f32] <nil>
	// [29.0f32] <nil>
}

// Failures of the program, of the device and of the caller are told apart.
func ExampleProgram_Run() {
	dev := openCPU()
	defer dev.Close()
	p := compile("def main (n: i64) (i: i64) : i64 = (iota n)[i]\nentry many (n: i64) : []i64 = iota n\n")
	three, seven, huge := value.Scalar(prim.MakeI64(3)), value.Scalar(prim.MakeI64(7)), value.Scalar(prim.MakeI64(1<<45))
	for _, call := range []struct {
		entry string
		args  []value.Value
	}{
		{"main", []value.Value{seven, three}},
		{"main", []value.Value{three, seven}},
		{"many", []value.Value{huge}},
		{"main", []value.Value{three}},
	} {
		results, err := p.Run(context.Background(), dev, call.entry, call.args...)
		var failed *skald.Failure
		switch {
		case errors.As(err, &failed):
			fmt.Println("the program:", failed.Message)
		case errors.Is(err, skald.OutOfMemory):
			fmt.Println("the device:", skald.OutOfMemory)
		case err != nil:
			fmt.Println("the caller:", err)
		default:
			fmt.Println(results)
		}
	}
	// Output:
	// [3i64]
	// the program: Index [7] out of bounds for array of shape [3].
	// the device: out of device memory
	// the caller: entry point main: too few arguments
}

// The interpreter is the reference for what programs mean.
func ExampleProgram_Interpret() {
	p := compile("def main (x: i32) = x * 2\n")
	results, err := p.Interpret(context.Background(), "main", value.Scalar(prim.MakeI32(21)))
	fmt.Println(results, err)
	// Output: [42i32] <nil>
}

// An executable carries its program, which can be read again.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "skald-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)               //nolint:errcheck // a folder for temporary files
	runner := filepath.Join(dir, "skald") // in place of the file of skald itself
	if err := os.WriteFile(runner, []byte("ELF"), 0o600); err != nil {
		log.Fatal(err)
	}
	executable := filepath.Join(dir, "double")
	if err := compile("def main (x: i32) = x * 2\n").WriteExecutable(executable, runner); err != nil {
		log.Fatal(err)
	}
	p, err := skald.Open(executable)
	if err != nil {
		log.Fatal(err)
	}
	_, err = p.Interpret(context.Background(), "main")
	fmt.Println(err)
	dev := openCPU()
	defer dev.Close()
	fmt.Println(dev.Name() != "")
	results, err := p.Run(context.Background(), dev, "main", value.Scalar(prim.MakeI32(4)))
	fmt.Println(results, err)
	// Output:
	// the program was read from an executable, which does not carry its source
	// true
	// [8i32] <nil>
}
