package core

import (
	"strconv"
	"strings"
)

// choice writes a choice as it is printed behind an operation's types:
//
//	by (thread group 256 if size < 64, workgroup group 256 flight 4 shuffles)
func (p *printer) choice(c *Choice) {
	if c == nil {
		return
	}
	p.writef("by (%s) ", join(c.Forms, Form.String))
	if len(c.Merge) > 0 {
		p.writef("merge (%s) ", join(c.Merge, func(fs []Form) string { return "(" + join(fs, Form.String) + ")" }))
	}
}

// String is the form as text.
func (f Form) String() string {
	words := []string{f.Way.String()}
	for _, n := range f.numbers() {
		if *n.at != 0 {
			words = append(words, n.name, strconv.Itoa(*n.at))
		}
	}
	for _, n := range f.flags() {
		if *n.at {
			words = append(words, n.name)
		}
	}
	for i, all := range f.When {
		word := "if"
		if i > 0 {
			word = "or"
		}
		for _, b := range all {
			words = append(words, word, b.String())
			word = "and"
		}
	}
	return strings.Join(words, " ")
}

// String is the bound as text.
func (b Bound) String() string {
	times := func(n int, m Measure) string {
		switch {
		case m == MeasureOne:
			return strconv.Itoa(n)
		case n == 1:
			return m.String()
		}
		return strconv.Itoa(n) + "*" + m.String()
	}
	return times(b.Times, b.X) + " " + comparisons[b.Op] + " " + times(b.By, b.Y)
}

// choice reads a choice, if there is one.
func (p *parser) choice() *Choice {
	if !p.accept("by") {
		return nil
	}
	c := &Choice{Forms: list(p, "(", ")", p.form)}
	if p.accept("merge") {
		c.Merge = list(p, "(", ")", func() []Form { return list(p, "(", ")", p.form) })
	}
	return c
}

func (p *parser) form() Form {
	var f Form
	f.Way = Way(p.oneOf(names(ways[:], func(w wayInfo) string { return w.name })))
	for p.number(&f) || p.flag(&f) {
		continue
	}
	for word := "if"; p.accept(word); word = "or" {
		var all []Bound
		for more := true; more; more = p.accept("and") {
			all = append(all, p.bound())
		}
		f.When = append(f.When, all)
	}
	return f
}

// number reads a number of a form, if there is one.
func (p *parser) number(f *Form) bool {
	for _, n := range f.numbers() {
		if p.accept(n.name) {
			*n.at = p.int()
			return true
		}
	}
	return false
}

// flag reads a flag of a form, if there is one.
func (p *parser) flag(f *Form) bool {
	for _, n := range f.flags() {
		if p.accept(n.name) {
			*n.at = true
			return true
		}
	}
	return false
}

func (p *parser) bound() Bound {
	var b Bound
	b.Times, b.X = p.multiple()
	switch {
	case p.accept(">"):
		b.Op = Above
	default:
		p.expect("<")
		if p.accept("=") {
			b.Op = AtMost
		}
	}
	b.By, b.Y = p.multiple()
	return b
}

// multiple reads a number, a measure, or a number of times a measure.
func (p *parser) multiple() (int, Measure) {
	measure := func() Measure {
		return Measure(p.oneOf(names(measures[:], func(m measureInfo) string { return m.name })))
	}
	if c := p.peek(); c == "" || c[0] < '0' || c[0] > '9' {
		return 1, measure()
	}
	n := p.int()
	if p.accept("*") {
		return n, measure()
	}
	return n, MeasureOne
}

func names[T any](xs []T, name func(T) string) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = name(x)
	}
	return out
}
