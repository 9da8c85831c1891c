package compiler_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// What fails in compiled code has the places that it has in the interpreter: those of the operation, not of an operand that is computed
// for it.
func TestFailuresHaveTheInterpretersPlaces(t *testing.T) {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close() //nolint:errcheck // it is only evaluated
	const params = " (n: i64) (k: i64) (xs: *[]i64) = "
	for _, body := range []string{
		"xs[k + 1]",
		"xs[k + 1 : k + 2]",
		"xs[k - 1 : k + 7 : k - 4]",
		"map (\\i -> xs[i + k]) (iota n)",
		"xs with [k + 1] = 5 * k",
		"xs with [k - 5 : k - 3] = [k * 2]",
		"{a = xs, b = k} with a[k * 2] = k",
		"iota (n + 1) :> [n + k - k]i64",
		"n .. n + 1 ..< (k * -3)",
		"(n + 1) / ((k * 2) - 10)",
		"(n + 1) ** ((k * 2) - 20)",
		"map (\\i -> assert ((i + 1) > k * 2) (i + k)) (iota n)",
		"replicate (n - k * 2) (k + 1)",
		"reduce_by_index (replicate (n - k - 1) 0) (+) 0 xs xs",
		"reduce (\\a b -> a / (b * (k - 5))) 1 (iota n)",
	} {
		text := "def main" + params + body + "\n"
		args := []value.Value{
			value.Scalar(prim.MakeI64(3)), value.Scalar(prim.MakeI64(5)), value.FromSlice([]int64{1, 2, 3}),
		}
		_, err := compiler.Interpret(checkText(t, text), interp.Options{}).Call(context.Background(), "main", args)
		var wanted *interp.Error
		if !errors.As(err, &wanted) {
			t.Errorf("%s: the interpreter: %v", body, err)
			continue
		}
		_, err = compile(t, text).Run(context.Background(), dev, "main", args...)
		var got *host.Error
		if !errors.As(err, &got) {
			t.Errorf("%s: compiled: %v", body, err)
			continue
		}
		var places []string
		for _, at := range wanted.Trace {
			places = append(places, at.String())
		}
		if !slices.Equal(got.Where, places) {
			t.Errorf("%s: at %q, in the interpreter at %q", body, got.Where, places)
		}
	}
}
