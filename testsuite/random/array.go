package random

import (
	"fmt"
	"strings"
)

// arrayExp makes an array of a size that the type says.
func (g *generator) arrayExp(sc scope, t array, depth int) string {
	forms := []func(scope, array, int) string{
		g.mapped, g.mapped, g.replicated, g.moved, g.written, g.tabulated, g.zipped, g.scanned, g.scanned, g.histogram, g.histogram,
		g.scattered, g.scattered, g.reshaped, g.sliced, g.looped, g.gathered, g.ragged, g.streamed,
	}
	if _, ok := polynomialBits[scalar(innermost(t).String())]; ok {
		forms = append(forms, g.differentiated)
	}
	for range 4 {
		if e := pick(g.choices, forms...)(sc, t, depth); e != "" {
			return g.attributed(e)
		}
	}
	return g.mapped(sc, t, depth)
}

// each makes a function that is called for each element of an array of size s.
func (g *generator) each(sc scope, s string, f function, depth int) string {
	return g.times(g.sizes[s], func() string { return g.exp(sc, f, depth) })
}

// mapped makes a map over one to five arrays.
func (g *generator) mapped(sc scope, t array, depth int) string {
	n := pick(g.choices, 1, 1, 1, 2, 2, 3, 4, 5)
	if n == 1 {
		from := g.element(t.size)
		return fmt.Sprintf("(map %s %s)", g.each(sc, t.size, function{from, t.elem}, depth), g.exp(sc, array{t.size, from}, depth))
	}
	var params, args []string
	inner := sc
	for range n {
		from := g.element(t.size)
		p := variable{g.fresh("p"), from}
		inner = inner.with(p)
		params = append(params, fmt.Sprintf("(%s: %s)", p.name, p.typ))
		args = append(args, g.exp(sc, array{t.size, from}, depth))
	}
	body := g.times(g.sizes[t.size], func() string { return g.exp(inner, t.elem, depth) })
	return fmt.Sprintf("(map%d (\\%s -> %s) %s)", n, strings.Join(params, " "), body, strings.Join(args, " "))
}

func (g *generator) replicated(sc scope, t array, depth int) string {
	if t.size == "3" && g.IntN(2) == 0 {
		return fmt.Sprintf("[%s, %s, %s]", g.exp(sc, t.elem, depth), g.exp(sc, t.elem, depth), g.exp(sc, t.elem, depth))
	}
	return fmt.Sprintf("(replicate %s %s)", t.size, g.exp(sc, t.elem, depth))
}

// moved makes an array whose elements were elsewhere in another.
func (g *generator) moved(sc scope, t array, depth int) string {
	inner, isMatrix := t.elem.(array)
	switch {
	case isMatrix && g.IntN(2) == 0:
		return fmt.Sprintf("(transpose %s)", g.exp(sc, array{inner.size, array{t.size, inner.elem}}, depth))
	case g.IntN(2) == 0:
		return fmt.Sprintf("(reverse %s)", g.exp(sc, t, depth))
	default:
		return fmt.Sprintf("(rotate %s %s)", g.exp(sc, i64, depth), g.exp(sc, t, depth))
	}
}

// written makes an array that is updated in place.
func (g *generator) written(sc scope, t array, depth int) string {
	n := g.sizes[t.size]
	if n == 0 {
		return ""
	}
	to := g.exp(sc, t, depth)
	if inner, ok := t.elem.(array); ok && g.sizes[inner.size] > 0 && g.IntN(2) == 0 {
		return fmt.Sprintf("(copy %s with [%s, %s] = %s)", to, g.index(sc, t.size, depth), g.index(sc, inner.size, depth),
			g.exp(sc, inner.elem, depth))
	}
	switch g.IntN(3) {
	case 0:
		return fmt.Sprintf("(bump %s %s (copy %s))", g.exp(sc, i64, depth), g.exp(sc, t.elem, depth), to)
	case 1:
		if n >= 3 {
			i := g.fresh("ix")
			return fmt.Sprintf("(let %s = %s %% (%s - 2) in copy %s with [%s:%s + 3] = (%s :> [(%s + 3) - %s]%s))", i, g.exp(sc, i64, depth),
				t.size, to, i, i, g.exp(sc, array{"3", t.elem}, depth), i, i, t.elem)
		}
	}
	return fmt.Sprintf("(copy %s with [%s] = %s)", to, g.index(sc, t.size, depth), g.exp(sc, t.elem, depth))
}

func (g *generator) tabulated(sc scope, t array, depth int) string {
	i := variable{g.fresh("j"), i64}
	if inner, ok := t.elem.(array); ok && g.IntN(2) == 0 {
		j := variable{g.fresh("j"), i64}
		body := g.times(g.sizes[t.size]*g.sizes[inner.size], func() string { return g.exp(sc.with(i, j), inner.elem, depth) })
		return fmt.Sprintf("(tabulate_2d %s %s (\\%s %s -> %s))", t.size, inner.size, i.name, j.name, body)
	}
	body := g.times(g.sizes[t.size], func() string { return g.exp(sc.with(i), t.elem, depth) })
	return fmt.Sprintf("(table (\\(%s: i64) -> %s) : %s)", i.name, body, t)
}

func (g *generator) zipped(sc scope, t array, depth int) string {
	if parts, ok := t.elem.(tuple); ok {
		e := fmt.Sprintf("(zip%d", len(parts))
		for _, p := range parts {
			e += " " + g.exp(sc, array{t.size, p}, depth)
		}
		return e + ")"
	}
	u := g.scalarType()
	if g.IntN(2) == 0 {
		return fmt.Sprintf("(unzip %s).1", g.exp(sc, array{t.size, tuple{u, t.elem}}, depth))
	}
	n := 3 + g.IntN(3)
	e := fmt.Sprintf("(unzip%d (zip%d %s", n, n, g.exp(sc, t, depth))
	for range n - 1 {
		e += " " + g.exp(sc, array{t.size, u}, depth)
	}
	return e + ")).0"
}

func (g *generator) scanned(sc scope, t array, depth int) string {
	op, ok := g.operator(t.elem, anyOrder, g.sizes[t.size])
	if !ok {
		return ""
	}
	return op.fitted(t.elem, fmt.Sprintf("(%s %s %s %s)", pick(g.choices, "scan", "scan", "exscan"), op.text, op.neutral,
		g.exp(sc, t, depth)), ofArrays)
}

// histogram makes a histogram in whose bins any values may meet.
func (g *generator) histogram(sc scope, t array, depth int) string {
	s := g.size()
	if !g.affordable(g.sizes[s] * g.elements(t.elem)) {
		s = "3"
	}
	op, ok := g.operator(t.elem, commuting, g.sizes[s]+1)
	if !ok {
		return ""
	}
	values := g.exp(sc, array{s, t.elem}, depth)
	inner, isMatrix := t.elem.(array)
	switch {
	case isMatrix && g.IntN(3) == 0:
		op, _ := g.operator(inner.elem, commuting, g.sizes[s]+1)
		if _, isFloat := sumLimit[scalar(inner.elem.String())]; isFloat && op.text == "(+)" {
			return ""
		}
		return fmt.Sprintf("(reduce_by_index_2d (copy %s) %s %s %s %s)", g.exp(sc, t, depth), op.text, op.neutral,
			g.each2(sc, s, depth), g.exp(sc, array{s, inner.elem}, depth))
	case g.IntN(2) == 0:
		return op.fitted(t.elem, fmt.Sprintf("(hist %s %s %s %s %s)", op.text, op.neutral, t.size, g.bins(sc, s, t.size, depth), values),
			ofArrays)
	default:
		return op.fitted(t.elem, fmt.Sprintf("(reduce_by_index (copy %s) %s %s %s %s)", g.exp(sc, t, depth), op.text, op.neutral,
			g.bins(sc, s, t.size, depth), values), ofArrays)
	}
}

// bins makes s indices of bins, of which there are k; some may be outside.
func (g *generator) bins(sc scope, s, k string, depth int) string {
	switch e := g.exp(sc, array{s, i64}, depth); g.IntN(3) {
	case 0:
		return e
	default:
		return fmt.Sprintf("(map (%% (%s + 1)) %s)", k, e)
	}
}

// each2 makes s pairs of indices.
func (g *generator) each2(sc scope, s string, depth int) string {
	return fmt.Sprintf("(zip (map (%% 5) %s) (map (%% 5) %s))", g.exp(sc, array{s, i64}, depth), g.exp(sc, array{s, i64}, depth))
}

// scattered makes a scatter, either to different places or of equal values.
func (g *generator) scattered(sc scope, t array, depth int) string {
	s := g.size()
	if !g.affordable(g.sizes[s] * g.elements(t.elem)) {
		s = "3"
	}
	to := "(copy " + g.exp(sc, t, depth) + ")"
	if g.IntN(4) == 0 {
		to = fmt.Sprintf("(replicate %s %s)", t.size, g.exp(sc, t.elem, depth))
	}
	if g.IntN(3) == 0 {
		v := g.fresh("v")
		return fmt.Sprintf("(let %s = %s in scatter %s %s (replicate %s %s))", v, g.exp(sc, t.elem, depth), to, g.bins(sc, s, t.size, depth),
			s, v)
	}
	if g.IntN(3) == 0 {
		vs, v := g.fresh("vs"), g.unsized(sc, t.elem, depth)
		return fmt.Sprintf("(let %s = %s in scatter %s (indices %s) %s)", vs, v, to, vs, vs)
	}
	values := g.exp(sc, array{s, t.elem}, depth)
	places := fmt.Sprintf("(map (\\i -> (i * %d + %d) %% %s) (iota %s))", g.coprime(t.size), g.IntN(5), t.size, s)
	if g.sizes[t.size] < g.sizes[s] || g.IntN(3) == 0 {
		places = fmt.Sprintf("(map (\\i -> i * %d - %d) (iota %s))", 1+g.IntN(3), g.IntN(3), s)
	}
	if inner, ok := t.elem.(array); ok && g.IntN(3) == 0 {
		return fmt.Sprintf("(scatter_2d %s (zip %s (replicate %s %s)) %s)", to, places, s, g.exp(sc, i64, 0),
			g.exp(sc, array{s, inner.elem}, depth))
	}
	return fmt.Sprintf("(scatter %s %s %s)", to, places, values)
}

// coprime is a factor that permutes the indices of a size.
func (g *generator) coprime(size string) int {
	n := g.sizes[size]
	for f := pick(g.choices, 1, 3, 5, 7); ; f++ {
		if gcd(f, max(n, 1)) == 1 {
			return f
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// reshaped goes by way of another number of dimensions.
func (g *generator) reshaped(sc scope, t array, depth int) string {
	inner, ok := t.elem.(array)
	if !ok {
		s := g.size()
		if g.sizes[s] == 0 || !g.affordable(g.sizes[s]*g.elements(t)) {
			return ""
		}
		flat := fmt.Sprintf("(flatten %s)", g.exp(sc, array{s, t}, depth))
		i := g.fresh("ix")
		return fmt.Sprintf("(let %s = %s in %s[%s * %s:%s * %s + %s] :> %s)", i, g.index(sc, s, depth), flat, i, t.size, i, t.size, t.size, t)
	}
	x := g.fresh("x")
	return fmt.Sprintf("(unflatten (map (\\(%s: %s) -> %s) (flatten %s)) : %s)", x, inner.elem,
		g.times(g.sizes[t.size]*g.sizes[inner.size], func() string {
			return g.exp(sc.with(variable{x, inner.elem}), inner.elem, depth)
		}), g.exp(sc, t, depth), t)
}

// sliced makes a slice, with or without a stride, of a larger array.
func (g *generator) sliced(sc scope, t array, depth int) string {
	s := g.size()
	n, k := g.sizes[s], g.sizes[t.size]
	i := g.fresh("ix")
	from := g.exp(sc, array{s, t.elem}, depth)
	switch {
	case n < k || !g.affordable(n*g.elements(t.elem)):
		return ""
	case k > 0 && n >= 2*k && g.IntN(2) == 0:
		return fmt.Sprintf("(%s[:2 * %s:2] :> %s)", from, t.size, t)
	default:
		return fmt.Sprintf("(let %s = %s %% (%s - %s + 1) in %s[%s:%s + %s] :> %s)", i, g.exp(sc, i64, depth), s, t.size, from,
			i, i, t.size, t)
	}
}

// looped makes a loop that updates an array in place.
func (g *generator) looped(sc scope, t array, depth int) string {
	if _, ok := t.elem.(scalar); !ok || g.sizes[t.size] == 0 {
		return ""
	}
	xs, i := variable{g.fresh("xs"), t}, variable{g.fresh("k"), i64}
	to := g.exp(sc, t, depth)
	inner := sc.with(xs, i)
	return g.times(5, func() string {
		return fmt.Sprintf("(loop (%s: *%s) = copy %s for %s < %s do %s with [%s] = %s)", xs.name, t, to, i.name,
			pick(g.choices, "3i64", "5i64", "("+g.exp(sc, i64, 0)+" % 6)"), xs.name, g.index(inner, t.size, 1), g.exp(inner, t.elem, depth))
	})
}

// gathered makes an array of elements of another one.
func (g *generator) gathered(sc scope, t array, depth int) string {
	s := g.size()
	if g.sizes[s] == 0 || !g.affordable(g.sizes[s]*g.elements(t.elem)) {
		return ""
	}
	xs := variable{g.fresh("xs"), array{s, t.elem}}
	i := variable{g.fresh("j"), i64}
	at := g.times(g.sizes[t.size], func() string { return g.index(sc.with(xs, i), s, depth-1) })
	return fmt.Sprintf("(let %s = %s in map (\\(%s: i64) -> %s[%s]) (iota %s))", xs.name, g.exp(sc, xs.typ, depth), i.name, xs.name, at,
		t.size)
}
