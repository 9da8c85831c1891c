package eval_test

import (
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/imp/eval"
)

// Kernels of two workgroups of four threads on an array of 16 words, and the race that each has; "" for none.
var raceCases = []struct{ name, body, want string }{
	{"each its own", "@xs_0[thread_id] = add.i32(@xs_0[thread_id], 1:i32)", ""},
	{"all read one", "let x_1: i32 = @xs_0[0:idx]\n  @xs_0[add.idx(thread_id, 1:idx)] = x_1", ""},
	{
		"two write", "@xs_0[div.idx(thread_id, 2:idx)] = 1:i32",
		"thread 1 writes xs at 0, which thread 0 of its workgroup, with no barrier between, writes",
	},
	{"two groups write", "@xs_0[local_id] = 1:i32", "thread 4 writes xs at 0, which thread 0 of another workgroup writes"},
	{
		"one reads what one wrote", "@xs_0[thread_id] = @xs_0[sub.idx(max.idx(thread_id, 1:idx), 1:idx)]",
		"thread 1 reads xs at 0, which thread 0",
	},
	{"one writes what many read", `let x_1: i32 = @xs_0[9:idx]
  if eq.idx(thread_id, 7:idx) {
    @xs_0[9:idx] = x_1
  }`, "thread 7 writes xs at 9, which a thread of another workgroup reads"},
	{"a barrier for shared arrays alone", `@xs_0[thread_id] = 1:i32
  barrier
  let x_1: i32 = @xs_0[xor.idx(thread_id, 1:idx)]`, "thread 0 reads xs at 1, which thread 1 of its workgroup"},
	{"a barrier", `@xs_0[thread_id] = 1:i32
  barrier global
  let x_1: i32 = @xs_0[xor.idx(thread_id, 1:idx)]
  barrier global
  @xs_0[xor.idx(thread_id, 2:idx)] = x_1`, ""},
	{"a barrier orders one workgroup", `@xs_0[thread_id] = 1:i32
  barrier global
  let x_1: i32 = @xs_0[xor.idx(thread_id, 4:idx)]`, "thread 4 writes xs at 4, which thread 0 of another workgroup reads"},
	{
		"one writes where others load perhaps an element", `let x_1: i32 = @xs_0[maybe 0:idx]
  if eq.idx(thread_id, 3:idx) {
    @xs_0[0:idx] = 1:i32
  }`, "",
	},
	{"atomic updates", "atomic add @xs_0[0:idx] 1:i32", ""},
	{"an atomic update and a store", `atomic add @xs_0[0:idx] 1:i32
  if eq.idx(thread_id, 3:idx) {
    @xs_0[0:idx] = 1:i32
  }`, "writes xs at 0, which"},
	{"an atomic update and a load", `atomic add @xs_0[0:idx] 1:i32
  let x_1: i32 = @xs_0[0:idx]`, "thread 0"},
	{"shared", `shared @tmp_1: i32[4]
  @tmp_1[local_id] = 1:i32
  barrier
  let x_1: i32 = @tmp_1[xor.idx(local_id, 1:idx)]`, ""},
	{"shared without a barrier", `shared @tmp_1: i32[4]
  @tmp_1[local_id] = 1:i32
  let x_1: i32 = @tmp_1[xor.idx(local_id, 1:idx)]`, "tmp at"},
	{"shared in a loop with one barrier", `shared @tmp_1: i32[4]
  for i_2: idx < 2:idx {
    @tmp_1[local_id] = 1:i32
    barrier
    let x_1: i32 = @tmp_1[xor.idx(local_id, 1:idx)]
  }`, "writes tmp at"},
	{"a uniform load", `shared @tmp_1: i32[4]
  @tmp_1[local_id] = 1:i32
  uniform x_1: i32 = @tmp_1[0:idx]
  @tmp_1[local_id] = x_1`, ""},
	{"vectors", `loadvec x_1: i32, y_2: i32 = @xs_0[mul.idx(thread_id, 2:idx)]
  storevec @xs_0[mul.idx(thread_id, 2:idx)] = y_2, x_1`, ""},
	{"vectors of neighbours", `loadvec x_1: i32, y_2: i32 = @xs_0[mul.idx(thread_id, 2:idx)]
  storevec @xs_0[mul.idx(div.idx(thread_id, 2:idx), 2:idx)] = y_2, x_1`, "thread 1 writes xs at 0, which thread 0"},
}

// Threads that have words of four elements to themselves, each of which it is a race to write in.
func TestRacesInWordsAreFound(t *testing.T) {
	cases := []struct{ body, want string }{
		{"own @xs_0[mul.idx(thread_id, 4:idx)] = 1:u8", ""},
		{"own @xs_0[mul.idx(thread_id, 4:idx)] = @xs_0[add.idx(mul.idx(thread_id, 4:idx), 5:idx)]", ""},
		{"own @xs_0[mul.idx(thread_id, 2:idx)] = 1:u8", "thread 1 writes xs at 2, which thread 0 of its workgroup"},
		{"own @xs_0[thread_id] = 1:u8", "thread 1 writes xs at 1, which thread 0 of its workgroup, with no barrier between, rewrites"},
		{`if eq.idx(thread_id, 7:idx) {
    own @xs_0[1:idx] = 1:u8
  } else {
    @xs_0[add.idx(thread_id, 3:idx)] = 2:u8
  }`, "thread 7 rewrites xs at 3, which thread 0 of another workgroup writes"},
	}
	for _, c := range cases {
		p, err := imp.Parse("kernel k(write @xs_0: u8) group 4 {\n  " + c.body + "\n}")
		if err != nil {
			t.Fatal(err)
		}
		err = eval.CompileChecked(p.Kernels[0]).Run(eval.Launch{Groups: 2, Blocks: [][]byte{make([]byte, 64)}, Races: new(eval.Races)})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}

func TestRacesAreFound(t *testing.T) {
	for _, c := range raceCases {
		t.Run(c.name, func(t *testing.T) {
			p, err := imp.Parse("kernel k(write @xs_0: i32) group 4 {\n  " + c.body + "\n}")
			if err != nil {
				t.Fatal(err)
			}
			err = eval.CompileChecked(p.Kernels[0]).Run(eval.Launch{Groups: 2, Blocks: [][]byte{make([]byte, 64)}, Races: new(eval.Races)})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
