package random

import (
	"fmt"
	"math/bits"
	"strings"
)

// Note [Exact derivatives]
//
// Derivatives are taken of polynomials, by code that sums, multiplies, moves and chooses numbers, alone and in arrays. Each of their
// expressions has a bound in bits: with every variable at its own bound and every sign positive it would be at most 2^bits. Then a
// derivative in a direction is at most the degree times that, by Euler's theorem on homogeneous functions, and so is every sum on the
// way, whoever adds up what in which order. Variables have at least degreeBits bits, so that fewer than 2^degreeBits of them
// are multiplied, and a derivative has at most degreeBits more than what it is of. It is exact if the significand has as many: Note
// [Exact floats].

// degreeBits is how many bits the variables of polynomials have at least: values of programs are at most 16.
const degreeBits = 4

// polynomialBits are the bounds of what derivatives are taken of.
var polynomialBits = map[scalar]int{"f32": 19, "f64": 40}

// boundedVar is a variable that a derivative is taken by, or that depends on one.
type boundedVar struct {
	variable
	bits int
}

// polynomial makes the code of one.
type polynomial struct {
	*generator
	of   scalar
	rest scope // what does not depend on the variables
	vars []boundedVar
}

func (p polynomial) with(vs ...boundedVar) polynomial {
	p.vars = append(p.vars[:len(p.vars):len(p.vars)], vs...)
	return p
}

func (p polynomial) withIndex(i string) polynomial {
	p.rest = p.rest.with(variable{i, i64})
	return p
}

// variable makes a variable.
func (p polynomial) variable(t typ, bits int) boundedVar {
	return boundedVar{variable{p.fresh("d"), t}, bits}
}

// upTo picks a bound for a variable.
func (p polynomial) upTo(bits int) int { return degreeBits + p.IntN(bits-degreeBits+1) }

// derivative makes a derivative, in a direction or of a weighted sum of results, of a type of floats: "" for other types.
func (g *generator) derivative(sc scope, t typ, depth int) string {
	of, ok := innermost(t).(scalar)
	most := polynomialBits[of]
	if !ok || most == 0 || depth < 1 {
		return ""
	}
	p := polynomial{g, of, sc, nil}
	jvp := g.IntN(2) == 0
	xs := []typ{t}
	if jvp {
		xs[0] = p.pointType()
	}
	if g.oneIn(3) {
		xs = append(xs, p.pointType())
	}
	result := t
	if !jvp {
		result = p.pointType()
	}
	names, at, to := make([]string, len(xs)), make([]string, len(xs)), make([]string, len(xs))
	inner := p
	for i, x := range xs {
		v := p.variable(x, degreeBits)
		names[i], at[i], to[i] = v.name, g.exp(sc, x, depth-1), g.exp(sc, x, depth-1)
		inner = inner.with(v)
	}
	function := g.times(5, func() string {
		return fmt.Sprintf("(\\(%s: %s) -> %s)", pattern(names), pattern(texts(xs)), inner.exp(result, most, depth+1))
	})
	e := ""
	if jvp {
		e = pick(g.choices, "(jvp %s %s %s)", "(jvp2 %s %s %s).1")
		e = fmt.Sprintf(e, function, pattern(at), pattern(to))
	} else {
		e = pick(g.choices, "(vjp %s %s %s)", "(vjp2 %s %s %s).1")
		e = fmt.Sprintf(e, function, pattern(at), g.exp(sc, result, depth-1))
		if len(xs) > 1 {
			e += ".0"
		}
	}
	return fitAll(t, e)
}

// differentiated makes an array of derivatives.
func (g *generator) differentiated(sc scope, t array, depth int) string {
	return g.derivative(sc, t, depth)
}

// innermost is the type of the scalars of an array.
func innermost(t typ) typ {
	if a, ok := t.(array); ok {
		return innermost(a.elem)
	}
	return t
}

// fitAll takes the floats of a type back to those that programs compute with.
func fitAll(t typ, e string) string {
	f := "fit_" + innermost(t).String()
	for a, ok := t.(array); ok; a, ok = a.elem.(array) {
		f = "(map " + f + ")"
	}
	return fmt.Sprintf("(%s %s)", f, e)
}

// pattern writes several as a tuple.
func pattern(xs []string) string {
	if len(xs) == 1 {
		return xs[0]
	}
	return "(" + strings.Join(xs, ", ") + ")"
}

func texts(ts []typ) []string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = t.String()
	}
	return out
}

// pointType makes a type of floats.
func (p polynomial) pointType() typ {
	var t typ = p.of
	switch p.IntN(4) {
	case 0:
	case 1, 2:
		t = array{p.size(), p.of}
	default:
		t = array{p.size(), array{p.size(), p.of}}
	}
	if !p.affordable(p.elements(t)) {
		return p.of
	}
	return t
}

// exp makes an expression of a type of floats that is at most 2^bits.
func (p polynomial) exp(t typ, bits, depth int) string {
	defer p.begin("polynomial " + t.String())()
	if bits < degreeBits+1 || p.IntN(6) == 0 || depth <= 0 || p.spent > max(mostSpent, 20*p.sizes["n"]) || len(p.spans) > mostNodes {
		return p.leaf(t, bits)
	}
	p.spent += p.work * min(p.elements(t), 1000)
	for range 3 {
		e := ""
		if a, ok := t.(array); ok {
			e = p.array(a, bits, depth-1)
		} else {
			e = p.scalar(bits, depth-1)
		}
		if e != "" {
			return e
		}
	}
	return p.leaf(t, bits)
}

// leaf makes a variable, an element of one, or a constant.
func (p polynomial) leaf(t typ, bits int) string {
	p.spent += p.work
	var found []string
	for _, v := range p.vars {
		e, have := v.name, v.typ
		for v.bits <= bits {
			if same(have, t) {
				found = append(found, e)
			}
			a, ok := have.(array)
			if !ok || p.sizes[a.size] == 0 {
				break
			}
			e, have = fmt.Sprintf("%s[%s]", e, p.index(p.rest, a.size, 0)), a.elem
		}
	}
	if len(found) > 0 && p.IntN(6) < 5 {
		// The variable that was made last is the simplest.
		return found[len(found)-1-p.IntN(len(found))]
	}
	if a, ok := t.(array); ok {
		return fmt.Sprintf("(replicate %s %s)", a.size, p.leaf(a.elem, bits))
	}
	if e := p.path(p.rest, t); e != "" && bits >= degreeBits && p.IntN(2) == 0 {
		return e
	}
	constants := []string{"1", "0", "2", "(-1", "(-3"}
	if bits < 2 {
		constants = constants[:2]
	}
	c := pick(p.choices, constants...) + string(p.of)
	if c[0] == '(' {
		c += ")"
	}
	return c
}

// scalar makes a number, or "" if the form does not suit the bound.
func (p polynomial) scalar(bits, depth int) string {
	t := string(p.of)
	x := func(bits int) string { return p.exp(p.of, bits, depth) }
	switch p.IntN(13) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", x(bits-1), pick(p.choices, "+", "-"), x(bits-1))
	case 2, 3:
		if bits < 2*degreeBits {
			return ""
		}
		left := p.upTo(bits - degreeBits)
		return fmt.Sprintf("(%s * %s)", x(left), x(bits-left))
	case 4:
		return fmt.Sprintf("(%s.neg %s)", t, x(bits))
	case 5, 6:
		return p.summed(bits, depth)
	case 7:
		return p.multiplied(bits, depth)
	case 8:
		return p.nested(bits, depth)
	case 9:
		f, v := p.fresh("fn"), p.variable(p.of, p.upTo(bits-1))
		body := p.times(2, func() string { return p.with(v).exp(p.of, bits-1, depth) })
		return fmt.Sprintf("(let %s (%s: %s) : %s = %s in %s %s + %s %s)", f, v.name, t, t, body, f, x(v.bits), f, x(v.bits))
	default:
		return p.general(p.of, bits, depth)
	}
}

// general makes an expression of a form that has any type.
func (p polynomial) general(t typ, bits, depth int) string {
	x := func(bits int) string { return p.exp(t, bits, depth) }
	condition := func() string { return p.generator.exp(p.rest, boolean, 1) }
	switch p.IntN(5) {
	case 0:
		return fmt.Sprintf("(if %s then %s else %s)", condition(), x(bits), x(bits))
	case 1:
		v := p.variable(p.pointType(), p.upTo(bits))
		return fmt.Sprintf("(let %s = %s in %s)", v.name, p.exp(v.typ, v.bits, depth), p.with(v).exp(t, bits, depth))
	case 2:
		return fmt.Sprintf("(match %s %% 3 case 0 -> %s case 1 -> %s case _ -> %s)", p.generator.exp(p.rest, i32, 1), x(bits), x(bits),
			x(bits))
	case 3:
		acc, j, start, body := p.accumulated(t, "j", bits, depth)
		return fmt.Sprintf("(loop (%s: %s) = %s for %s < %s do %s)", acc, t, start, j, pick(p.choices, "3i64", "1i64", "0i64"), body)
	default:
		acc, k, start, body := p.accumulated(t, "k", bits, depth)
		return fmt.Sprintf("(loop (%s: %s, %s) = (%s, 0i64) while %s < 3 && %s do (%s, %s + 1)).0", acc, t, k, start, k, condition(), body, k)
	}
}

// accumulated makes the accumulator, the index, the start and the body of a loop. With each of three iterations at most the accumulator may
// become larger, by a sum of it and something else.
func (p polynomial) accumulated(t typ, index string, bits, depth int) (name, i, start, body string) {
	acc, i := p.variable(t, max(bits-3, 0)), p.fresh(index)
	start = p.exp(t, acc.bits, depth)
	return acc.name, i, start, p.times(3, func() string { return p.withIndex(i).step(t, acc, depth) })
}

// step makes what a loop's accumulator becomes: at most twice as large.
func (p polynomial) step(t typ, acc boundedVar, depth int) string {
	a, ok := t.(array)
	if !ok {
		return fmt.Sprintf("(%s %s %s)", acc.name, pick(p.choices, "+", "-"), p.exp(t, acc.bits, depth))
	}
	if _, ok := a.elem.(array); ok {
		return fmt.Sprintf("(%s %s %s)", p.sum(a), acc.name, p.exp(t, acc.bits, depth))
	}
	if p.sizes[a.size] > 0 && p.IntN(2) == 0 {
		return fmt.Sprintf("(copy %s with [%s] = %s[%s] + %s)", acc.name, p.index(p.rest, a.size, 1), acc.name, p.index(p.rest, a.size, 1),
			p.exp(p.of, acc.bits, depth))
	}
	return fmt.Sprintf("(map2 (%s) %s %s)", pick(p.choices, "+", "-"), acc.name, p.exp(t, acc.bits, depth))
}

// sum makes a function that adds two arrays, element by element.
func (p polynomial) sum(a array) string {
	inner, ok := a.elem.(array)
	if !ok {
		return "map2 (+)"
	}
	x, y := p.fresh("x"), p.fresh("y")
	return fmt.Sprintf("map2 (\\(%s: %s) (%s: %s) -> %s %s %s)", x, inner, y, inner, p.sum(inner), x, y)
}

// length picks a size that a sum of so many bits may have, and returns how many bits are left for each element.
func (p polynomial) length(most int) (size string, left int) {
	size = p.size()
	if left = most - bits.Len(uint(p.sizes[size])); left < degreeBits {
		size = "3"
		left = most - 2
	}
	return size, left
}

// summed makes a sum.
func (p polynomial) summed(bits, depth int) string {
	s, left := p.length(bits)
	of := array{s, p.of}
	from := ""
	switch {
	case p.IntN(3) == 2 && left >= 2*degreeBits:
		a := p.upTo(left - degreeBits)
		from = fmt.Sprintf("(map2 (*) %s %s)", p.exp(of, a, depth), p.exp(of, left-a, depth))
	case p.oneIn(4):
		i := p.fresh("ix")
		keep := p.times(p.sizes[s], func() string { return p.generator.exp(p.rest.with(variable{i, i64}), boolean, 1) })
		from = fmt.Sprintf("(map (.1) (filter (\\(%s, _) -> %s) (zip (iota %s) %s)))", i, keep, s, p.exp(of, left, depth))
	default:
		from = p.exp(of, left, depth)
	}
	return fmt.Sprintf("(%s %s)", pick(p.choices, "reduce (+) 0", string(p.of)+".sum", "reduce_comm (+) 0", "foldl (+) 0"), from)
}

// multiplied makes a product of three, or a composition of three linear functions.
func (p polynomial) multiplied(bits, depth int) string {
	if bits < 3*degreeBits+2 {
		return ""
	}
	three := array{"3", p.of}
	if p.IntN(2) == 0 {
		return fmt.Sprintf("(%s %s)", pick(p.choices, "reduce (*) 1", string(p.of)+".product"), p.exp(three, bits/3, depth))
	}
	return fmt.Sprintf("(reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip %s %s)).1", p.exp(three, (bits-2)/3, depth),
		p.exp(three, (bits-2)/3, depth))
}

// nested makes a derivative inside of what a derivative is taken of.
func (p polynomial) nested(bits, depth int) string {
	if bits < 3*degreeBits {
		return ""
	}
	v := p.variable(p.of, p.upTo(bits-2*degreeBits))
	f := p.times(4, func() string {
		return fmt.Sprintf("(\\(%s: %s) -> %s)", v.name, p.of, p.with(v).exp(p.of, bits-degreeBits, depth))
	})
	if p.IntN(2) == 0 {
		return fmt.Sprintf("(jvp %s %s %s)", f, p.exp(p.of, v.bits, depth), p.exp(p.of, v.bits, depth))
	}
	return fmt.Sprintf("(vjp %s %s %s)", f, p.exp(p.of, v.bits, depth), p.exp(p.of, degreeBits, depth))
}

// array makes an array, or "" if the form does not suit it.
func (p polynomial) array(t array, bits, depth int) string {
	forms := []func(array, int, int) string{
		p.mapped, p.mapped, p.gathered, p.moved, p.scanned, p.counted, p.scattered, p.sliced, p.reshaped,
		func(t array, bits, depth int) string { return p.general(t, bits, depth) },
	}
	return pick(p.choices, forms...)(t, bits, depth)
}

// mapped makes a map over one or two arrays.
func (p polynomial) mapped(t array, bits, depth int) string {
	inner := p
	var params, args []string
	for range 1 + p.IntN(2) {
		var elem typ = p.of
		if e := (array{"3", p.of}); p.oneIn(3) && p.affordable(p.sizes[t.size]*p.elements(e)) {
			elem = e
		}
		v := p.variable(elem, p.upTo(bits))
		inner = inner.with(v)
		params = append(params, fmt.Sprintf("(%s: %s)", v.name, v.typ))
		args = append(args, p.exp(array{t.size, elem}, v.bits, depth))
	}
	body := p.times(p.sizes[t.size], func() string { return inner.exp(t.elem, bits, depth) })
	soac := "map"
	if len(args) == 2 {
		soac = "map2"
	}
	return fmt.Sprintf("(%s (\\%s -> %s) %s)", soac, strings.Join(params, " "), body, strings.Join(args, " "))
}

// gathered makes a map over indices.
func (p polynomial) gathered(t array, bits, depth int) string {
	i := p.fresh("ix")
	body := p.times(p.sizes[t.size], func() string { return p.withIndex(i).exp(t.elem, bits, depth) })
	return fmt.Sprintf("(map (\\%s -> %s) (iota %s))", i, body, t.size)
}

// moved has the elements of another array in another order.
func (p polynomial) moved(t array, bits, depth int) string {
	inner, isMatrix := t.elem.(array)
	switch p.IntN(4) {
	case 0:
		return fmt.Sprintf("(reverse %s)", p.exp(t, bits, depth))
	case 1:
		return fmt.Sprintf("(rotate %s %s)", p.generator.exp(p.rest, i64, 1), p.exp(t, bits, depth))
	case 2:
		if isMatrix {
			return fmt.Sprintf("(transpose %s)", p.exp(array{inner.size, array{t.size, inner.elem}}, bits, depth))
		}
	}
	return fmt.Sprintf("(replicate %s %s)", t.size, p.exp(t.elem, bits, depth))
}

// scanned makes a scan.
func (p polynomial) scanned(t array, most, depth int) string {
	left := most - bits.Len(uint(p.sizes[t.size]))
	_, isMatrix := t.elem.(array)
	switch {
	case isMatrix || left < degreeBits:
		return ""
	case p.sizes[t.size] <= 3 && most >= 3*degreeBits+2 && p.IntN(2) == 0:
		return fmt.Sprintf("(map (.1) (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip %s %s)))", p.exp(t, (most-2)/3, depth),
			p.exp(t, (most-2)/3, depth))
	case p.sizes[t.size] <= 3 && p.IntN(2) == 0:
		return fmt.Sprintf("(scan (*) 1 %s)", p.exp(t, most/3, depth))
	default:
		return fmt.Sprintf("(%s (+) 0 %s)", pick(p.choices, "scan", "exscan"), p.exp(t, left, depth))
	}
}

// counted makes a histogram.
func (p polynomial) counted(t array, bits, depth int) string {
	if _, isMatrix := t.elem.(array); isMatrix {
		return ""
	}
	s, left := p.length(bits - 1)
	if left < degreeBits {
		return ""
	}
	values := array{s, p.of}
	if p.IntN(2) == 0 {
		return fmt.Sprintf("(hist (+) 0 %s %s %s)", t.size, p.bins(p.rest, s, t.size, 1), p.exp(values, left, depth))
	}
	return fmt.Sprintf("(reduce_by_index (copy %s) (+) 0 %s %s)", p.exp(t, bits-1, depth), p.bins(p.rest, s, t.size, 1),
		p.exp(values, left, depth))
}

// scattered makes a scatter to different places, or an update of one.
func (p polynomial) scattered(t array, bits, depth int) string {
	to := fmt.Sprintf("copy %s", p.exp(t, bits, depth))
	if p.IntN(2) == 0 {
		if p.sizes[t.size] == 0 {
			return ""
		}
		return fmt.Sprintf("(%s with [%s] = %s)", to, p.index(p.rest, t.size, 1), p.exp(t.elem, bits, depth))
	}
	s := p.size()
	if !p.affordable(p.sizes[s] * p.elements(t.elem)) {
		s = "3"
	}
	places := fmt.Sprintf("(map (\\i -> i * %d - %d) (iota %s))", 1+p.IntN(3), p.IntN(3), s)
	return fmt.Sprintf("(scatter (%s) %s %s)", to, places, p.exp(array{s, t.elem}, bits, depth))
}

// sliced makes a part of two arrays, one after the other.
func (p polynomial) sliced(t array, bits, depth int) string {
	s := p.size()
	if !p.affordable((p.sizes[s] + p.sizes[t.size]) * p.elements(t.elem)) {
		return ""
	}
	i := p.fresh("ix")
	return fmt.Sprintf("(let %s = %s %% (%s + 1) in (%s ++ %s)[%s:%s + %s] :> %s)", i, p.generator.exp(p.rest, i64, 1), s,
		p.exp(t, bits, depth), p.exp(array{s, t.elem}, bits, depth), i, i, t.size, t)
}

// reshaped goes by way of another number of dimensions.
func (p polynomial) reshaped(t array, bits, depth int) string {
	inner, ok := t.elem.(array)
	if !ok {
		return ""
	}
	v := p.variable(inner.elem, p.upTo(bits))
	body := p.times(p.sizes[t.size]*p.sizes[inner.size], func() string { return p.with(v).exp(inner.elem, bits, depth) })
	return fmt.Sprintf("(unflatten (map (\\(%s: %s) -> %s) (flatten %s)) : %s)", v.name, v.typ, body, p.exp(t, v.bits, depth), t)
}
