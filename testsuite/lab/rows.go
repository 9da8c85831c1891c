package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// rowsShape is a subgroup's work on a row of consecutive elements: no barrier, and several loads of 16 bytes in flight.
// Rows whose length is no multiple of four begin anywhere: the vectors at their ends belong to their neighbours too, so
// that elements of others are taken as zero, and results go there word by word.
type rowsShape struct {
	sg, length int
	scan       bool
	most       int // Loads in flight.
}

// odd reports whether rows begin within vectors.
func (r *rowsShape) odd() bool { return r.length%4 != 0 }

// vectors is how many vectors a row has a part in, at most.
func (r *rowsShape) vectors() int {
	if r.odd() {
		return (r.length + 6) / 4
	}
	return r.length / 4
}

// load declares vector k of a step as v{k}.
func (r *rowsShape) load(k int, whole bool) string {
	if whole && !r.odd() {
		return fmt.Sprintf("    var v%[1]d = x[col + %[1]du * $SG];\n", k)
	}
	text := fmt.Sprintf("    var v%[1]d = vec4<u32>(0u, 0u, 0u, 0u); if (col + %[1]du * $SG < last) { v%[1]d = x[col + %[1]du * $SG]; }\n", k)
	if r.odd() {
		text += fmt.Sprintf("    let i%[1]d = (col + %[1]du * $SG) * 4u;\n", k)
		for c, w := range "xyzw" {
			// What lies before the row is far beyond it as well, as subtraction wraps.
			text += fmt.Sprintf("    v%[1]d.%[2]c = select(0u, v%[1]d.%[2]c, i%[1]d + %[3]du - begin < $LENGTH);\n", k, w, c)
		}
	}
	return text
}

// store writes the scanned vector k.
func (r *rowsShape) store(k int, whole bool) string {
	put := fmt.Sprintf("y[col + %[1]du * $SG] = v%[1]d;", k)
	switch {
	case r.odd():
		ends := ""
		for c, w := range "xyzw" {
			ends += fmt.Sprintf(" if (i%[1]d + %[3]du - begin < $LENGTH) { y[col + %[1]du * $SG].%[2]c = v%[1]d.%[2]c; }", k, w, c)
		}
		if r.length < 4 {
			return "    " + ends + "\n"
		}
		return fmt.Sprintf("    if (i%[1]d - begin <= $LENGTH - 4u) { %[2]s } else { %[3]s }\n", k, put, ends)
	case whole:
		return "    " + put + "\n"
	}
	return fmt.Sprintf("    if (col + %du * $SG < last) { %s }\n", k, put)
}

// source is the kernel. A scan carries its sum from step to step.
//
// It moves 4 bytes an element, and 4 more for a scan.
func (r *rowsShape) source() *Source {
	inner := min(r.most, (r.vectors()+r.sg-1)/r.sg)
	whole := r.vectors()%(inner*r.sg) == 0
	var load, use strings.Builder
	for k := range inner {
		load.WriteString(r.load(k, whole))
		if !r.scan {
			fmt.Fprintf(&use, "    acc += (v%[1]d.x + v%[1]d.y) + (v%[1]d.z + v%[1]d.w);\n", k)
			continue
		}
		fmt.Fprintf(&use, `    v%[1]d.y += v%[1]d.x; v%[1]d.z += v%[1]d.y; v%[1]d.w += v%[1]d.z;
    let c%[1]d = subgroupInclusiveAdd(v%[1]d.w);
    let o%[1]d = acc + c%[1]d - v%[1]d.w;
    v%[1]d = v%[1]d + vec4<u32>(o%[1]d, o%[1]d, o%[1]d, o%[1]d);
%[2]s    acc += subgroupShuffle(c%[1]d, $SG - 1u);
`, k, r.store(k, whole))
	}
	more := fmt.Sprintf("step < %du", r.vectors()) // A constant, where all rows have as many.
	if r.odd() {
		more = "begin / 4u + step < last"
	}
	name, end, out := "scan", "", "y vec4<u32>"
	if !r.scan {
		name, end, out = "reduce", "  let all = subgroupAdd(acc);\n  if (tid % $SG == 0u) { y[row] = all; }\n", "y u32"
	}
	return &Source{
		Name: fmt.Sprintf("rows-%s-%d", name, r.length), Threads: 256, Buffers: []string{"x vec4<u32>", out},
		Params: []string{"rows"},
		Consts: map[string]any{
			"SG": fmt.Sprintf("%du", r.sg), "LENGTH": fmt.Sprintf("%du", r.length), "STEP": fmt.Sprintf("%du", inner*r.sg),
		},
		Body: `
  let row = group * ($W / $SG) + tid / $SG;
  if (row >= params.rows) { return; }
  let begin = row * $LENGTH;
  let end = begin + $LENGTH;
  let last = (end + 3u) / 4u;
  var acc = 0u;
  for (var step = 0u; ` + more + `; step += $STEP) {
    let col = begin / 4u + step + tid % $SG;
` + load.String() + use.String() + "  }\n" + end,
	}
}

// rowsCase reduces or scans each row of a matrix; the length of rows is known when the kernel is made.
func rowsCase(rows, length int, scan bool) Case {
	n := rows * length
	name, bytes, target := "reduce", 4*int64(n+rows), [2]float64{150, 140}
	if scan {
		name, bytes, target = "scan", 8*int64(n), [2]float64{300, 285}
	}
	if length != 1024 { // Nothing is wanted of others.
		target = [2]float64{}
	}
	return Case{
		Name: fmt.Sprintf("rows/%s/%dx%d", name, rows, length), Bytes: bytes, Target: target,
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			most := 8
			if f.Kind == device.CPU {
				most = 2 // Software devices compile long loops for minutes.
			}
			xs := random(n)
			words := rows
			if scan {
				words = n
			}
			per := 256 / sg
			return &Plan{
				Kernels: []*Source{(&rowsShape{sg, length, scan, most}).source()},
				Buffers: []Data{{n, xs}, {Words: words}},
				Steps:   []Step{{Groups: (rows + per - 1) / per, Buffers: []int{0, 1}, Params: []uint32{uint32(rows)}}},
				Check: func(read func(int) []uint32) error {
					return sameWork(name, read(1), xs, length)
				},
			}, ""
		},
	}
}
