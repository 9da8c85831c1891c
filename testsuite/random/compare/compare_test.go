package compare

import (
	"context"
	"errors"
	"strings"
	"testing"

	"skald/frontend/interp"
	"skald/middle/core/eval"
	"skald/runtime/host"
	"skald/runtime/value"
	"skald/testsuite/random"
	"skald/tooling/conformance"
)

func TestResultsAndFailuresAreCompared(t *testing.T) {
	one, two := []value.Value{value.FromSlice([]float32{1})}, []value.Value{value.FromSlice([]float32{1.0000001})}
	interpreted := &interp.Error{Message: "Index [7] out of bounds for array of shape [4]."}
	tests := []struct {
		name         string
		got, want    []value.Value
		err, wantErr error
		verdict      Verdict
	}{
		{"equal", one, one, nil, nil, Agrees},
		{"the last bit", two, one, nil, nil, Differs},
		{"no value", nil, one, nil, nil, Differs},
		{"the device alone", nil, one, errors.New("lost"), nil, Differs},
		{"the interpreter alone", one, nil, nil, interpreted, Differs},
		{"the same words", nil, nil, &host.Error{Message: "Index [7] out of bounds for array of shape [4]."}, interpreted, Fails},
		{"the same index", nil, nil, &eval.AssertError{Msg: "Index [7i64] out of bounds for array of shape [4i64]."}, interpreted, Fails},
		{"another index", nil, nil, &host.Error{Message: "Index [8] out of bounds for array of shape [4]."}, interpreted, Differs},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if verdict, reason := judge(tt.got, tt.want, tt.err, tt.wantErr); verdict != tt.verdict {
				t.Errorf("%s: %s", verdict, reason)
			}
		})
	}
}

// Nested programs have parameters that choose between versions; each is tried either way.
func TestProgramsRunInOtherVersionsToo(t *testing.T) {
	cpu, err := conformance.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer cpu.Close() //nolint:errcheck // nothing depends on it any more
	c := &random.Case{
		Text: "entry main [n][m] (xss: [n][m]i32) = map (reduce (+) 0) xss",
		Args: []value.Value{value.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 2, 3)},
	}
	counted := &counting{Executor: cpu}
	if r := Run(c, counted); r.Verdict != Agrees {
		t.Fatal(r)
	}
	if counted.calls != 2 {
		t.Errorf("%d calls, want one in each version", counted.calls)
	}
	file := retuned(1, []string{"a", "b", "c", "d"})
	if !strings.Contains(file, "=1\n") || !strings.Contains(file, "=1099511627776\n") {
		t.Errorf("parameters are %q", file)
	}
}

// counting counts the calls of programs.
type counting struct {
	conformance.Executor
	calls int
}

func (c *counting) Load(prog *conformance.Checked) (conformance.Loaded, error) {
	l, err := c.Executor.Load(prog)
	if err != nil {
		return nil, err
	}
	return &countedCalls{l.(tunableProgram), c}, nil
}

type tunableProgram interface {
	conformance.Loaded
	tunable
}

type countedCalls struct {
	tunableProgram
	c *counting
}

func (l *countedCalls) Call(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	l.c.calls++
	return l.tunableProgram.Call(ctx, entry, args)
}
