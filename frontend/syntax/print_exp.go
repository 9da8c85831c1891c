package syntax

import "fmt"

// typ prints a type.
func (p *printer) typ(t TypeExp) {
	switch t := t.(type) {
	case *TypeVar:
		p.str(t.Name.String())
	case *TypeParens:
		p.str("(")
		p.typ(t.Body)
		p.str(")")
	case *TypeTuple:
		p.str("(")
		each(p, t.Elems, ", ", p.typ)
		p.str(")")
	case *TypeRecord:
		p.str("{")
		each(p, t.Fields, ", ", func(f *TypeField) {
			p.str(f.Name.Text, ": ")
			p.typ(f.Type)
		})
		p.str("}")
	case *TypeArray:
		p.size(t.Size)
		p.typ(t.Elem)
	case *TypeSum:
		each(p, t.Clauses, " | ", func(c *TypeClause) {
			p.str("#", c.Name.Text)
			for _, t := range c.Payload {
				p.str(" ")
				p.typ(t)
			}
		})
	case *TypeArrow:
		if t.Param.Text != "" {
			p.str("(", t.Param.Text, ": ")
			p.typ(t.From)
			p.str(")")
		} else {
			p.typ(t.From)
		}
		p.str(" -> ")
		p.typ(t.To)
	case *TypeUnique:
		p.str("*")
		if _, ok := t.Elem.(*TypeUnique); ok {
			p.str(" ")
		}
		p.typ(t.Elem)
	case *TypeApply:
		p.typ(t.Fun)
		for _, a := range t.Args {
			p.str(" ")
			if a.Size != nil {
				p.size(a.Size)
			} else {
				p.typ(a.Type)
			}
		}
	case *TypeExists:
		p.str("?")
		for _, n := range t.Sizes {
			p.str("[", n.Text, "]")
		}
		p.str(".")
		p.typ(t.Body)
	default:
		panic(fmt.Sprintf("syntax: type %T", t))
	}
}

// size prints a size in brackets.
func (p *printer) size(s *SizeExp) {
	p.str("[")
	if s.Exp != nil {
		p.exp(s.Exp)
	}
	p.str("]")
}

// pat prints a pattern.
func (p *printer) pat(pat Pat) {
	switch pat := pat.(type) {
	case *PatName:
		p.binder(pat.Name)
	case *PatWild:
		p.str("_")
	case *PatParens:
		p.str("(")
		p.pat(pat.Body)
		p.str(")")
	case *PatTuple:
		p.str("(")
		each(p, pat.Elems, ", ", p.pat)
		p.str(")")
	case *PatRecord:
		p.str("{")
		each(p, pat.Fields, ", ", func(f *RecordPatField) {
			if !f.Punned {
				p.str(f.Name.Text, " = ")
			}
			p.pat(f.Pat)
		})
		p.str("}")
	case *PatLit:
		if pat.Neg {
			p.str("-")
		}
		p.exp(pat.Lit)
	case *PatConstr:
		p.str("#", pat.Name.Text)
		p.params(pat.Args)
	case *PatAscript:
		p.pat(pat.Pat)
		p.str(": ")
		p.typ(pat.Type)
	case *PatAttr:
		p.attr(pat.Attr)
		p.str(" ")
		p.pat(pat.Pat)
	default:
		panic(fmt.Sprintf("syntax: pattern %T", pat))
	}
}

// exp prints an expression.
func (p *printer) exp(e Exp) {
	switch e := e.(type) {
	case *IntLit:
		p.str(e.Text, e.Suffix)
	case *FloatLit:
		p.str(e.Text, e.Suffix)
	case *CharLit:
		p.str(quoteChar(e.Value))
	case *StringLit:
		p.str(quoteString(e.Value))
	case *BoolLit:
		p.str(fmt.Sprint(e.Value))
	case *Var:
		p.str(e.Name.String())
	case *Hole:
		p.str("???")
	case *Parens:
		p.str("(")
		p.exp(e.Body)
		p.str(")")
	case *OpenIn:
		p.str(e.Module.String(), ".(")
		p.exp(e.Body)
		p.str(")")
	case *TupleLit:
		p.str("(")
		each(p, e.Elems, ", ", p.exp)
		p.str(")")
	case *RecordLit:
		p.str("{")
		each(p, e.Fields, ", ", p.recordField)
		p.str("}")
	case *ArrayLit:
		p.str("[")
		each(p, e.Elems, ", ", p.exp)
		p.str("]")
	case *Project:
		p.exp(e.Exp)
		if _, ok := e.Exp.(*IntLit); ok {
			p.str(" ") // 1.0 is a number, 1 .0 its field.
		}
		p.str(".", e.Field.Text)
	case *Constr:
		p.str("#", e.Name.Text)
		p.args(e.Args)
	case *Apply:
		p.exp(e.Fun)
		p.args(e.Args)
	case *Index:
		p.exp(e.Array)
		p.indices(e.Indices)
	case *Lambda:
		p.str("\\")
		each(p, e.Params, " ", p.pat)
		p.result(e.Result)
		p.str(" -> ")
		p.exp(e.Body)
	default:
		p.infixExp(e)
	}
}

// infixExp prints operators, sections and what else is not in exp.
func (p *printer) infixExp(e Exp) {
	switch e := e.(type) {
	case *BinOp:
		p.exp(e.Left)
		p.str(" ")
		p.oper(e.Op, e.Backtick)
		p.str(" ")
		p.exp(e.Right)
	case *Negate:
		p.prefix("-", e.Exp)
	case *Not:
		p.prefix("!", e.Exp)
	case *Section:
		p.str("(")
		p.oper(e.Op, e.Backtick)
		p.str(")")
	case *LeftSection:
		p.str("(")
		p.exp(e.Left)
		p.str(" ")
		p.oper(e.Op, e.Backtick)
		p.str(")")
	case *RightSection:
		p.str("(")
		p.oper(e.Op, e.Backtick)
		p.str(" ")
		p.exp(e.Right)
		p.str(")")
	case *PathSection:
		p.str("(")
		if _, ok := e.Path[0].(*StepIndex); ok {
			p.str(".")
		}
		p.path(e.Path)
		p.str(")")
	case *Update:
		p.exp(e.Src)
		p.str(" with ")
		p.path(e.Path)
		p.str(" = ")
		p.exp(e.Value)
	case *Range:
		p.exp(e.Start)
		if e.Second != nil {
			p.str(" .. ")
			p.exp(e.Second)
		}
		p.str(" ", e.Kind.String(), " ")
		p.exp(e.End)
	case *Ascript:
		p.exp(e.Exp)
		p.str(" : ")
		p.typ(e.Type)
	case *Coerce:
		p.exp(e.Exp)
		p.str(" :> ")
		p.typ(e.Type)
	case *Assert:
		p.str("assert ")
		p.exp(e.Cond)
		p.str(" ")
		p.exp(e.Body)
	case *AttrExp:
		p.attr(e.Attr)
		p.str(" ")
		p.exp(e.Exp)
	default:
		p.controlExp(e)
	}
}

// controlExp prints local definitions and control structures.
func (p *printer) controlExp(e Exp) {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *LetPat:
		p.str("let ")
		for _, n := range e.Sizes {
			p.str("[", n.Text, "] ")
		}
		p.pat(e.Pat)
		p.let(e.Value, e.Body)
	case *LetFun:
		p.str("let ", e.Name.Text)
		p.typeParams(e.TypeParams)
		p.params(e.Params)
		p.result(e.Result)
		p.let(e.Value, e.Body)
	case *LetWith:
		p.str("let ", e.Name.Text)
		p.path(e.Path)
		p.let(e.Value, e.Body)
	case *If:
		p.str("if ")
		p.exp(e.Cond)
		p.str(" then ")
		p.exp(e.Then)
		p.str(" else ")
		p.exp(e.Else)
	case *Loop:
		p.str("loop ")
		p.pat(e.Pat)
		if e.Init != nil {
			p.str(" = ")
			p.exp(e.Init)
		}
		p.loopForm(e.Form)
		p.str(" do ")
		p.exp(e.Body)
	case *Match:
		p.str("match ")
		p.exp(e.Exp)
		for _, c := range e.Cases {
			p.str(" case ")
			p.pat(c.Pat)
			p.str(" -> ")
			p.exp(c.Body)
		}
	default:
		panic(fmt.Sprintf("syntax: expression %T", e))
	}
}

// let prints what follows the left-hand side of a local definition.
func (p *printer) let(value, body Exp) {
	p.str(" = ")
	p.exp(value)
	p.str(" in ")
	p.exp(body)
}

// loopForm prints what says how often a loop goes round.
func (p *printer) loopForm(f LoopForm) {
	switch f := f.(type) {
	case *For:
		p.str(" for ", f.Var.Text, " < ")
		p.exp(f.Bound)
	case *ForIn:
		p.str(" for ")
		p.pat(f.Pat)
		p.str(" in ")
		p.exp(f.Array)
	case *While:
		p.str(" while ")
		p.exp(f.Cond)
	default:
		panic(fmt.Sprintf("syntax: loop form %T", f))
	}
}

// recordField prints a field of a record.
func (p *printer) recordField(f *RecordField) {
	p.str(f.Name.Text)
	if !f.Punned {
		p.str(" = ")
		p.exp(f.Value)
	}
}

// args prints arguments, each after a space.
func (p *printer) args(args []Exp) {
	for _, a := range args {
		p.str(" ")
		p.exp(a)
	}
}

// oper prints an operator or a name in backticks.
func (p *printer) oper(op QualName, backtick bool) {
	if backtick {
		p.str("`", op.String(), "`")
		return
	}
	p.str(op.String())
}

// prefix prints a prefix operator. A space keeps it apart from an operator
// that follows.
func (p *printer) prefix(op string, e Exp) {
	operand := PrintExp(e)
	p.str(op)
	if isOperator(operand) {
		p.str(" ")
	}
	p.str(operand)
}

// path prints the path of an update or section.
func (p *printer) path(path []Step) {
	for _, s := range path {
		switch s := s.(type) {
		case *StepField:
			p.str(".", s.Field.Text)
		case *StepIndex:
			p.indices(s.Indices)
		default:
			panic(fmt.Sprintf("syntax: step %T", s))
		}
	}
}

// indices prints indices in brackets.
func (p *printer) indices(list []*DimIndex) {
	p.str("[")
	each(p, list, ", ", func(d *DimIndex) {
		if d.Fix != nil {
			p.exp(d.Fix)
			return
		}
		p.optional(d.Start)
		p.str(":")
		p.optional(d.End)
		if d.Stride != nil {
			p.str(":")
			p.exp(d.Stride)
		}
	})
	p.str("]")
}

// optional prints an expression if there is one.
func (p *printer) optional(e Exp) {
	if e != nil {
		p.exp(e)
	}
}
