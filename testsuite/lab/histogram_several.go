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
// of bounds may well be a number of a bin. Bins lie in workgroup memory, one destination's behind the other's. If it does not
// hold them all, destinations are dealt out to sets that it holds, and each set has workgroups of its own, side by side with
// those of the others, so that keys come from the cache; a set has the same work whatever the keys are. A destination whose
// bins no workgroup holds gets a histogram of its own, for whose partition a launch makes one number of the indices
// (matrixCase). Operators that no device has as atomics do not share such a kernel: on equal keys they are one operator on
// tuples, else a histogram each.

// destination is one of the histograms of a kernel: see Note [Several destinations].
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

// inside says whether the element with the words v{d}.{low}, v{d}.{high} of its keys is in a bin. It has no branches: one
// compiler for CPUs took a minute over as many as there are conditions.
func (d *destination) inside(low, high string) string {
	var all []string
	for j, n := range d.dims {
		all = append(all, fmt.Sprintf("(v%[1]d.%[3]s == 0u) & (v%[1]d.%[2]s < %[4]du)", j, low, high, n))
	}
	return strings.Join(all, " & ")
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

// setsOf deals destinations out to sets that some workgroup memory holds, and says where in it each has its bins.
func setsOf(ds []*destination, memory int) (set, place []int, sets int) {
	words := 0
	for _, d := range ds {
		room := rows32(d.bins())
		if sets == 0 || 4*(words+room) > memory {
			sets, words = sets+1, 0
		}
		set, place = append(set, sets-1), append(place, words)
		words += room
	}
	return set, place, sets
}

// severalSource fills all destinations. It reads keys and values once a set, all but the first time from the cache, adds a
// word for each bin and workgroup to the results, and has two barriers.
func severalSource(ds []*destination, threads, memory int) *Source {
	set, place, sets := setsOf(ds, memory)
	s := &Source{
		Name: "several", Threads: threads, Params: []string{"n"}, Consts: map[string]any{"SETS": fmt.Sprintf("%du", sets)},
	}
	var loads, clear, use, leave strings.Builder
	for j := range keyArrays(ds) {
		s.Buffers = append(s.Buffers, fmt.Sprintf("keys%d vec4<u32>", j))
		fmt.Fprintf(&loads, "    let v%[1]d = keys%[1]d[i];\n", j)
	}
	s.Buffers = append(s.Buffers, "vals vec2<u32>")
	loads.WriteString("    let w = vals[i];\n")
	words := 0
	own := func(j int) string { // Whether destination j is the workgroup's, and.
		if sets == 1 {
			return ""
		}
		return fmt.Sprintf("(mine == %du) & ", set[j])
	}
	for j, d := range ds {
		s.Name += fmt.Sprintf("-%s%v", d.op.name, d.dims)
		s.Buffers = append(s.Buffers, fmt.Sprintf("out%d atomic<u32>", j))
		words = max(words, place[j]+rows32(d.bins()))
		fmt.Fprintf(&clear, "  for (var k = tid; %[1]s(k < %[2]du); k += $W) { atomicStore(&s[%[3]du + k], %[4]s); }\n",
			own(j), rows32(d.bins()), place[j], d.op.zero)
		fmt.Fprintf(&leave, "  for (var k = tid; %[1]s(k < %[2]du); k += $W) {\n"+
			"    let x = atomicLoad(&s[%[3]du + %[4]s]);\n    if (x != %[5]s) { %[6]s }\n  }\n",
			own(j), d.bins(), place[j], permuted("k"), d.op.zero, d.op.apply(fmt.Sprintf("out%d[k]", j), "x"))
	}
	for half, parts := range [][3]string{{"x", "y", "x"}, {"z", "w", "y"}} {
		for j, d := range ds {
			fmt.Fprintf(&use, "    if (%s(2u * i + %du < params.n) & %s) {\n      let b = %s;\n      %s\n    }\n",
				own(j), half, d.inside(parts[0], parts[1]), d.bin(parts[0]),
				d.op.apply(fmt.Sprintf("s[%du + %s]", place[j], permuted("b")), d.op.value("w."+parts[2])))
		}
	}
	s.Shared = []string{fmt.Sprintf("s atomic<u32> %d", words)}
	s.Body = `
  let mine = group % $SETS;
  let piece = group / $SETS;
  let pieces = groups / $SETS;
` + clear.String() + "  workgroupBarrier();\n  for (var i = piece * $W + tid; 2u * i < params.n; i += pieces * $W) {\n" +
		loads.String() + use.String() + "  }\n  workgroupBarrier();\n" + leave.String()
	return s
}

// flatSource makes one number of each key of several dimensions, and marks those out of bounds by their high word. It moves
// 8 bytes an element for each dimension and once more.
func flatSource(d *destination) *Source {
	s := &Source{Name: fmt.Sprintf("flat-%v", d.dims), Threads: 256, Params: []string{"n"}}
	var loads strings.Builder
	for j := range d.dims {
		s.Buffers = append(s.Buffers, fmt.Sprintf("keys%d vec4<u32>", j))
		fmt.Fprintf(&loads, "    let v%[1]d = keys%[1]d[i];\n", j)
	}
	s.Buffers = append(s.Buffers, "flat vec4<u32>")
	s.Body = "  let i = group * $W + tid;\n  if (2u * i < params.n) {\n" + loads.String() +
		"    flat[i] = vec4<u32>(" + d.bin("x") + ", select(1u, 0u, " + d.inside("x", "y") + "),\n      " +
		d.bin("z") + ", select(1u, 0u, " + d.inside("z", "w") + "));\n  }\n"
	return s
}

// severalKeys are the indices of a distribution of the bins of some dimensions, an array a dimension. For one in
// seventeen the lower word of an index alone is in bounds, and one in sixteen has too large a last index.
func severalKeys(kind string, n int, dims []int) [][]uint32 {
	bins := 1
	for _, d := range dims {
		bins *= d
	}
	arrays := make([][]uint32, len(dims))
	for j := range arrays {
		arrays[j] = make([]uint32, 2*n)
	}
	draw := distributions[kind]
	inParallel(n, func(i int) {
		x, rest := mix(uint32(i)+1<<27), draw(i, n, bins)
		for j := len(dims) - 1; j >= 0; j-- {
			k := rest
			if j > 0 { // The first index takes what is left, negative numbers among it.
				k = (rest%dims[j] + dims[j]) % dims[j]
				rest = (rest - k) / dims[j]
			}
			if j == len(dims)-1 && x%16 == 5 {
				k += dims[j]
			}
			if x%17 == 3 && int(x>>8)%len(dims) == j {
				k += 1 << 32
			}
			arrays[j][2*i], arrays[j][2*i+1] = uint32(k), uint32(k>>32)
		}
	})
	return arrays
}

// smallValues are n values of histograms.
func smallValues(n int) []uint32 {
	vals := make([]uint32, max(1, n))
	inParallel(len(vals), func(i int) { vals[i] = mix(uint32(i)) >> 12 })
	return vals
}

// severalCase fills some destinations, which have initial contents.
func severalCase(label, kind string, n int, ds ...*destination) Case {
	dims := make([]int, keyArrays(ds))
	for _, d := range ds {
		for j, most := range d.dims {
			dims[j] = max(dims[j], most)
		}
	}
	return Case{
		Name: fmt.Sprintf("several/%s/%s/%d", label, kind, n), Bytes: int64(n) * int64(4+8*len(dims)),
		Plan: func(f *device.Facts) (*Plan, string) {
			threads, memory := min(f.MaxThreads, 1024), sortedMemory(f)
			_, _, sets := setsOf(ds, memory)
			p := &Plan{Kernels: []*Source{beginSource(), severalSource(ds, threads, memory)}}
			ks, vals := severalKeys(kind, n, dims), smallValues(n)
			in := p.give(append(slices.Clone(ks), vals)...)
			var outs []int
			wants := make([][]uint32, len(ds))
			for j, d := range ds {
				wants[j] = contents(alreadyBegun, d.bins())
				initial := p.give(slices.Clone(wants[j]))
				out := p.reserve(1, d.bins())
				outs = append(outs, out...)
				p.Steps = append(p.Steps, Step{
					Groups: (d.bins() + 255) / 256, Buffers: append(initial, out...), Params: []uint32{uint32(d.bins()), 1},
				})
			}
			groups := max(1, pieces(f, n, threads, 2*1024/threads)/sets) * sets
			p.Steps = append(p.Steps, Step{Kernel: 1, Groups: groups, Buffers: append(in, outs...), Params: []uint32{uint32(n)}})
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

// matrixCase fills one destination that is too large for any workgroup, by partition.
func matrixCase(d *destination, kind string, n int) Case {
	return Case{
		Name:  fmt.Sprintf("matrix/%s/%s/%s/%d", d.op.name, strings.Trim(strings.ReplaceAll(fmt.Sprint(d.dims), " ", "x"), "[]"), kind, n),
		Bytes: int64(n) * int64(4+8*len(d.dims)),
		Plan: func(f *device.Facts) (*Plan, string) {
			arrays := severalKeys(kind, n, d.dims)
			v := &vectorInput{o: d.op, length: 1, ks: keySet{bins: make([]int32, n)}, vals: smallValues(n)}
			inParallel(n, func(i int) { v.ks.bins[i] = int32(d.number(arrays, i)) })
			p := v.byParts(n, d.bins(), f)
			p.Steps = slices.Insert(p.Steps, 0, Step{
				Kernel: len(p.Kernels), Groups: ((n+1)/2 + 255) / 256,
				Buffers: append(p.give(arrays...), p.Steps[1].Buffers[0]), Params: []uint32{uint32(n)},
			})
			p.Kernels = append(p.Kernels, flatSource(d))
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
