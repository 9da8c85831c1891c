package syntax

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"skald/frontend/diag"
	"skald/frontend/source"
)

// This file makes trees of what participle's grammar captured: it folds the
// lists that stand for chains, splits prefixes, and checks what the grammar
// leaves open.

// span is the range of a run of tokens.
func (s *session) span(tokens []lexer.Token) source.Span {
	if len(tokens) == 0 {
		return source.Span{}
	}
	return s.tokenSpan(tokens[0]).To(s.tokenSpan(tokens[len(tokens)-1]))
}

// tokenSpan is the range of one token.
func (s *session) tokenSpan(t lexer.Token) source.Span {
	return s.file.Span(t.Pos.Offset, t.Pos.Offset+len(t.Value))
}

// nameOf makes a name of a token.
func (s *session) nameOf(t lexer.Token) Name { return Name{Text: t.Value, At: s.tokenSpan(t)} }

// qualified makes a qualified name of names and the dots between them.
func (s *session) qualified(tokens []lexer.Token) QualName {
	var q QualName
	for i := 0; i < len(tokens)-1; i += 2 {
		q.Quals = append(q.Quals, s.nameOf(tokens[i]))
	}
	q.Name = s.nameOf(tokens[len(tokens)-1])
	return q
}

// present reports whether a token was captured.
func present(t lexer.Token) bool { return t.Type != 0 }

// path is the text between the quotation marks of an import.
func (s *session) path(t lexer.Token) string {
	return s.unescape(s.tokens[s.tokenAt(t.Pos.Offset)])
}

// doc makes a documentation comment of its token.
func (s *session) doc(t lexer.Token) *Doc {
	return &Doc{Node: Node{s.tokenSpan(t)}, Text: docText(t.Value)}
}

// docText removes the comment marks, one space after each, and space at the
// ends of lines.
func docText(comment string) string {
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		line = strings.TrimPrefix(strings.TrimLeft(line, " \t\r\f\v"), "--")
		if i == 0 {
			line = strings.TrimPrefix(line, " |")
		}
		lines[i] = strings.TrimRight(strings.TrimPrefix(line, " "), " \t\r\f\v")
	}
	return strings.Join(lines, "\n")
}

// dec makes a declaration, or nil for a value with an error. Its prefixes are sorted into headers: each "local"
// begins an inner one.
func (s *session) dec(g *gDec) Dec {
	groups, headers := [][]*gPrefix{nil}, []source.Span{s.span(g.Tokens)}
	for _, p := range g.Prefix {
		if present(p.Local) {
			s.link()
			groups = append(groups, nil)
			whole := headers[len(headers)-1]
			at := s.tokenSpan(p.Local)
			headers[len(headers)-1].Start = min(whole.Start, at.Start)
			headers = append(headers, source.Span{File: s.file, Start: at.End, End: whole.End})
			continue
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	last := len(groups) - 1
	d := s.plainDec(g)
	if d == nil {
		return nil
	}
	if last > 0 {
		headers[last] = s.trim(headers[last])
	}
	s.header(d.Header(), groups[last], headers[last])
	for i := last - 1; i >= 0; i-- {
		l := &LocalDec{Dec: d}
		if i > 0 {
			headers[i] = s.trim(headers[i])
		}
		s.header(&l.DecHeader, groups[i], headers[i])
		d = l
	}
	return d
}

// trim moves the beginning of a range to the first token in it.
func (s *session) trim(at source.Span) source.Span {
	at.Start = s.tokens[s.tokenAt(int(at.Start))].Start
	return at
}

// header fills in what precedes a declaration or specification.
func (s *session) header(h *DecHeader, prefix []*gPrefix, at source.Span) {
	h.At = at
	for _, p := range prefix {
		switch {
		case p.Attr != nil:
			h.Attrs = append(h.Attrs, p.Attr.attr())
		case h.Doc == nil && h.Attrs == nil:
			h.Doc = s.doc(p.Doc)
			h.At.Start = s.tokens[s.tokenAt(p.Doc.Pos.Offset)+1].Start
		default:
			s.fail(codeDoc, s.tokenSpan(p.Doc), "a documentation comment must precede all attributes, and there may be only one")
		}
	}
}

// plainDec makes a declaration without its header; a value with an error becomes
// nil.
func (s *session) plainDec(g *gDec) Dec {
	switch {
	case present(g.Val):
		if d := s.vals[g.Val.Pos.Offset]; d != nil {
			return d
		}
		return nil
	case g.Type != nil:
		if g.Type.Def == nil {
			s.fail(codeUnexpected, s.span(g.Tokens), "a type declaration must say what the type is: expected '='")
		}
		name, lift, params := s.typeDec(g.Type)
		return &TypeDec{Lift: lift, Name: name, TypeParams: params, Def: g.Type.Def}
	case g.Module != nil:
		return s.module(g.Module)
	case g.Open != nil:
		return &OpenDec{Mod: s.modExp(g.Open)}
	default:
		return &ImportDec{Path: s.path(g.Import), PathAt: s.tokenSpan(g.Import)}
	}
}

// typeDec makes the parts of a type declaration or specification.
func (s *session) typeDec(g *gType) (Name, Liftedness, []*TypeParam) {
	lift := map[string]Liftedness{"": Unlifted, "~": SizeLifted, "^": Lifted}[g.Lift]
	return s.nameOf(g.Name), lift, typeParams(g.Params)
}

// typeParams makes a list of type parameters, which may be missing.
func typeParams(g gParams) []*TypeParam {
	if g == nil {
		return nil
	}
	return g.list()
}

// module makes a module or a module type.
func (s *session) module(g *gModule) Dec {
	if g.TypeDef != nil {
		return &ModTypeDec{Name: s.nameOf(g.TypeName), Def: s.modType(g.TypeDef)}
	}
	d := &ModDec{Name: s.nameOf(g.Name)}
	for _, p := range g.Params {
		d.Params = append(d.Params, s.modParam(p))
	}
	if g.Sig != nil {
		d.Sig = s.modType(g.Sig)
	}
	d.Body = s.modExp(g.Body)
	return d
}

// modParam makes a parameter of a module.
func (s *session) modParam(g *gModParam) *ModParam {
	return &ModParam{Node: Node{s.span(g.Tokens)}, Name: s.nameOf(g.Name), Type: s.modType(g.Type)}
}

// modExp makes a module expression. Lambdas extend over everything after them.
func (s *session) modExp(g *gModExp) ModExp {
	end := s.span(g.Tokens).End
	var m ModExp
	if present(g.Import) {
		at := s.tokenSpan(g.Import)
		m = &ModImport{Node: Node{s.importSpan(at)}, Path: s.path(g.Import), PathAt: at}
	}
	for _, a := range g.Atoms {
		arg := s.modAtom(a)
		if m == nil {
			m = arg
			continue
		}
		s.link()
		m = &ModApply{Node: Node{m.Span().To(arg.Span())}, Fun: m, Arg: arg}
	}
	for _, t := range g.Sigs {
		s.link()
		sig := s.modType(t)
		m = &ModAscript{Node: Node{m.Span().To(sig.Span())}, Mod: m, Sig: sig}
	}
	for i := len(g.Lambdas) - 1; i >= 0; i-- {
		s.link()
		l := g.Lambdas[i]
		at := s.span(l.Tokens)
		at.End = end
		fun := &ModLambda{Node: Node{at}, Param: s.modParam(l.Param), Body: m}
		if l.Sig != nil {
			fun.Sig = s.modTypeAtom(l.Sig)
			s.noParam(l.Sig)
		}
		m = fun
	}
	return m
}

// importSpan is the range of an import whose path is at the given range.
func (s *session) importSpan(path source.Span) source.Span {
	return s.at(s.tokens[s.tokenAt(int(path.Start))-1]).To(path)
}

// modAtom makes an atomic module expression.
func (s *session) modAtom(g *gModAtom) ModExp {
	n := Node{s.span(g.Tokens)}
	switch {
	case g.Parens != nil:
		return &ModParens{Node: n, Body: s.modExp(g.Parens)}
	case g.Name != nil:
		return &ModVar{Node: n, Name: s.qualified(g.Name)}
	default:
		body := &ModBody{Node: n}
		for _, d := range g.Decs {
			if dec := s.dec(d); dec != nil {
				body.Decs = append(body.Decs, dec)
			}
		}
		return body
	}
}

// modType makes a module type; arrows associate to the right.
func (s *session) modType(g *gModType) ModTypeExp {
	last := len(g.Parts) - 1
	s.noParam(g.Parts[last].Atom)
	t := s.modTypePart(g.Parts[last])
	for i := last - 1; i >= 0; i-- {
		s.link()
		part := g.Parts[i]
		arrow := &ModTypeArrow{To: t}
		if present(part.Atom.Param) {
			if len(part.Withs) > 0 {
				s.noParam(part.Atom)
			}
			arrow.Param = s.nameOf(part.Atom.Param)
			arrow.From = s.modType(part.Atom.Parens)
		} else {
			arrow.From = s.modTypePart(part)
		}
		arrow.At = s.span(part.Tokens).To(t.Span())
		t = arrow
	}
	return t
}

// noParam fails if a named parameter is where no arrow follows it.
func (s *session) noParam(g *gModTypeAtom) {
	if present(g.Param) {
		s.raise(diag.New(codeUnexpected, s.span(g.Tokens), "a named parameter of a module type must be followed by '->'"))
	}
}

// modTypePart makes a module type without arrows at the top.
func (s *session) modTypePart(g *gModTypePart) ModTypeExp {
	t := s.modTypeAtom(g.Atom)
	for _, w := range g.Withs {
		s.link()
		t = &ModTypeWith{
			Node: Node{t.Span().To(s.span(w.Tokens))}, Base: t,
			Name: s.qualified(w.Name), TypeParams: typeParams(w.Params), Def: w.Def,
		}
	}
	return t
}

// modTypeAtom makes an atomic module type.
func (s *session) modTypeAtom(g *gModTypeAtom) ModTypeExp {
	n := Node{s.span(g.Tokens)}
	switch {
	case g.Name != nil:
		return &ModTypeVar{Node: n, Name: s.qualified(g.Name)}
	case g.Parens != nil:
		return &ModTypeParens{Node: n, Body: s.modType(g.Parens)}
	default:
		t := &ModTypeSpecs{Node: n}
		for _, g := range g.Specs {
			if spec := s.spec(g); spec != nil {
				t.Specs = append(t.Specs, spec)
			}
		}
		return t
	}
}

// spec makes a specification, or nil for a value with an error.
func (s *session) spec(g *gSpec) Spec {
	var spec Spec
	switch {
	case present(g.Val):
		v := s.specs[g.Val.Pos.Offset]
		if v == nil {
			return nil
		}
		spec = v
	case g.Type != nil:
		name, lift, params := s.typeDec(g.Type)
		spec = &TypeSpec{Lift: lift, Name: name, TypeParams: params, Def: g.Type.Def}
	case g.Mod != nil:
		spec = &ModSpec{Name: s.nameOf(g.ModName), Type: s.modType(g.Mod)}
	default:
		spec = &IncludeSpec{Type: s.modType(g.Include)}
	}
	for _, p := range g.Prefix {
		if present(p.Local) {
			s.fail(codeUnexpected, s.tokenSpan(p.Local), "unexpected 'local': a module type has no local parts")
		}
	}
	s.header(spec.Header(), g.Prefix, s.span(g.Tokens))
	return spec
}
