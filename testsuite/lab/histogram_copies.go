package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Note [Contention before compare and exchange]
//
// A compare-and-exchange loop on one word is right everywhere, and slow where threads meet: each round lets one of
// them pass. Four things are done before:
//
//   - a thread combines equal keys among those that it has loaded, so that runs of one key or of two cost little;
//   - there are as many copies of the bins as workgroup memory holds, and neighbouring threads use different ones;
//   - the two keys of a load are tried together, some rounds, without a loop: loads and exchanges overlap;
//   - the threads that are then left, if they are more than a few, find which of them have equal keys (a ballot for
//     each bit of the bin), combine their values in a tree over those threads, and the first of each key alone runs
//     the loop. The tree has as many levels as the largest number of equal keys needs.
//
// Trying is left out where all keys of a subgroup are equal.
//
// Nothing waits: a loop repeats only when another thread has succeeded. A result that is equal to what is in the bin
// is not written: there is no contention once a bin is saturated.

// leftStep is for the threads whose key ?, of place place?, is left.
const leftStep = `
      let waiting? = subgroupBallot(todo?).x;
      if (waiting? != 0u) {
        var peers = 0u;
        if (SAME) { peers = select(0u, waiting?, todo?); } else if (countOneBits(waiting?) > $ALONE) {
          peers = select(0u, equals(d?, waiting?, lane), todo?);
        }
        let below = (1u << lane) - 1u;
        var rest = peers & ~(below | (1u << lane));
        var rank = countOneBits(peers & below);
        let leader = todo? && rank == 0u; // All that wait, if they are few.
        while (subgroupAny(rest != 0u)) {
          let next = subgroupShuffle(val?, select(lane, firstTrailingBit(rest), rest != 0u));
          if (rest != 0u) { val? = plus(val?, next); }
          let odd = (rank & 1u) != 0u;
          let dropped = subgroupBallot(odd).x;
          rest = select(rest & ~dropped, 0u, odd);
          rank = rank >> 1u;
        }
        if (leader) {
          var seen = atomicLoad(&s[place?]);
          var open = true;
          while (open) {
            let next = plus(seen, val?);
            if (next == seen) { open = false; } else {
              let r = atomicCompareExchangeWeak(&s[place?], seen, next);
              if (r.exchanged) { open = false; } else { seen = r.old_value; }
            }
          }
        }
      }`

// tryLoads and tryExchange are a round of trying for key ?.
const (
	tryLoads = `
      let seen@_? = atomicLoad(&s[select(tid % 32u, place?, todo?)]);`
	tryExchange = `
      let next@_? = plus(seen@_?, val?);
      todo? = todo? && next@_? != seen@_?;
      if (todo?SAME) { todo? = !atomicCompareExchangeWeak(&s[place?], seen@_?, next@_?).exchanged; }`
)

// addStep adds the value of key ?, a sum of two words: an atomic addition each, with the carry between. It cannot fail.
const addStep = `
      if (todo?) {
        let old = atomicAdd(&s[place?], val?.x);
        let high = val?.y + select(0u, 1u, old + val?.x < old);
        if (high != 0u) { atomicAdd(&s[place? + $ROOM], high); }
      }`

// equals is the function that finds the threads, of those among some, whose keys are equal to the own one: CUDA has an
// instruction for it, elsewhere it is a ballot for each bit.
func equals(bins int) Raw {
	bits := 0
	for 1<<bits < bins {
		bits++
	}
	return Raw{
		WGSL: fmt.Sprintf(`fn equals(key: u32, among: u32, lane: u32) -> u32 {
  var peers = among;
  for (var j = 0u; j < %du; j++) {
    let bit = ((key >> j) & 1u) != 0u;
    let having = subgroupBallot(bit).x;
    peers &= select(~having, having, bit);
  }
  return peers;
}
`, bits),
		CUDA: `__device__ u32 equals(u32 key, u32 among, u32 lane) {
  return __match_any_sync(~0u, (among >> lane & 1) ? key : 0x80000000u | lane);
}
`,
	}
}

// eachBatch is a loop over the keys of a piece in which a thread has 2 * loads keys at once, combines equal ones
// and brings them into its copy of the bins, after some rounds of trying.
func eachBatch(value, step string, loads, rounds int) string {
	var b strings.Builder
	count := 2 * loads
	every := func(text string) {
		for q := range count {
			b.WriteString(strings.ReplaceAll(text, "?", strconv.Itoa(q)))
		}
	}
	fmt.Fprintf(&b, batchHead, loads)
	for k := range loads {
		fmt.Fprintf(&b, "      let v%[1]d = keys[min(i + %[1]du * $W, last)];\n", k)
		if strings.Contains(value, "$v") {
			fmt.Fprintf(&b, "      let w%[1]d = vals[min(i + %[1]du * $W, last)];\n", k)
		}
	}
	for q := range count {
		k, parts := q/2, [][4]string{{"x", "y", "x", "x"}, {"z", "w", "y", "z"}}[q%2]
		at := fmt.Sprintf("(2u * (i + %du * $W) + %du)", k, q%2)
		v := strings.NewReplacer("$v2", fmt.Sprintf("vec2<u32>(w%d.%s, w%d.%s)", k, parts[0], k, parts[1]),
			"$v", fmt.Sprintf("w%d.%s", k, parts[2]), "key", fmt.Sprintf("v%d.%s", k, parts[0]), "at", at).Replace(value)
		fmt.Fprintf(&b, "      let d%[1]d = v%[2]d.%[3]s - first;\n      var val%[1]d = %[4]s;\n"+
			"      var todo%[1]d = v%[2]d.%[5]s == 0u && %[6]s < params.n && d%[1]d < most;\n", q, k, parts[0], v, parts[1], at)
	}
	b.WriteString(joins(count))
	if step != narrowStep {
		every("      let place? = mine + " + permuted("d?") + ";\n")
	}
	if rounds == 0 {
		every(step)
		return b.String() + "\n    }\n"
	}
	for q := count - 2; q < count; q++ {
		fmt.Fprintf(&b, "      let head%[1]d = subgroupBroadcastFirst(d%[1]d);\n"+
			"      let same%[1]d = subgroupAll(todo%[1]d && d%[1]d == head%[1]d);\n", q)
	}
	for load := range loads {
		for r := range rounds {
			for q := 2 * load; q < 2*load+2; q++ {
				b.WriteString(strings.NewReplacer("?", strconv.Itoa(q), "@", strconv.Itoa(r)).Replace(tryLoads))
			}
			for q := 2 * load; q < 2*load+2; q++ {
				same := ""
				if load == loads-1 {
					same = " && !same" + strconv.Itoa(q)
				}
				b.WriteString(strings.NewReplacer("SAME", same, "?", strconv.Itoa(q), "@", strconv.Itoa(r)).Replace(tryExchange))
			}
		}
	}
	b.WriteString("\n      if (subgroupAny(")
	every("todo? || ")
	b.WriteString("false)) {")
	for q := range count {
		same := "false"
		if q >= count-2 {
			same = "same" + strconv.Itoa(q)
		}
		b.WriteString(strings.NewReplacer("?", strconv.Itoa(q), "SAME", same).Replace(step))
	}
	return b.String() + "\n      }\n    }\n"
}

// batchHead begins the loop of eachBatch, which all threads of a workgroup pass through equally often.
const batchHead = `
    let n2 = (params.n + 1u) / 2u;
    let last = max(n2, 1u) - 1u;
    for (var base = piece * %[1]du * $W; base < n2; base += pieces * %[1]du * $W) {
      let i = base + tid;
`

// joins combines equal keys of a thread: each with the one two further, and at last the two of the last load.
func joins(count int) string {
	var b strings.Builder
	join := func(p, q int) {
		fmt.Fprintf(&b, "      if (todo%[1]d && todo%[2]d && d%[1]d == d%[2]d) "+
			"{ val%[2]d = plus(val%[1]d, val%[2]d); todo%[1]d = false; }\n", p, q)
	}
	for q := range count - 2 {
		join(q, q+2)
	}
	join(count-2, count-1)
	return b.String()
}

// copiesSource folds values into as many copies of a slice of the bins as it is told, and
// leaves the workgroup's sums in `parts`.
func copiesSource(o *binOp, sg int, l layout) *Source {
	step, load, words := leftStep, "atomicLoad(&s[p])", 1
	var values []string
	rounds := l.rounds
	if o.words() == 2 {
		rounds = 0
		step, load, words = addStep, "vec2<u32>(atomicLoad(&s[p]), atomicLoad(&s[p + $ROOM]))", 2
	}
	if o.reads() {
		values = []string{"vals " + o.valuesType()}
	}
	return &Source{
		Name: "histogram-copies-" + o.name, Threads: l.threads,
		Consts: map[string]any{
			"SLICE": fmt.Sprintf("%du", l.slice), "COPIES": fmt.Sprintf("%du", l.copies), "SG": fmt.Sprintf("%du", sg),
			"ROOM": fmt.Sprintf("%du", rows32(l.slice)), "WORDS": fmt.Sprintf("%du", words*l.copies*rows32(l.slice)),
			"ALONE":  fmt.Sprintf("%du", l.alone),
			"STRIDE": fmt.Sprintf("%du", words*rows32(l.slice)),
		},
		Funcs:   o.combining(),
		Raw:     equals(l.slice),
		Buffers: append([]string{"keys vec4<u32>", "parts " + o.typ}, values...),
		Params:  []string{"n", "bins", "slices"},
		Shared:  []string{"s atomic<u32> $WORDS"},
		Body: `
  let piece = group / params.slices;
  let pieces = groups / params.slices;
  let first = ((group + group / params.slices) % params.slices) * $SLICE;
  let most = min($SLICE, params.bins - first);
  let mine = tid % $COPIES * $STRIDE;
  let lane = tid % $SG;
  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], ` + o.neutralWord() + `); }
  workgroupBarrier();
` + eachBatch(o.value, step, l.loads, rounds) + `
  workgroupBarrier();
  for (var k = tid; k < most; k += $W) {
    var p = ` + permuted("k") + `;
    var acc = ` + load + `;
    for (var j = 1u; j < $COPIES; j++) { p += $STRIDE; acc = plus(acc, ` + load + `); }
    parts[piece * params.bins + first + k] = acc;
  }
`,
	}
}

// privateSource gives each thread bins of its own, side by side, for few bins: no atomics, and no two threads of a
// subgroup meet in a bank. The words are those of any operator.
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

// mergeSource folds the sums that the workgroups left, 32 bins a workgroup.
func mergeSource(o *binOp, threads int) *Source {
	finish, buffers := o.finish, []string{"parts " + o.typ, "initial " + o.typ, "out " + o.typ}
	if finish == "" {
		finish = "out[b] = acc;"
	}
	if o.results == 2 {
		buffers = append(buffers[:2], "out u32", "index vec2<u32>")
	}
	return &Source{
		Name: "histogram-merge-" + o.name, Threads: threads, Buffers: buffers,
		Params: []string{"bins", "pieces", "begun"}, Funcs: o.combining(), Shared: []string{"s " + o.typ + " $W"},
		Body: `
  let b = group * 32u + tid % 32u;
  var acc = ` + o.neutral + `;
  if (b < params.bins) {
    for (var j = tid / 32u; j < params.pieces; j += $W / 32u) { acc = plus(acc, parts[j * params.bins + b]); }
    if (tid < 32u && params.begun != 0u) { acc = plus(acc, initial[b]); }
  }
  s[tid] = acc;
  workgroupBarrier();
  if (tid < 32u && b < params.bins) {
    for (var j = 1u; j < $W / 32u; j++) { acc = plus(acc, s[j * 32u + tid]); }
    ` + finish + `
  }
`,
	}
}
