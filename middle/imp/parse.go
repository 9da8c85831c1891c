package imp

import (
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// Parse reads the text form of a program.
func Parse(src string) (p *Prog, err error) {
	ps := &parser{lexer: lexer{src: src, line: 1}, deviceFunctions: map[string]*DeviceFunction{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			p, err = nil, r.error
		default:
			panic(r)
		}
	}()
	ps.next()
	return ps.prog(), nil
}

// parser reads text. Variables carry their number in their name.
type parser struct {
	lexer
	scope           Scope
	deviceFunctions map[string]*DeviceFunction // read so far
}

func (p *parser) prog() *Prog {
	out := &Prog{}
	for p.tok != "" {
		switch kind := p.take(); kind {
		case "tune":
			out.Tunes = append(out.Tunes, Tune{p.str(), p.str(), p.int()})
		case "opaque":
			out.Opaques = append(out.Opaques, p.str())
		case "site":
			out.Sites = append(out.Sites, Site{p.str(), p.str(), list(&p.lexer, p.prim)})
		case "init":
			out.Init = p.word()
		case "entry":
			out.Entries = append(out.Entries, p.entry())
		case "kernel":
			out.Kernels = append(out.Kernels, p.kernel())
		case "device":
			r := p.deviceFunction()
			p.deviceFunctions[r.Name] = r
		case "fun":
			out.Funs = append(out.Funs, p.fun())
		default:
			p.fail("unexpected %q", kind)
		}
	}
	return out
}

func (p *parser) entry() Entry {
	e := Entry{Name: p.str(), Fun: p.word(), Doc: p.str()}
	p.expect("{")
	for !p.accept("}") {
		switch role := p.word(); role {
		case "param":
			e.Params = append(e.Params, p.entryValue())
		case "result":
			e.Results = append(e.Results, p.entryValue())
		default:
			p.fail("unexpected %q", role)
		}
	}
	return e
}

func (p *parser) entryValue() EntryValue {
	v := EntryValue{Unique: p.accept("unique")}
	v.Name, v.Type, v.Opaque = p.str(), p.str(), int(p.int())
	v.Parts = list(&p.lexer, p.entryPart)
	return v
}

func (p *parser) entryPart() EntryPart {
	part := EntryPart{At: int(p.int())}
	p.expect(":")
	for p.accept("[") {
		var d Dim
		switch {
		case p.accept("param"):
			d.Kind = DimParam
		case p.accept("result"):
			d.Kind = DimResult
		}
		d.N = p.int()
		p.expect("]")
		part.Shape = append(part.Shape, d)
	}
	part.Elem = p.prim()
	return part
}

func (p *parser) kernel() *Kernel {
	k := &Kernel{Name: p.word()}
	p.scope = Scope{}
	p.expect("(")
	for first := true; !p.accept(")"); first = false {
		if !first {
			p.expect(",")
		}
		switch name := p.word(); {
		case p.tok == "@":
			p.declareMem(MemDecl{Space: Global, Access: p.access(name)})
		default:
			k.Params = append(k.Params, p.declare(name))
		}
	}
	p.expect("group")
	k.GroupSize = int(p.int())
	if p.accept("room") {
		k.Room = int(p.int())
	}
	k.Guarded = p.accept("guarded")
	if p.accept("at") {
		k.Where = p.str()
	}
	p.expect("{")
	p.ownMems()
	k.Body = p.rest()
	k.Vars, k.Mems = p.scope.Vars, p.scope.Mems
	return k
}

// ownMems reads declarations of arrays that are not global.
func (p *parser) ownMems() {
	for p.tok == "shared" || p.tok == "private" {
		space := Shared
		if p.word() == "private" {
			space = Private
		}
		p.declareMem(MemDecl{Space: space})
	}
}

// deviceFunction reads a device function after its keyword. Those that it calls stand before it.
func (p *parser) deviceFunction() *DeviceFunction {
	r := &DeviceFunction{Name: p.word()}
	p.scope = Scope{}
	r.Params = list(&p.lexer, func() Var { return p.declare(p.word()) })
	p.expect("->")
	results := p.lexer
	p.skipList()
	r.Fails = p.accept("fails")
	p.expect("{")
	p.ownMems()
	r.Body = p.rest()
	r.Results = p.results(results)
	r.Vars, r.Mems = p.scope.Vars, p.scope.Mems
	return r
}

// results reads the list of results that begins at start, before the code that declares what it mentions.
func (p *parser) results(start lexer) []Exp {
	end := p.lexer
	p.lexer = start
	es := list(&p.lexer, p.exp)
	p.lexer = end
	return es
}

func (p *parser) access(name string) Access {
	for i, n := range accessNames {
		if n == name {
			return Access(i)
		}
	}
	p.fail("unknown access %q", name)
	return 0
}

// declareMem reads "@name_N: elem" and, when it is not global, "[count]" or "[room]", else perhaps "chunks N LOG".
func (p *parser) declareMem(d MemDecl) {
	p.expect("@")
	name, n := p.split(p.word())
	if n != len(p.scope.Mems) {
		p.fail("array %s is number %d", name, len(p.scope.Mems))
	}
	p.expect(":")
	d.Name, d.Elem = name, p.prim()
	switch {
	case d.Space != Global:
		p.expect("[")
		if d.Sized = p.accept("room"); !d.Sized {
			d.Count = int(p.int())
		}
		p.expect("]")
	case p.accept("chunks"):
		d.Chunks, d.ChunkLog = int(p.int()), int(p.int())
	}
	p.scope.Mems = append(p.scope.Mems, d)
}

func (p *parser) fun() *Fun {
	f := &Fun{Name: p.word()}
	p.scope = Scope{}
	f.Params = list(&p.lexer, func() Var { return p.declare(p.word()) })
	p.expect("->")
	results := p.lexer
	p.skipList()
	f.Body = p.body()
	f.Results = p.results(results)
	f.Vars = p.scope.Vars
	return f
}

// skipList skips a list in parentheses.
func (p *parser) skipList() {
	p.expect("(")
	for depth := 1; depth > 0; {
		switch p.take() {
		case "(":
			depth++
		case ")":
			depth--
		}
	}
}

// split takes "name_12" apart.
func (p *parser) split(word string) (string, int) {
	i := strings.LastIndexByte(word, '_')
	if i >= 0 {
		if n, err := strconv.Atoi(word[i+1:]); err == nil && n < 1<<24 {
			return word[:i], n
		}
	}
	p.fail("%q is no variable", word)
	return "", 0
}

// declare reads ": type" after a variable's name and declares it.
func (p *parser) declare(word string) Var {
	name, n := p.split(word)
	p.expect(":")
	return p.bind(name, n, p.typ())
}

func (p *parser) bind(name string, n int, t Type) Var {
	for len(p.scope.Vars) <= n {
		p.scope.Vars = append(p.scope.Vars, VarDecl{})
	}
	p.scope.Vars[n] = VarDecl{name, t}
	return Var(n)
}

func (p *parser) v(word string) Var {
	_, n := p.split(word)
	if n <= 0 || n >= len(p.scope.Vars) || p.scope.Vars[n] == (VarDecl{}) {
		p.fail("%s is not bound", word)
	}
	return Var(n)
}

func (p *parser) mem() Mem {
	p.expect("@")
	_, n := p.split(p.word())
	if n >= len(p.scope.Mems) {
		p.fail("no array has number %d", n)
	}
	return Mem(n)
}

func (p *parser) typ() Type {
	switch p.tok {
	case "idx":
		p.next()
		return Idx
	case "block":
		p.next()
		return Block
	}
	return Of(p.prim())
}

func (p *parser) prim() prim.Type {
	t, ok := prim.ParseType(p.word())
	if !ok {
		p.fail("unknown type")
	}
	return t
}
