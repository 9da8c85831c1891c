package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// addStep adds the value of key ?, a sum of two words: an atomic addition each, with the carry between. It cannot fail.
const addStep = `
      if (todo?) {
        let place = mine + PERMUTED;
        let old = atomicAdd(&s[place], val?.x);
        let high = val?.y + select(0u, 1u, old + val?.x < old);
        if (high != 0u) { atomicAdd(&s[place + $NEXT], high); }
      }`

// consts are the constants of kernels that keep copies of bins.
func (l *layout) consts(sg int) map[string]any {
	c := map[string]any{
		"SLICE": l.slice, "COPIES": l.copies, "SG": sg, "STRIDE": l.stride, "WORDS": l.copies*l.stride + 32*l.hots, "HOTS": l.hots,
		"HOT": l.copies * l.stride, "TAGS": l.tags, "TABLE": l.tags + 1, "ALONE": l.alone, "ROUNDS": l.rounds,
		"NEXT": rows32(l.slice),
	}
	for k, v := range c {
		c[k] = fmt.Sprintf("%du", v)
	}
	return c
}

// copiesSource folds values into as many copies of a slice of the bins as it is told, and
// leaves the workgroup's sums in `parts`.
//
// It moves 8 bytes a key and slice, all but the first time from the cache, the values, and a word a bin and workgroup; it has two
// barriers, three with hot bins.
func copiesSource(o *binOp, sg int, l layout) *Source {
	treatment, load, neutral := exchanges(l, sg), "atomicLoad(&s[p])", o.neutral
	if o.words() == 2 {
		treatment = forKeys(strings.ReplaceAll(addStep, "PERMUTED", permuted("d?")), numbers(2*l.loads)...)
		load, neutral = "vec2<u32>(atomicLoad(&s[p]), atomicLoad(&s[p + $NEXT]))", "0u"
	}
	var values []string
	if o.reads() {
		values = []string{"vals " + o.valuesType()}
	}
	src := &Source{
		Name: "histogram-copies-" + o.name, Threads: l.threads,
		Consts:  l.consts(sg),
		Funcs:   o.combining(),
		Raw:     equals(l.slice),
		Buffers: append([]string{"keys vec4<u32>", "parts " + o.typ}, values...),
		Params:  []string{"n", "bins", "slices"},
		Shared:  []string{"s atomic<u32> $WORDS"},
	}
	var begin, sums, result string
	if l.hots > 0 {
		src.Shared = append(src.Shared, "hot atomic<u32> $TABLE")
		src.Funcs = append(src.Funcs, l.hotPlace())
		begin = "  for (var k = tid; k <= $TAGS; k += $W) { atomicStore(&hot[k], select(0xffffffffu, 0u, k == $TAGS)); }\n"
		sums, result = hotSums, hotResult
	}
	src.Body = `
  let piece = group / params.slices;
  let pieces = groups / params.slices;
  let first = ((group + group / params.slices) % params.slices) * $SLICE;
  let most = min($SLICE, params.bins - first);
  let mine = tid % $COPIES * $STRIDE;
  let lane = tid % $SG;
  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], ` + neutral + `); }
` + begin + `  workgroupBarrier();
` + eachBatch(o.value, l.loads, l.side, treatment) + `
  workgroupBarrier();` + sums + `
  for (var k = tid; k < most; k += $W) {
    var p = ` + permuted("k") + `;
    var acc = ` + load + `;
    for (var j = 1u; j < $COPIES; j++) { p += $STRIDE; acc = plus(acc, ` + load + `); }` + result + `
    parts[piece * params.bins + first + k] = acc;
  }
`
	return src
}

// privateSource has bins for each thread, side by side, for few bins: no atomics, and no two threads of a
// subgroup meet in a bank. The words are those of any operator.
//
// It moves 8 bytes a key, the values, and a word a bin and workgroup, and has one barrier.
func privateSource(o *binOp, bins, sg, threads int) *Source {
	tree := ""
	for d := 1; d < sg; d *= 2 {
		tree += fmt.Sprintf("    acc = plus(acc, subgroupShuffleDown(acc, %du));\n", d)
	}
	var values []string
	if o.reads() {
		values = []string{"vals " + o.valuesType()}
	}
	return &Source{
		Name: "histogram-private-" + o.name, Threads: threads,
		Consts: map[string]any{
			"BINS": fmt.Sprintf("%du", bins), "SG": fmt.Sprintf("%du", sg), "WORDS": fmt.Sprintf("%du", bins*threads),
		},
		Funcs:   o.combining(),
		Buffers: append([]string{"keys vec4<u32>", "parts " + o.typ}, values...), Params: []string{"n", "bins", "slices"},
		Shared: []string{"s " + o.typ + " $WORDS"},
		Body: `
  let piece = group;
  let pieces = groups;
  for (var k = tid; k < $WORDS; k += $W) { s[k] = ` + o.neutral + `; }
` + eachKey(`      if (inside && key < $BINS) { let p = key * $W + tid; s[p] = plus(s[p], VALUE); }`, o.value) + `
  workgroupBarrier();
  for (var k = tid / $SG; k < $BINS; k += $W / $SG) {
    var acc = ` + o.neutral + `;
    for (var j = tid % $SG; j < $W; j += $SG) { acc = plus(acc, s[k * $W + j]); }
` + tree + `    if (tid % $SG == 0u) { parts[piece * $BINS + k] = acc; }
  }
`,
	}
}

// mergeSource folds the sums that the workgroups left and the initial contents, 32 bins a workgroup. With a partition
// the table says which workgroups had a bin's part.
//
// It moves a word a bin and workgroup, and has one barrier.
func mergeSource(o *binOp, threads int, p *parting) *Source {
	s := &Source{
		Name: "histogram-merge-" + o.name, Threads: threads, Buffers: []string{"parts " + o.typ, "initial " + o.typ, "out " + o.typ},
		Params: []string{"bins", "pieces", "begun"}, Funcs: o.combining(), Shared: []string{"s " + o.typ + " $W"},
	}
	if o.results == 2 {
		s.Buffers = append(s.Buffers[:2], "out u32", "index vec2<u32>")
	}
	where := "let begin_at = b;\n    let shares = params.pieces;\n    let each = params.bins;"
	if p != nil {
		s.Name += "-parts"
		s.Consts = p.consts()
		s.Buffers = slices.Insert(s.Buffers, 1, "table u32")
		where = "let begin_at = table[$FIRST + b / $ROOM] * $ROOM + b % $ROOM;\n    let shares = table[$SHARES + b / $ROOM];\n" +
			"    let each = $ROOM;"
	}
	finish := cmp.Or(o.finish, "out[b] = acc;")
	s.Body = `
  let b = group * 32u + tid % 32u;
  var acc = ` + o.neutral + `;
  if (b < params.bins) {
    ` + where + `
    for (var j = tid / 32u; j < shares; j += $W / 32u) { acc = plus(acc, parts[begin_at + j * each]); }
    if (tid < 32u && params.begun != 0u) { acc = plus(acc, initial[b]); }
  }
  s[tid] = acc;
  workgroupBarrier();
  if (tid < 32u && b < params.bins) {
    for (var j = 1u; j < $W / 32u; j++) { acc = plus(acc, s[j * 32u + tid]); }
    ` + finish + `
  }
`
	return s
}
