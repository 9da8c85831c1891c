package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// rowsSource works on rows of consecutive elements, one subgroup a row and no barrier: all loads of a row are in
// flight at once. A scan carries its sum from step to step. Loads are of 16 bytes where the length allows it.
//
// It moves 4 bytes an element, and 4 more for a scan.
func rowsSource(sg, length int, scan bool) *Source {
	typ, lanes, zero := "vec4<u32>", 4, "vec4<u32>(0u, 0u, 0u, 0u)"
	if length%4 != 0 {
		typ, lanes, zero = "u32", 1, "0u"
	}
	row := length / lanes
	const most = 8
	inner := min(most, (row+sg-1)/sg)
	guard := func(k int, text string) string {
		if row%(inner*sg) == 0 {
			return text
		}
		return fmt.Sprintf("if (col + %du * $SG < $ROW) { %s }", k, text)
	}
	var load, use strings.Builder
	for k := range inner {
		fmt.Fprintf(&load, "    var v%d = %s; %s\n", k, zero, guard(k, fmt.Sprintf("v%[1]d = x[at + %[1]du * $SG];", k)))
		switch {
		case scan:
			last, out := "v", "o%[1]d + v%[1]d"
			if lanes == 4 {
				fmt.Fprintf(&use, "    v%[1]d.y += v%[1]d.x; v%[1]d.z += v%[1]d.y; v%[1]d.w += v%[1]d.z;\n", k)
				last, out = "v.w", "v%[1]d + vec4<u32>(o%[1]d, o%[1]d, o%[1]d, o%[1]d)"
			}
			last = strings.Replace(last, "v", fmt.Sprintf("v%d", k), 1)
			fmt.Fprintf(&use, "    let c%[1]d = subgroupInclusiveAdd(%[2]s);\n    let o%[1]d = acc + c%[1]d - %[2]s;\n    %[3]s\n"+
				"    acc += subgroupShuffle(c%[1]d, $SG - 1u);\n", k, last,
				guard(k, fmt.Sprintf("y[at + %[1]du * $SG] = "+out+";", k)))
		case lanes == 4:
			fmt.Fprintf(&use, "    acc += (v%[1]d.x + v%[1]d.y) + (v%[1]d.z + v%[1]d.w);\n", k)
		default:
			fmt.Fprintf(&use, "    acc += v%d;\n", k)
		}
	}
	name, end := "reduce", "  let all = subgroupAdd(acc);\n  if (tid % $SG == 0u) { y[row] = all; }\n"
	out := "y u32"
	if scan {
		name, end, out = "scan", "", "y "+typ
	}
	return &Source{
		Name: fmt.Sprintf("rows-%s-%d", name, length), Threads: 256, Buffers: []string{"x " + typ, out}, Params: []string{"rows"},
		Consts: map[string]any{"SG": fmt.Sprintf("%du", sg), "ROW": fmt.Sprintf("%du", row), "STEP": fmt.Sprintf("%du", inner*sg)},
		Body: `
  let row = group * ($W / $SG) + tid / $SG;
  if (row >= params.rows) { return; }
  var acc = 0u;
  for (var base = 0u; base < $ROW; base += $STEP) {
    let col = base + tid % $SG;
    let at = row * $ROW + col;
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
	return Case{
		Name: fmt.Sprintf("rows/%s/%dx%d", name, rows, length), Bytes: bytes, Target: target,
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			xs := random(n)
			words := rows
			if scan {
				words = n
			}
			per := 256 / sg
			return &Plan{
				Kernels: []*Source{rowsSource(sg, length, scan)},
				Buffers: []Data{{n, xs}, {Words: words}},
				Steps:   []Step{{Groups: (rows + per - 1) / per, Buffers: []int{0, 1}, Params: []uint32{uint32(rows)}}},
				Check: func(read func(int) []uint32) error {
					var sum uint32
					return same("rows", read(1), func(i int) uint32 {
						if scan {
							if i%length == 0 {
								sum = 0
							}
							sum += xs[i]
							return sum
						}
						sum = 0
						for _, x := range xs[i*length : (i+1)*length] {
							sum += x
						}
						return sum
					})
				},
			}, ""
		},
	}
}
