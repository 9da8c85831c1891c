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
		"updateacc": func(p *parser) Exp { return &UpdateAcc{p.v(), p.sizes(), p.ops()} },
	}
}

func (p *parser) msgPart() MsgPart {
	if strings.HasPrefix(p.peek(), `"`) {
		return Text(p.str())
	}
	return Value(p.op())
}

func (p *parser) ifExp() Exp {
	e := &If{Cond: p.op(), Then: p.body()}
	p.expect("else")
	e.Else = p.body()
	return e
}

func (p *parser) switchExp() Exp {
	e := &Switch{On: p.op()}
	p.expect("{")
	for p.accept("case") {
		e.Cases = append(e.Cases, Case{p.value(), p.body()})
	}
	p.expect("default")
	e.Default = p.body()
	p.expect("}")
	return e
}

// loop reads a loop; each parameter comes with its initial value.
func (p *parser) loop() Exp {
	e := &Loop{}
	list(p, "(", ")", func() bool {
		e.Params = append(e.Params, p.param())
		p.expect("=")
		e.Init = append(e.Init, p.op())
		return true
	})
	if p.accept("while") {
		e.While = p.v()
	} else {
		p.expect("for")
		e.Index = p.param()
		p.expect("<")
		e.Bound = p.op()
	}
	e.Body = p.body()
	return e
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

// screma reads a combinator; scans, reductions and the post lambda may be absent.
func (p *parser) screma() Exp {
	e := &Screma{Size: p.op(), Arrays: p.vars()}
	p.expect("map")
	e.Map = p.lambda()
	if p.accept("scans") {
		e.Scans = p.operators()
	}
	if p.accept("reds") {
		e.Reds = p.operators()
	}
	if p.accept("post") {
		e.Post = p.lambda()
	}
	return e
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

func (p *parser) histOps() []HistOp {
	return list(p, "(", ")", func() HistOp {
		op := HistOp{Shape: p.sizes(), Dests: p.vars()}
		p.expect("neutral")
		op.Neutral = p.ops()
		op.Lambda = p.lambda()
		return op
	})
}

func (p *parser) hist() Exp {
	e := &Hist{Size: p.op(), Arrays: p.vars()}
	p.expect("ops")
	e.Ops = p.histOps()
	p.expect("bucket")
	e.Bucket = p.lambda()
	return e
}

func (p *parser) withAcc() Exp {
	inputs := list(p, "(", ")", func() AccInput {
		in := AccInput{Shape: p.sizes(), Arrays: p.vars()}
		if p.accept("neutral") {
			in.Neutral = p.ops()
			in.Op = p.lambda()
		}
		return in
	})
	return &WithAcc{inputs, p.lambda()}
}

// seg reads a segmented operation after its name and level.
func (p *parser) seg(name, levelName string) Exp {
	level := Level(0)
	for i, n := range levelNames {
		if n == levelName {
			level = Level(i)
		}
	}
	var space Space
	list(p, "(", ")", func() bool {
		space.Ids = append(space.Ids, p.v())
		p.expect("<")
		space.Sizes = append(space.Sizes, p.op())
		return true
	})
	if p.accept("slots") {
		p.expect("(")
		space.Slot = p.v()
		p.expect("<")
		space.Slots = p.op()
		p.expect(")")
	}
	ret := p.typesList()
	switch name {
	case "segmap":
		return &SegMap{level, space, p.body(), ret}
	case "seghist":
		p.expect("ops")
		ops := p.histOps()
		return &SegHist{level, space, ops, p.body(), ret}
	}
	p.expect("ops")
	ops := p.operators()
	if name == "segred" {
		return &SegRed{level, space, ops, p.body(), ret}
	}
	return &SegScan{level, space, ops, p.body(), ret}
}
