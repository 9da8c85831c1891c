package compare

import (
	"errors"
	"testing"

	"skald/frontend/interp"
	"skald/middle/core/eval"
	"skald/runtime/host"
	"skald/runtime/value"
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
