package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Note [Neighbouring keys on devices without subgroups]
//
// Threads that read side by side all have one key where keys are sorted. A subgroup finds that out and adds up what its
// threads have; without subgroups all threads of a workgroup would meet in one bin after the other, too briefly for
// each to become hot (Note [Hot bins]). There only some threads read side by side, whole lines of the cache at a time; each
// such team has a stretch of the keys of its own, and the teams of a workgroup are spread over all keys, so that slices have
// equal work.

// The heads of the loop of eachBatch, which all threads of a workgroup pass through equally often: all threads side by
// side, or teams apart.
const (
	batchHead = `
    let n2 = (params.n + 1u) / 2u;
    let last = max(n2, 1u) - 1u;
    for (var base = piece * $LOADS * $W; base < n2; base += pieces * $LOADS * $W) {
      let i = base + tid;
      let left = params.n - min(params.n, 2u * i);
`
	teamsHead = `
    let n2 = (params.n + 1u) / 2u;
    let last = max(n2, 1u) - 1u;
    let stretch = (n2 + pieces * $LOADS * $W - 1u) / (pieces * $LOADS * $W) * $LOADS * $SIDE;
    for (var done = 0u; done < stretch; done += $LOADS * $SIDE) {
      let i = (tid / $SIDE * pieces + piece) * stretch + done + tid % $SIDE;
      let left = params.n - min(params.n, 2u * i);
`
)

// none is the bin of a key that is in no bin of the slice.
const none = "0xffffffffu"

// eachBatch is a loop over the keys of a piece in which a thread has 2 * loads keys at once and combines equal ones. The
// treatment finds for each key q its bin within the slice `dq`, its value `valq` and in `todoq` whether there is
// anything to add. With a side, teams of so many threads read apart: Note [Neighbouring keys on devices without subgroups].
func eachBatch(value string, loads, side int, treatment string) string {
	head, step := batchHead, "$W"
	if side > 0 {
		head, step = teamsHead, fmt.Sprintf("%du", side)
	}
	var b strings.Builder
	b.WriteString(strings.NewReplacer("$LOADS", fmt.Sprintf("%du", loads), "$SIDE", step).Replace(head))
	for k := range loads {
		fmt.Fprintf(&b, "      let v%[1]d = keys[min(i + %[1]du * %[2]s, last)];\n", k, step)
		if strings.Contains(value, "$v") {
			fmt.Fprintf(&b, "      let w%[1]d = vals[min(i + %[1]du * %[2]s, last)];\n", k, step)
		}
	}
	for q := range 2 * loads {
		k, parts := q/2, [][4]string{{"x", "y", "x", "x"}, {"z", "w", "y", "z"}}[q%2]
		at := fmt.Sprintf("(2u * (i + %du * %s) + %du)", k, step, q%2)
		v := strings.NewReplacer("$v2", fmt.Sprintf("vec2<u32>(w%d.%s, w%d.%s)", k, parts[0], k, parts[1]),
			"$v", fmt.Sprintf("w%d.%s", k, parts[2]), "key", fmt.Sprintf("v%d.%s", k, parts[0]), "at", at).Replace(value)
		fmt.Fprintf(&b, "      let at%[1]d = v%[2]d.%[3]s - first;\n      var val%[1]d = %[4]s;\n"+
			"      var d%[1]d = select("+none+", at%[1]d, v%[2]d.%[5]s == 0u && at%[1]d < most && %[6]du * %[8]s + %[7]du < left);\n",
			q, k, parts[0], v, parts[1], 2*k, q%2, step)
	}
	return b.String() + joins(2*loads) + forKeys("      var todo? = d? != "+none+";\n", numbers(2*loads)...) + treatment + "\n    }\n"
}

// joins combines equal keys of a thread: the two of a load, as keys in order need it, then each with that of the next
// load, as keys that alternate need it. Two keys in no bin are equal too; nobody looks at their values.
func joins(count int) string {
	var b strings.Builder
	join := func(p, q int) {
		fmt.Fprintf(&b, "      if (d%[1]d == d%[2]d) { val%[2]d = plus(val%[1]d, val%[2]d); d%[1]d = "+none+"; }\n", p, q)
	}
	for q := 0; q < count; q += 2 {
		join(q, q+1)
	}
	for q := range count - 2 {
		join(q, q+2)
	}
	return b.String()
}

// forKeys repeats a text for keys, whose number it has as ?.
func forKeys(text string, keys ...int) string {
	var b strings.Builder
	for _, q := range keys {
		b.WriteString(strings.ReplaceAll(text, "?", strconv.Itoa(q)))
	}
	return b.String()
}

// numbers are those below n.
func numbers(n int) []int {
	ns := make([]int, n)
	for i := range ns {
		ns[i] = i
	}
	return ns
}
