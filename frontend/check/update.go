package check

import (
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// update is the state of going from one version to the next.
type update struct {
	*Incremental
	b *body
	// gone are what the names of declarations meant that are not in the new version as they were.
	gone map[string]meaning
	// changed are the names that mean something else than they did; hard are those of them that types may be made of.
	changed, hard map[string]bool
	// all says that everything may have changed.
	all bool
}

// run makes the new version of parts; same are those of the last version that have the same text.
func (x *Incremental) run(next, same []*Part) {
	u := &update{Incremental: x, b: newBody(x.c.prelude, x.path)}
	u.gone, u.changed, u.hard = map[string]meaning{}, map[string]bool{}, map[string]bool{}
	u.b.root = true
	index := map[*Part]int{}
	for i, p := range x.parts {
		index[p] = i
	}
	kept := make([]bool, len(x.parts))
	until := make([]int, len(next)) // the place of the next declaration with the same text
	for i, bound := len(next)-1, len(x.parts); i >= 0; i-- {
		until[i] = bound
		if same[i] != nil {
			bound = index[same[i]]
			kept[bound] = true
		}
	}
	for i, p := range x.parts {
		if !kept[i] {
			u.forget(p, i)
		}
	}
	old := 0
	for i, p := range next {
		s := same[i]
		if s == nil {
			u.check(p, until[i])
			continue
		}
		for ; old < index[s]; old++ {
			if !kept[old] {
				u.remove(x.parts[old], old)
			}
		}
		old++
		if !u.keep(s) {
			u.forget(s, index[s])
			u.check(p, until[i])
			continue
		}
		s.Start = p.Start
		next[i] = s
	}
	x.parts, x.after = next, u.b.scope
}

// forget remembers what the names of a declaration meant that is checked again, or gone.
func (u *update) forget(p *Part, index int) {
	for name, m := range p.names {
		m.index = index
		u.gone[name] = m
	}
}

// remove notes that a declaration is not where it was: those names of it that nothing in its place declares mean something else now.
func (u *update) remove(p *Part, index int) {
	u.all = u.all || p.opens
	for name := range p.names {
		if m, gone := u.gone[name]; gone && m.index == index {
			u.changed[plain(name)] = true
			u.hard[plain(name)] = u.hard[plain(name)] || m.text == ""
			delete(u.gone, name)
		}
	}
}

// keep brings what a declaration declares into scope as it is, if it need not be checked again.
func (u *update) keep(p *Part) bool {
	if u.all || p.repeats || mentionsAny(p.words, u.changed) {
		return false
	}
	for name := range p.names {
		if _, taken := u.b.defined[name]; taken {
			return false
		}
	}
	for name, m := range p.names {
		u.b.defined[name] = m.at
	}
	p.before = u.b.scope
	for _, again := range p.again {
		again(u.b)
	}
	return true
}

func mentionsAny(words, names map[string]bool) bool {
	if len(names) < len(words) {
		words, names = names, words
	}
	for w := range words {
		if names[w] {
			return true
		}
	}
	return false
}

// check checks a declaration. Those of the last version from a place on are not what it stands for.
func (u *update) check(p *Part, until int) {
	u.checks++
	var sink diag.Sink
	if p.tree(&sink) == nil {
		return
	}
	c := u.c
	c.sink, u.heard = &sink, p
	p.before, p.names, p.words, p.opens = u.b.scope, map[string]meaning{}, words(p.At), opens(p.Dec)
	names := declared(p.Dec)
	for _, n := range names {
		_, taken := u.b.defined[n.Text]
		p.repeats = p.repeats || taken
	}
	u.b.added = func(again func(*body)) { p.again = append(p.again, again) }
	c.prog.Defs = nil
	c.dec(u.b, p.Dec)
	p.Diagnostics, p.Defs = sink.Sorted(), c.prog.Defs
	u.b.added, u.heard, c.sink, c.prog.Defs = nil, nil, nil, nil
	u.all = u.all || p.opens
	tainted := mentionsAny(p.words, u.hard)
	for _, n := range names {
		m := u.meaning(n)
		was, known := u.gone[n.Text]
		known = known && was.index < until
		if known {
			delete(u.gone, n.Text)
		}
		p.names[n.Text] = m
		if known && m.text != "" && m.text == was.text && !tainted {
			u.keepSymbol(p, m, was)
			continue
		}
		name := plain(n.Text)
		u.changed[name] = true
		u.hard[name] = u.hard[name] || m.text == "" || known && was.text == "" || tainted
	}
}

// keepSymbol has a definition that is checked again mean the symbol that it meant before, which others refer to.
func (u *update) keepSymbol(p *Part, now, was meaning) {
	if was.val == nil || was.val.sym == nil || now.val.sym == nil {
		return
	}
	was.val.sym.At = now.val.sym.At
	for i := range p.Mentions {
		if p.Mentions[i].Sym == now.val.sym {
			p.Mentions[i].Sym = was.val.sym
		}
	}
	now.val.sym = was.val.sym
}

// meaning describes what a declared name means.
func (u *update) meaning(name syntax.Name) meaning {
	out := meaning{at: name.At}
	if plain(name.Text) != name.Text {
		return out
	}
	v := u.b.scope.val(name.Text)
	switch {
	case v == nil || v.mod != nil:
		return out
	case v.broken:
		out.text, out.val = "broken", v
		return out
	}
	out.val = v
	t, ok := types.Force(v.sym.Type).(*types.Prim)
	size := ok && t.Kind == prim.I64
	for _, d := range types.SizesIn(v.sym.Type) {
		if _, ok := d.(*types.SizeExp); ok {
			size = true // with functions in it, which are as good as types
		}
	}
	if !size {
		out.text = valueText(name.Text, v.sym.Params, v.sym.Type)
	}
	return out
}

// declared are the names that a declaration declares, written as body.defined has them.
func declared(d syntax.Dec) []syntax.Name {
	switch d := d.(type) {
	case *syntax.ValDec:
		return []syntax.Name{d.Name}
	case *syntax.TypeDec:
		return []syntax.Name{{Text: "type " + d.Name.Text, At: d.Name.At}}
	case *syntax.ModDec:
		return []syntax.Name{d.Name}
	case *syntax.ModTypeDec:
		return []syntax.Name{{Text: "module type " + d.Name.Text, At: d.Name.At}}
	case *syntax.LocalDec:
		return declared(d.Dec)
	default:
		return nil
	}
}

// plain is a name without its space, as it is mentioned.
func plain(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// opens reports whether a declaration brings names into scope that it does not have itself.
func opens(d syntax.Dec) bool {
	switch d := d.(type) {
	case *syntax.OpenDec, *syntax.ImportDec:
		return true
	case *syntax.LocalDec:
		return opens(d.Dec)
	default:
		return false
	}
}

// words are the names and operators in a place.
func words(at source.Span) map[string]bool {
	tokens, _ := syntax.LexRange(at.File, int(at.Start), int(at.End))
	out := map[string]bool{}
	for _, t := range tokens {
		if k := t.Kind; k == syntax.EOF || k.IsKeyword() || k == syntax.DocComment {
			continue
		}
		text := at.File.Span(int(t.Start), int(t.End)).Text()
		out[text[strings.LastIndexByte(text, '.')+1:]] = true
		if before, _, qualified := strings.Cut(text, "."); qualified {
			out[before] = true
		}
	}
	return out
}
