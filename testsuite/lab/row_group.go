package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// Note [A workgroup a row]
//
// The programs of bench/intragroup.fut give a row to a workgroup. A thread takes one element of it, or, sequentialised,
// several: those of maps, scatters and sums that commute lie as far apart as the workgroup has threads, so that storage is
// read in runs. A scan needs consecutive ones: they go through workgroup memory, which is where its results return to
// before they leave. A place in that memory is moved on by one for every 32, so that the threads of a subgroup meet
// different banks whatever number of elements they take. Rows longer than the workgroup's share are taken in steps, and a
// scan carries its sum along.

// groupRow is a workgroup's work on a row: "map", "reverse" (a scatter), "reduce" or "scan". See Note [A workgroup a row].
type groupRow struct {
	kind                      string
	length, each, threads, sg int
}

// elements repeats a text for each of the thread's elements, $C being its number.
func (g *groupRow) elements(text string) string {
	var b strings.Builder
	for c := range g.each {
		b.WriteString(strings.ReplaceAll(text, "$C", fmt.Sprint(c)))
	}
	return b.String()
}

// mapped reads and writes each element once and has no barrier.
func (g *groupRow) mapped() string {
	to := "at + i"
	if g.kind == "reverse" {
		to = "at + $LENGTH - 1u - i"
	}
	return g.elements("    var e$C = 0u; { let i = base + $Cu * $W + tid; if (i < $LENGTH) { e$C = x[at + i]; } }\n") +
		g.elements("    { let i = base + $Cu * $W + tid; if (i < $LENGTH) { y["+to+"] = e$C + 2u; } }\n")
}

// reduced reads each element once; the row has one barrier.
func (g *groupRow) reduced() string {
	return g.elements("    var e$C = 0u; { let i = base + $Cu * $W + tid; if (i < $LENGTH) { e$C = x[at + i]; } }\n") +
		g.elements("    acc += e$C;\n")
}

// scanned reads and writes each element once; a step has four barriers, or two where a thread takes one element.
func (g *groupRow) scanned() string {
	var b strings.Builder
	if g.each > 1 {
		b.WriteString(g.elements("    { let k = $Cu * $W + tid; var e = 0u; " +
			"if (base + k < $LENGTH) { e = x[at + base + k]; } z[k + k / 32u] = e; }\n"))
		b.WriteString("    workgroupBarrier();\n")
		b.WriteString(g.elements("    let k$C = tid * $EACHu + $Cu; var e$C = z[k$C + k$C / 32u];\n"))
	} else {
		b.WriteString("    var e0 = 0u; if (base + tid < $LENGTH) { e0 = x[at + base + tid]; }\n")
	}
	for c := 1; c < g.each; c++ {
		fmt.Fprintf(&b, "    e%d += e%d;\n", c, c-1)
	}
	fmt.Fprintf(&b, `    let mine = e%[1]d;
    let sum = subgroupInclusiveAdd(mine);
    if (tid %% $SG == $SG - 1u) { s[tid / $SG] = sum; }
    workgroupBarrier();
%[2]s    let o = acc + before + sum - mine;
`, g.each-1, meetSums(g.threads, g.sg, "s[k]", "before", "all"))
	if g.each > 1 {
		b.WriteString(g.elements("    z[k$C + k$C / 32u] = e$C + o;\n") + "    workgroupBarrier();\n")
		b.WriteString(g.elements("    { let k = $Cu * $W + tid; if (base + k < $LENGTH) { y[at + base + k] = z[k + k / 32u]; } }\n"))
	} else {
		b.WriteString("    if (base + tid < $LENGTH) { y[at + base + tid] = e0 + o; }\n")
	}
	return b.String() + "    acc += all;\n    workgroupBarrier();\n"
}

// meetSums declares what the subgroups before the thread's have left, and what all have; subgroup number k has left
// `at`. Where a subgroup has as many threads as there are subgroups, each subgroup scans what they left.
func meetSums(threads, sg int, at, before, all string) string {
	if subs := threads / sg; subs > sg {
		return fmt.Sprintf(`    var %[2]s = 0u;
    var %[3]s = 0u;
    for (var k = 0u; k < $W / $SG; k++) {
      if (k == tid / $SG) { %[2]s = %[3]s; }
      %[3]s += %[1]s;
    }
`, at, before, all)
	}
	return fmt.Sprintf(`    var %[2]s = 0u;
    var %[3]s = 0u;
    {
      let k = tid %% $SG;
      var left = 0u;
      if (k < $W / $SG) { left = %[1]s; }
      let sums = subgroupInclusiveAdd(left);
      %[3]s = subgroupShuffle(sums, $W / $SG - 1u);
      %[2]s = subgroupShuffle(sums - left, tid / $SG);
    }
`, at, before, all)
}

// source is the kernel.
func (g *groupRow) source() *Source {
	step, end := "", ""
	s := &Source{
		Name: fmt.Sprintf("row-%s-%d-%d", g.kind, g.length, g.each), Threads: g.threads, Buffers: []string{"x u32", "y u32"},
		Params: []string{"rows"},
		Consts: map[string]any{
			"SG": fmt.Sprintf("%du", g.sg), "LENGTH": fmt.Sprintf("%du", g.length), "EACH": g.each, "STEP": fmt.Sprintf("%du", g.threads*g.each),
		},
	}
	switch g.kind {
	case "reduce":
		step, end = g.reduced(), groupAdd+"  if (tid == 0u) { y[group] = total; }\n"
	case "scan":
		step = g.scanned()
		if g.each > 1 {
			s.Shared = []string{fmt.Sprintf("z u32 %d", g.threads*g.each*33/32+1)}
		}
	default:
		step = g.mapped()
	}
	if g.kind == "reduce" || g.kind == "scan" {
		s.Shared = append(s.Shared, fmt.Sprintf("s u32 %d", g.threads/g.sg))
	}
	s.Body = `
  if (group >= params.rows) { return; }
  let at = group * $LENGTH;
  var acc = 0u;
  for (var base = 0u; base < $LENGTH; base += $STEP) {
` + step + "  }\n" + end
	return s
}

// sameWork compares with what a kind of work leaves of the rows of xs.
func sameWork(kind string, got, xs []uint32, length int) error {
	left := length
	if kind == "reduce" {
		left = 1
	}
	return sameRows("row", got, left, func(r int, want []uint32) {
		row := xs[r*length : (r+1)*length]
		var sum uint32
		for i, x := range row {
			sum += x
			switch kind {
			case "map":
				want[i] = x + 2
			case "reverse":
				want[length-1-i] = x + 2
			case "scan":
				want[i] = sum
			}
		}
		if kind == "reduce" {
			want[0] = sum
		}
	})
}

// groupRowCase works on rows, a workgroup each, with as many elements a thread as are given.
func groupRowCase(kind string, rows, length, each int) Case {
	n := rows * length
	bytes, words := 8*int64(n), n
	if kind == "reduce" {
		bytes, words = 4*int64(n+rows), rows
	}
	return Case{
		Name: fmt.Sprintf("row/%s/%dx%d/seq%d", kind, rows, length, each), Bytes: bytes,
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			threads := min(((length+each-1)/each+31)/32*32, f.MaxThreads, 1024)
			g := groupRow{kind, length, each, threads, sg}
			xs := random(n)
			p := &Plan{
				Kernels: []*Source{g.source()}, Buffers: []Data{{n, xs}, {Words: words}},
				Steps: []Step{{Groups: rows, Buffers: []int{0, 1}, Params: []uint32{uint32(rows)}}},
			}
			p.Check = func(read func(int) []uint32) error {
				return sameWork(kind, read(1), xs, length)
			}
			return p, ""
		},
	}
}
