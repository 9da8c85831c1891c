package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skald/runtime/device"
)

// Note [Operators on arrays]
//
// An element is an array of k words, one after the other, and a thread owns one word of a running element: k threads
// fold consecutive elements. What a word of the result needs of other words comes through workgroup memory, or by
// shuffles where k divides the subgroup. Two copies of workgroup memory are used in turn, so that one barrier an element
// is enough: who writes a copy again has met everybody who read it at the barrier of the other. An operator that works
// word by word needs none of this, and its barriers are left out.
//
// A reduction takes two launches. A scan takes three: each running element leaves what lies before it in its workgroup,
// and a workgroup its total; one workgroup scans the totals; and the elements are folded again.

// arrayOperator joins arrays: join is word w of the result, from words p and q of both, and from any word j of either
// array by P(j) and Q(j), which stand only where all threads come. See Note [Operators on arrays].
type arrayOperator struct {
	name string
	join string // Statements that set r.
	zero string // Word w of the neutral element.
	word bool   // Neither P nor Q is used.

	// reference joins in place: p = join(p, q).
	reference func(p, q []uint32)
	neutral   func(w int) uint32
	sample    func(e, w, k int) uint32
}

var (
	// The sum of vectors.
	vectorSum = &arrayOperator{
		name: "sum", join: "r = p + q;", zero: "0u", word: true,
		reference: func(p, q []uint32) {
			for w := range p {
				p[w] += q[w]
			}
		},
		neutral: func(int) uint32 { return 0 }, sample: func(e, w, k int) uint32 { return mix(uint32(e*k + w)) },
	}
	// Functions from {0..k-1} to itself, one after the other: it does not commute.
	composition = &arrayOperator{
		name: "compose", join: "r = Q(p);", zero: "w",
		reference: func(p, q []uint32) {
			for w := range p {
				p[w] = q[p[w]]
			}
		},
		neutral: func(w int) uint32 { return uint32(w) },
		sample: func(e, w, k int) uint32 { // A rotation, but for few elements that let two words fall together.
			if e%64 == 0 && w == 0 {
				return 0
			}
			return (uint32(w) + mix(uint32(e))) % uint32(k)
		},
	}
	// Polynomials modulo x^k.
	polynomials = &arrayOperator{
		name: "polynomial", zero: "select(0u, 1u, w == 0u)",
		join: "for (var j = 0u; j < $K; j++) { let a = P(j); let b = Q((w + $K - j) % $K); r += select(0u, a * b, j <= w); }",
		reference: func(p, q []uint32) {
			for w := len(p) - 1; w >= 0; w-- {
				r := uint32(0)
				for j := range w + 1 {
					r += p[j] * q[w-j]
				}
				p[w] = r
			}
		},
		neutral: func(w int) uint32 { return bit(w == 0) },
		sample:  func(e, w, k int) uint32 { return mix(uint32(e*k+w))%16 + bit(w == 0) },
	}
)

// arrayShape is how an operator on arrays is carried out: see Note [Operators on arrays].
type arrayShape struct {
	op      *arrayOperator
	k       int // Words of an element.
	threads int
	shuffle bool // Words come from other threads by shuffles.
	sg      int
}

// owners is how many running elements a workgroup has.
func (s *arrayShape) owners() int { return s.threads / s.k }

// fold is the text that joins q, a word of the next element, to acc, for step number e.
func (s *arrayShape) fold(q, e string) string {
	join := s.op.join
	access := func(call, own, copy string) string {
		if s.shuffle {
			return strings.ReplaceAll(join, call+"(", "subgroupShuffle("+own+", base + ")
		}
		var b strings.Builder
		for {
			before, after, found := strings.Cut(join, call+"(")
			b.WriteString(before)
			if !found {
				return b.String()
			}
			index, rest := firstArgument(after)
			fmt.Fprintf(&b, "%s[here + %s]", copy, index)
			join = rest
		}
	}
	join = access("P", "p", "ps")
	join = access("Q", "q", "qs")
	share := ""
	if !s.op.word && !s.shuffle {
		share = fmt.Sprintf("let here = %s %% 2u * $W + base; ps[here + w] = p; qs[here + w] = q;\n    workgroupBarrier();", e)
	}
	return fmt.Sprintf("  {\n    let p = acc; let q = %s; var r = 0u;\n    %s\n    %s\n    acc = r;\n  }\n", q, share, join)
}

// begin is how bodies begin: what a thread owns.
func (s *arrayShape) begin() string {
	base := "tid - w"
	if s.shuffle {
		base = "(tid - w) % $SG"
	}
	return `
  let w = tid % $K;
  let owner = tid / $K;
  let base = ` + base + `;
  var acc = ` + s.op.zero + ";\n"
}

// source returns a kernel with the constants of the shape.
func (s *arrayShape) source(what, body string, buffers, params []string) *Source {
	k := &Source{
		Name: fmt.Sprintf("array-%s-%s-%d-%t", what, s.op.name, s.k, s.shuffle), Threads: s.threads, Buffers: buffers, Params: params,
		Body: body,
		Consts: map[string]any{
			"K": fmt.Sprintf("%du", s.k), "SG": fmt.Sprintf("%du", s.sg), "OWNERS": fmt.Sprintf("%du", s.owners()),
			"ZERO": s.op.zero,
		},
	}
	for _, name := range []string{"ps", "qs"} {
		if strings.Contains(body, name+"[") {
			k.Shared = append(k.Shared, fmt.Sprintf("%s u32 %d", name, 2*s.threads))
		}
	}
	return k
}

// walk folds the elements of an owner, `ahead` of them loaded at a time, and carries out `each` after each.
func (s *arrayShape) walk(each string) string {
	const ahead = 4
	var load, fold strings.Builder
	for c := range ahead {
		fmt.Fprintf(&load, "    var q%[1]d = $ZERO; if (i + %[1]du < params.n) { q%[1]d = x[(i + %[1]du) * $K + w]; }\n", c)
		fmt.Fprintf(&fold, "%s%s", s.fold(fmt.Sprintf("q%d", c), fmt.Sprintf("%du", c)),
			strings.ReplaceAll(each, "$AT", fmt.Sprintf("(i + %du)", c)))
	}
	return `
  for (var e = 0u; e < params.each; e += 4u) {
    let i = (group * $OWNERS + owner) * params.each + e;
` + load.String() + fold.String() + "  }\n"
}

// total leaves the totals of all elements of owners, joined within the workgroup.
//
// It reads each element once; one barrier an element where the operator needs other words, and as many as the logarithm
// of a workgroup's running elements.
func (s *arrayShape) total() *Source {
	tree := ""
	for level := 0; 1<<level < s.owners(); level++ {
		tree += fmt.Sprintf(`  workgroupBarrier();
  ts[tid] = acc;
  workgroupBarrier();
  {
    let mine = acc;
    var other = $ZERO;
    if (owner + %[1]du < $OWNERS) { other = ts[tid + %[1]du * $K]; }
%[2]s    if (owner %% %[3]du != 0u) { acc = mine; }
  }
`, 1<<level, s.fold("other", fmt.Sprintf("%du", level)), 2<<level)
	}
	k := s.source("total", s.begin()+s.walk("")+tree+"  if (owner == 0u) { part[group * $K + w] = acc; }\n",
		[]string{"x u32", "part u32"}, []string{"n", "each"})
	k.Shared = append(k.Shared, fmt.Sprintf("ts u32 %d", s.threads))
	return k
}

// meet is the text that joins the running elements of a workgroup one after the other: `ahead` is what lies before the
// thread's, and acc all of them.
func (s *arrayShape) meet() string {
	return `  ts[tid] = acc;
  workgroupBarrier();
  acc = $ZERO;
  var ahead = acc;
  for (var o = 0u; o < $OWNERS; o++) {
    if (o == owner) { ahead = acc; }
    let q0 = ts[o * $K + w];
` + s.fold("q0", "o") + "  }\n  workgroupBarrier();\n"
}

// scans are the three kernels of a scan.
//
// They read each element twice and write it once, with the barriers of total, and two beside one for each running element.
func (s *arrayShape) scans() []*Source {
	own := s.source("own", s.begin()+s.walk("")+s.meet()+`
  inner[(group * $OWNERS + owner) * $K + w] = ahead;
  if (owner == 0u) { outer[group * $K + w] = acc; }
`, []string{"x u32", "inner u32", "outer u32"}, []string{"n", "each"})
	share := func(then string) string {
		return `
  for (var e = 0u; e < params.each; e++) {
    let i = owner * params.each + e;
    var q0 = $ZERO;
    if (i < params.n) { q0 = outer[i * $K + w]; ` + then + " }\n" + s.fold("q0", "e") + "  }\n"
	}
	middle := s.source("before", s.begin()+share("")+s.meet()+"  acc = ahead;\n"+share("outer[i * $K + w] = acc;"),
		[]string{"outer u32"}, []string{"n", "each"})
	for _, k := range []*Source{own, middle} {
		k.Shared = append(k.Shared, fmt.Sprintf("ts u32 %d", s.threads))
	}
	write := s.source("write", s.begin()+`
  {
    acc = outer[group * $K + w];
    let behind = inner[(group * $OWNERS + owner) * $K + w];
`+s.fold("behind", "1u")+"  }\n"+
		s.walk("    if ($AT < params.n && e + ($AT - i) < params.each) { y[$AT * $K + w] = acc; }\n"),
		[]string{"x u32", "inner u32", "outer u32", "y u32"}, []string{"n", "each"})
	return []*Source{own, middle, write}
}

// Arguments of arrayCase.
const (
	byShuffles = true
	byMemory   = false
)

// Arguments of arrayCase and rowsCase.
const (
	aScan      = true
	aReduction = false
)

// arrayCase reduces or scans n arrays of k words.
func arrayCase(op *arrayOperator, n, k int, scan, shuffle bool) Case {
	what, bytes := "reduce", 4*int64(n*k)
	if scan {
		what, bytes = "scan", 3*bytes
	}
	name := fmt.Sprintf("%s/array-%s/%dx%d", what, op.name, n, k)
	if shuffle {
		name += "/shuffle"
	}
	input := sync.OnceValue(func() []uint32 {
		xs := make([]uint32, n*k)
		inParallel(n*k, func(i int) { xs[i] = op.sample(i/k, i%k, k) })
		return xs
	})
	return Case{Name: name, Bytes: bytes, Plan: func(f *device.Facts) (*Plan, string) {
		sg, _ := subgroup(f)
		s := arrayShape{op: op, k: k, threads: max(1, 256/k) * k, shuffle: shuffle && sg%k == 0, sg: sg}
		owners := s.owners()
		groups := max(1, min(f.Units*8, (n+16*owners-1)/(16*owners)))
		share := func(n, owners int) uint32 { return uint32((n+owners-1)/owners+3) / 4 * 4 }
		each := share(n, groups*owners)
		xs := input()
		p := &Plan{}
		x := p.give(xs)[0]
		params := []uint32{uint32(n), each}
		var result int
		if scan {
			inner, outer := p.reserve(1, groups*owners*k)[0], p.reserve(1, groups*k)[0]
			result = p.reserve(1, n*k)[0]
			p.Kernels = s.scans()
			p.Steps = []Step{
				{Groups: groups, Buffers: []int{x, inner, outer}, Params: params},
				{
					Kernel: 1, Groups: 1, Buffers: []int{outer},
					Params: []uint32{uint32(groups), uint32((groups + owners - 1) / owners)},
				},
				{Kernel: 2, Groups: groups, Buffers: []int{x, inner, outer, result}, Params: params},
			}
		} else {
			part := p.reserve(1, groups*k)[0]
			result = p.reserve(1, k)[0]
			p.Kernels = []*Source{s.total()}
			p.Steps = []Step{
				{Groups: groups, Buffers: []int{x, part}, Params: params},
				{Groups: 1, Buffers: []int{part, result}, Params: []uint32{uint32(groups), share(groups, owners)}},
			}
		}
		p.Check = func(read func(int) []uint32) error {
			m := monoid{make([]uint32, k), op.reference}
			for w := range m.neutral {
				m.neutral[w] = op.neutral(w)
			}
			got, element := read(result), func(i int, e []uint32) { copy(e, xs[i*k:(i+1)*k]) }
			if scan {
				return m.scan(n, element, func(i int, _, acc []uint32) error {
					if at := got[i*k : (i+1)*k]; !slices.Equal(at, acc) {
						return fmt.Errorf("element %d is %d, want %d", i, at, acc)
					}
					return nil
				})
			}
			want := m.total(n, element)
			return same("reduce", got, func(w int) uint32 { return want[w] })
		}
		return p, ""
	}}
}
