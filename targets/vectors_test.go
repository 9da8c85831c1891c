package targets_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// vectorBodies are bodies of loops that WebAssembly runs by lanes (TestParallelLoopsAreVectors of backends/wasm says which are).
var vectorBodies = []string{
	"@c_4[j_2] = max.i32(sub.i32(@a_0[j_2], 7:i32), un.neg.i32(@a_0[add.idx(j_2, 1:idx)]))",
	"@c_4[j_2] = xor.i32(shl.i32(@a_0[j_2], 3:i32), conv.idx.i32(mul.idx(add.idx(j_2, 7:idx), 3:idx)))",
	"@c_4[j_2] = @a_0[add.idx(mul.idx(j_2, quot.idx(n_1, 50:idx)), 3:idx)]",
	"@c_4[j_2] = select.i32(lt.i32(@a_0[j_2], 0:i32), un.abs.i32(@a_0[j_2]), conv.bool.i32(eq.i32(@a_0[j_2], 5:i32)))",
	"@g_6[j_2] = min.f32(@f_2[j_2], call.sqrt.f32(mul.f32(@f_2[add.idx(j_2, 2:idx)], 0x40000000:f32)))",
	"@g_6[j_2] = max.f32(div.f32(conv.i32.f32(@a_0[j_2]), @f_2[j_2]), @f_2[0:idx])",
	"let x_8: i32 = 0:i32\n for k_9: idx < 9:idx {\n x_8 = add.i32(mul.i32(x_8, 3:i32), @a_0[add.idx(k_9, j_2)])\n }\n @c_4[j_2] = x_8",
	"let x_8: u8 = 9:u8\n if eq.u8(and.u8(@b_1[j_2], 3:u8), 3:u8) {\n x_8 = add.u8(@b_1[add.idx(j_2, 1:idx)], 200:u8)\n } else {\n" +
		"let y_9: u8 = @b_1[add.idx(j_2, 2:idx)]\n if lt.u8(y_9, 100:u8) {\n x_8 = y_9\n }\n }\n @d_5[j_2] = x_8",
	"let t_8: bool = logand.bool(lt.u8(@b_1[j_2], 100:u8), un.not.bool(@h_3[j_2]))\n @e_7[j_2] = logor.bool(t_8, @h_3[add.idx(j_2, 1:idx)])",
}

// TestVectorsComputeWhatTheEvaluatorDoes compares loops of several lengths: whole vectors, and what is left over.
func TestVectorsComputeWhatTheEvaluatorDoes(t *testing.T) {
	web := webAssembly(t, targets.Options{})
	evaluator, _, err := targets.Open(targets.Options{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	defer evaluator.Close() //nolint:errcheck // all results are in
	for _, body := range vectorBodies {
		text := "kernel k(n_1: idx, read @a_0: i32, read @b_1: u8, read @f_2: f32, read @h_3: bool, write @c_4: i32, write @d_5: u8, " +
			"write @g_6: f32, write @e_7: bool) group 1 {\n  parallel for j_2: idx < n_1 {\n" + body + "\n  }\n}\n"
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for _, n := range []int64{0, 1, 15, 16, 77, 150} {
			if got, want := vectorRun(t, web, p.Kernels[0], n), vectorRun(t, evaluator, p.Kernels[0], n); !bytes.Equal(got, want) {
				t.Errorf("%d of %s:\n%v\nnot\n%v", n, strings.TrimSpace(body), got, want)
			}
		}
	}
}

// TestWrittenOutLoopsComputeWhatTheEvaluatorDoes compares loops of a few iterations in another loop, whose lanes read places far apart.
func TestWrittenOutLoopsComputeWhatTheEvaluatorDoes(t *testing.T) {
	web := webAssembly(t, targets.Options{})
	evaluator, _, err := targets.Open(targets.Options{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	defer evaluator.Close() //nolint:errcheck // all results are in
	for _, lanes := range []string{"4", "8", "16", "32"} {
		for _, first := range []string{"mul.idx(l_4, run_2)", "mul.idx(l_4, 11:idx)", "mul.idx(add.idx(l_4, 3:idx), run_2)"} {
			p, err := imp.Parse(strings.NewReplacer("LANES", lanes, "FIRST", first).Replace(`
kernel k(n_1: idx, read @a_0: i32, read @f_1: f32, write @c_2: i32, write @g_3: f32) group 1 {
  private @sums_4: i32[LANES]
  private @most_5: f32[LANES]
  let run_2: idx = add.idx(quot.idx(n_1, 16:idx), 1:idx)
  parallel for l_4: idx < LANES:idx {
    @sums_4[l_4] = 0:i32
    @most_5[l_4] = 0xff800000:f32
  }
  for k_3: idx < n_1 {
    parallel for l_4: idx < LANES:idx {
      let at_5: idx = add.idx(FIRST, k_3)
      let x_6: i32 = @a_0[add.idx(at_5, 2:idx)]
      let s_7: i32 = @sums_4[l_4]
      let y_8: i32 = @a_0[at_5]
      let t_9: i32 = add.i32(s_7, y_8)
      let u_10: i32 = max.i32(y_8, t_9)
      @sums_4[l_4] = sub.i32(max.i32(u_10, add.i32(u_10, x_6)), s_7)
      let z_11: f32 = @f_1[add.idx(at_5, 1:idx)]
      @most_5[l_4] = max.f32(mul.f32(z_11, z_11), add.f32(@most_5[l_4], z_11))
    }
  }
  parallel for l_4: idx < LANES:idx {
    @c_2[l_4] = @sums_4[l_4]
    @g_3[l_4] = @most_5[l_4]
  }
}
`))
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int64{0, 1, 13, 48} {
				if got, want := vectorRun(t, web, p.Kernels[0], n), vectorRun(t, evaluator, p.Kernels[0], n); !bytes.Equal(got, want) {
					t.Errorf("%d times %s lanes at %s:\n%v\nnot\n%v", n, lanes, first, got, want)
				}
			}
		}
	}
}

// TestLoopsInCopiesComputeWhatTheEvaluatorDoes compares loops that go on from one iteration to the next, of all numbers of iterations that
// some copies of a body leave.
func TestLoopsInCopiesComputeWhatTheEvaluatorDoes(t *testing.T) {
	web := webAssembly(t, targets.Options{})
	evaluator, _, err := targets.Open(targets.Options{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	defer evaluator.Close() //nolint:errcheck // all results are in
	for _, bound := range []string{"n_1", "3:idx", "16:idx", "21:idx"} {
		p, err := imp.Parse(`kernel k(n_1: idx, read @a_0: i32, write @c_1: i32) group 1 {
  let sum_2: i32 = 0:i32
  for j_3: idx < ` + bound + ` {
    let x_4: i32 = @a_0[add.idx(j_3, 1:idx)]
    sum_2 = add.i32(mul.i32(sum_2, 3:i32), x_4)
    @c_1[add.idx(mul.idx(j_3, 2:idx), 1:idx)] = sum_2
  }
}
`)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int64(45) {
			if got, want := vectorRun(t, web, p.Kernels[0], n), vectorRun(t, evaluator, p.Kernels[0], n); !bytes.Equal(got, want) {
				t.Errorf("%d of %s:\n%v\nnot\n%v", n, bound, got, want)
			}
		}
	}
}

// vectorRun runs a kernel on arrays of its own, and returns what it wrote.
func vectorRun(t *testing.T, dev *targets.Device, k *imp.Kernel, n int64) []byte {
	t.Helper()
	const elements = 512
	s, code := spec(t, dev, k)
	kernels, err := dev.Compile([]device.KernelSpec{s})
	if err != nil {
		t.Fatal(err)
	}
	var bindings []device.Binding
	var out []byte
	for _, m := range k.Mems[:k.Globals()] {
		data := make([]byte, elements*m.Elem.Size())
		for i := range elements {
			x := uint64(i*i*2654435761>>7) % 251
			switch {
			case m.Access == imp.Write:
				x = 0
			case m.Elem.IsFloat():
				x = uint64(math.Float32bits(float32(x)/8 - 3))
			case m.Elem.Size() == 1 && !m.Elem.IsInt():
				x &= 1
			case m.Elem.IsSigned():
				x -= 100
			}
			putElement(data, m.Elem, i, x)
		}
		b, err := dev.Alloc(int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Upload(b, 0, data); err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, device.Binding{Buffer: b})
	}
	failure, err := dev.Alloc(4 * imp.FailureWords)
	if err != nil {
		t.Fatal(err)
	}
	bindings = append(bindings, device.Binding{Buffer: failure})
	err = errors.Join(dev.Fill(failure, 0, 4*imp.FailureWords, 0), dev.Launch(device.Launch{
		Kernel: kernels[0], Groups: [3]uint32{1, 1, 1}, Buffers: bindings, Params: code.Pack(k, []uint64{uint64(n)}, 1),
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range k.Mems[:k.Globals()] {
		if m.Access == imp.Write {
			data := make([]byte, elements*m.Elem.Size())
			if err := dev.Download(device.Region{Buffer: bindings[i].Buffer, Data: data}); err != nil {
				t.Fatal(err)
			}
			out = append(out, data...)
		}
		dev.Free(bindings[i].Buffer)
	}
	for at := 0; at+4 <= len(out); at += 4 { // NaNs are equal
		if w := binary.LittleEndian.Uint32(out[at:]); w&0x7fffffff > 0x7f800000 {
			binary.LittleEndian.PutUint32(out[at:], 0x7fc00000)
		}
	}
	return out
}
