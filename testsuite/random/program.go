package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Arguments are the arguments of every program's entry point, in Futhark's text format.
const Arguments = "4i64 2i64 7i32 [3i32, -1i32, 4i32, 1i32] [[5i32, 9i32, 2i32, 6i32], [5i32, 3i32, -5i32, 8i32]]"

// library is what every program begins with.
const library = `type opt 'a = #none | #some a
type^ pairs 'p 'q = {a: p, b: q}

def twice '^a (f: a -> a) (x: a) : a = f (f x)
def compose '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def call 'a '^b (f: a -> b) (x: a) : b = f x
def flip '^a '^b '^c (f: a -> b -> c) (y: b) (x: a) : c = f x y
def swap '^a '^b (x: a, y: b) : (b, a) = (y, x)
def both 'a '^b (f: a -> b) (x: a) (y: a) : (b, b) = (f x, f y)
def or_else 'a (o: opt a) (x: a) : a = match o case #none -> x case #some y -> y
def with_opt 'a 'b (f: a -> b) (o: opt a) : opt b = match o case #none -> #none case #some x -> #some (f x)
def ends [k] 'a (xs: [k]a) : (a, a) = (xs[0], xs[k - 1])
def bump [k] (i: i64) (v: i32) (xs: *[k]i32) : *[k]i32 = xs with [i % k] = v
def table [k] 'a (f: i64 -> a) : [k]a = map f (iota k)
def positive (xs: []i32) : []i32 = filter (> 0) xs
def adder (k: i32) : i32 -> i32 = \x -> x + k
def clamp (x: i32) : i32 = x % 1000

type^ lifted '~a = #many a | #few i32
def lifted_map '~a '~b (f: a -> b) (l: lifted a) : lifted b =
  match l case #many x -> #many (f x) case #few k -> #few k
def repeat '~a (k: i32) (f: (() -> a) -> a) (x: () -> a) : a = loop y = x () for _i < k do f (\() -> y)

type^ step = #const (() -> []i32) | #make (i32 -> []i32)
def run_step (s: step) (x: i32) : []i32 =
  match s case #const xs -> positive (xs ()) case #make f -> f x ++ [1]

module type boxes = {
  type~ t
  val pack [n] : [n]i32 -> t
  val grow : i32 -> t -> t
  val unpack : t -> []i32
}
module box : boxes = {
  type~ t = []i32
  def pack xs = xs
  def grow x (xs: []i32) = xs ++ [x]
  def unpack xs = xs
}

`

// Program makes a program. Its entry point `main` takes Arguments.
func Program(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 3))}
	var b strings.Builder
	b.WriteString(library)
	for i := range g.IntN(3) {
		b.WriteString(g.helper(fmt.Sprintf("helper%d", i)))
	}
	for i := range g.IntN(2) {
		b.WriteString(g.polymorphic(fmt.Sprintf("poly%d", i)))
	}
	sc := scope{
		{"n", i64},
		{"m", i64},
		{"x", i32},
		{"xs", array{"n", i32}},
		{"yss", array{"m", array{"n", i32}}},
	}
	results := make([]string, 1+g.IntN(3))
	for i := range results {
		results[i] = g.exp(sc, g.plain(2), 5)
	}
	fmt.Fprintf(&b, "entry main (n: i64) (m: i64) (x: i32) (xs: [n]i32) (yss: [m][n]i32) =\n  (%s)\n", strings.Join(results, ",\n   "))
	return b.String()
}

// generator is the state of Program.
type generator struct {
	*rand.Rand
	names   int
	helpers []helper
}

// helper is a definition that the rest of the program may use. It takes n and m, and then its parameters.
type helper struct {
	name   string
	params []typ
	result typ
	// param is the type parameter of the definition, or nil; then the parameters are those that polymorphic says.
	param typ
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
	text += fmt.Sprintf(" : %s =\n  %s\n\n", h.result, g.exp(sc, h.result, 4))
	g.helpers = append(g.helpers, h)
	return text
}

// polymorphic makes a definition with a type parameter t, two values of it, and functions to and from i32.
func (g *generator) polymorphic(name string) string {
	t := typeVar("t")
	h := helper{name: name, param: t, result: pick[typ](g, t, i32, option{t}, tuple{t, i32}, array{g.size(), t}, function{t, t})}
	sc := scope{{"n", i64}, {"m", i64}, {"make_t", function{i32, t}}, {"of_t", function{t, i32}}, {"y", t}}
	text := fmt.Sprintf("def %s 't (n: i64) (m: i64) (make_t: i32 -> t) (of_t: t -> i32) (y: t) : %s =\n  %s\n\n", name, h.result,
		g.exp(sc, h.result, 4))
	g.helpers = append(g.helpers, h)
	return text
}

// size picks a size.
func (g *generator) size() string { return pick(g, "n", "m", "3") }

func pick[T any](g *generator, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *generator) scalarType() typ { return pick[typ](g, i32, i32, i32, i64, boolean) }

// plain makes a type whose values have a text form: a scalar or an array of scalars.
func (g *generator) plain(depth int) typ {
	if depth > 0 && g.IntN(2) == 0 {
		return array{g.size(), g.plain(depth - 1)}
	}
	return g.scalarType()
}

// firstOrder makes a type without functions.
func (g *generator) firstOrder(depth int) typ {
	if depth == 0 {
		return g.scalarType()
	}
	switch g.IntN(7) {
	case 0, 1:
		return array{g.size(), g.firstOrder(depth - 1)}
	case 2:
		return tuple{g.firstOrder(depth - 1), g.firstOrder(depth - 1)}
	case 3:
		return record{g.firstOrder(depth - 1), g.firstOrder(depth - 1)}
	case 4:
		return option{g.firstOrder(depth - 1)}
	default:
		return g.scalarType()
	}
}

// anyType makes a type that may have functions in it.
func (g *generator) anyType(depth int) typ {
	if depth == 0 {
		return g.scalarType()
	}
	switch g.IntN(5) {
	case 0:
		return function{g.firstOrder(depth - 1), g.anyType(depth - 1)}
	case 1:
		return record{g.anyType(depth - 1), g.anyType(depth - 1)}
	case 2:
		return tuple{g.anyType(depth - 1), g.firstOrder(depth - 1)}
	default:
		return g.firstOrder(depth)
	}
}
