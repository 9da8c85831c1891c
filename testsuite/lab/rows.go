package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// rowsSource works on rows of consecutive elements, one subgroup a row and no barrier: all loads of a row are in
// flight at once. A scan carries its sum from step to step.
//
// It moves 4 bytes an element, and 4 more for a scan.
func rowsSource(sg, length int, scan bool) *Source {
	steps := length / (4 * sg)
	var load, use strings.Builder
	const most = 8
	inner := min(most, steps)
	for k := range inner {
		fmt.Fprintf(&load, "    var v%[1]d = x[at + %[1]du * $SG];\n", k)
		if scan {
			fmt.Fprintf(&use, `    v%[1]d.y += v%[1]d.x; v%[1]d.z += v%[1]d.y; v%[1]d.w += v%[1]d.z;
    let c%[1]d = subgroupInclusiveAdd(v%[1]d.w);
    let o%[1]d = acc + c%[1]d - v%[1]d.w;
    y[at + %[1]du * $SG] = v%[1]d + vec4<u32>(o%[1]d, o%[1]d, o%[1]d, o%[1]d);
    acc += subgroupShuffle(c%[1]d, $SG - 1u);
`, k)
		} else {
			fmt.Fprintf(&use, "    acc += (v%[1]d.x + v%[1]d.y) + (v%[1]d.z + v%[1]d.w);\n", k)
		}
	}
	name, end := "rows-reduce", "  let all = subgroupAdd(acc);\n  if (tid % $SG == 0u) { y[row] = all; }\n"
	out := "y u32"
	if scan {
		name, end, out = "rows-scan", "", "y vec4<u32>"
	}
	return &Source{
		Name: name, Threads: 256, Buffers: []string{"x vec4<u32>", out}, Params: []string{"rows"},
		Consts: map[string]any{"SG": fmt.Sprintf("%du", sg)},
		Body: fmt.Sprintf(`
  let row = group * ($W / $SG) + tid / $SG;
  if (row >= params.rows) { return; }
  var acc = 0u;
  for (var k = 0u; k < %du; k++) {
    let at = row * %du + k * %du + tid %% $SG;
%s%s  }
%s`, steps/inner, length/4, inner*sg, load.String(), use.String(), end),
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
