package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// Note [A tile of a scan]
//
// A workgroup of 256 threads scans 4,096 elements at a time: four rows of 1,024, of which each thread holds 16
// bytes, so that every load and store is whole. A thread adds up its four elements of a row, the subgroup scans the
// sums, and the totals of all subgroups of all rows (32 where subgroups have 32 threads) are scanned by one
// subgroup, or by one thread where they do not fit. Two barriers a tile.

const (
	scanThreads = 256
	scanRows    = 4
	scanTile    = scanThreads * 4 * scanRows
)

// tileLoad reads the rows of the tile whose first 16-byte word is `base`, zero beyond the end, and leaves in eK
// what lies before the thread within its subgroup, in total the sum of the tile, and in s[…] the sums before each
// subgroup.
func tileLoad(sg int) string {
	var b strings.Builder
	for k := range scanRows {
		fmt.Fprintf(&b, `
  let i%[1]d = base + %[1]du * $W + tid;
  var v%[1]d = vec4<u32>(0u, 0u, 0u, 0u);
  if (i%[1]d < params.n4) { v%[1]d = x[i%[1]d]; }`, k)
	}
	per := scanThreads / sg
	for k := range scanRows {
		fmt.Fprintf(&b, `
  if (i%[1]d + 1u == params.n4) {
    if (params.rest < 2u) { v%[1]d.y = 0u; }
    if (params.rest < 3u) { v%[1]d.z = 0u; }
    if (params.rest < 4u) { v%[1]d.w = 0u; }
  }
  v%[1]d.y += v%[1]d.x; v%[1]d.z += v%[1]d.y; v%[1]d.w += v%[1]d.z;
  let e%[1]d = subgroupExclusiveAdd(v%[1]d.w);
  if (tid %% $SG == $SG - 1u) { s[%[2]du + tid / $SG] = e%[1]d + v%[1]d.w; }`, k, k*per)
	}
	b.WriteString("\n  workgroupBarrier();\n")
	if scanRows*per == sg {
		b.WriteString(`  if (tid < $SG) {
    let mine = s[tid];
    let before = subgroupExclusiveAdd(mine);
    s[tid] = before;
    if (tid == $SG - 1u) { s[$SG] = before + mine; }
  }
`)
	} else {
		fmt.Fprintf(&b, `  if (tid == 0u) {
    var run = 0u;
    for (var k = 0u; k < %[1]du; k++) { let mine = s[k]; s[k] = run; run += mine; }
    s[%[1]du] = run;
  }
`, scanRows*per)
	}
	fmt.Fprintf(&b, "  workgroupBarrier();\n  let total = s[%d];\n", scanRows*per)
	return b.String()
}

// tileStore writes the tile, with carry before all of it.
func tileStore(sg int) string {
	var b strings.Builder
	for k := range scanRows {
		fmt.Fprintf(&b, `
  if (i%[1]d < params.n4) {
    let o = carry + s[%[2]du + tid / $SG] + e%[1]d;
    y[i%[1]d] = v%[1]d + vec4<u32>(o, o, o, o);
  }`, k, k*scanThreads/sg)
	}
	return b.String() + "\n"
}

func scanConsts(sg int) map[string]any {
	return map[string]any{"SG": fmt.Sprintf("%du", sg), "TILE": fmt.Sprintf("%du", scanTile/4)}
}

// scanTwiceSources scans in three launches: sums of one contiguous piece a workgroup, a scan of these sums, and a
// scan of each piece that starts from them.
func scanTwiceSources(sg int) []*Source {
	shared := []string{fmt.Sprintf("s u32 %d", scanThreads/sg*scanRows+1)}
	params := []string{"n4", "rest", "each"}
	sums := &Source{
		Name: "scan-sums", Threads: scanThreads, Consts: scanConsts(sg), Shared: []string{fmt.Sprintf("s u32 %d", scanThreads/sg)},
		Buffers: []string{"x vec4<u32>", "sum u32"}, Params: params,
		Body: `
  var acc = 0u;
  let start = group * params.each * $TILE;
  let end = min(start + params.each * $TILE, params.n4);
  for (var i = start + tid; i < end; i += $W) {
    let a = x[i];
    acc += a.x;
    let whole = i + 1u < params.n4;
    if (whole || params.rest > 1u) { acc += a.y; }
    if (whole || params.rest > 2u) { acc += a.z; }
    if (whole || params.rest > 3u) { acc += a.w; }
  }` + groupAdd + `
  if (tid == 0u) { sum[group] = total; }
`,
	}
	offsets := &Source{
		Name: "scan-offsets", Threads: scanThreads, Consts: scanConsts(sg), Shared: shared,
		Buffers: []string{"x vec4<u32>", "y vec4<u32>"}, Params: params,
		Body: `
  let base = 0u;
  let carry = 0u;
` + tileLoad(sg) + tileStore(sg),
	}
	write := &Source{
		Name: "scan-write", Threads: scanThreads, Consts: scanConsts(sg), Shared: shared,
		Buffers: []string{"x vec4<u32>", "sum u32", "y vec4<u32>"}, Params: params,
		Body: `
  var carry = 0u;
  if (group > 0u) { carry = sum[group - 1u]; }
  for (var k = 0u; k < params.each; k++) {
  let base = (group * params.each + k) * $TILE;
` + tileLoad(sg) + tileStore(sg) + `
  carry += total;
  workgroupBarrier();
  }
`,
	}
	return []*Source{sums, offsets, write}
}

func scanCheck(xs []uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		var sum uint32
		return same("scan", read(out), func(i int) uint32 { sum += xs[i]; return sum })
	}
}

// scanTwiceCase is the scan by reduce-then-scan.
func scanTwiceCase(n int) Case {
	return Case{
		Name: fmt.Sprintf("scan/twice/%d", n), Bytes: 12 * int64(n), Target: [2]float64{340, 330},
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			tiles := max(1, (n+scanTile-1)/scanTile)
			groups := min(tiles, f.Units*8, scanTile)
			each := (tiles + groups - 1) / groups
			groups = (tiles + each - 1) / each
			xs := random(n)
			n4, rest := uint32(n+3)/4, uint32((n+3)%4+1)
			return &Plan{
				Kernels: scanTwiceSources(sg),
				Buffers: []Data{{n, xs}, {Words: groups}, {Words: groups}, {Words: n}},
				Steps: []Step{
					{Groups: groups, Buffers: []int{0, 1}, Params: []uint32{n4, rest, uint32(each)}},
					{
						Kernel: 1, Groups: 1, Buffers: []int{1, 2},
						Params: []uint32{uint32(groups+3) / 4, uint32((groups+3)%4 + 1), 1},
					},
					{Kernel: 2, Groups: groups, Buffers: []int{0, 2, 3}, Params: []uint32{n4, rest, uint32(each)}},
				},
				Check: scanCheck(xs, 3),
			}, ""
		},
	}
}

// Note [Look-back without order between words]
//
// WGSL orders nothing between two words, so a flag beside a value does not say that the value is there. Here a sum
// travels as two words of 16 bits with a flag each; a reader waits for both flags. The sum of a tile and the sum up
// to and with it have words of their own, each written once: state[4t], state[4t+1] and state[4t+2], state[4t+3].

// scanOnceSources scans in one pass: tiles are numbered in the order in which workgroups begin, and one subgroup
// looks at as many tiles before its own at a time as it has threads. The first kernel resets the state.
func scanOnceSources(sg int) []*Source {
	reset := &Source{
		Name: "scan-reset", Threads: 256, Buffers: []string{"state u32"}, Params: []string{"n"},
		Body: "  let i = group * $W + tid;\n  if (i < params.n) { state[i] = 0u; }\n",
	}
	scan := &Source{
		Name: "scan-once", Threads: scanThreads, Consts: scanConsts(sg),
		Shared:  []string{fmt.Sprintf("s u32 %d", scanThreads/sg*scanRows+1), "own u32 1", "before u32 1"},
		Buffers: []string{"x vec4<u32>", "y vec4<u32>", "state atomic<u32>"}, Params: []string{"n4", "rest", "tiles"},
		Body: `
  if (tid == 0u) { own[0] = atomicAdd(&state[0], 1u); }
  let tile = workgroupUniformLoad(&own[0]);
  if (tile >= params.tiles) { return; }
  let base = tile * $TILE;
` + tileLoad(sg) + `
  if (tid == 0u) {
    let at = 4u + 4u * tile + select(0u, 2u, tile == 0u);
    atomicStore(&state[at], 0x80000000u | (total & 0xffffu));
    atomicStore(&state[at + 1u], 0x80000000u | (total >> 16u));
  }
  if (tid < $SG) {
    var sum = 0u;
    var last = tile;
    while (last > 0u) {
      var value = 0u;
      var full = false;
      if (tid < last) {
        let at = 4u + 4u * (last - 1u - tid);
        var ready = false;
        while (!ready) {
          let c = atomicLoad(&state[at + 2u]);
          let d = atomicLoad(&state[at + 3u]);
          if ((c & d) >> 31u == 1u) {
            value = (c & 0xffffu) | (d << 16u);
            full = true;
            ready = true;
          } else {
            let a = atomicLoad(&state[at]);
            let b = atomicLoad(&state[at + 1u]);
            if ((a & b) >> 31u == 1u) {
              value = (a & 0xffffu) | (b << 16u);
              ready = true;
            }
          }
        }
      }
      let nearest = $SG - subgroupMax(select(0u, $SG - tid, full));
      sum += subgroupAdd(select(0u, value, tid <= nearest));
      if (nearest < $SG || last <= $SG) { last = 0u; } else { last -= $SG; }
    }
    if (tid == 0u) {
      before[0] = sum;
      if (tile > 0u) {
        let all = sum + total;
        atomicStore(&state[4u + 4u * tile + 2u], 0x80000000u | (all & 0xffffu));
        atomicStore(&state[4u + 4u * tile + 3u], 0x80000000u | (all >> 16u));
      }
    }
  }
  let carry = workgroupUniformLoad(&before[0]);
` + tileStore(sg),
	}
	return []*Source{reset, scan}
}

// scanOnceCase is the scan in one pass with look-back.
func scanOnceCase(n int) Case {
	return Case{
		Name: fmt.Sprintf("scan/once/%d", n), Bytes: 8 * int64(n), Target: [2]float64{310, 270},
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			tiles := max(1, (n+scanTile-1)/scanTile)
			words := 4 * (tiles + 1)
			xs := random(n)
			return &Plan{
				Kernels: scanOnceSources(sg),
				Buffers: []Data{{n, xs}, {Words: n}, {Words: words}},
				Steps: []Step{
					{Groups: (words + 255) / 256, Buffers: []int{2}, Params: []uint32{uint32(words)}},
					{
						Kernel: 1, Groups: tiles, Buffers: []int{0, 1, 2},
						Params: []uint32{uint32(n+3) / 4, uint32((n+3)%4 + 1), uint32(tiles)},
					},
				},
				Check: scanCheck(xs, 1),
			}, ""
		},
	}
}
