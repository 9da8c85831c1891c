package check

import (
	"maps"
	"slices"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Note [Declarations in modules]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A module that is written out has declarations of its own, and they are checked again one by one, as those of the file are: the body of a
// module is brought from its last version to the next by an update of its own. That begins with what has changed around it. For this, the
// module must be in the place of the same one of the last version: both have the same name and the same text around the bodies in them.
//
// A module means what it meant if nothing that it declares has changed, and nothing that the text around mentions. So it is still the one
// that others refer to, with its abstract types. A change of values alone leaves the types of a module that is not seen through a module
// type, so that what mentions it is checked again, but no more than that. The parameter of a functor is kept likewise, while the functor
// itself, which has the text of its body, is another one, so that its applications are done again.
//
// What is around the bodies belongs to the part of the whole declaration, of which Part.pieces makes parts before, between and behind them.

// moduleBody is the body of a module in a part.
type moduleBody struct {
	// at is what is in its braces, in the version in which the part was checked.
	at    source.Span
	parts []*Part
	// done says that it was checked, which an error before it may prevent; same that nothing has changed in it, and sameTypes that
	// nothing has of which types may be made.
	done, same, sameTypes bool
}

// errors counts the errors in a module.
func (m *moduleBody) errors() int {
	n := 0
	for _, p := range m.parts {
		n += p.errors
	}
	return n
}

// moduleParts is the state of checking the modules in a declaration.
type moduleParts struct {
	u *update // of what is around
	p *Part
	// was is the part of the last version with the same text around modules, or nil. alike says that this text means the same, too.
	was   *Part
	alike bool
	index map[*syntax.ModBody]int
	// params are the names of parameters that mean something else than they did.
	params []string
}

// modules prepares to check the modules in a part. What was in its place may be nil.
func (u *update) modules(p, was *Part) *moduleParts {
	in := &moduleParts{u: u, p: p, index: map[*syntax.ModBody]int{}}
	for i, e := range moduleBodies(p.Dec) {
		in.index[e] = i
		p.modules = append(p.modules, &moduleBody{at: e.At.File.Span(int(e.At.Start)+1, int(e.At.End)-1)})
	}
	p.words = map[string]bool{}
	around := p.around()
	for _, at := range around {
		addWords(p.words, at)
	}
	if was != nil && slices.EqualFunc(around, was.around(), func(a, b source.Span) bool { return a.Text() == b.Text() }) {
		in.was = was
		in.alike = !u.all && !mentionsAny(p.words, u.changed)
	}
	return in
}

// around are the places of a part outside of the bodies of modules.
func (p *Part) around() []source.Span {
	var out []source.Span
	start := int(p.At.Start)
	for _, m := range p.modules {
		out = append(out, p.At.File.Span(start, int(m.at.Start)))
		start = int(m.at.End)
	}
	return append(out, p.At.File.Span(start, int(p.At.End)))
}

// same reports whether there are modules and all mean what they meant.
func (in *moduleParts) same() bool {
	return in.was != nil && in.alike && len(in.p.modules) > 0 && !in.p.opens &&
		!slices.ContainsFunc(in.p.modules, func(m *moduleBody) bool { return !m.same })
}

// sameTypes reports whether the declaration is a module as it is written, of which types mean what they meant.
func (in *moduleParts) sameTypes() bool {
	d := in.p.Dec
	if local, ok := d.(*syntax.LocalDec); ok {
		d = local.Dec
	}
	mod, ok := d.(*syntax.ModDec)
	if !ok || in.was == nil || !in.alike || mod.Sig != nil || len(mod.Params) > 0 {
		return false
	}
	_, ok = mod.Body.(*syntax.ModBody)
	return ok && in.p.modules[0].sameTypes
}

// moduleBody checks the body of a module, if it is in the declaration that is being checked.
func (x *Incremental) moduleBody(b *body, e *syntax.ModBody) (done bool) {
	in := x.inside
	if in == nil || x.c.replay > 0 {
		return false
	}
	i, ok := in.index[e]
	if !ok || in.p.modules[i].done {
		return false
	}
	m := in.p.modules[i]
	u := &update{Incremental: x, b: b, changed: maps.Clone(in.u.changed), hard: maps.Clone(in.u.hard), all: in.u.all}
	known := in.was != nil && in.was.modules[i].done
	if known {
		u.last = in.was.modules[i].parts
	}
	for _, name := range in.params {
		u.changeTypes(name)
	}
	m.parts = x.split(m.at, &syntax.File{Decs: e.Decs})
	u.run(m.parts, matching(u.last, m.parts))
	m.done, m.same, m.sameTypes = true, known && !u.any && !u.all, known && !u.types && !u.all
	x.c.innerErrors += m.errors()
	return true
}

// functorParam says what the parameter of a functor is while its body is checked.
func (x *Incremental) functorParam(param *syntax.ModParam, made *module) *module {
	in := x.inside
	if in == nil || x.c.replay > 0 || param.At.File != in.p.At.File {
		return made
	}
	if i := len(in.p.params); in.alike && i < len(in.was.params) {
		made = in.was.params[i]
	} else {
		in.params = append(in.params, param.Name.Text)
	}
	in.p.params = append(in.p.params, made)
	return made
}

// edited finds for each part the one of the last version in whose place it is: with the same text, or else a module of the same name.
func (u *update) edited(next, same []*Part, index map[*Part]int) []*Part {
	was := slices.Clone(same)
	for i := 0; i < len(next); i++ {
		if same[i] != nil {
			continue
		}
		from, until, end := 0, len(u.last), i
		if i > 0 && was[i-1] != nil {
			from = index[was[i-1]] + 1
		}
		for end < len(next) && same[end] == nil {
			end++
		}
		if end < len(next) {
			until = index[same[end]]
		}
		for ; i < end; i++ {
			name := moduleName(next[i].Dec)
			for j := from; j < until && name != ""; j++ {
				if moduleName(u.last[j].Dec) == name {
					was[i], from = u.last[j], j+1
					break
				}
			}
		}
	}
	return was
}

// moduleName is the name of the module that a declaration declares, or empty.
func moduleName(d syntax.Dec) string {
	switch d := d.(type) {
	case *syntax.ModDec:
		return d.Name.Text
	case *syntax.LocalDec:
		return moduleName(d.Dec)
	default:
		return ""
	}
}

// moduleBodies are the modules written out in a declaration, those in them left out, in order.
func moduleBodies(d syntax.Dec) []*syntax.ModBody {
	var out []*syntax.ModBody
	var look func(syntax.ModExp)
	look = func(e syntax.ModExp) {
		switch e := e.(type) {
		case *syntax.ModBody:
			out = append(out, e)
		case *syntax.ModParens:
			look(e.Body)
		case *syntax.ModAscript:
			look(e.Mod)
		case *syntax.ModLambda:
			look(e.Body)
		case *syntax.ModApply:
			look(e.Fun)
			look(e.Arg)
		default:
		}
	}
	switch d := d.(type) {
	case *syntax.ModDec:
		look(d.Body)
	case *syntax.LocalDec:
		return moduleBodies(d.Dec)
	default:
	}
	return out
}

// movedTo is the module, with its values and types at the places where another reading of it has them.
func (m *module) movedTo(other *module) *module {
	if m.scope == other.scope || m.scope == nil || other.scope == nil {
		return m
	}
	for name, now := range other.scope.vals {
		b := m.scope.vals[name]
		if b == nil || b == now {
			continue
		}
		b.at = now.at
		if b.sym != nil && now.sym != nil && now.sym.At.Valid() {
			b.sym.At = now.sym.At
		}
		if b.mod != nil && now.mod != nil {
			b.mod.movedTo(now.mod)
		}
	}
	for name, now := range other.scope.types {
		if b := m.scope.types[name]; b != nil {
			b.at = now.at
		}
	}
	return m
}

// pieces are parts with the declarations of their modules as parts.
func pieces(parts []*Part) []*Part {
	out := make([]*Part, 0, len(parts))
	for _, p := range parts {
		out = append(out, p.pieces()...)
	}
	return out
}

// pieces are the part itself, or, if there are modules in it, these as parts with what is before, between and behind them.
func (p *Part) pieces() []*Part {
	if len(p.modules) == 0 {
		return []*Part{p}
	}
	var out, around []*Part
	shift := p.Start - int(p.At.Start)
	start := int(p.At.Start)
	add := func(end int) {
		piece := &Part{Dec: p.Dec, At: p.At.File.Span(start, end), Start: start + shift, Defs: p.Defs, before: p.before, env: p.env}
		out, around = append(out, piece), append(around, piece)
	}
	for _, m := range p.modules {
		if len(m.parts) == 0 {
			continue
		}
		add(m.parts[0].Start - shift)
		out = append(out, pieces(m.parts)...)
		start = m.parts[len(m.parts)-1].end() - shift
	}
	add(int(p.At.End))
	around[0].Diagnostics = p.Diagnostics
	for _, m := range p.Mentions {
		to := around[0]
		for _, piece := range around {
			if m.At.File == piece.At.File && piece.At.Start <= m.At.Start && m.At.End <= piece.At.End {
				to = piece
			}
		}
		to.Mentions = append(to.Mentions, m)
	}
	return out
}
