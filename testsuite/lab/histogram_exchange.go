package main

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Note [Contention before compare and exchange]
//
// A compare-and-exchange loop on one word is right everywhere, and slow where threads meet: each round lets one of
// them pass. Contention is therefore taken out in steps:
//
//   - a thread combines equal keys among those that it has loaded;
//   - where all threads of a subgroup have one key, they combine their values, and one of them goes on;
//   - there are as many copies of the bins as workgroup memory holds, and neighbouring threads use different ones,
//     in different banks;
//   - a bin that threads have fought over has a copy for each of 32 lanes: Note [Hot bins];
//   - the two keys of a load are tried together, some rounds: loads and exchanges overlap;
//   - the threads that are then left, if they are more than a few, find which of them have equal keys, combine their
//     values in a tree over those threads, and the first of each key alone runs the loop. The tree has as many levels
//     as the largest number of equal keys needs.
//
// Nothing waits: a loop repeats only when another thread has succeeded. A result that is equal to what is in the bin
// is not written: there is no contention once a bin is saturated.

// Note [Hot bins]
//
// Most bins are never fought over; a few may have most of the keys. A table in workgroup memory names up to some dozens
// of bins, each with 32 words more, one for each lane. It is empty at first, and as long as it is nobody looks for bins.
// A thread that has failed in all rounds enters its bin if the place that the bin has in the table is free, and from then
// on whoever finds the bin there adds to the word of its lane. What was added to the bin itself stays there: the two are
// summed at the end, so that a bin may enter at any time, and a thread that does not see the entry yet does no harm.
// Nothing leaves the table. Keys whose hot bins change in the course of the input are left to the steps after it.
//
// An entry is the bin times 256 plus the number of its words; free and claimed entries name a bin that there is not.

// hotPlace is the function that finds a bin's place in the table, for which bins compete that share it. Multiples of the
// golden ratio are spread evenly: in a table of 256 places no two bins less than 233 apart share one, so that none of the
// first bins of a Zipf distribution is kept out by one that is much rarer. In 64 places they are 34 apart.
func (l *layout) hotPlace() Func {
	body := fmt.Sprintf(" return (d * 0x9e3779b1u) >> %du; ", 32-bits.TrailingZeros(uint(l.tags)))
	return Func{Result: "u32", Name: "hot_place", Params: []string{"d u32"}, Body: body}
}

const (
	// sameStep is for key ?, if all threads of the subgroup have it.
	sameStep = `
      let head? = subgroupBroadcastFirst(d?);
      if (subgroupAll(d? == head? && head? != NONE)) {
TREE        todo? = lane == 0u;
      }`

	// placeStep finds where key ? is added.
	placeStep = `
      var place? = mine + PERMUTED;`
	// hotStep changes it for a bin that is in the table.
	hotStep = `
        let tag? = atomicLoad(&hot[hot_place(d?)]);
        if ((tag? >> 8u) == d?) { place? = $HOT + (tag? & 255u) * 32u + tid % 32u; }`

	// tryStep tries the keys ? and @, those of a load, some rounds. Threads without a key read words of their own bank.
	tryStep = `
      for (var round = 0u; round < $ROUNDS; round++) {
        if (!subgroupAny(todo? || todo@)) { break; }
        let seen? = atomicLoad(&s[select(tid % 32u, place?, todo?)]);
        let seen@ = atomicLoad(&s[select(tid % 32u, place@, todo@)]);
        let next? = plus(seen?, val?);
        let next@ = plus(seen@, val@);
        todo? = todo? && next? != seen?;
        todo@ = todo@ && next@ != seen@;
        if (todo?) { todo? = !atomicCompareExchangeWeak(&s[place?], seen?, next?).exchanged; }
        if (todo@) { todo@ = !atomicCompareExchangeWeak(&s[place@], seen@, next@).exchanged; }
      }`

	// leftStep is for the threads whose key ? is left.
	leftStep = `
      let waiting? = subgroupBallot(todo?).x;
      if (waiting? != 0u) {
        var peers = 0u;
        if (countOneBits(waiting?) > $ALONE) { peers = select(0u, equals(d?, waiting?, lane), todo?); }
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
        if (leader) {ENTER
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

	// enterStep enters the bin of key ? into the table.
	enterStep = `
          let entry = hot_place(d?);
          if (atomicCompareExchangeWeak(&hot[entry], 0xffffffffu, 0xfffffffeu).exchanged) {
            let number = atomicAdd(&hot[$TAGS], 1u);
            if (number < $HOTS) { atomicStore(&hot[entry], (d? << 8u) | number); }
          }`

	// hotSums leaves the sum of a hot bin's words in the first of them. Threads begin in different banks.
	hotSums = `
  for (var e = tid; e < min(atomicLoad(&hot[$TAGS]), $HOTS); e += $W) {
    var acc = atomicLoad(&s[$HOT + e * 32u + tid % 32u]);
    for (var j = 1u; j < 32u; j++) { acc = plus(acc, atomicLoad(&s[$HOT + e * 32u + (tid + j) % 32u])); }
    atomicStore(&s[$HOT + e * 32u], acc);
  }
  workgroupBarrier();`

	// hotResult adds the words of bin k, if it is hot, to its sum.
	hotResult = `
    let tag = atomicLoad(&hot[hot_place(k)]);
    if ((tag >> 8u) == k) { acc = plus(acc, atomicLoad(&s[$HOT + (tag & 255u) * 32u])); }`
)

// exchanges brings the keys of a batch into the bins by compare and exchange.
func exchanges(l layout, sg int) string {
	count := 2 * l.loads
	var tree strings.Builder
	for d := 1; d < sg; d *= 2 {
		fmt.Fprintf(&tree, "        val? = plus(val?, subgroupShuffleXor(val?, %du));\n", d)
	}
	same := strings.NewReplacer("TREE", tree.String(), "NONE", none).Replace(sameStep)
	var b strings.Builder
	for q := 1; q < count; q += 2 { // Equal keys of a load have become its second.
		b.WriteString(forKeys(same, q))
	}
	b.WriteString(forKeys(strings.ReplaceAll(placeStep, "PERMUTED", permuted("d?")), numbers(count)...))
	enter := ""
	if l.hots > 0 {
		b.WriteString("\n      if (atomicLoad(&hot[$TAGS]) != 0u) {" + forKeys(hotStep, numbers(count)...) + "\n      }")
		enter = enterStep
	}
	for q := 0; q < count; q += 2 {
		b.WriteString(strings.NewReplacer("?", strconv.Itoa(q), "@", strconv.Itoa(q+1)).Replace(tryStep))
	}
	return b.String() + "\n      if (subgroupAny(" + forKeys("todo? || ", numbers(count)...) + "false)) {" +
		forKeys(strings.ReplaceAll(leftStep, "ENTER", enter), numbers(count)...) + "\n      }"
}

// equals is the function that finds the threads, of those among some, whose keys are equal to the own one: CUDA has an
// instruction for it, elsewhere it is a ballot for each bit.
func equals(bins int) Raw {
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
`, bits.Len(uint(bins-1))),
		CUDA: `__device__ u32 equals(u32 key, u32 among, u32 lane) {
  return __match_any_sync(~0u, (among >> lane & 1) ? key : 0x80000000u | lane);
}
`,
	}
}
