package main

import (
	"fmt"
	"strings"
)

// Note [Keeping some elements]
//
// Where what is scanned says whether to keep an element, a thread has elements as far apart as the subgroup has
// threads: a ballot says which of a subgroup's neighbours are kept, and the bits before a thread's own, counted, where
// its element goes. So neighbours that are kept are stored side by side by one instruction, and neither workgroup memory
// nor shuffles bring them together. A thread remembers its elements and a bit of each; ballots are held again.

// words is how many elements a thread has, 32 at most.
func (s *scanShape) words() int { return 4 * s.rows }

// ballot is the ballot of a condition: a word, or two where subgroups have more than 32 threads. See Note [Keeping some elements].
func (s *scanShape) ballot(condition string) string {
	part := ".x"
	if s.sg > 32 {
		part = ".xy"
	}
	return "subgroupBallot(" + condition + ")" + part
}

// bits counts a ballot's bits.
func (s *scanShape) bits(ballot string) string {
	if s.sg > 32 {
		return fmt.Sprintf("(countOneBits(%[1]s).x + countOneBits(%[1]s).y)", ballot)
	}
	return "countOneBits(" + ballot + ")"
}

// count reads the tile, and counts which elements to keep: `ahead` before the subgroup, `total` in all. The bits of `mine`
// are the thread's.
func (s *scanShape) count() string {
	var b strings.Builder
	b.WriteString("  let from_ = (tile * $TILE + sub * $PIECE) * 4u + lane;\n  let whole = (tile + 1u) * $TILE <= params.n / 4u;\n")
	for k := range s.words() {
		fmt.Fprintf(&b, "  var v%d = 0u;\n", k)
	}
	b.WriteString("  if (whole) {\n")
	for k := range s.words() {
		fmt.Fprintf(&b, "    v%d = x0[from_ + %du];\n", k, k*s.sg)
	}
	b.WriteString("  } else {\n")
	for k := range s.words() {
		fmt.Fprintf(&b, "    if (from_ + %[2]du < params.n) { v%[1]d = x0[from_ + %[2]du]; }\n", k, k*s.sg)
	}
	b.WriteString("  }\n  var piece = 0u;\n  var mine = 0u;\n")
	for k := range s.words() {
		inside := fmt.Sprintf("(whole | (from_ + %du < params.n))", k*s.sg)
		fmt.Fprintf(&b, "  {\n    let kept = %s & (pre(v%d) == 1u);\n    let m = %s;\n", inside, k, s.ballot("kept"))
		fmt.Fprintf(&b, "    piece += %s;\n    mine |= select(0u, %du, kept);\n  }\n", s.bits("m"), uint32(1)<<k)
	}
	return b.String() + s.meet("piece", "ahead", "total")
}

// keep stores what is to be kept, behind `carry` elements of earlier tiles; other elements go behind `behind`, if it is given.
func (s *scanShape) keep(behind string) string {
	var b strings.Builder
	below := "(1u << lane) - 1u"
	if s.sg > 32 {
		below = "vec2<u32>(select(0xffffffffu, (1u << (lane & 31u)) - 1u, lane < 32u), select(0u, (1u << (lane & 31u)) - 1u, lane >= 32u))"
	}
	fmt.Fprintf(&b, "  let below = %s;\n  var to = carry + ahead;\n", below)
	for k := range s.words() {
		fmt.Fprintf(&b, "  {\n    let kept = (mine & %du) != 0u;\n    let m = %s;\n", uint32(1)<<k, s.ballot("kept"))
		fmt.Fprintf(&b, "    let w = to + %s;\n    to += %s;\n", s.bits("(m & below)"), s.bits("m"))
		if behind == "" {
			fmt.Fprintf(&b, "    if (kept) { y0[w] = v%d; }\n  }\n", k)
			continue
		}
		i := fmt.Sprintf("(from_ + %du)", k*s.sg)
		fmt.Fprintf(&b, "    if (whole | (%[1]s < params.n)) { y0[select(%[2]s + %[1]s - w, w, kept)] = v%[3]d; }\n  }\n", i, behind, k)
	}
	return b.String()
}

// countAgain declares `acc` as how many elements of the subgroup's piece of a tile are kept.
func (s *scanShape) countAgain() string {
	return `    var acc = 0u;
    for (var k = 0u; k < ` + fmt.Sprint(s.words()) + `u; k++) {
      let i = (tile * $TILE + sub * $PIECE) * 4u + k * $SG + lane;
      var v = 0u;
      if (i < params.n) { v = x0[i]; }
      let m = ` + s.ballot("(i < params.n) & (pre(v) == 1u)") + `;
      acc += ` + s.bits("m") + `;
    }
`
}
