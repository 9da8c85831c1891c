package check

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// update is the state of going from one version to the next, of a file or of the body of a module.
type update struct {
	*Incremental
	b *body
	// last are the parts of the last version.
	last []*Part
	// gone are what the names of declarations meant that are not in the new version as they were.
	// A name has several where it is declared repeatedly, by place.
	gone map[string][]meaning
	// changed are the names that mean something else than they did; hard are those of them that types may be made of.
	changed, hard map[string]bool
	// all says that everything may have changed, any that something has, here or in what was removed, and types that types may be made
	// of what has.
	all, any, types bool
}

// run makes the new version of parts; same are those of the last version that have the same text, which are put in their place
// if they need not be checked again.
func (u *update) run(next, same []*Part) {
	u.gone = map[string][]meaning{}
	index := map[*Part]int{}
	for i, p := range u.last {
		index[p] = i
	}
	kept := make([]bool, len(u.last))
	for _, s := range same {
		if s != nil {
			kept[index[s]] = true
		}
	}
	was := u.edited(next, same, index)
	until := make([]int, len(next)) // the place of the next declaration that was there
	for i, bound := len(next)-1, len(u.last); i >= 0; i-- {
		until[i] = bound
		if was[i] != nil {
			bound = index[was[i]]
		}
	}
	for i, p := range u.last {
		if !kept[i] {
			u.forget(p, i)
		}
	}
	old := 0
	for i, p := range next {
		s := was[i]
		if s == nil {
			u.check(p, place{until: until[i]})
			continue
		}
		for ; old < index[s]; old++ {
			if !kept[old] {
				u.remove(u.last[old], old)
			}
		}
		old++
		if same[i] == nil || !u.keep(s) && !u.postpone(s) {
			if same[i] != nil {
				u.forget(s, index[s])
			}
			u.check(p, place{s, index[s], until[i]})
			continue
		}
		s.move(p.Start)
		next[i] = s
	}
	for ; old < len(u.last); old++ {
		if !kept[old] {
			u.remove(u.last[old], old)
		}
	}
}

// forget remembers what the names of a declaration meant that is checked again, or gone.
func (u *update) forget(p *Part, index int) {
	for name, m := range p.names {
		m.index = index
		u.gone[name] = append(u.gone[name], m)
	}
}

// remove notes that a declaration is not where it was: those names of it that nothing in its place declares mean something else now.
func (u *update) remove(p *Part, index int) {
	u.all = u.all || p.opens
	for name, m := range p.names {
		at := slices.IndexFunc(u.gone[name], func(m meaning) bool { return m.index == index })
		if at >= 0 {
			u.gone[name] = slices.Delete(u.gone[name], at, at+1)
			if m.text == "" {
				u.changeTypes(name)
			}
			u.change(name)
		}
	}
}

// replaced takes what a name meant that is now declared again: by the declaration in whose place this is, or else by another one.
func (u *update) replaced(name string, at place) (was meaning, known bool) {
	i := slices.IndexFunc(u.gone[name], func(m meaning) bool {
		return at.was != nil && m.index == at.index || at.was == nil && m.index < at.until
	})
	if i < 0 {
		return was, false
	}
	was = u.gone[name][i]
	u.gone[name] = slices.Delete(u.gone[name], i, i+1)
	return was, true
}

// place is where in the last version a declaration is. Those from until on are not what it stands for.
type place struct {
	was   *Part // what was in its place, or nil
	index int
	until int
}

// keep brings what a declaration declares into scope as it is, if it need not be checked again.
func (u *update) keep(p *Part) bool {
	if u.all || p.unfinished() || !u.repeatsAsBefore(p) || p.mentions(u.changed) && !u.park(p) {
		return false
	}
	u.bring(p)
	return true
}

// postpone leaves a declaration as it is that must be checked again, if enough has been checked. It is one of no modules: these postpone
// what they have.
func (u *update) postpone(p *Part) bool {
	if u.limit == 0 || p.opens || len(p.modules) > 0 || len(p.repeats) > 0 || !u.repeatsAsBefore(p) {
		return false
	}
	if u.spent++; u.spent <= u.limit {
		return false
	}
	p.tainted = p.tainted || u.all || mentionsAny(p.words, u.hard)
	p.postponed, u.postponed = true, true
	u.bring(p)
	return true
}

// repeatsAsBefore reports whether what a declaration declares was declared before it as it was when it was checked: mostly not at all.
func (u *update) repeatsAsBefore(p *Part) bool {
	for name := range p.names {
		if u.b.defined[name] != p.repeats[name] {
			return false
		}
	}
	return true
}

// bring brings what a declaration declares into scope.
func (u *update) bring(p *Part) {
	for name, m := range p.names {
		u.b.defined[name] = m.at
	}
	p.before = u.b.scope
	for _, again := range p.again {
		again(u.b)
	}
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

// check checks a declaration.
func (u *update) check(p *Part, at place) {
	var sink diag.Sink
	if p.tree(&sink) == nil {
		return
	}
	names := declared(p.Dec)
	p.before, p.names, p.opens = u.b.scope, map[string]meaning{}, opens(p.Dec)
	for _, n := range names {
		if before, taken := u.b.defined[n.Text]; taken {
			p.repeats = map[string]source.Span{n.Text: before}
		}
	}
	inner := u.checkDec(p, at.was, &sink)
	u.all = u.all || p.opens
	tainted := u.all || mentionsAny(p.words, u.hard) || at.was != nil && at.was.tainted
	for _, n := range names {
		m := u.meaning(n)
		before, known := u.replaced(n.Text, at)
		switch {
		case !known:
		case m.val != nil && m.val.mod != nil && before.val != nil && before.val.mod != nil && inner.same():
			m.val.mod = before.val.mod.movedTo(m.val.mod)
			p.names[n.Text] = m
			continue
		case !tainted && u.recall(p, &m, before):
			p.names[n.Text] = m
			continue
		}
		p.names[n.Text] = m
		if (m.text == "" || known && before.text == "" || tainted) && !(known && inner.sameTypes()) {
			u.changeTypes(n.Text)
		}
		u.change(n.Text)
	}
}

// change notes that a name means something else than it did.
func (u *update) change(key string) {
	u.any = true
	u.changed[plain(key)] = true
}

// changeTypes notes that a name means something else of which types may be made.
func (u *update) changeTypes(key string) {
	u.change(key)
	u.hard[plain(key)], u.types = true, true
	u.era++
}

// checkDec checks the declaration of a part, and says what became of the modules in it.
func (u *update) checkDec(p, was *Part, sink *diag.Sink) *moduleParts {
	c := u.c
	u.checks++
	left := len(c.aliases)
	outer, heard, sinkBefore, defs := u.inside, u.heard, c.sink, c.prog.Defs
	inner := u.modules(p, was)
	c.sink, u.heard, u.inside, c.prog.Defs = sink, p, inner, nil
	u.b.added = func(again func(*body)) { p.again = append(p.again, again) }
	c.dec(u.b, p.Dec)
	u.b.added = nil
	p.Diagnostics, p.Defs = sink.Sorted(), c.prog.Defs
	p.errors = sink.Errors()
	for _, m := range p.modules {
		p.errors += m.errors()
	}
	c.sink, u.heard, u.inside, c.prog.Defs = sinkBefore, heard, outer, defs
	u.left += 1 + len(c.aliases) - left
	return inner
}

// meaning describes what a declared name means.
func (u *update) meaning(name syntax.Name) meaning {
	out := meaning{at: name.At}
	if plain(name.Text) != name.Text {
		return out
	}
	v := u.b.scope.val(name.Text)
	switch {
	case v == nil:
		return out
	case v.mod != nil:
		if v.mod.functor == nil && !v.broken {
			out.val = v
		}
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

// addWords adds the names and operators in a place.
func addWords(out map[string]bool, at source.Span) {
	tokens, _ := syntax.LexRange(at.File, int(at.Start), int(at.End))
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
}
