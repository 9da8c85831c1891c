package main

import (
	"fmt"
	"slices"
	"strings"

	"skald/runtime/device"
)

// Note [Several destinations]
//
// One reading of keys and values may feed several histograms, each with bins, an operator and a number of dimensions of its
// own. A key of several dimensions is in bounds if each of its 64-bit indices is: a product of indices that are out
// of bounds may well be a number of a bin. Bins lie in workgroup memory, one destination's behind the other's, as long as they
// fit; the others take one atomic operation an element in storage. Operators that no device has as atomics do not share such
// a kernel: on equal keys they are one operator on tuples, else a histogram each.

// destination is one of the histograms of a kernel.
type destination struct {
	op   *atomicOp
	dims []int // Dimension d is indexed by key array d.
}

func (d *destination) bins() int {
	bins := 1
	for _, n := range d.dims {
		bins *= n
	}
	return bins
}

// inside says whether the element with the words v{d}.{low}, v{d}.{high} of its keys is in a bin.
func (d *destination) inside(low, high string) string {
	var all []string
	for j, n := range d.dims {
		all = append(all, fmt.Sprintf("v%[1]d.%[3]s == 0u && v%[1]d.%[2]s < %[4]du", j, low, high, n))
	}
	return strings.Join(all, " && ")
}

// bin is the number of the bin.
func (d *destination) bin(low string) string {
	text := "v0." + low
	for j, n := range d.dims[1:] {
		text = fmt.Sprintf("(%s * %du + v%d.%s)", text, n, j+1, low)
	}
	return text
}

// keyArrays is how many arrays of keys some destinations have.
func keyArrays(ds []*destination) int {
	most := 0
	for _, d := range ds {
		most = max(most, len(d.dims))
	}
	return most
}

// severalSource fills all destinations in one reading of keys and values. It adds a word for each bin and workgroup to the results,
// or one for each element where a destination lies in storage, and has two barriers.
func severalSource(ds []*destination, threads, memory int) *Source {
	s := &Source{Name: "several", Threads: threads, Params: []string{"n"}}
	arrays := keyArrays(ds)
	var loads, clear, use, leave strings.Builder
	for j := range arrays {
		s.Buffers = append(s.Buffers, fmt.Sprintf("keys%d vec4<u32>", j))
		fmt.Fprintf(&loads, "    let v%[1]d = keys%[1]d[i];\n", j)
	}
	s.Buffers = append(s.Buffers, "vals vec2<u32>")
	loads.WriteString("    let w = vals[i];\n")
	words := 0
	place := make([]string, len(ds))
	for j, d := range ds {
		s.Name += fmt.Sprintf("-%s%v", d.op.name, d.dims)
		s.Buffers = append(s.Buffers, fmt.Sprintf("out%d atomic<u32>", j))
		place[j] = fmt.Sprintf("out%d[BIN]", j)
		if 4*(words+rows32(d.bins())) > memory {
			continue
		}
		place[j] = fmt.Sprintf("s[%du + BIN]", words)
		fmt.Fprintf(&clear, "  for (var k = tid; k < %du; k += $W) { atomicStore(&s[%du + k], %s); }\n", d.bins(), words, d.op.zero)
		fmt.Fprintf(&leave, "  for (var k = tid; k < %du; k += $W) {\n    let x = atomicLoad(&s[%du + k]);\n    if (x != %s) { %s }\n  }\n",
			d.bins(), words, d.op.zero, d.op.apply(fmt.Sprintf("out%d[k]", j), "x"))
		words += rows32(d.bins())
	}
	for half, parts := range [][3]string{{"x", "y", "x"}, {"z", "w", "y"}} {
		for j, d := range ds {
			fmt.Fprintf(&use, "    if (2u * i + %du < params.n && %s) { %s }\n", half, d.inside(parts[0], parts[1]),
				d.op.apply(strings.Replace(place[j], "BIN", d.bin(parts[0]), 1), d.op.value("w."+parts[2])))
		}
	}
	barrier := ""
	if words > 0 {
		s.Shared = []string{fmt.Sprintf("s atomic<u32> %d", words)}
		barrier = "  workgroupBarrier();\n"
	}
	s.Body = clear.String() + barrier + "  for (var i = group * $W + tid; 2u * i < params.n; i += groups * $W) {\n" +
		loads.String() + use.String() + "  }\n" + barrier + leave.String()
	return s
}

// severalKeys are the keys of one dimension: one in eight is too large or negative, and of one in seventeen the lower
// word alone is in bounds.
func severalKeys(kind string, n, array, dim int) []uint32 {
	words := make([]uint32, 2*n)
	for i := range n {
		x := mix(uint32(i) + uint32(array+1)<<27)
		k := int64(x%uint32(dim+dim/8+1)) - int64(dim/16)
		if kind == "one" {
			k = int64(dim / 2)
		}
		if x%17 == 3 {
			k += 1 << 32
		}
		words[2*i], words[2*i+1] = uint32(k), uint32(k>>32)
	}
	return words
}

// severalCase fills some destinations, which have initial contents.
func severalCase(label, kind string, n int, ds ...*destination) Case {
	arrays := keyArrays(ds)
	return Case{
		Name: fmt.Sprintf("several/%s/%s/%d", label, kind, n), Bytes: int64(n) * int64(4+8*arrays),
		Plan: func(f *device.Facts) (*Plan, string) {
			threads := min(f.MaxThreads, 512)
			p := &Plan{Kernels: []*Source{beginSource(), severalSource(ds, threads, f.WorkgroupMemory/2)}}
			var ks [][]uint32
			for j := range arrays {
				dim := 0
				for _, d := range ds {
					if j < len(d.dims) {
						dim = max(dim, d.dims[j])
					}
				}
				ks = append(ks, severalKeys(kind, n, j, dim))
			}
			vals := make([]uint32, n)
			for i := range vals {
				vals[i] = mix(uint32(i)) >> 12
			}
			in := p.give(append(slices.Clone(ks), vals)...)
			var outs []int
			wants := make([][]uint32, len(ds))
			for j, d := range ds {
				wants[j] = contents(true, d.bins())
				initial := p.give(slices.Clone(wants[j]))
				out := p.reserve(1, d.bins())
				outs = append(outs, out...)
				p.Steps = append(p.Steps, Step{
					Groups: (d.bins() + 255) / 256, Buffers: append(initial, out...), Params: []uint32{uint32(d.bins()), 1},
				})
			}
			p.Steps = append(p.Steps, Step{
				Kernel: 1, Groups: pieces(f, n, threads, 4), Buffers: append(in, outs...), Params: []uint32{uint32(n)},
			})
			p.Check = func(read func(int) []uint32) error {
				for j, d := range ds {
					for i := range n {
						if b := d.number(ks, i); b >= 0 {
							wants[j][b] = d.op.fold(wants[j][b], vals[i])
						}
					}
					if err := same(d.op.name, read(outs[j]), func(b int) uint32 { return wants[j][b] }); err != nil {
						return err
					}
				}
				return nil
			}
			return p, ""
		},
	}
}

// number is the bin of element i, -1 if it is in none.
func (d *destination) number(ks [][]uint32, i int) int {
	bin := 0
	for j, n := range d.dims {
		k := int64(ks[j][2*i]) | int64(ks[j][2*i+1])<<32
		if k < 0 || k >= int64(n) {
			return -1
		}
		bin = bin*n + int(k)
	}
	return bin
}
