package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/value/random"
)

// Note [Properties]
//
// A property is an entry point of type t -> bool with the attribute #[prop]. It is called with candidates: values of type t that its
// generator makes of a size and a random number, #[prop(gen(f))], or, without one, random values. A candidate for which it is
// false, or fails, is a counterexample, which is then made smaller: by the property's own function, #[prop(shrink(f))], which takes
// the candidate and a random number; else by making one of a smaller size of the same random number, and then by moving
// elements towards zero where no generator says what values must be like.

// Properties say how properties are tried. Zeros stand for what DefaultProperties has.
type Properties struct {
	// Candidates is how many values a property is tried on.
	Candidates int
	// LargestSize is the size of the last of them, unless #[prop(size(n))] says another for all.
	LargestSize int64
	// Patience is how many calls of a property's own function may fail in a row to make a counterexample smaller.
	Patience int
}

// DefaultProperties are enough to find most counterexamples quickly.
var DefaultProperties = Properties{Candidates: 100, LargestSize: 50, Patience: 100}

// shrinkSteps bounds the calls for making a counterexample smaller.
const shrinkSteps = 1000

// properties are those of the options, without zeros.
func (o *Options) properties() Properties {
	p, d := o.Properties, DefaultProperties
	return Properties{cmp.Or(p.Candidates, d.Candidates), cmp.Or(p.LargestSize, d.LargestSize), cmp.Or(p.Patience, d.Patience)}
}

// property tries one property.
type property struct {
	r           *caseRunner
	def         *types.Def
	gen, shrink string
	size        int64 // negative if it grows
	rand        *rand.Rand
	// failed is why the last candidate was a counterexample, if not for being false.
	failed error
}

// property tests one property.
func (r *caseRunner) property(name string) Result {
	out := Result{Kind: Ran, Entry: name, Case: "property"}
	fail := func(format string, args ...any) Result {
		out.Status, out.Reason = Fail, fmt.Sprintf(format, args...)
		return out
	}
	if !r.t.o.wants(name) {
		out.Status, out.Reason = Skip, OtherEntry
		return out
	}
	p, err := r.findProperty(name)
	if err != nil {
		return fail("%v", err)
	}
	how := r.t.o.properties()
	for i := range how.Candidates {
		size, seed := p.size, p.rand.Uint64()
		if size < 0 {
			size = int64(i) * how.LargestSize / int64(max(how.Candidates-1, 1))
		}
		c, err := p.candidate(size, seed)
		if err != nil {
			return fail("no candidate of size %d and seed %d: %v", size, seed, err)
		}
		if p.holds(c) {
			continue
		}
		c = p.smallest(c, size, seed)
		if p.failed != nil {
			return fail("fails after %d candidates, for %s\n%v", i+1, show(c), p.failed)
		}
		return fail("is false after %d candidates, for %s", i+1, show(c))
	}
	return out
}

// findProperty reads the attribute of a property.
func (r *caseRunner) findProperty(name string) (*property, error) {
	for _, d := range r.prog.Entries() {
		if d.Entry.Name != name {
			continue
		}
		for _, a := range d.Attrs {
			if a.Name == "prop" {
				p := &property{r: r, def: d, size: -1, rand: rand.New(rand.NewPCG(r.t.o.Seed, 0))} //nolint:gosec // no secret
				return p, p.options(a.Args)
			}
		}
		return nil, fmt.Errorf("the entry point %q is not a property: it lacks the attribute #[prop]", name)
	}
	return nil, fmt.Errorf("there is no entry point %q", name)
}

func (p *property) options(args []types.Attr) error {
	for _, a := range args {
		if len(a.Args) != 1 {
			return fmt.Errorf("#[prop(%s)]: want gen(f), shrink(f) or size(n)", a)
		}
		switch arg := a.Args[0].Name; a.Name {
		case "gen":
			p.gen = arg
		case "shrink":
			p.shrink = arg
		case "size":
			n, err := strconv.ParseInt(arg, 10, 64)
			if err != nil || n < 0 {
				return fmt.Errorf("#[prop(%s)]: the size must be a natural number", a)
			}
			p.size = n
		default:
			return fmt.Errorf("#[prop(%s)]: want gen(f), shrink(f) or size(n)", a)
		}
	}
	return nil
}

// call calls an entry point of the program.
func (p *property) call(entry string, args ...value.Value) ([]value.Value, error) {
	return p.r.t.o.call(p.r.loaded, entry, args)
}

// candidate makes a value of the property's type.
func (p *property) candidate(size int64, seed uint64) ([]value.Value, error) {
	if p.gen != "" {
		return p.call(p.gen, value.Scalar(prim.MakeI64(size)), value.Scalar(prim.MakeU64(seed)))
	}
	g := &generator{size: int(size), seed: seed, sizes: map[*types.Symbol]int{}}
	for _, param := range p.def.Entry.Params {
		if err := g.make(param.Type, nil); err != nil {
			return nil, err
		}
	}
	return g.out, nil
}

// holds reports whether the property holds for a value.
func (p *property) holds(c []value.Value) bool {
	var vs []value.Value
	vs, p.failed = p.call(p.def.Entry.Name, c...)
	if p.failed != nil {
		return false
	}
	if len(vs) != 1 || !vs[0].IsScalar() || vs[0].Elem() != prim.Bool {
		p.failed = errors.New("the result of a property must be a bool")
		return false
	}
	return vs[0].Scalar().Bool()
}

// smallest makes a counterexample smaller. See Note [Properties].
func (p *property) smallest(c []value.Value, size int64, seed uint64) []value.Value {
	switch {
	case p.shrink != "":
		c = p.shrunk(c)
	default:
		for n := range size {
			if smaller, err := p.candidate(n, seed); err == nil && !p.holds(smaller) {
				c = smaller
				break
			}
		}
		if p.gen == "" {
			p.towardsZero(c)
		}
	}
	p.holds(c) // so that p.failed is about c
	return c
}

// shrunk calls the property's own function as long as it helps.
func (p *property) shrunk(c []value.Value) []value.Value {
	tries := 0
	for range shrinkSteps {
		smaller, err := p.call(p.shrink, append(c[:len(c):len(c)], value.Scalar(prim.MakeU64(p.rand.Uint64())))...)
		if err != nil {
			return c
		}
		if tries++; tries > p.r.t.o.properties().Patience {
			return c
		}
		if !p.holds(smaller) {
			if show(smaller) != show(c) {
				tries = 0
			}
			c = smaller
		}
	}
	return c
}

// towardsZero replaces elements by zero, or by their half, as long as the property does not hold.
func (p *property) towardsZero(c []value.Value) {
	steps := shrinkSteps
	for _, v := range c {
		for i := range v.Len() {
			for next := zeroOf(v); steps > 0 && v.At(i) != next; steps-- {
				old := v.At(i)
				v.Set(i, next)
				if p.holds(c) {
					v.Set(i, old)
					if next = half(old); next == zeroOf(v) || next == old {
						break
					}
					v.Set(i, next)
					if p.holds(c) {
						v.Set(i, old)
						break
					}
					next = zeroOf(v)
				}
			}
		}
	}
}

func zeroOf(v value.Value) prim.Value { return prim.Zero(v.Elem()) }

// half is half of a number; of a bool, itself.
func half(x prim.Value) prim.Value {
	switch t := x.Type(); {
	case t == prim.Bool:
		return x
	case t.IsFloat():
		return prim.Convert(t, prim.MakeF64(x.Float()/2))
	default:
		return prim.Convert(t, prim.MakeI64(x.Int()/2))
	}
}

// show prints a candidate.
func show(c []value.Value) string {
	parts := make([]string, len(c))
	for i, v := range c {
		parts[i] = v.String()
	}
	return strings.Join(parts, " ")
}

// generator makes random values of a type.
type generator struct {
	size  int
	seed  uint64
	sizes map[*types.Symbol]int
	out   []value.Value
}

// make appends the plain values for a value of type t, or for an array of such with some dimensions.
func (g *generator) make(t types.Type, dims []int) error {
	switch t := types.Represent(t).(type) {
	case *types.Prim:
		g.seed++
		g.out = append(g.out, random.Make(random.DefaultBounds(), value.Type{Elem: t.Kind, Dims: dims}, g.seed))
		return nil
	case *types.Array:
		return g.make(t.Elem, append(dims[:len(dims):len(dims)], g.dim(t.Size)))
	case *types.Record:
		for _, f := range t.Fields {
			if err := g.make(f.Type, dims); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("there are no random values of type %s: name a function that makes them, #[prop(gen(f))]", t)
	}
}

// dim chooses a size: the same for the same name.
func (g *generator) dim(s types.Size) int {
	switch s := s.(type) {
	case *types.SizeConst:
		return int(s.N)
	case *types.SizeName:
		if _, ok := g.sizes[s.Sym]; !ok {
			g.sizes[s.Sym] = g.size
		}
		return g.sizes[s.Sym]
	default:
		return g.size
	}
}
