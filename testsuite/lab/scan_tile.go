package main

import (
	"fmt"
	"strings"
)

// Note [A tile of a scan]
//
// A subgroup owns a piece of consecutive rows; in a row each thread holds four elements, 16 bytes of every array, so
// that every load and store is whole. A thread joins its elements of a row, the subgroup scans these, and the totals of
// rows are joined in registers: no barrier. The totals of subgroups meet in workgroup memory,
// where every thread joins those before its own: one barrier a tile. At last each element is joined to what lies before the
// thread's. Elements that a fused map makes of far fewer words are not kept so long: what was read is, and they are made
// and joined once more. What lies beyond the end comes after all elements, so that it shows nowhere.

// scanShape is how a scan is carried out: see Note [A tile of a scan].
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

// load reads row k of the subgroup's piece of tile `at` into v{k}_{j} for array j, for all rows: first all loads.
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

// remade reports whether a thread keeps what it has read and makes elements of it again.
func (s *scanShape) remade() bool { return s.op.width() > 2*len(s.op.inputs()) }

// joinRow declares e{k}, what the thread's elements of row k join to. Elements that are not remade are left joined with
// those before them, as e{k}_{c}.
func (s *scanShape) joinRow(k int) string {
	x := func(c int) string { return s.first(fmt.Sprintf("v%d_", k), c) }
	if s.remade() {
		return fmt.Sprintf("  let e%d = join(join(join(%s, %s), %s), %s);\n", k, x(0), x(1), x(2), x(3))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  let e%d_0 = %s;\n", k, x(0))
	for c := 1; c < 4; c++ {
		fmt.Fprintf(&b, "  let e%[1]d_%[2]d = join(e%[1]d_%[3]d, %[4]s);\n", k, c, c-1, x(c))
	}
	return b.String() + fmt.Sprintf("  let e%[1]d = e%[1]d_3;\n", k)
}

// scan scans all rows: afterwards what lies before the thread's elements of row k is, within the piece, q{k}, within
// the workgroup join(ahead, q{k}), and total joins the whole tile.
func (s *scanShape) scan() string {
	var b strings.Builder
	for k := range s.rows {
		b.WriteString(s.joinRow(k))
		b.WriteString(s.across(fmt.Sprintf("e%d", k), fmt.Sprintf("t%d", k), fmt.Sprintf("p%d", k), fmt.Sprintf("r%d", k)))
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
			switch {
			case !s.remade():
				fmt.Fprintf(&b, "  let w%d = join(o, e%d_%d);\n", c, k, c)
			case c == 0:
				fmt.Fprintf(&b, "  let w0 = join(o, %s);\n", s.first(fmt.Sprintf("v%d_", k), 0))
			default:
				fmt.Fprintf(&b, "  let w%d = join(w%d, %s);\n", c, c-1, s.first(fmt.Sprintf("v%d_", k), c))
			}
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
