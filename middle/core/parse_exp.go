package core

import (
	"strings"

	"skald/runtime/prim"
)

// exp reads an expression: one that starts with a keyword, or a scalar operator.
func (p *parser) exp() Exp {
	word := p.next()
	if read, ok := expParsers[word]; ok {
		return read(p)
	}
	name, rest, _ := strings.Cut(word, ".")
	switch name {
	case "conv":
		from, to, _ := strings.Cut(rest, ".")
		return &Conv{p.primNamed(from), p.primNamed(to), p.op()}
	case "iota":
		return &Iota{p.primNamed(rest), p.op(), p.op(), p.op()}
	case "segmap", "segred", "segscan", "seghist":
		return p.seg(name, rest)
	}
	t := p.primNamed(rest)
	if op, ok := prim.ParseUnOp(name); ok {
		return &Un{op, t, p.op()}
	}
	if op, ok := prim.ParseBinOp(name); ok {
		return &Bin{op, t, p.op(), p.op()}
	}
	if op, ok := prim.ParseCmpOp(name); ok {
		return &Cmp{op, t, p.op(), p.op()}
	}
	if fn, ok := prim.ParseFunc(name); ok {
		return &CallFunc{fn, t, p.ops()}
	}
	p.fail("unknown expression %q", word)
	return nil
}

func (p *parser) primNamed(s string) prim.Type {
	t, ok := prim.ParseType(s)
	if !ok {
		p.fail("unknown primitive type %q", s)
	}
	return t
}

// expParsers reads, for each expression that starts with a keyword, what
// follows the keyword.
var expParsers map[string]func(*parser) Exp

func init() {
	expParsers = map[string]func(*parser) Exp{
		"use":       func(p *parser) Exp { return &Use{p.op()} },
		"assert":    func(p *parser) Exp { return &Assert{p.op(), list(p, "(", ")", p.msgPart)} },
		"if":        (*parser).ifExp,
		"switch":    (*parser).switchExp,
		"loop":      (*parser).loop,
		"call":      func(p *parser) Exp { return &Call{p.next(), p.ops()} },
		"trace":     func(p *parser) Exp { return &Trace{p.str(), p.str(), p.ops()} },
		"tune":      func(p *parser) Exp { return &Tune{p.str(), p.str()} },
		"fact":      func(p *parser) Exp { return &Fact{p.str()} },
		"alloc":     func(p *parser) Exp { return &Alloc{p.prim(), p.op(), MemSpace(p.oneOf(spaceNames[:]))} },
		"array":     func(p *parser) Exp { return &ArrayLit{p.typ(), p.ops()} },
		"index":     func(p *parser) Exp { return &Index{p.v(), p.slice()} },
		"update":    func(p *parser) Exp { return &Update{p.v(), p.slice(), p.op()} },
		"concat":    func(p *parser) Exp { return &Concat{p.op(), p.vars()} },
		"replicate": func(p *parser) Exp { return &Replicate{p.sizes(), p.op()} },
		"scratch":   func(p *parser) Exp { return &Scratch{p.prim(), p.sizes()} },
		"rearrange": func(p *parser) Exp { return &Rearrange{p.ints(), p.v()} },
		"reshape":   func(p *parser) Exp { return &Reshape{p.sizes(), p.v()} },
		"copy":      func(p *parser) Exp { return &Copy{p.v()} },
		"screma":    (*parser).screma,
		"hist":      (*parser).hist,
		"withacc":   (*parser).withAcc,
		"jvp":       func(p *parser) Exp { return p.derivative(forwardMode) },
		"vjp":       func(p *parser) Exp { return p.derivative(reverseMode) },
		"withvjp":   (*parser).withVjp,
		"flatmap":   (*parser).flatMap,
		"updateacc": func(p *parser) Exp { return &UpdateAcc{p.v(), p.sizes(), p.ops()} },
	}
}

// slice reads the dimensions of a slice: an index, or offset:length:stride.
func (p *parser) slice() Slice {
	return list(p, "[", "]", func() Dim {
		off := p.op()
		if !p.accept(":") {
			return Fix(off)
		}
		n := p.op()
		p.expect(":")
		return Range(off, n, p.op())
	})
}

func (p *parser) operators() []Operator {
	return list(p, "(", ")", func() Operator {
		op := Operator{Commutative: p.accept("comm")}
		p.expect("neutral")
		op.Neutral = p.ops()
		op.Lambda = p.lambda()
		return op
	})
}
