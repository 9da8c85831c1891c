package targets_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// loops are bodies of kernels with the arrays xs and ys that are read, of words, bs and cs, of bytes, and zs and ds that are written, whose
// accesses have pointers (Note [Pointers] of package wasm), overlap at the end of a row, branch, lie apart, go backwards, or have none.
// Arrays have 100 elements more on either side than n: index 100 is the first.
var loops = map[string]string{
	"neighbours": `parallel for j: idx < n {
  @zs[add.idx(j, 100:idx)] = add.i32(add.i32(@xs[add.idx(j, 99:idx)], @xs[add.idx(j, 101:idx)]), @xs[add.idx(j, 100:idx)])
}`,
	"bytes": `parallel for j: idx < n {
  let around: u8 = add.u8(@bs[add.idx(j, 99:idx)], @bs[add.idx(j, 101:idx)])
  let r: bool = false
  if eq.u8(around, 3:u8) {
    r = true
  } else {
    let inner: bool = false
    if lt.u8(around, 90:u8) {
      let x: u8 = @bs[add.idx(j, 100:idx)]
      inner = lt.u8(x, 50:u8)
    }
    r = inner
  }
  @ds[add.idx(j, 100:idx)] = conv.bool.u8(r)
}`,
	"what some lanes read": `parallel for j: idx < n {
  let r: i32 = 7:i32
  if lt.i32(@xs[add.idx(j, 100:idx)], 0:i32) {
    r = @ys[add.idx(j, 130:idx)]
  }
  @zs[add.idx(j, 100:idx)] = r
}`,
	"two variables": `parallel for j: idx < n {
  let p: i32 = 1:i32
  let q: i32 = 2:i32
  if lt.i32(@xs[add.idx(j, 100:idx)], @ys[add.idx(j, 100:idx)]) {
    p = add.i32(p, 5:i32)
  } else {
    q = sub.i32(q, @xs[add.idx(j, 100:idx)])
    p = 0:i32
  }
  @zs[add.idx(j, 100:idx)] = add.i32(p, mul.i32(q, 3:i32))
}`,
	"nested branches": `parallel for j: idx < n {
  let x: u8 = @bs[add.idx(j, 100:idx)]
  let some: bool = lt.u8(x, 90:u8)
  let r: bool = false
  let q: u8 = 4:u8
  if gt.u8(x, 200:u8) {
    r = true
  } else {
    if some {
      let y: u8 = @bs[add.idx(j, 99:idx)]
      r = lt.u8(y, 50:u8)
    } else {
      if eq.u8(x, 100:u8) {
        r = false
      } else {
        if lt.u8(x, 120:u8) {
          r = true
          q = add.u8(q, x)
        }
      }
    }
  }
  if logand.bool(r, lt.u8(q, 120:u8)) {
    q = add.u8(q, 1:u8)
    r = some
  } else {
    let z: u8 = add.u8(x, 1:u8)
    let w: u8 = z
    if some {
      w = mul.u8(z, 3:u8)
    } else {
      w = 9:u8
    }
    if lt.u8(w, 80:u8) {
      q = w
    } else {
      r = lt.u8(z, x)
    }
  }
  @ds[add.idx(j, 100:idx)] = add.u8(q, conv.bool.u8(r))
}`,
	"conditions that change": `parallel for j: idx < n {
  let p: i32 = @xs[add.idx(j, 100:idx)]
  let q: i32 = @ys[add.idx(j, 100:idx)]
  if lt.i32(p, 0:i32) {
    p = 1:i32
    q = 2:i32
  } else {
    if lt.i32(q, 0:i32) {
      q = 3:i32
      if lt.i32(q, p) {
        p = 5:i32
      }
    } else {
      if lt.i32(p, 100000:i32) {
        p = sub.i32(0:i32, p)
      }
      q = 6:i32
    }
  }
  @zs[add.idx(j, 100:idx)] = add.i32(p, mul.i32(q, 3:i32))
}`,
	"columns": `parallel for j: idx < n {
  let acc: i32 = 0:i32
  for k: idx < 7:idx {
    acc = add.i32(acc, mul.i32(@xs[add.idx(mul.idx(k, 3:idx), 5:idx)], @ys[add.idx(mul.idx(k, m), j)]))
  }
  @zs[add.idx(j, 100:idx)] = acc
}`,
	"strides": `parallel for j: idx < n {
  @zs[add.idx(j, 100:idx)] = add.i32(@xs[mul.idx(j, 2:idx)], @ys[mul.idx(j, m)])
}`,
	"backwards": `for j: idx < n {
  @zs[sub.idx(199:idx, j)] = add.i32(@xs[sub.idx(n, j)], @xs[add.idx(j, 1:idx)])
}`,
	"a scan": `let acc: i32 = 0:i32
for j: idx < n {
  acc = add.i32(acc, @xs[add.idx(j, 100:idx)])
  @zs[add.idx(j, 100:idx)] = acc
  if lt.i32(acc, 0:i32) {
    acc = mul.i32(acc, @ys[add.idx(j, 120:idx)])
  }
}`,
	"sums by lanes": `parallel for l: idx < 64:idx {
  @lanes[l] = 0:i32
}
for b: idx < n {
  parallel for l: idx < 64:idx {
    let at: idx = add.idx(add.idx(mul.idx(b, 2:idx), l), 3:idx)
    @lanes[l] = add.i32(@lanes[l], @xs[at])
  }
}
for l: idx < 64:idx {
  @zs[add.idx(l, 100:idx)] = @lanes[l]
}`,
	"shares": `parallel for l: idx < 32:idx {
  @lanes[l] = 1:i32
}
for k: idx < m {
  parallel for l: idx < 32:idx {
    let at: idx = add.idx(mul.idx(l, m), add.idx(k, n))
    @lanes[l] = add.i32(mul.i32(@lanes[l], 3:i32), @xs[at])
  }
}
for l: idx < 32:idx {
  @zs[add.idx(l, 100:idx)] = @lanes[l]
}`,
	"bins": `for j: idx < n {
  let x: u8 = @bs[add.idx(j, 100:idx)]
  let t: idx = conv.u8.idx(x)
  if lt.idx(t, 256:idx) {
    let at: idx = add.idx(m, t)
    let old: i32 = @zs[at]
    @zs[at] = add.i32(old, 1:i32)
  }
}`,
	"in place": `parallel for j: idx < n {
  @zs[add.idx(j, 100:idx)] = add.i32(@zs[add.idx(j, 100:idx)], @xs[add.idx(j, 100:idx)])
}`,
	"what fails": `for j: idx < n {
  assert lt.idx(j, 20:idx) site 3 (j)
  @zs[add.idx(j, 100:idx)] = @xs[mul.idx(j, 5:idx)]
}`,
}

// numbered puts behind the names of variables and arrays in the body of loops the numbers that imp wants there.
func numbered(body string) string {
	out, next, scope := body, 3, map[string]bool{}
	for _, name := range strings.FieldsFunc(body, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		if scope[name] || !strings.Contains(body, "let "+name+":") && !strings.Contains(body, "for "+name+":") {
			continue
		}
		scope[name] = true
		next++
		out = replaceWord(out, name, fmt.Sprintf("%s_%d", name, next))
	}
	out = replaceWord(replaceWord(out, "n", "n_1"), "m", "m_2")
	for i, mem := range []string{"xs", "ys", "bs", "zs", "ds", "lanes"} {
		out = strings.ReplaceAll(out, "@"+mem+"[", fmt.Sprintf("@%s_%d[", mem, i))
	}
	return out
}

// replaceWord replaces a name that is no part of another one, and no array's.
func replaceWord(text, from, to string) string {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && strings.ContainsRune("_@0123456789abcdefghijklmnopqrstuvwxyz", rune(text[i]))
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.HasPrefix(text[i:], from) && !letter(i-1) && !letter(i+len(from)) {
			out.WriteString(to)
			i += len(from) - 1
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// TestLoopsOfWebAssemblyDoWhatTheEvaluatorDoes runs loops of all numbers of iterations around those of vectors and copies.
func TestLoopsOfWebAssemblyDoWhatTheEvaluatorDoes(t *testing.T) {
	web := webAssembly(t, targets.Options{})
	oracle, _, err := targets.Open(targets.Options{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}})
	if err != nil {
		t.Fatal(err)
	}
	defer oracle.Close() //nolint:errcheck // it has nothing to report
	for name, body := range loops {
		t.Run(name, func(t *testing.T) {
			text := "kernel k(n_1: idx, m_2: idx, read @xs_0: i32, read @ys_1: i32, read @bs_2: u8, write @zs_3: i32, write @ds_4: u8) group 1 {\n" +
				"private @lanes_5: i32[64]\n" + numbered(body) + "\n}\n"
			p, err := imp.Parse(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for n := range uint64(75) {
				for _, m := range []uint64{1, 9} {
					got, want := runLoop(t, web, p.Kernels[0], n, m), runLoop(t, oracle, p.Kernels[0], n, m)
					if !bytes.Equal(got, want) {
						t.Fatalf("n %d, m %d: %d bytes differ", n, m, differing(got, want))
					}
				}
			}
		})
	}
}

func differing(a, b []byte) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// runLoop runs a kernel of loops on a device, and returns what it leaves in zs and ds, and the failure.
func runLoop(t *testing.T, dev *targets.Device, k *imp.Kernel, n, m uint64) []byte {
	t.Helper()
	const elements = 800
	s, code := spec(t, dev, k)
	kernels, err := dev.Compile([]device.KernelSpec{s})
	if err != nil {
		t.Fatal(err)
	}
	var bindings []device.Binding
	for i, size := range []int{4, 4, 1, 4, 1} {
		data := make([]byte, elements*size)
		for j := range elements {
			h := uint32(j+100*i) * 2654435761
			if size == 4 {
				binary.LittleEndian.PutUint32(data[4*j:], uint32(int32(h)>>8))
			} else {
				data[j] = byte(h >> 24)
			}
		}
		b, err := dev.Alloc(int64(len(data)))
		if err = errors.Join(err, dev.Upload(b, 0, data)); err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, device.Binding{Buffer: b})
	}
	failure, err := dev.Alloc(4 * imp.FailureWords)
	bindings = append(bindings, device.Binding{Buffer: failure})
	zs, ds, failed := make([]byte, 4*elements), make([]byte, elements), make([]byte, 4*imp.FailureWords)
	err = errors.Join(err, dev.Fill(failure, 0, 4*imp.FailureWords, 0),
		dev.Launch(device.Launch{
			Kernel: kernels[0], Groups: [3]uint32{1, 1, 1}, Buffers: bindings, Params: code.Pack(k, []uint64{n, m}, 1),
		}),
		dev.Download(device.Region{Buffer: bindings[3].Buffer, Data: zs}, device.Region{Buffer: bindings[4].Buffer, Data: ds},
			device.Region{Buffer: failure, Data: failed}))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bindings {
		dev.Free(b.Buffer)
	}
	return append(append(zs, ds...), failed...)
}
