package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skald/runtime/device"
)

// Note [Look-back without order between words]
//
// WGSL orders nothing between two words, so a flag beside a value does not say that the value is there. Here each word of
// the state has its own flag, and a reader waits for all: a word of an element travels with its upper bit replaced by
// the flag, and these bits together in one word more. The total of a tile and the total up to and with it have words of their own,
// each written once. Where 64-bit atomics are native a word and its flag may be one atomic.
//
// A subgroup looks at as many tiles as it has threads, the nearest first, and goes on until it meets one whose whole
// prefix is known. A tile's words lie together, totals first. Nobody waits for ever if tiles are numbered in the order in
// which workgroups begin and a workgroup that has begun goes on whatever others do: the first is done by a counter, the
// second a table of devices must say.
//
// Note [Look-back with fallback]
//
// Where no table names the device (the fact ForwardProgress), a workgroup waits only a while. Then all its threads
// compute the total of the tile that it waits for, with the joins in the same order as that tile's own workgroup, so
// that both publish the same words, and the look-back goes on (Smith, Levien and Owens, SPAA 2025). No workgroup needs
// another to run; the number of the workgroup is the tile's.

// onceShape is a scan in one pass.
type onceShape struct {
	scanShape
	index    bool // The workgroup's number is the tile's; without fallback that needs an order that nobody promises.
	wide     bool // A word of the state is 64 bits with one flag.
	patience int  // With fallback: how often a state is read before its tile is computed. 0: no fallback.
	reverse  bool // For tests of the fallback: workgroups take the tiles from the last to the first.
}

// stateWords is how many words of state a tile has: totals, then prefixes.
func (s *onceShape) stateWords() int {
	if s.wide {
		return 2 * s.op.width()
	}
	return 2 * (s.op.width() + 1)
}

// stateSize is how many words of 32 bits the states of so many tiles have, with the counter of tiles before them; a
// multiple of four.
func (s *onceShape) stateSize(tiles int) int {
	size := 1
	if s.wide {
		size = 2
	}
	return (size*(stateHead+tiles*s.stateWords()) + 3) / 4 * 4
}

// stateHead is how many words of the state lie before those of tiles.
const stateHead = 4

// stateAt declares `a`, where the first word of the state of a tile lies.
func stateAt(tile string) string { return fmt.Sprintf("let a = $HEAD + $STATE * (%s);\n", tile) }

// Arguments of publish.
const (
	asPrefix = true
	asTotal  = false
)

// publish stores an element in the state of a tile: as its total, or with its prefix. See Note [Look-back without order between words].
func (s *onceShape) publish(tile, e string, prefix bool) string {
	first := 0
	if prefix {
		first = s.stateWords() / 2
	}
	var b strings.Builder
	b.WriteString("{ " + stateAt(tile))
	put := func(i int, word string) {
		fmt.Fprintf(&b, "atomicStore(&state[a + %du], %s);\n", first+i, word)
	}
	var upper []string
	for j := range s.op.width() {
		word := "bitcast<u32>(" + s.op.field(e, j) + ")"
		if s.wide {
			put(j, "(u64(1u) << 32u) | u64("+word+")")
			continue
		}
		put(j, "$FLAG | "+word)
		upper = append(upper, fmt.Sprintf("((%s >> 31u) << %du)", word, j))
	}
	if !s.wide {
		put(s.op.width(), "$FLAG | "+strings.Join(upper, " | "))
	}
	return b.String() + "}\n"
}

// look reads the state of a tile: `value`, `ready` and `full`, all words at once.
func (s *onceShape) look(tile string) string {
	var b strings.Builder
	n := s.stateWords()
	b.WriteString(stateAt(tile))
	for i := range n {
		fmt.Fprintf(&b, "let w%d = atomicLoad(&state[a + %du]);\n", i, i)
	}
	for which, name := range []string{"total_", "prefix_"} {
		flags, from := make([]string, n/2), which*n/2
		for i := range flags {
			flags[i] = fmt.Sprintf("w%d", from+i)
		}
		if s.wide {
			fmt.Fprintf(&b, "let has_%s = u32((%s) >> 32u) == 1u;\n", name, strings.Join(flags, " & "))
		} else {
			fmt.Fprintf(&b, "let has_%s = ((%s) >> 31u) == 1u;\n", name, strings.Join(flags, " & "))
		}
		e := s.op.element(func(j int) string {
			if s.wide {
				return fmt.Sprintf("bitcast<%s>(u32(w%d & u64(0xffffffffu)))", s.op.Fields[j], from+j)
			}
			return fmt.Sprintf("bitcast<%s>((w%d & ~$FLAG) | ((w%d >> %du) << 31u))", s.op.Fields[j], from+j, from+n/2-1, j)
		})
		fmt.Fprintf(&b, "if (has_%s) { value = %s; ready = true; %s }\n", name, e, []string{"", "full = true;"}[which])
	}
	return b.String()
}

// joined joins `value` of the threads of the subgroup, later tiles of which have the smaller lanes, into `sum` of all.
func (s *onceShape) joined() string {
	if s.op.Add {
		return "sum += subgroupAdd(value);\n"
	}
	var b strings.Builder
	for d := 1; d < s.sg; d *= 2 {
		fmt.Fprintf(&b, "{ let u = %s; if (lane + %du < $SG) { value = join(u, value); } }\n",
			s.op.shuffled("subgroupShuffleDown", "value", fmt.Sprintf("%du", d)), d)
	}
	fmt.Fprintf(&b, "value = %s;\nsum = join(value, sum);\n", s.op.shuffled("subgroupShuffle", "value", "0u"))
	return b.String()
}

// lookBack waits for ever.
func (s *onceShape) lookBack() string {
	return `
  if (sub == 0u) {
    var sum = $ZERO;
    var last = tile;
    while (last > 0u) {
      var value = $ZERO;
      var full = false;
      var ready = lane >= last;
      while (!ready) {
        ` + s.look("last - 1u - lane") + `
      }
      let nearest = $SG - subgroupMax(select(0u, $SG - lane, full));
      if (lane > nearest) { value = $ZERO; }
      ` + s.joined() + `
      if (nearest < $SG || last <= $SG) { last = 0u; } else { last -= $SG; }
    }
    if (lane == 0u) {
      ` + s.put("c", "0u", "sum") + `
      let all = join(sum, total);
      if (tile > 0u) { ` + s.publish("tile", "all", asPrefix) + ` }
    }
  }
`
}

// lookBackWithFallback computes itself what it has waited for too long: see Note [Look-back with fallback].
func (s *onceShape) lookBackWithFallback() string {
	return `
  var sum = $ZERO;
  var last = tile;
  while (true) {
    if (sub == 0u) {
      var blocked = false;
      while (last > 0u && !blocked) {
        var value = $ZERO;
        var full = false;
        var ready = lane >= last;
        for (var tries = 0u; tries < $PATIENCE && !ready; tries++) {
          ` + s.look("last - 1u - lane") + `
        }
        let nearest = $SG - subgroupMax(select(0u, $SG - lane, full));
        let missing = $SG - subgroupMax(select(0u, $SG - lane, !ready));
        if (lane > nearest || lane >= missing) { value = $ZERO; }
        ` + s.joined() + `
        if (nearest < missing) {
          last = 0u;
        } else {
          blocked = missing < $SG;
          last -= min(last, min(missing, $SG));
        }
      }
      if (lane == 0u) { wanted[0] = last; }
    }
    let want = workgroupUniformLoad(&wanted[0]);
    if (want == 0u) { break; }
    {
    let tile = want - 1u;
` + place + s.again() + s.meet("acc", "unused", "found") + `
    if (tid == 0u) { ` + s.publish("tile", "found", asTotal) + ` }
    sum = join(found, sum);
    last = want - 1u;
    workgroupBarrier();
    }
  }
  if (tid == 0u) {
    ` + s.put("c", "0u", "sum") + `
    let all = join(sum, total);
    if (tile > 0u) { ` + s.publish("tile", "all", asPrefix) + ` }
  }
`
}

// again declares `acc` as what the subgroup's piece of a tile joins to, in the same order as scan does it.
func (s *onceShape) again() string {
	if s.scatter {
		return s.countAgain()
	}
	var b strings.Builder
	for j, t := range s.op.inputs() {
		fmt.Fprintf(&b, "      var v0_%[1]d = vec4<%[2]s>(%[2]s(0), %[2]s(0), %[2]s(0), %[2]s(0));\n"+
			"      if (from_ * 4u < params.n) { v0_%[1]d = x%[1]d[from_]; }\n", j, t)
	}
	return `    var acc = $ZERO;
    for (var row = 0u; row < $ROWS; row++) {
      let from_ = at + row * $SG;
` + b.String() + s.joinRow(0) + s.across("e0", "t", "p", "r") + `
      if (row == 0u) { acc = r; } else { acc = join(acc, r); }
    }
`
}

// onceSources are the kernel that resets the state and the scan.
//
// They move 8 bytes an element of one word and 16 a tile; the scan has two barriers beside those around the tile's number, and
// two more where a tile is computed again.
func onceSources(s *onceShape) []*Source {
	word := "u32"
	if s.wide {
		word = "u64"
	}
	reset := &Source{
		Name: "scan-reset", Threads: 256, Buffers: []string{"state vec4<u32>"}, Params: []string{"n"},
		Body: "  let i = group * $W + tid;\n  if (i < params.n) { state[i] = vec4<u32>(0u, 0u, 0u, 0u); }\n",
	}
	number := "  if (tid == 0u) { own[0] = u32(atomicAdd(&state[0], " + word + "(1u))); }\n" +
		"  let tile = workgroupUniformLoad(&own[0]);\n  if (tile >= params.tiles) { return; }\n"
	switch {
	case s.reverse:
		number = "  if (group >= params.tiles) { return; }\n  let tile = params.tiles - 1u - group;\n"
	case s.index:
		number = "  if (group >= params.tiles) { return; }\n  let tile = group;\n"
	}
	look := s.lookBack
	if s.patience > 0 {
		look = s.lookBackWithFallback
	}
	work, finish, inputs, outputs := s.load()+s.scan(), s.store(), arrays("x", s.op.inputs()), arrays("y", s.op.outputs())
	if s.scatter {
		work, inputs, outputs = s.count(), []string{"x0 u32"}, []string{"y0 u32"}
		finish = s.keep("") + "  if (tid == 0u && tile + 1u == params.tiles) { y0[params.n] = carry + total; }\n"
	}
	name := fmt.Sprintf("scan-once-%s-%d", s.label(s.op), s.rows)
	scan := &Source{
		Name: name, Threads: s.threads, Waits: s.patience == 0, Consts: s.consts(), Structs: s.op.structs(), Funcs: s.op.funcs(),
		Shared:  slices.Concat(s.shared(), []string{"own u32 1", "wanted u32 1"}),
		Buffers: slices.Concat(inputs, outputs, []string{"state atomic<" + word + ">"}),
		Params:  []string{"n", "tiles"},
		Body: number + place + work + `
  if (tid == 0u) {
    if (tile == 0u) { ` + s.publish("tile", "total", asPrefix) + ` } else { ` + s.publish("tile", "total", asTotal) + ` }
  }
` + look() + `
  workgroupBarrier();
  let carry = ` + s.get("c", "0u") + `;
` + finish,
	}
	scan.Consts["HEAD"], scan.Consts["STATE"] = fmt.Sprintf("%du", stateHead), fmt.Sprintf("%du", s.stateWords())
	scan.Consts["FLAG"] = "0x80000000u"
	scan.Consts["PATIENCE"] = fmt.Sprintf("%du", s.patience)
	return []*Source{reset, scan}
}

// label names what differs from the ordinary shape.
func (s *scanShape) label(op *Operator) string {
	l := op.Name
	if s.rows != 0 {
		l += fmt.Sprintf("-%dx%d", s.threads, 4*s.rows)
	}
	if s.stream {
		l += "-stream"
	}
	return l
}

// title is a case's name without its size.
func (s *scanShape) title(ordinary string, op *Operator) string {
	if s.scatter {
		return strings.TrimSuffix(strings.Replace(ordinary, "scan", "partition", 1)+"/"+strings.TrimPrefix(s.label(op), op.Name+"-"), "/"+op.Name)
	}
	return ordinary + "/" + s.label(op)
}

func (s *onceShape) title(ordinary string, op *Operator) string {
	if s.scatter {
		return strings.TrimSuffix("compact/"+strings.TrimPrefix(s.label(op), op.Name+"-"), "/"+op.Name)
	}
	return ordinary + "/" + s.label(op)
}

func (s *onceShape) label(op *Operator) string {
	l := s.scanShape.label(op)
	for _, o := range []struct {
		on   bool
		name string
	}{{s.index, "index"}, {s.wide, "wide"}, {s.patience > 0, "fallback"}, {s.reverse, "reverse"}} {
		if o.on {
			l += "-" + o.name
		}
	}
	return l
}

// onceCase is a scan in one pass with look-back.
func onceCase(op *Operator, n int, variant onceShape) Case {
	c := Case{
		Name: fmt.Sprintf("%s/%d", variant.title("scan/once", op), n), Bytes: 4 * int64(n*(len(op.inputs())+len(op.outputs()))),
	}
	input := sync.OnceValue(func() [][]uint32 { return op.data(n) })
	c.Plan = func(f *device.Facts) (*Plan, string) {
		s := variant
		s.op = op
		s.sg, _ = subgroup(f)
		if s.rows == 0 && s.patience == 0 {
			s.wide = isCUDA(f) || f.Atomics.I64
		}
		s.fill(f, inOnePass)
		if !f.ForwardProgress && s.patience == 0 {
			s.patience, s.index = plainFallback.patience, true
		}
		if s.wide && !isCUDA(f) && !f.Atomics.I64 {
			return nil, "no 64-bit atomics"
		}
		in := input()
		tiles := max(1, (n+s.tile()-1)/s.tile())
		state := s.stateSize(tiles)
		p := &Plan{Kernels: onceSources(&s), Check: op.check(in, len(op.inputs()))}
		reads, writes := p.give(in...), p.reserve(len(op.outputs()), n)
		words := p.reserve(1, state)
		if s.scatter {
			p.Buffers[writes[0]].Words++ // The last is how many were kept.
			p.Check = compactCheck(op, in[0], writes[0])
		}
		p.Steps = []Step{
			{Groups: (state/4 + 255) / 256, Buffers: words, Params: []uint32{uint32(state / 4)}},
			{
				Kernel: 1, Groups: tiles, Buffers: slices.Concat(reads, writes, words),
				Params: []uint32{uint32(n), uint32(tiles)},
			},
		}
		return p, ""
	}
	return c
}
