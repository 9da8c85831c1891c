package main

import (
	"testing"

	"skald/compiler"
	"skald/runtime/value"
)

// The programs find their sources from the top of the repository.
func TestSmallCasesAgreeWithTheInterpreter(t *testing.T) {
	t.Chdir("../../..")
	if err := run(compiler.DeviceOptions{Name: "cpu", Profile: true}, 1, cases(true)); err != nil {
		t.Error(err)
	}
}

func TestJudgeTellsWhatDiffers(t *testing.T) {
	ints := func(xs ...int32) value.Value { return value.FromSlice(xs, len(xs)) }
	floats := func(xs ...float32) value.Value { return value.FromSlice(xs, len(xs)) }
	tests := []struct {
		name            string
		got, want       value.Value
		decidedByFloats bool
		verdict         string
		ok              bool
	}{
		{"equal integers", ints(1, 2), ints(1, 2), false, "exact", true},
		{"one integer of two", ints(1, 3), ints(1, 2), false, "1 of 2 differ", false},
		{"too many of those that floats decide", ints(1, 3), ints(1, 2), true, "1 of 2 differ", false},
		{"another length", ints(1), ints(1, 2), false, "another type or shape", false},
		{"another type", floats(1, 2), ints(1, 2), false, "another type or shape", false},
		{"a float that is off", floats(3, 4.5), floats(3, 4), false, "relative L2 error 1.0e-01", false},
		{"a float that is near", floats(3, 4.0005), floats(3, 4), false, "relative L2 error 1.0e-04", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			verdict, ok := judge(test.got, test.want, test.decidedByFloats)
			if verdict != test.verdict || ok != test.ok {
				t.Errorf("judge = %q, %v; want %q, %v", verdict, ok, test.verdict, test.ok)
			}
		})
	}
}
