package check

import (
	"slices"

	"skald/frontend/diag"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Note [Parked declarations]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// Who types an expression makes its definition wrong for a moment, and so all those that mention it, and those that mention them; when
// the expression is there, all are as they were. They need not be checked twice for that. A declaration that was right, without a message,
// ends without a message where it mentions a broken name: if all that has changed for it is that names are broken, it is parked. Then it
// has what checking found, but its name is broken; and when the names mean the symbols again that it mentions, it is right as it is.
//
// For this, a broken name remembers which symbol it was, and a definition that is right again takes the symbol that it had when its type
// was the same. That holds as long as nothing changes that types may be made of: then former meanings are forgotten, which eras say.

// former is a meaning that a definition had, which was right, in an era.
type former struct {
	text string
	sym  *types.Symbol
	era  int
}

// mostFormer is how many former meanings of a name are known.
const mostFormer = 4

const brokenText = "broken"

// recall has a definition that was checked again mean the symbol that it meant when its type was the same: others refer to that. The result
// says that it was so in the last version, so that nothing has changed.
func (u *update) recall(p *Part, now *meaning, was meaning) (same bool) {
	now.former = was.former
	if now.text == "" || now.val == nil {
		return false
	}
	if now.text == was.text {
		if was.val != nil {
			keepSymbol(p, now, was.val.sym)
			now.val.was = was.val.was
		}
		return true
	}
	now.former = u.remembered(was)
	for _, f := range slices.Backward(now.former) {
		switch {
		case f.era != u.era:
		case now.text == brokenText:
			now.val.was = f.sym
			return false
		case now.text == f.text:
			keepSymbol(p, now, f.sym)
			return false
		}
	}
	return false
}

// remembered are the former meanings of a name that now gets another.
func (u *update) remembered(was meaning) []former {
	if was.text == "" || was.text == brokenText || was.val == nil || was.val.sym == nil {
		return was.former
	}
	out := append(slices.Clone(was.former), former{was.text, was.val.sym, u.began})
	return out[max(0, len(out)-mostFormer):]
}

// keepSymbol has a definition mean a symbol that others refer to.
func keepSymbol(p *Part, now *meaning, sym *types.Symbol) {
	if sym == nil || now.val.sym == nil {
		return
	}
	sym.At = now.val.sym.At
	for i := range p.Mentions {
		if p.Mentions[i].Sym == now.val.sym {
			p.Mentions[i].Sym = sym
		}
	}
	now.val.sym = sym
}

// park decides about a declaration that mentions names that have changed: it reports whether the declaration need not be checked, because
// they mean what they meant when it was, or because it is parked.
func (u *update) park(p *Part) (ok bool) {
	name, m, ok := p.parkable()
	if !ok {
		return false
	}
	lost := map[string]*types.Symbol{}
	for n, sym := range p.parked {
		lost[n] = sym
	}
	for n := range p.words {
		if u.changed[n] && lost[n] == nil {
			if lost[n], ok = p.meant(n, m.val.sym); !ok {
				return false
			}
		}
	}
	broken, ok := u.broken(lost)
	if !ok {
		return false
	}
	switch {
	case broken && p.parked == nil:
		m.former = u.remembered(m)
		m.text, m.val.broken, m.val.was = brokenText, true, m.val.sym
		u.change(name)
	case !broken && p.parked != nil:
		m.text, m.val.broken = valueText(name, m.val.sym.Params, m.val.sym.Type), false
		u.change(name)
	}
	p.parked = nil
	if broken {
		p.parked = lost
	}
	p.names[name] = m
	return true
}

// parkable is the only name of a declaration of a value that may be parked: it is parked, or it was checked without a message.
func (p *Part) parkable() (name string, m meaning, ok bool) {
	if _, value := p.Dec.(*syntax.ValDec); !value || len(p.Diagnostics) > 0 || len(p.names) != 1 {
		return "", m, false
	}
	for name, m = range p.names {
		ok = m.val != nil && m.val.sym != nil && m.text != "" && (p.parked != nil || !m.val.broken)
	}
	return name, m, ok
}

// meant is the symbol of a value that a declaration, whose own symbol is self, means by a name; nil if it means what it has itself. It is
// not known where the name is also that of something else, or not what a mention is of.
func (p *Part) meant(name string, self *types.Symbol) (sym *types.Symbol, ok bool) {
	for _, m := range p.Mentions {
		switch {
		case m.Name != name:
			continue
		case m.Kind != ValueName || m.Sym == nil:
			return nil, false
		}
		ok = true
		if m.Sym.Kind != types.Global || m.Sym == self || m.Sym == sym {
			continue
		}
		if sym != nil {
			return nil, false
		}
		sym = m.Sym
	}
	return sym, ok
}

// broken reports whether one of some names is broken that meant a symbol; all others must mean theirs.
func (u *update) broken(lost map[string]*types.Symbol) (broken, ok bool) {
	before := u.c.sink
	u.c.sink = &diag.Sink{} // for what the prelude has
	defer func() { u.c.sink = before }()
	for name, sym := range lost {
		if sym == nil {
			continue
		}
		b := u.b.scope.val(name)
		switch {
		case b == nil:
			return false, false
		case b.broken && b.was == sym:
			broken = true
		case b.broken || b.sym != sym:
			return false, false
		}
	}
	return broken, true
}
