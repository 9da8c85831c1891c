package main

import (
	"fmt"
	"strings"
)

// Note [A pass of radix sort]
//
// A tile of keys is sorted by one digit in workgroup memory and then written, so that keys of one digit leave together.
// A subgroup holds a piece of consecutive keys, a row at a time: threads of a row with the same digit find each other
// by a ballot a bit, the first of them adds their number to the subgroup's counter of that digit, and a key's rank is
// what the counter was plus the number of such threads before it. That keeps the order of equal digits. Counters are
// then summed over subgroups and digits, which is the place of each key in the tile. Where the keys of a digit begin in
// the output is known from the counts of all keys, made once for all passes, and of the tiles before: found by look-back,
// each digit for itself (onesweep, Adinets and Merrill 2022), or from a scan of the counts of all tiles, where
// workgroups must not wait for each other. A word of the state has its flag in the upper two bits, so that a key's
// number has 30.

// sortShape is how keys are sorted: see Note [A pass of radix sort].
type sortShape struct {
	sg, threads int
	keys        int  // Keys a thread.
	bits        int  // Bits of a digit.
	most        int  // Bits of a word of the keys that count, the lowest.
	words       int  // Words of an element; the digit is in the first.
	wait        bool // Look-back, instead of counts of all tiles.
	match       bool // CUDA's own instruction finds equal digits.
	apart       bool // Keys have workgroup memory of their own, instead of that of the counters.
	resident    int  // Workgroups a unit, in CUDA.
	ahead       int  // How many tiles a look-back reads at a time; 0 is 4.
}

// radix is how many digits there are, tile how many elements a workgroup sorts.
func (s *sortShape) radix() int { return 1 << s.bits }
func (s *sortShape) tile() int  { return s.threads * s.keys }

// perWord is how many digits a word of the keys has.
func (s *sortShape) perWord() int { return (s.most + s.bits - 1) / s.bits }

// consts are what the texts leave open.
func (s *sortShape) consts() map[string]any {
	return map[string]any{
		"SG": fmt.Sprintf("%du", s.sg), "SUBS": fmt.Sprintf("%du", s.threads/s.sg), "RADIX": fmt.Sprintf("%du", s.radix()),
		"TILE": fmt.Sprintf("%du", s.tile()), "PIECE": fmt.Sprintf("%du", s.sg*s.keys), "KEYS": fmt.Sprintf("%du", s.keys),
		"DIGITS": fmt.Sprintf("%du", s.perWord()), "BITS": fmt.Sprintf("%du", s.bits),
	}
}

// peers returns the threads of the subgroup with the same digit, as bits.
func (s *sortShape) peers() Raw {
	var w strings.Builder
	mask := uint64(1)<<s.sg - 1
	fmt.Fprintf(&w, "fn peers(d: u32) -> u32 {\n  var m = %du;\n", mask)
	for b := range s.bits {
		fmt.Fprintf(&w, "  { let one = ((d >> %du) & 1u) == 1u; let v = subgroupBallot(one).x; m &= select(~v, v, one); }\n", b)
	}
	w.WriteString("  return m;\n}\n")
	text := w.String()
	cuda := strings.Replace(text, "fn peers(d: u32) -> u32", "__device__ u32 peers(u32 d)", 1)
	if s.match {
		cuda = "__device__ u32 peers(u32 d) { return __match_any_sync(~0u, d); }\n"
	}
	return Raw{WGSL: text, CUDA: cuda}
}

// load reads the keys of the tile; beyond the end they have the last digit, which keeps them behind all others.
func (s *sortShape) load() string {
	var b strings.Builder
	for k := range s.keys {
		fmt.Fprintf(&b, "  var k%d = 0u;\n", k)
	}
	b.WriteString("  let whole = (tile + 1u) * $TILE <= params.n;\n  if (whole) {\n")
	for k := range s.keys {
		fmt.Fprintf(&b, "    k%[1]d = x0[at + %[1]du * $SG];\n", k)
	}
	b.WriteString("  } else {\n")
	for k := range s.keys {
		fmt.Fprintf(&b, "    if (at + %[1]du * $SG < params.n) { k%[1]d = x0[at + %[1]du * $SG]; }\n", k)
	}
	b.WriteString("  }\n")
	for k := range s.keys {
		fmt.Fprintf(&b, "  var d%[1]d = ((k%[1]d ^ params.flip) >> params.shift) & ($RADIX - 1u);\n", k)
	}
	b.WriteString("  if (!whole) {\n")
	for k := range s.keys {
		fmt.Fprintf(&b, "    if (at + %[1]du * $SG >= params.n) { d%[1]d = $RADIX - 1u; }\n", k)
	}
	return b.String() + "  }\n"
}

// rank leaves in p{k} how many keys of the same digit the subgroup has before the key.
func (s *sortShape) rank() string {
	var b strings.Builder
	for k := range s.keys {
		fmt.Fprintf(&b, `  var p%[1]d = 0u;
  {
    let m = peers(d%[1]d);
    let first = firstTrailingBit(m);
    if (lane == first) { p%[1]d = atomicAdd(&s[sub * $RADIX + d%[1]d], countOneBits(m)); }
    p%[1]d = subgroupShuffle(p%[1]d, first) + countOneBits(m & ((1u << lane) - 1u));
  }
`, k)
	}
	return b.String()
}

// digits sums the counters of subgroups and publishes the tile's counts; a thread or several serve a digit each.
func (s *sortShape) digits() string {
	publish := ""
	if s.wait {
		publish = `
    atomicStore(&state[mine + d], select(0x40000000u, 0x80000000u, tile == 0u) | sum);`
	}
	b := `
  for (var d = tid; d < $RADIX; d += $W) {
    var sum = 0u;
    for (var j = 0u; j < $SUBS; j++) {
      let c = atomicLoad(&s[j * $RADIX + d]);
      atomicStore(&s[j * $RADIX + d], sum);
      sum += c;
    }
    count[d] = sum;` + publish + `
  }
  workgroupBarrier();
`
	if s.sg < 32 {
		return b + `
  for (var d = tid; d < $RADIX; d += $W) {
    var sum = 0u;
    for (var j = 0u; j < d; j++) { sum += count[j]; }
    start[d] = sum;
  }
  workgroupBarrier();
`
	}
	return b + `
  var ahead = 0u;
  if (tid < $RADIX) {
    let c = count[tid];
    let t = subgroupInclusiveAdd(c);
    ahead = t - c;
    if (lane == $SG - 1u) { part[sub] = t; }
  }
  workgroupBarrier();
  if (tid < $RADIX) {
    for (var j = 0u; j < sub; j++) { ahead += part[j]; }
    start[tid] = ahead;
  }
  workgroupBarrier();
`
}

// bases finds where the tile's keys of each digit go: base[d] plus the place in the tile.
func (s *sortShape) bases() string {
	if !s.wait {
		return `
  for (var d = tid; d < $RADIX; d += $W) {
    base[d] = scanned[d * params.tiles + tile] - count[d] - start[d];
  }
`
	}
	ahead := s.ahead
	if ahead == 0 {
		ahead = 4
	}
	var loads, use strings.Builder
	for k := range ahead {
		fmt.Fprintf(&loads, "      var w%d = 0u;\n", k)
		fmt.Fprintf(&loads, "      if (t > %[1]du) { w%[1]d = atomicLoad(&state[at - %[2]du * $RADIX]); }\n", k, k+1)
		fmt.Fprintf(&use, "      if (w%[1]d != 0u) { sum += w%[1]d & 0x3fffffffu; t--; if (w%[1]d >> 31u == 1u) { t = 0u; } else {\n", k)
	}
	use.WriteString("      " + strings.Repeat("} } ", ahead) + "\n")
	return `
  for (var d = tid; d < $RADIX; d += $W) {
    var sum = 0u;
    var t = tile;
    while (t > 0u) {
      let at = mine + d - (tile - t) * $RADIX;
` + loads.String() + use.String() + `    }
    if (tile > 0u) { atomicStore(&state[mine + d], 0x80000000u | (sum + count[d])); }
    base[d] = first_of[params.table + d] + sum - start[d];
  }
`
}

// write brings the words of the elements to their places: through workgroup memory, so that neighbours go together.
func (s *sortShape) write() string {
	var b strings.Builder
	for k := range s.keys {
		fmt.Fprintf(&b, "  p%[1]d += start[d%[1]d] + atomicLoad(&s[sub * $RADIX + d%[1]d]);\n", k)
	}
	if !s.apart {
		b.WriteString("  workgroupBarrier();\n")
	}
	put, get := "atomicStore(&s[%s], %s)", "atomicLoad(&s[%s])"
	if s.apart {
		put, get = "keys[%s] = %s", "keys[%s]"
	}
	for k := range s.keys {
		fmt.Fprintf(&b, "  "+put+";\n", fmt.Sprintf("p%d", k), fmt.Sprintf("k%d", k))
	}
	b.WriteString(s.bases() + "  workgroupBarrier();\n")
	for k := range s.keys {
		fmt.Fprintf(&b, `  var o%[1]d = %[1]du * $W + tid;
  let in%[1]d = tile * $TILE + o%[1]d < params.n;
  if (in%[1]d) {
    let key = %[2]s;
    o%[1]d += base[((key ^ params.flip) >> params.shift) & ($RADIX - 1u)];
    y0[o%[1]d] = key;
  }
`, k, fmt.Sprintf(get, fmt.Sprintf("o%d", k)))
	}
	for w := 1; w < s.words; w++ {
		b.WriteString("  workgroupBarrier();\n")
		for k := range s.keys {
			fmt.Fprintf(&b, "  if (at + %[2]du * $SG < params.n) { %[3]s; }\n", w, k,
				fmt.Sprintf(put, fmt.Sprintf("p%d", k), fmt.Sprintf("x%d[at + %du * $SG]", w, k)))
		}
		b.WriteString("  workgroupBarrier();\n")
		for k := range s.keys {
			fmt.Fprintf(&b, "  if (in%[2]d) { y%[1]d[o%[2]d] = %[3]s; }\n", w, k,
				fmt.Sprintf(get, fmt.Sprintf("%du * $W + tid", k)))
		}
	}
	return b.String()
}

// passSource is the kernel of one pass.
//
// It moves every word of an element in and out, and a word a digit of each tile. It has seven barriers for keys of one word,
// and two more for each further word of an element.
func (s *sortShape) passSource() *Source {
	src := &Source{
		Name:    fmt.Sprintf("sort-pass-%dx%d-%d-%v-%v-%v-%d-%d", s.threads, s.keys, s.words, s.wait, s.match, s.apart, s.ahead, s.resident),
		Waits:   s.wait,
		Threads: s.threads, Consts: s.consts(), Raw: s.peers(), Resident: s.resident,
		Shared: []string{
			fmt.Sprintf("s atomic<u32> %d", max(s.threads/s.sg*s.radix(), s.tile())),
			fmt.Sprintf("count u32 %d", s.radix()), fmt.Sprintf("start u32 %d", s.radix()),
			fmt.Sprintf("base u32 %d", s.radix()), "part u32 32", "own u32 1",
		},
		Params: []string{"n", "tiles", "shift", "flip", "table", "region"},
	}
	if s.apart {
		src.Shared[0] = fmt.Sprintf("s atomic<u32> %d", s.threads/s.sg*s.radix())
		src.Shared = append(src.Shared, fmt.Sprintf("keys u32 %d", s.tile()))
	}
	for j := range s.words {
		src.Buffers = append(src.Buffers, fmt.Sprintf("x%d u32", j))
	}
	for j := range s.words {
		src.Buffers = append(src.Buffers, fmt.Sprintf("y%d u32", j))
	}
	number := "  if (group >= params.tiles) { return; }\n  let tile = group;\n"
	if s.wait {
		src.Buffers = append(src.Buffers, "first_of u32", "state atomic<u32>")
		number = `  if (tid == 0u) { own[0] = atomicAdd(&state[params.region], 1u); }
  let tile = workgroupUniformLoad(&own[0]);
  if (tile >= params.tiles) { return; }
  let mine = params.region + 4u + tile * $RADIX;
`
	} else {
		src.Buffers = append(src.Buffers, "scanned u32")
	}
	src.Body = number + `
  let lane = tid % $SG;
  let sub = tid / $SG;
  let at = tile * $TILE + sub * $PIECE + lane;
  for (var i = tid; i < $SUBS * $RADIX; i += $W) { atomicStore(&s[i], 0u); }
` + s.load() + "  workgroupBarrier();\n" + s.rank() + "  workgroupBarrier();\n" + s.digits() + s.write()
	return src
}
