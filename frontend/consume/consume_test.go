package consume_test

import (
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// checked checks a program and returns its last definition, and the codes of its errors.
func checked(t *testing.T, text string) (*types.Def, []string) {
	t.Helper()
	var sink diag.Sink
	prog, _ := check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	var codes []string
	for _, d := range sink.All() {
		if d.IsError() {
			codes = append(codes, d.Code.ID)
		}
	}
	if len(prog.Defs) == 0 {
		return nil, codes
	}
	return prog.Defs[len(prog.Defs)-1], codes
}

func TestResultsThatShareNothingBecomeUnique(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"fresh array", "def f (n: i64) = iota n", "*[n]i64"},
		{"parameter", "def f [n] (xs: [n]i32) = xs", "[n]i32"},
		{"consumed parameter", "def f [n] (xs: *[n]i32) = xs", "*[n]i32"},
		{"slice of a parameter", "def f [n] (xs: [n]i32) = xs[0:1]", "[1]i32"},
		{"copy of a parameter", "def f [n] (xs: [n]i32) = copy xs", "*[n]i32"},
		{"one of each", "def f [n] (xs: [n]i32) = (xs, copy xs)", "([n]i32, *[n]i32)"},
		{"twice the same", "def f [n] (xs: *[n]i32) = (xs, xs)", "([n]i32, [n]i32)"},
		{"choice", "def f [n] (b: bool) (xs: [n]i32) = if b then xs else copy xs", "[n]i32"},
		{"declared", "def f [n] (xs: [n]i32): [n]i32 = copy xs", "[n]i32"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def, codes := checked(t, tt.text)
			if len(codes) > 0 {
				t.Fatalf("errors: %v", codes)
			}
			if got := def.Ret.Type.String(); got != tt.want {
				t.Errorf("result type %s, want %s", got, tt.want)
			}
		})
	}
}

func TestLoopsConsumeWhatTheirBodyConsumes(t *testing.T) {
	def, codes := checked(t, "def f (xs: *[9]i64) = loop ys = xs for i < 9 do ys with [i] = i")
	if len(codes) > 0 {
		t.Fatalf("errors: %v", codes)
	}
	loop := def.Body.(*types.Loop)
	if a := loop.Pat.Base().Type.(*types.Array); !a.Unique {
		t.Errorf("the loop's parameter has type %s, want a unique one", a)
	}
	def, codes = checked(t, "def f (xs: [9]i64) = loop ys = xs for i < 9 do map (+ i) ys")
	if len(codes) > 0 {
		t.Fatalf("errors: %v", codes)
	}
	loop = def.Body.(*types.Loop)
	if a := loop.Pat.Base().Type.(*types.Array); a.Unique {
		t.Errorf("the loop's parameter has type %s, want one that is not unique", a)
	}
}

// See Note [Loop parameters that are declared unique].
func TestDeclaredUniquenessOfALoopParameterMayLapse(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"what the body returns has a name", "def f (xs: [9]i64) = loop ys: *[9]i64 = xs for i < 9 do let zs = map (+ i) ys in zs", true},
		{"and is part of a tuple", "def f (xs: [9]i64) = loop (a: *[9]i64, b: *[9]i64) = (replicate 9 0, xs) for i < 9 do " +
			"let c = a with [i] = i let d = map (+ i) b in (c, d)", true},
		{"what the body returns has no name", "def f (xs: [9]i64) = loop ys: *[9]i64 = xs for i < 9 do map (+ i) ys", false},
		{"the body returns the parameter", "def f (xs: [9]i64) = loop ys: *[9]i64 = xs for i < 9 do ys", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, codes := checked(t, tt.text); (len(codes) == 0) != tt.ok {
				t.Errorf("errors: %v", codes)
			}
		})
	}
}

func TestAliasesAreFollowedByElement(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"the other element stays", "def f (a: *[]i32, b: *[]i32) = let c = a with [0] = 1 in c[0] + b[0]", true},
		{"the other part of a new pair stays", "def f (xs: *[]i32) (ys: *[]i32) = let (a, b) = (xs, ys) " +
			"let c = a with [0] = 1 in c[0] + b[0]", true},
		{"a record is consumed as a whole", "def f (r: *{a: []i32, b: []i32}) = let c = r.a with [0] = 1 in c[0] + r.b[0]", false},
		{"the same field does not", "def f (r: *{a: []i32, b: []i32}) = let c = r.a with [0] = 1 in c[0] + r.a[0]", false},
		{"a copy is free", "def f (xs: []i32) = (copy xs with [0] = 1)[0] + xs[0]", true},
		{"an element of an array of arrays is not", "def f (xs: *[][]i32) = let r = xs[0] let c = xs with [0] = [1] in c[0][0] + r[0]", false},
		{"a scalar is free", "def f (xs: *[]i32) = let x = xs[0] let c = xs with [0] = 1 in c[0] + x", true},
		{"a constructor's payload is not", "def f (xs: *[]i32) = let s: #some ([]i32) = #some xs let c = xs with [0] = 1 " +
			"in match s case #some ys -> ys[0] + c[0]", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, codes := checked(t, tt.text)
			if (len(codes) == 0) != tt.ok {
				t.Errorf("errors: %v, want none: %v", codes, tt.ok)
			}
		})
	}
}
