package main

import (
	"fmt"
	"slices"
	"strings"

	"skald/runtime/device"
)

// Note [Partition before compare and exchange]
//
// Where workgroup memory holds only a small piece of the bins, slices make each workgroup read keys of which it uses few.
// Note [Partition by high bits] brings the keys to their parts first; a part has so few bins that each lane of a workgroup
// that folds has a copy. Every such workgroup leaves its sums, and a last launch folds those of each part.

// movedBatch begins the loop of eachMoved, which all threads of a workgroup pass through equally often.
const movedBatch = `
    for (var base = start; base < stop; base += %[1]du * $W) {
      let i = base + tid;
`

// eachMoved is eachBatch for the elements of a chunk: `count` at once, of a word that is the bin and, where the operator
// wants one, another that goes with it.
func eachMoved(o *binOp, count int, treatment string) string {
	var b strings.Builder
	fmt.Fprintf(&b, movedBatch, count)
	const word = "words[min(i + ?u * $W, stop - 1u)]"
	value := strings.NewReplacer("key", "m?", "$v", word, "at", word).Replace(o.value)
	b.WriteString(forKeys("      let m? = moved[min(i + ?u * $W, stop - 1u)];\n      var val? = "+value+";\n", numbers(count)...))
	b.WriteString(forKeys("      var d? = select("+none+", m? % $ROOM, i + ?u * $W < stop);\n", numbers(count)...))
	return b.String() + joins(count) + forKeys("      var todo? = d? != "+none+";\n", numbers(count)...) + treatment + "\n    }\n"
}

// payload is the word that goes with an element to its part, none if its value is made of its key.
func (o *binOp) payload() []string {
	switch o.value {
	case "$v":
		return []string{"vals[at]"}
	case "at":
		return []string{"at"}
	}
	return nil
}

// partExchangeSource folds a chunk in copies of the part's bins.
//
// It moves 4 bytes an element, 4 more if a word goes with it, and a word a bin of each chunk; it has two barriers beside those
// that hand out chunks.
func (p *parting) partExchangeSource(o *binOp, sg int, l layout) *Source {
	s := &Source{
		Name: "part-exchange-" + o.name, Threads: l.threads, Params: []string{"n"}, Raw: equals(l.slice), Funcs: o.combining(),
		Buffers: []string{"table u32", "moved u32", "sums u32"},
		Shared:  []string{"s atomic<u32> $WORDS", "own u32 4"},
	}
	if o.payload() != nil {
		s.Buffers = append(s.Buffers, "words u32")
	}
	s.Consts = p.constants(l.consts(sg))
	s.Body = ownChunk + `
  let mine = tid % $COPIES * $STRIDE;
  let lane = tid % $SG;
  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], ` + o.neutral + `); }
  workgroupBarrier();
` + eachMoved(o, 2*l.loads, exchanges(l, sg)) + `
  workgroupBarrier();
  for (var k = tid; k < $ROOM; k += $W) {
    var at = ` + permuted("k") + `;
    var acc = atomicLoad(&s[at]);
    for (var j = 1u; j < $COPIES; j++) { at += $STRIDE; acc = plus(acc, atomicLoad(&s[at])); }
    sums[group * $ROOM + k] = acc;
  }
`
	return s
}

// opPartPlan is opPlan by partition.
func opPartPlan(o *binOp, kind string, n, bins int, initial []uint32, f *device.Facts, l layout) *Plan {
	var vals []uint32
	if o.reads() {
		vals = o.values(n)
	}
	const chunk = 1 << 16
	p := newPartPlan(keys(kind, n, bins), n, newParting(n, bins, l.slice, chunk, f), o.payload(), vals, f)
	l.slice = p.room()
	p.Kernels = append(p.Kernels, p.partExchangeSource(o, min(p.sg, 32), l), mergeSource(o, min(f.MaxThreads, 256), &p.parting))
	sums := p.reserve(1, p.groups*p.room())
	fold := slices.Concat(p.table, p.moved[:1], sums)
	if o.payload() != nil {
		fold = append(fold, p.moved[1])
	}
	p.Steps = append(p.Steps, Step{Kernel: 4, Groups: p.groups, Buffers: fold, Params: []uint32{uint32(n)}})
	p.merge(5, o, bins, p.ks, vals, initial, append(sums, p.table...), 0)
	return p.Plan
}
