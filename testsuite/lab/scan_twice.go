package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skald/runtime/device"
)

// Note [Reduce-then-scan]
//
// The first launch reads the input and leaves a total a tile: a subgroup reduces a tile, and a workgroup, which has as
// many tiles as subgroups, leaves what lies before each tile within the workgroup, and its own total. The second, one
// workgroup, scans these totals. The third scans each tile from what it finds there; it takes the tiles in reverse, as
// the last that the first launch has read still lie in the cache. No workgroup waits for another.

// twiceSources are the three kernels.
//
// Together they move 12 bytes an element of one word, a third of them from the cache at best, with four barriers (Merrill and
// Grimshaw, Parallel Scan for Stream Architectures, 2009). See Note [Reduce-then-scan].
func twiceSources(s *scanShape) []*Source {
	op := s.op
	structs, funcs := op.structs(), op.funcs()
	sums := &Source{
		Name: "scan-sums-" + op.Name, Threads: s.threads, Consts: s.consts(), Shared: s.shared(), Structs: structs,
		Funcs:   funcs,
		Buffers: append(arrays("x", op.inputs()), "inner u32", "outer u32"),
		Params:  []string{"n", "tiles"},
		Body: `
  let lane = tid % $SG;
  let sub = tid / $SG;
  let tile = group * $SUBS + sub;
  var acc = $ZERO;
  for (var i = 0u; i < $TILE; i += $STEP) {
    let at = tile * $TILE + i + lane;
    let whole = (tile * $TILE + i + $STEP) * 4u <= params.n;
` + s.sumRows() + `  }
` + s.sumSubgroup() + s.meet("acc", "ahead", "total") + `
  if (lane == 0u && tile < params.tiles) { ` + s.write("inner", "tile", "ahead") + `}
  if (tid == 0u) { ` + s.write("outer", "group", "total") + `}
`,
	}
	sums.Consts["STEP"] = fmt.Sprintf("%du", s.perSub())
	if op.Beside != "" {
		sums.Buffers = append(sums.Buffers, "beside0 vec4<u32>")
	}
	middle := &Source{
		Name: "scan-middle-" + op.Name, Threads: s.threads, Consts: s.consts(), Shared: s.shared(), Structs: structs,
		Funcs: funcs[:1], Buffers: []string{"outer u32"}, Params: []string{"n"},
		Body: `
  let lane = tid % $SG;
  let sub = tid / $SG;
  var run = $ZERO;
  for (var base = 0u; base < params.n; base += $W) {
    let i = base + tid;
    var e = $ZERO;
    if (i < params.n) { e = ` + s.read("outer", "i") + `; }
` + s.across("e", "t", "p", "r") + s.meet("r", "ahead", "total") + `
    if (i < params.n) { let o = join(run, join(ahead, p)); ` + s.write("outer", "i", "o") + `}
    run = join(run, total);
    workgroupBarrier();
  }
  if (tid == 0u) { ` + s.write("outer", "params.n", "run") + `}
`,
	}
	work, finish, inputs, outputs := s.load()+s.scan(), s.store(), arrays("x", op.inputs()), arrays("y", op.outputs())
	if s.scatter {
		work, finish = s.count(), "  let behind = outer[params.groups];\n"+s.keep("behind")
		inputs, outputs = []string{"x0 u32"}, []string{"y0 u32"}
	}
	write := &Source{
		Name: "scan-write-" + op.Name, Threads: s.threads, Consts: s.consts(), Shared: s.shared(), Structs: structs,
		Funcs:   funcs,
		Buffers: slices.Concat(inputs, []string{"inner u32", "outer u32"}, outputs),
		Params:  []string{"n", "tiles", "groups"},
		Body: `
  if (group >= params.tiles) { return; }
  let tile = params.tiles - 1u - group;
` + place + `
  let carry = join(` + s.read("outer", "tile / $SUBS") + ", " + s.read("inner", "tile") + `);
` + work + finish,
	}
	return []*Source{sums, middle, write}
}

// sumSubgroup joins what the threads of a subgroup have, where that is left to do.
func (s *scanShape) sumSubgroup() string {
	if s.op.Add {
		return "  acc = subgroupAdd(acc);\n"
	}
	return ""
}

// sumRows joins the rows from `at` into acc. Where the operator is addition every thread has a sum of its own until the
// end; else the threads of a subgroup are joined in order, and only the first has the result.
func (s *scanShape) sumRows() string {
	var b strings.Builder
	types := s.op.inputs()
	for k := range s.rows {
		for j, t := range types {
			fmt.Fprintf(&b, "    var v%d_%d = vec4<%s>(%s(0), %s(0), %s(0), %s(0));\n", k, j, t, t, t, t, t)
		}
	}
	for k := range s.rows {
		for j := range types {
			fmt.Fprintf(&b, "    if (whole || (at + %[1]du * $SG) * 4u < params.n) { v%[1]d_%[2]d = x%[2]d[at + %[1]du * $SG]; }\n", k, j)
		}
	}
	if s.op.Beside != "" {
		for k := range s.rows {
			fmt.Fprintf(&b, "    if (whole || (at + %[1]du * $SG) * 4u < params.n) { beside0[at + %[1]du * $SG] = "+
				"vec4<u32>(beside(v%[1]d_0.x), beside(v%[1]d_0.y), beside(v%[1]d_0.z), beside(v%[1]d_0.w)); }\n", k)
		}
	}
	for k := range s.rows {
		fmt.Fprintf(&b, "    {\n    var e = $ZERO;\n    var u = $ZERO;\n")
		for c := range 4 {
			fmt.Fprintf(&b, "    u = %s;\n    if (whole || (at + %du * $SG) * 4u + %du < params.n) { e = join(e, u); }\n",
				s.first(fmt.Sprintf("v%d_", k), c), k, c)
		}
		if !s.op.Add {
			for d := 1; d < s.sg; d *= 2 {
				fmt.Fprintf(&b, "    u = %s;\n    e = join(e, u);\n", s.op.shuffled("subgroupShuffleDown", "e", fmt.Sprintf("%du", d)))
			}
		}
		b.WriteString("    acc = join(acc, e);\n    }\n")
	}
	return b.String()
}

// twiceCase is a scan by reduce-then-scan.
func twiceCase(op *Operator, n int, variant scanShape) Case {
	c := Case{
		Name: fmt.Sprintf("%s/%d", variant.title("scan/twice", op), n), Bytes: 4 * int64(n*(2*len(op.inputs())+len(op.outputs()))),
	}
	input := sync.OnceValue(func() [][]uint32 { return op.data(n) })
	c.Plan = func(f *device.Facts) (*Plan, string) {
		in := input()
		p := twiceOf(op, in, variant, f)
		writes := p.Steps[2].Buffers[len(p.Steps[2].Buffers)-len(op.outputs()):]
		p.Check = op.check(in, writes[0])
		if variant.scatter {
			p.Check = partitionCheck(op, in[0], writes[0])
		}
		return p, ""
	}
	return c
}

// twiceOf is the plan of a scan of some arrays, but for the check. The arrays of the result are the last buffers of the
// last launch; an output beside them is the last buffer of the first.
func twiceOf(op *Operator, in [][]uint32, variant scanShape, f *device.Facts) *Plan {
	s := variant
	s.op = op
	s.sg, _ = subgroup(f)
	s.fill(f, inPasses)
	outerShape := s
	outerShape.threads = min(1024, f.MaxThreads)
	if 8*op.width()*outerShape.threads/s.sg > f.WorkgroupMemory {
		outerShape.threads = 256
	}
	n := len(in[0])
	tiles := max(1, (n+s.tile()-1)/s.tile())
	per := s.threads / s.sg
	groups := (tiles + per - 1) / per
	p := &Plan{Kernels: twiceSources(&s)}
	p.Kernels[1] = twiceSources(&outerShape)[1]
	reads, inner, outer := p.give(in...), p.reserve(1, op.width()*tiles), p.reserve(1, op.width()*(groups+1))
	writes := p.reserve(len(op.outputs()), n)
	p.Steps = []Step{
		{Groups: groups, Buffers: slices.Concat(reads, inner, outer), Params: []uint32{uint32(n), uint32(tiles)}},
		{Kernel: 1, Groups: 1, Buffers: outer, Params: []uint32{uint32(groups)}},
		{
			Kernel: 2, Groups: tiles, Buffers: slices.Concat(reads, inner, outer, writes),
			Params: []uint32{uint32(n), uint32(tiles), uint32(groups)},
		},
	}
	if op.Beside != "" {
		p.Steps[0].Buffers = append(p.Steps[0].Buffers, p.reserve(1, n)...)
	}
	return p
}

// Elements of a tile or workgroup lie in one array of words, so that tuples need no more buffers than numbers do.

// read is an element of such an array.
func (s *scanShape) read(array, at string) string {
	return s.op.element(func(j int) string {
		return fmt.Sprintf("bitcast<%s>(%s[(%s) * %du + %du])", s.op.Fields[j], array, at, s.op.width(), j)
	})
}

// write stores an element into such an array.
func (s *scanShape) write(array, at, e string) string {
	var b strings.Builder
	for j := range s.op.width() {
		fmt.Fprintf(&b, "%s[(%s) * %du + %du] = bitcast<u32>(%s); ", array, at, s.op.width(), j, s.op.field(e, j))
	}
	return b.String()
}
