package random

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"skald/runtime/value"
)

// Case is a program and the arguments of its entry point `main`.
type Case struct {
	Seed uint64
	Text string
	Args []value.Value

	taken []uint32
	spans []span
}

// Make makes a program.
func Make(seed uint64) *Case {
	return generate(seed, &choices{rng: rand.New(rand.NewPCG(seed, 3))})
}

// generator is the state of Make.
type generator struct {
	*choices
	names   int
	helpers []helper
	palette []typ
	// sizes are the values of the sizes that types mention.
	sizes map[string]int
	// work is how often the code that is being made runs for each call of the entry point, spent how much work all code made so far is.
	work, spent int
	// most bounds the points of a nest.
	most int
}

// Bounds of how long a program runs and how long its text is.
const (
	mostSpent = 400_000
	mostNodes = 300
)

// helper is a definition that the rest of the program may use. It takes n and m, and then its parameters.
type helper struct {
	name   string
	params []typ
	result typ
	// param is the type parameter of the definition, or nil; then the parameters are those that polymorphic says.
	param typ
	// cost is the work of a call.
	cost int
}

// variable is something that an expression may mention.
type variable struct {
	name string
	typ  typ
}

type scope []variable

func (s scope) with(vs ...variable) scope { return append(s[:len(s):len(s)], vs...) }

// fresh makes a name.
func (g *generator) fresh(base string) string {
	g.names++
	return fmt.Sprintf("%s%d", base, g.names)
}

// affordable reports whether n points of the code that is being made are few enough.
func (g *generator) affordable(n int) bool { return g.work*n <= g.most }

// times makes code that runs n times where the generator is.
func (g *generator) times(n int, code func() string) string {
	old := g.work
	g.work *= max(n, 1)
	defer func() { g.work = old }()
	return code()
}

// generate makes a case of a sequence of decisions.
func generate(seed uint64, c *choices) *Case {
	g := &generator{choices: c, work: 1}
	depth := g.pickSizes()
	g.palette = []typ{i32, i64, boolean}
	for range 1 + g.IntN(3) {
		t := pick[typ](c, i32, boolean, scalar("i8"), scalar("i16"), i64, scalar("u8"), scalar("u16"), scalar("u32"), scalar("u64"),
			scalar("f16"), scalar("f32"), scalar("f64"))
		// What a program is about appears in it more often.
		g.palette = append(g.palette, t, t)
	}
	sc := scope{{"n", i64}, {"m", i64}}
	for range 1 + g.IntN(4) {
		sc = append(sc, variable{g.fresh("x"), g.plain(2)})
	}
	var b strings.Builder
	for i := range g.IntN(3) {
		b.WriteString(g.helper(fmt.Sprintf("helper%d", i)))
	}
	if g.oneIn(3) {
		b.WriteString(g.polymorphic("poly"))
	}
	results := make([]string, 1+g.IntN(3))
	for i := range results {
		results[i] = g.result(sc, depth)
	}
	if g.oneIn(8) {
		results = append(results, g.failing(sc, depth-2))
	}
	b.WriteString("entry main")
	for _, v := range sc {
		fmt.Fprintf(&b, " (%s: %s)", v.name, v.typ)
	}
	fmt.Fprintf(&b, " =\n  (%s)\n", strings.Join(results, ",\n   "))
	return &Case{seed, used(b.String()) + b.String(), g.arguments(seed, sc), c.taken, c.spans}
}

// pickSizes picks the values of n and m, most of them about where kernels change their form, and how deep expressions may be. It
// takes as many decisions for all of them, so that Shrink can try others.
func (g *generator) pickSizes() (depth int) {
	few := []int{1, 2, 3, 4, 0, 5, 7}
	kind := g.IntN(50)
	n, m := pick(g.choices, few...), pick(g.choices, few...)
	edge := pick(g.choices, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025)
	wide := pick(g.choices, 127, 128, 129, 255, 256, 257)
	warp, big := pick(g.choices, 31, 32, 33), pick(g.choices, 10_000, 65_535, 65_536, 65_537, 100_000)
	isWarp, isSwapped := g.oneIn(4), g.oneIn(4)
	depth, g.most = 5, 4_000
	switch {
	case kind == 49:
		n, m = big, 1+m%2
		depth, g.most = 3, 200_000
	case kind >= 46:
		// As many rows and columns as make devices choose other versions of nests.
		n, m = edge, wide
		depth, g.most = 3, 300_000
	case kind >= 15:
		n, depth = edge, 4
		if isWarp {
			m = warp
		}
		if isSwapped {
			n, m = m, n
		}
	}
	g.sizes = map[string]int{"n": n, "m": m, "3": 3}
	return depth
}

// result makes a result of the entry point, which is larger than an expression needs to be.
func (g *generator) result(sc scope, depth int) string {
	if g.oneIn(6) {
		of := pick(g.choices, scalar("f64"), "f64", "f32")
		p := polynomial{g, of, sc, nil}
		return g.derivative(sc, p.pointType(), depth)
	}
	t := g.plain(2)
	switch g.IntN(10) {
	case 8, 9:
		return g.unsized(sc, g.scalarType(), depth)
	case 7:
		if e := g.ragged(sc, array{g.size(), g.scalarType()}, depth); e != "" {
			return e
		}
	}
	defer g.begin(t.String())()
	if g.IntN(10) == 0 {
		return g.leaf(sc, t)
	}
	return g.compound(sc, t, depth)
}

// helper makes a definition, whose parameters may be functions.
func (g *generator) helper(name string) string {
	h := helper{name: name, result: g.anyType(2)}
	text := "def " + name + " (n: i64) (m: i64)"
	sc := scope{{"n", i64}, {"m", i64}}
	for range 1 + g.IntN(2) {
		v := variable{g.fresh("p"), g.anyType(2)}
		h.params = append(h.params, v.typ)
		sc = sc.with(v)
		text += fmt.Sprintf(" (%s: %s)", v.name, v.typ)
	}
	before := g.spent
	text += fmt.Sprintf(" : %s =\n  %s\n\n", h.result, g.exp(sc, h.result, 3))
	h.cost = g.spent - before
	g.helpers = append(g.helpers, h)
	return text
}

// polymorphic makes a definition with a type parameter t, two values of it, and functions to and from i32.
func (g *generator) polymorphic(name string) string {
	t := typeVar("t")
	h := helper{name: name, param: t, result: pick[typ](g.choices, t, i32, option{t}, tuple{t, i32}, array{"3", t}, function{t, t})}
	sc := scope{{"n", i64}, {"m", i64}, {"make_t", function{i32, t}}, {"of_t", function{t, i32}}, {"y", t}}
	before := g.spent
	text := fmt.Sprintf("def %s 't (n: i64) (m: i64) (make_t: i32 -> t) (of_t: t -> i32) (y: t) : %s =\n  %s\n\n", name, h.result,
		g.exp(sc, h.result, 3))
	h.cost = g.spent - before
	g.helpers = append(g.helpers, h)
	return text
}

// File is the program as a test program, with the arguments as input and without the results.
func (c *Case) File() string {
	input := ""
	for _, a := range c.Args {
		input += " " + a.String()
	}
	return fmt.Sprintf("-- seed %d\n-- ==\n-- input {%s }\n\n%s", c.Seed, input, c.Text)
}
