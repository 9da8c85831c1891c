package main

import (
	"fmt"
	"strings"
)

// Note [A tile of a scan]
//
// A subgroup owns a piece of consecutive rows; in a row each thread holds four elements, 16 bytes of every array, so
// that every load and store is whole. A thread scans its four elements of a row, the subgroup scans the last of them,
// and the totals of rows are joined in registers: no barrier. The totals of subgroups meet in workgroup memory, where
// every thread joins those before its own: one barrier a tile. Beyond the end all elements are neutral.

// scanShape is how a scan is carried out.
type scanShape struct {
	op      *Operator
	sg      int  // Threads of a subgroup.
	threads int  // Threads of a workgroup.
	rows    int  // Rows of a subgroup's piece.
	stream  bool // Results leave the cache first.

	// scatter: what is scanned is how many elements to keep. The elements are the result: those to keep at their number,
	// the others, in two passes, behind them.
	scatter bool
}

// perSub is how many words of 16 bytes a subgroup's piece has in each array.
func (s *scanShape) perSub() int { return s.sg * s.rows }

// tile is how many elements a tile has.
func (s *scanShape) tile() int { return 4 * s.threads * s.rows }

// consts are what the texts below leave open.
func (s *scanShape) consts() map[string]any {
	return map[string]any{
		"SG": fmt.Sprintf("%du", s.sg), "TILE": fmt.Sprintf("%du", s.tile()/4), "PIECE": fmt.Sprintf("%du", s.perSub()),
		"ROWS": fmt.Sprintf("%du", s.rows), "SUBS": fmt.Sprintf("%du", s.threads/s.sg), "ZERO": s.op.zero(),
	}
}

// shared declares the totals of subgroups and one element that a thread hands to all.
func (s *scanShape) shared() []string {
	var all []string
	for j, t := range s.op.Fields {
		all = append(all, fmt.Sprintf("s%d %s %d", j, t, s.threads/s.sg), fmt.Sprintf("c%d %s 1", j, t))
	}
	return all
}

// get and put are an element of the shared arrays with a prefix.
func (s *scanShape) get(prefix, at string) string {
	return s.op.element(func(j int) string { return fmt.Sprintf("%s%d[%s]", prefix, j, at) })
}

func (s *scanShape) put(prefix, at, e string) string {
	var b strings.Builder
	for j := range s.op.width() {
		fmt.Fprintf(&b, "%s%d[%s] = %s; ", prefix, j, at, s.op.field(e, j))
	}
	return b.String()
}

// load reads row k of the subgroup's piece of tile `at` into e{k}0 to e{k}3, for all rows: first all loads.
func (s *scanShape) load() string {
	var b strings.Builder
	types := s.op.inputs()
	for k := range s.rows {
		for j, t := range types {
			fmt.Fprintf(&b, "  var v%d_%d = vec4<%s>(%s(0), %s(0), %s(0), %s(0));\n", k, j, t, t, t, t, t)
		}
	}
	b.WriteString("  let whole = (tile + 1u) * $TILE <= params.n / 4u;\n  if (whole) {\n")
	for k := range s.rows {
		for j := range types {
			fmt.Fprintf(&b, "    v%[1]d_%[2]d = x%[2]d[at + %[1]du * $SG];\n", k, j)
		}
	}
	b.WriteString("  } else {\n")
	for k := range s.rows {
		for j := range types {
			fmt.Fprintf(&b, "    if ((at + %[1]du * $SG) * 4u < params.n) { v%[1]d_%[2]d = x%[2]d[at + %[1]du * $SG]; }\n", k, j)
		}
	}
	b.WriteString("  }\n")
	for k := range s.rows {
		for c := range 4 {
			fmt.Fprintf(&b, "  var e%d%d = %s;\n", k, c, s.first(fmt.Sprintf("v%d_", k), c))
		}
	}
	b.WriteString("  if (!whole) {\n")
	for k := range s.rows {
		for c := range 4 {
			fmt.Fprintf(&b, "    if ((at + %[1]du * $SG) * 4u + %[2]du >= params.n) { e%[1]d%[2]d = $ZERO; }\n", k, c)
		}
	}
	return b.String() + "  }\n"
}

// first is element c of the vectors with a prefix, mapped where a map is fused.
func (s *scanShape) first(prefix string, c int) string {
	if s.op.Pre != "" {
		return fmt.Sprintf("pre(%s0.%c)", prefix, "xyzw"[c])
	}
	return s.op.element(func(j int) string { return fmt.Sprintf("%s%d.%c", prefix, j, "xyzw"[c]) })
}

// across scans `e` over the subgroup: `t` with the thread's own, `p` without, `r` the last.
func (s *scanShape) across(e, t, p, r string) string {
	var b strings.Builder
	if s.op.Add {
		fmt.Fprintf(&b, "  let %[2]s = subgroupInclusiveAdd(%[1]s);\n  let %[3]s = %[2]s - %[1]s;\n", e, t, p)
	} else {
		fmt.Fprintf(&b, "  var %s = %s;\n", t, e)
		for d := 1; d < s.sg; d *= 2 {
			fmt.Fprintf(&b, "  { let u = %[2]s; if (lane >= %[3]du) { %[1]s = join(u, %[1]s); } }\n", t,
				s.op.shuffled("subgroupShuffleUp", t, fmt.Sprintf("%du", d)), d)
		}
		fmt.Fprintf(&b, "  var %[1]s = %[2]s;\n  if (lane == 0u) { %[1]s = $ZERO; }\n", p,
			s.op.shuffled("subgroupShuffleUp", t, "1u"))
	}
	fmt.Fprintf(&b, "  let %s = %s;\n", r, s.op.shuffled("subgroupShuffle", t, "$SG - 1u"))
	return b.String()
}

// scan scans all rows: afterwards what lies before the thread's elements of row k is, within the piece, q{k}, within
// the workgroup join(ahead, q{k}), and total joins the whole tile.
func (s *scanShape) scan() string {
	var b strings.Builder
	for k := range s.rows {
		for c := 1; c < 4; c++ {
			fmt.Fprintf(&b, "  e%[1]d%[2]d = join(e%[1]d%[3]d, e%[1]d%[2]d);\n", k, c, c-1)
		}
		b.WriteString(s.across(fmt.Sprintf("e%d3", k), fmt.Sprintf("t%d", k), fmt.Sprintf("p%d", k), fmt.Sprintf("r%d", k)))
	}
	b.WriteString("  let q0 = p0;\n  var piece = r0;\n")
	for k := 1; k < s.rows; k++ {
		fmt.Fprintf(&b, "  let q%[1]d = join(piece, p%[1]d);\n  piece = join(piece, r%[1]d);\n", k)
	}
	return b.String() + s.meet("piece", "ahead", "total")
}

// meet joins the pieces of all subgroups through workgroup memory.
func (s *scanShape) meet(piece, ahead, total string) string {
	return fmt.Sprintf(`  if (lane == 0u) { %[1]s}
  workgroupBarrier();
  var %[3]s = $ZERO;
  var %[4]s = $ZERO;
  for (var j = 0u; j < $SUBS; j++) {
    if (j == sub) { %[3]s = %[4]s; }
    %[4]s = join(%[4]s, %[2]s);
  }
`, s.put("s", "sub", piece), s.get("s", "j"), ahead, total)
}

// outs declares the arrays of the result.
func (s *scanShape) outs() []string {
	if s.scatter {
		return []string{"y0 u32"}
	}
	return arrays("y", s.op.outputs())
}

// exchange declares the workgroup memory in which a scatter puts its elements together.
func (s *scanShape) exchange() []string {
	if s.scatter {
		return []string{fmt.Sprintf("z u32 %d", s.tile())}
	}
	return nil
}

// move is the store of a scatter: kept elements go to their number, others to `behind` plus theirs, if it is given. They
// are brought together in workgroup memory first, so that neighbours leave together.
func (s *scanShape) move(behind string) string {
	var b strings.Builder
	b.WriteString("  let first = tile * $TILE * 4u;\n")
	for k := range s.rows {
		for c := range 4 {
			other := ""
			if behind != "" {
				other = fmt.Sprintf(" else { z[total + i - first - w] = v%d_0.%c; }", k, "xyzw"[c])
			}
			fmt.Fprintf(&b, `  {
    let i = (at + %[1]du * $SG) * 4u + %[2]du;
    let w = join(join(ahead, q%[1]d), e%[1]d%[2]d);
    if (whole || i < params.n) { if (pre(v%[1]d_0.%[3]c) == 1u) { z[w - 1u] = v%[1]d_0.%[3]c; }%[4]s }
  }
`, k, c, "xyzw"[c], other)
		}
	}
	b.WriteString("  workgroupBarrier();\n  for (var i = tid; i < total; i += $W) { y0[carry + i] = z[i]; }\n")
	if behind != "" {
		fmt.Fprintf(&b, `  let valid = min($TILE * 4u, params.n - first);
  for (var i = total + tid; i < valid; i += $W) { y0[%s + first - carry + i - total] = z[i]; }
`, behind)
	}
	return b.String()
}

// store writes the tile with `carry` before all of it.
func (s *scanShape) store() string {
	stream := ""
	if s.stream {
		stream = "stream "
	}
	var b strings.Builder
	b.WriteString("  let before = join(carry, ahead);\n")
	for k := range s.rows {
		fmt.Fprintf(&b, "  {\n  let o = join(before, q%d);\n", k)
		for c := range 4 {
			fmt.Fprintf(&b, "  let w%d = join(o, e%d%d);\n", c, k, c)
		}
		fmt.Fprintf(&b, "  if (whole || (at + %du * $SG) * 4u < params.n) {\n", k)
		for j, t := range s.op.outputs() {
			words := make([]string, 4)
			for c := range words {
				w := fmt.Sprintf("w%d", c)
				if words[c] = s.op.field(w, j); s.op.Post != "" {
					words[c] = "post(" + w + ")"
				}
			}
			fmt.Fprintf(&b, "    %sy%d[at + %du * $SG] = vec4<%s>(%s);\n", stream, j, k, t, strings.Join(words, ", "))
		}
		b.WriteString("  }\n  }\n")
	}
	return b.String()
}

// place names the thread's place in the tile.
const place = `
  let lane = tid % $SG;
  let sub = tid / $SG;
  let at = tile * $TILE + sub * $PIECE + lane;
`
