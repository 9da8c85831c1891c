package host

import (
	"slices"
	"testing"

	"skald/middle/imp"
)

// shared is a function that one function calls once, and another in a loop; nobody calls unused.
const shared = `kernel one(n_1: idx, write @xs_0: i32) group 8 room 16000 {
  shared @a_1: i32[room]
}
fun unused() -> () {
}
fun part(n_1: i64) -> () {
  alloc xs_2: i32[n_1]
  launch one<1:i64>(conv.i64.idx(n_1)) blocks(xs_2) room(n_1) fits(n_1)
}
fun once(n_1: i64) -> () {
  call part(n_1) site 0
}
fun often(n_1: i64) -> () {
  for i_2: i64 < n_1 {
    call part(i_2) site 0
  }
}
`

// reading notes which functions are read.
type reading struct {
	declaredParts
	read []string
}

func (r *reading) Function(name string) (*imp.Fun, error) {
	if !slices.Contains(r.read, name) {
		r.read = append(r.read, name)
	}
	return r.declaredParts.Function(name)
}

// A call needs the functions that it reaches; one more that is called shows that the launches of another are in a loop after all.
func TestFunctionsAreReadWhenTheyAreReached(t *testing.T) {
	prog, err := imp.Parse(shared)
	if err != nil {
		t.Fatal(err)
	}
	launch := prog.Fun("part").Body[1].(*imp.Launch)
	parts, rs := &reading{declaredParts: declared(prog)}, newRounds()
	for _, want := range []struct {
		call    string
		changes bool
		read    []string
	}{
		{"once", false, []string{"once", "part"}},
		{"once", false, []string{"once", "part"}},
		{"often", true, []string{"once", "part", "often"}},
	} {
		if err := rs.add(want.call, parts); err != nil {
			t.Fatal(err)
		}
		if rs.changes[launch] != want.changes || !slices.Equal(parts.read, want.read) {
			t.Errorf("after %s: sizes change in loops: %v; %v are read", want.call, rs.changes[launch], parts.read)
		}
		if r := rs.funs["part"]; rs.launches[launch] != r || !slices.Equal(rs.all(rs.funs[want.call]), []string{"one"}) {
			t.Errorf("after %s: the launch is in no round of its function", want.call)
		}
	}
	if rs.add("nobody", parts) == nil {
		t.Error("there is a function of any name")
	}
}
