package format

import (
	"fmt"

	"skald/frontend/syntax"
)

// exp writes an expression.
func (p *printer) exp(e syntax.Exp) {
	switch e := e.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.CharLit, *syntax.StringLit, *syntax.BoolLit, *syntax.Hole:
		p.tok()
	case *syntax.Var:
		p.qualName(e.Name)
	case *syntax.Parens:
		p.want("(")
		p.align(func() { p.exp(e.Body) })
		p.want(")")
	case *syntax.OpenIn:
		p.qualName(e.Module)
		p.want(".")
		p.want("(")
		p.align(func() { p.exp(e.Body) })
		p.want(")")
	case *syntax.TupleLit:
		p.list("(", ")", len(e.Elems), p.broken(e), func(i int) { p.exp(e.Elems[i]) })
	case *syntax.RecordLit:
		p.list("{", "}", len(e.Fields), p.broken(e), func(i int) { p.field(e.Fields[i]) })
	case *syntax.ArrayLit:
		p.array(e)
	case *syntax.Project:
		p.exp(e.Exp)
		if _, ok := e.Exp.(*syntax.IntLit); ok {
			p.spaced() // 1.0 is a number, 1 .0 its field.
		}
		p.want(".")
		p.tok()
	case *syntax.Constr:
		p.tok()
		p.args(e.Args)
	case *syntax.Apply:
		p.exp(e.Fun)
		p.args(e.Args)
	case *syntax.Index:
		p.exp(e.Array)
		p.indices(e.Indices, p.broken(e))
	case *syntax.Lambda:
		p.lambda(e)
	default:
		p.infixExp(e)
	}
}

// infixExp writes operators, sections and what else is not in exp.
func (p *printer) infixExp(e syntax.Exp) {
	switch e := e.(type) {
	case *syntax.BinOp:
		p.align(func() {
			p.exp(e.Left)
			p.line(p.broken(e))
			p.operator()
			p.spaced()
			p.align(func() { p.exp(e.Right) })
		})
	case *syntax.Negate:
		p.prefix(e.Exp)
	case *syntax.Not:
		p.prefix(e.Exp)
	case *syntax.Section:
		p.want("(")
		p.operator()
		p.want(")")
	case *syntax.LeftSection:
		p.want("(")
		p.align(func() { p.exp(e.Left) })
		p.spaced()
		p.operator()
		p.want(")")
	case *syntax.RightSection:
		p.want("(")
		p.operator()
		p.spaced()
		p.align(func() { p.exp(e.Right) })
		p.want(")")
	case *syntax.PathSection:
		p.want("(")
		if _, ok := e.Path[0].(*syntax.StepIndex); ok {
			p.want(".")
		}
		p.path(e.Path)
		p.want(")")
	case *syntax.Update:
		p.update(e)
	case *syntax.Range:
		p.rangeExp(e)
	case *syntax.Ascript:
		p.ascription(e, e.Exp, e.Type)
	case *syntax.Coerce:
		p.ascription(e, e.Exp, e.Type)
	case *syntax.AttrExp:
		p.attr(e.Attr)
		p.line(p.breakAfter())
		p.exp(e.Exp)
	default:
		p.controlExp(e)
	}
}

// controlExp writes local definitions and control structures.
func (p *printer) controlExp(e syntax.Exp) {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *syntax.LetPat:
		p.want("let")
		p.spaced()
		for range e.Sizes {
			p.want("[")
			p.tok()
			p.want("]")
		}
		if len(e.Sizes) > 0 {
			p.spaced()
		}
		p.pat(e.Pat)
		p.letValue(p.lines(e.Pat.Span(), e.Value.Span()), e, e.Value, e.Body)
	case *syntax.LetFun:
		p.want("let")
		p.spaced()
		p.tok()
		p.params(e.TypeParams, e.Params)
		p.result(e.Result)
		p.letValue(p.broken(e.Value) || p.lines(e.Name.At, e.Value.Span()), e, e.Value, e.Body)
	case *syntax.LetWith:
		p.want("let")
		p.spaced()
		p.tok()
		p.path(e.Path)
		p.letValue(p.lines(e.Name.At, e.Value.Span()), e, e.Value, e.Body)
	case *syntax.If:
		p.conditional(e)
	case *syntax.Loop:
		p.loop(e)
	case *syntax.Match:
		p.match(e)
	case *syntax.Assert:
		p.want("assert")
		p.spaced()
		p.exp(e.Cond)
		p.line(p.broken(e))
		p.exp(e.Body)
	default:
		panic(fmt.Sprintf("format: expression %T", e))
	}
}

// field writes a field of a record.
func (p *printer) field(f *syntax.RecordField) {
	p.tok()
	if f.Punned {
		return
	}
	p.spaced()
	p.want("=")
	p.nestLine(p.broken(f), func() { p.exp(f.Value) })
}

// array writes an array. A broken table of numbers keeps its rows.
func (p *printer) array(e *syntax.ArrayLit) {
	if !e.Uniform || !p.broken(e) {
		p.list("[", "]", len(e.Elems), p.broken(e), func(i int) { p.exp(e.Elems[i]) })
		return
	}
	p.align(func() {
		p.want("[")
		p.spaced()
		for i := range e.Elems {
			switch {
			case i == 0:
			case p.lines(e.Elems[i-1].Span(), e.Elems[i].Span()):
				p.comma()
			default:
				p.want(",")
				p.spaced()
			}
			p.tok()
		}
		p.lastComma()
		p.brk = true
		p.want("]")
	})
}

// args writes arguments. If they are broken each has its line, but for a
// lambda without parentheses, whose head stays on the line of the others.
func (p *printer) args(args []syntax.Exp) {
	if len(args) == 0 {
		return
	}
	p.spaced()
	last := len(args) - 1
	end := args[last].Span()
	lambda, ok := args[last].(*syntax.Lambda)
	if ok {
		end = lambda.Params[len(lambda.Params)-1].Span()
	}
	broken := p.lines(args[0].Span(), end)
	if !broken {
		p.argLines(args, inOneLine)
		return
	}
	p.align(func() { p.argLines(args, onLines) })
}

// argLines writes arguments with lines or spaces between.
func (p *printer) argLines(args []syntax.Exp, broken bool) {
	for i, a := range args {
		if i > 0 {
			p.line(broken)
		}
		p.exp(a)
	}
}

// lambda writes a function without a name.
func (p *printer) lambda(e *syntax.Lambda) {
	p.tok()
	p.pats(e.Params, inOneLine)
	p.result(e.Result)
	p.spaced()
	p.want("->")
	p.nestLine(p.broken(e), func() { p.exp(e.Body) })
}

// result writes a function's result type, if it is stated.
func (p *printer) result(t syntax.TypeExp) {
	if t == nil {
		return
	}
	p.spaced()
	p.want(":")
	p.spaced()
	p.typ(t)
}

// params writes type parameters and parameters, each kind below one another
// if it is broken.
func (p *printer) params(types []*syntax.TypeParam, pats []syntax.Pat) {
	if len(types)+len(pats) == 0 {
		return
	}
	p.spaced()
	p.align(func() {
		for i, t := range types {
			if i > 0 {
				p.line(p.lines(types[0].At, types[len(types)-1].At))
			}
			p.typeParam(t)
		}
		if len(pats) == 0 {
			return
		}
		first, last := pats[0].Span(), pats[len(pats)-1].Span()
		if len(types) > 0 {
			p.line(p.lines(types[0].At, last))
		}
		p.pats(pats, p.lines(first, last))
	})
}

// prefix writes a prefix operator.
func (p *printer) prefix(e syntax.Exp) {
	p.tok()
	p.exp(e)
}

// path writes the path of an update or section.
func (p *printer) path(path []syntax.Step) {
	for i, s := range path {
		switch s := s.(type) {
		case *syntax.StepField:
			if p.is(".") {
				p.tok()
			} else if i > 0 {
				p.spaced()
			}
			p.tok()
		case *syntax.StepIndex:
			p.indices(s.Indices, p.broken(s))
		default:
			panic(fmt.Sprintf("format: step %T", s))
		}
	}
}

// indices writes indices in brackets.
func (p *printer) indices(list []*syntax.DimIndex, broken bool) {
	p.want("[")
	p.align(func() {
		for i, d := range list {
			if i > 0 {
				p.want(",")
				p.line(broken)
			}
			p.dimIndex(d)
		}
	})
	p.skip(",")
	p.want("]")
}

// dimIndex writes the index of one dimension.
func (p *printer) dimIndex(d *syntax.DimIndex) {
	if d.Fix != nil {
		p.exp(d.Fix)
		return
	}
	p.optional(d.Start)
	p.want(":")
	p.optional(d.End)
	if d.Stride != nil {
		p.want(":")
		p.exp(d.Stride)
	} else {
		p.skip(":")
	}
}

// optional writes an expression if there is one.
func (p *printer) optional(e syntax.Exp) {
	if e != nil {
		p.exp(e)
	}
}

// update writes a chain of updates, each on its line if it is broken.
func (p *printer) update(e *syntax.Update) {
	chain := []*syntax.Update{e}
	root := e.Src
	for {
		u, ok := root.(*syntax.Update)
		if !ok {
			break
		}
		chain = append(chain, u)
		root = u.Src
	}
	p.exp(root)
	p.spaced()
	broken := p.broken(e)
	p.align(func() {
		for i := len(chain) - 1; i >= 0; i-- {
			if i < len(chain)-1 {
				p.line(broken)
			}
			p.want("with")
			p.spaced()
			p.path(chain[i].Path)
			p.spaced()
			p.want("=")
			p.spaced()
			p.align(func() { p.exp(chain[i].Value) })
		}
	})
}

// rangeExp writes a range, tightly. A number with a fraction directly behind
// dots would be read as something else.
func (p *printer) rangeExp(e *syntax.Range) {
	p.exp(e.Start)
	after := func(e syntax.Exp) {
		p.tok()
		if p.tokens[p.next].Kind == syntax.FloatNumber {
			p.spaced()
		}
		p.exp(e)
	}
	if e.Second != nil {
		after(e.Second)
	}
	after(e.End)
}

// ascription writes an expression with its type.
func (p *printer) ascription(whole, e syntax.Exp, t syntax.TypeExp) {
	p.exp(e)
	p.line(p.broken(whole))
	p.tok()
	p.spaced()
	p.align(func() { p.typ(t) })
}

// letValue writes a local definition from the equals sign on, and its body.
func (p *printer) letValue(valueBroken bool, whole, value, body syntax.Exp) {
	p.spaced()
	p.want("=")
	p.nestLine(valueBroken, func() { p.align(func() { p.exp(value) }) })
	p.keepLine(p.broken(whole))
	switch body.(type) {
	case *syntax.LetPat, *syntax.LetFun, *syntax.LetWith:
		p.skip("in")
		p.exp(body)
	default:
		p.want("in")
		p.spaced()
		p.align(func() { p.exp(body) })
	}
}

// conditional writes a conditional; the alternatives of a chain are not
// indented further and further.
func (p *printer) conditional(e *syntax.If) {
	broken := p.broken(e)
	p.want("if")
	p.spaced()
	p.align(func() { p.exp(e.Cond) })
	p.line(broken)
	p.want("then")
	p.spaced()
	p.align(func() { p.exp(e.Then) })
	p.line(broken)
	p.want("else")
	p.spaced()
	if chained, ok := e.Else.(*syntax.If); ok {
		p.conditional(chained)
		return
	}
	p.align(func() { p.exp(e.Else) })
}

// loop writes a loop.
func (p *printer) loop(e *syntax.Loop) {
	broken := p.broken(e)
	p.want("loop")
	p.spaced()
	if e.Init == nil {
		p.pat(e.Pat)
		p.line(p.lines(e.Pat.Span(), e.Form.Span()))
	} else {
		p.align(func() {
			p.pat(e.Pat)
			p.spaced()
			p.want("=")
			p.nestLine(p.lines(e.Pat.Span(), e.Init.Span()), func() { p.align(func() { p.exp(e.Init) }) })
		})
		p.line(broken)
	}
	p.loopForm(e.Form)
	p.spaced()
	p.want("do")
	p.nestLine(broken, func() { p.exp(e.Body) })
}

// loopForm writes what says how often a loop goes round.
func (p *printer) loopForm(f syntax.LoopForm) {
	p.tok()
	p.spaced()
	switch f := f.(type) {
	case *syntax.For:
		p.tok()
		p.spaced()
		p.want("<")
		p.spaced()
		p.align(func() { p.exp(f.Bound) })
	case *syntax.ForIn:
		p.pat(f.Pat)
		p.spaced()
		p.want("in")
		p.spaced()
		p.align(func() { p.exp(f.Array) })
	case *syntax.While:
		p.align(func() { p.exp(f.Cond) })
	default:
		panic(fmt.Sprintf("format: loop form %T", f))
	}
}

// match writes a choice among patterns.
func (p *printer) match(e *syntax.Match) {
	broken := p.broken(e)
	p.align(func() {
		p.want("match")
		p.spaced()
		p.align(func() { p.exp(e.Exp) })
		for _, c := range e.Cases {
			p.keepLine(broken)
			p.want("case")
			p.spaced()
			p.align(func() { p.pat(c.Pat) })
			p.spaced()
			p.want("->")
			p.nestLine(p.broken(c), func() { p.exp(c.Body) })
		}
	})
}
