package main

import (
	"errors"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/runtime/value"
)

func TestArgumentsHaveTheSizesThatTheProgramStates(t *testing.T) {
	text := "entry f [n] (b: bool) (x: f32) (xss: [n][3]u8) = (b, x, xss)\nentry g (p: (i32, i32)) = p.0"
	prog, _, ok := compiler.Check("a.fut", compiler.CheckOptions{Loader: check.Files{"a.fut": text}})
	if !ok {
		t.Fatal("the program is rejected")
	}
	for _, def := range prog.Defs {
		if def.Entry == nil {
			continue
		}
		args, ok := arguments(1, def.Entry, 5)
		switch def.Entry.Name {
		case "g":
			if ok {
				t.Errorf("a tuple got the arguments %v", args)
			}
		case "f":
			if !ok || len(args) != 3 {
				t.Fatalf("arguments %v", args)
			}
			if s := args[2].Shape(); len(s) != 2 || s[0] != 5 || s[1] != 3 {
				t.Errorf("the array has shape %v, want [5 3]", s)
			}
		}
	}
}

func TestDifferencesAreFound(t *testing.T) {
	one, two := []value.Value{value.FromSlice([]int32{1})}, []value.Value{value.FromSlice([]int32{2})}
	failed := errors.New("out of bounds")
	tests := []struct {
		name         string
		got, want    []value.Value
		err, wantErr error
		areDifferent bool
	}{
		{"equal", one, one, nil, nil, false},
		{"another value", two, one, nil, nil, true},
		{"no value", nil, one, nil, nil, true},
		{"the device fails", nil, one, failed, nil, true},
		{"both fail", nil, nil, failed, failed, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := compare(tt.got, tt.want, tt.err, tt.wantErr); (diff != nil) != tt.areDifferent {
				t.Errorf("got %v", diff)
			}
		})
	}
}
