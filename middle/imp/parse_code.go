package imp

import (
	"strconv"
	"strings"

	"skald/runtime/prim"
)

func (p *parser) body() []Stm {
	p.expect("{")
	return p.rest()
}

// rest reads statements up to the closing brace.
func (p *parser) rest() []Stm {
	var out []Stm
	for !p.accept("}") {
		out = append(out, p.stm())
	}
	return out
}

func (p *parser) stm() Stm {
	if p.tok == "@" {
		return p.store(false)
	}
	word := p.word()
	if p.accept("=") {
		return &Set{p.v(word), p.exp()}
	}
	switch word {
	case "let":
		name, n, t := p.binder()
		p.expect("=")
		e := p.exp()
		return &Let{p.bind(name, n, t), e}
	case "if":
		s := &If{Cond: p.exp(), Then: p.body()}
		if p.accept("else") {
			s.Else = p.body()
		}
		return s
	case "for", "parallel":
		if word == "parallel" {
			p.expect("for")
		}
		name, n, t := p.binder()
		p.expect("<")
		bound := p.exp()
		return &For{p.bind(name, n, t), bound, p.body(), word == "parallel"}
	case "while":
		s := &While{Cond: p.exp()}
		if p.accept("ahead") {
			s.Ahead = int(p.int())
		}
		s.Ends = p.accept("ends")
		s.Body = p.body()
		return s
	case "assert":
		cond := p.exp()
		p.expect("site")
		return &Assert{cond, SiteID(p.int()), list(&p.lexer, p.exp)}
	case "comment":
		return &Comment{p.str()}
	}
	if s := p.kernelStm(word); s != nil {
		return s
	}
	return p.hostStm(word)
}

// binder reads "name_N: type" without declaring it yet.
func (p *parser) binder() (string, int, Type) {
	name, n := p.split(p.word())
	p.expect(":")
	return name, n, p.typ()
}

func (p *parser) element() (Mem, Exp) {
	m := p.mem()
	p.expect("[")
	e := p.exp()
	p.expect("]")
	return m, e
}

// store reads a store to an element.
func (p *parser) store(own bool) Stm {
	mem, index := p.element()
	p.expect("=")
	return &Store{mem, index, p.exp(), own}
}

func (p *parser) kernelStm(word string) Stm {
	switch word {
	case "own":
		return p.store(true)
	case "loadvec":
		vars := items(&p.lexer, func() Var { return p.declare(p.word()) })
		p.expect("=")
		m, i := p.element()
		return &LoadVec{vars, m, i, p.accept("once")}
	case "storevec":
		m, i := p.element()
		p.expect("=")
		return &StoreVec{m, i, items(&p.lexer, p.exp)}
	case "barrier":
		return &Barrier{Global: p.accept("global")}
	case "uniform":
		name, n, t := p.binder()
		p.expect("=")
		s := &UniformLoad{}
		s.Mem, s.Index = p.element()
		s.Var = p.bind(name, n, t)
		return s
	case "atomic":
		s := &Atomic{}
		op := p.word()
		if p.tok == ":" {
			s.Old = p.declare(op)
			p.expect("=")
			op = p.word()
		}
		s.Op = AtomicOp(p.index(atomicNames[:], op))
		s.Mem, s.Index = p.element()
		s.Value = p.exp()
		return s
	case "update":
		name, n, t := p.binder()
		p.expect("=")
		s := &AtomicUpdate{}
		s.Mem, s.Index = p.element()
		s.Old = p.bind(name, n, t)
		s.Body = p.body()
		p.expect("new")
		s.New = p.exp()
		return s
	case "subgroup_update":
		return p.subgroupUpdate()
	case "subgroup":
		name, n, t := p.binder()
		p.expect("=")
		s := &Subgroup{Op: SubgroupOp(p.index(subgroupNames[:], p.word()))}
		args := list(&p.lexer, p.exp)
		if len(args) != 1 && len(args) != 2 {
			p.fail("%s with %d operands", s.Op, len(args))
		}
		s.X = args[0]
		if len(args) == 2 {
			s.Lane = args[1]
		}
		s.Dst = p.bind(name, n, t)
		return s
	case "invoke":
		return p.invoke()
	}
	return nil
}

// subgroupUpdate reads a SubgroupUpdate behind its first word.
func (p *parser) subgroupUpdate() Stm {
	x, xn, xt := p.binder()
	p.expect(",")
	y, yn, yt := p.binder()
	p.expect("=")
	s := &SubgroupUpdate{Mem: p.mem(), Keys: list(&p.lexer, p.exp)}
	p.expect("copies")
	s.Copies = p.exp()
	p.expect(",")
	s.Copy = p.exp()
	p.expect("with")
	s.Values = list(&p.lexer, p.exp)
	s.Selects = p.accept("selects")
	s.X, s.Y = p.bind(x, xn, xt), p.bind(y, yn, yt)
	s.Body = p.body()
	p.expect("new")
	s.New = p.exp()
	return s
}

func (p *parser) invoke() Stm {
	s := &Invoke{}
	for p.tok != "=" {
		if len(s.Dst) > 0 {
			p.expect(",")
		}
		s.Dst = append(s.Dst, p.declare(p.word()))
	}
	p.expect("=")
	name := p.word()
	if s.DeviceFunction = p.deviceFunctions[name]; s.DeviceFunction == nil {
		p.fail("no device function %s", name)
	}
	s.Args = list(&p.lexer, p.exp)
	return s
}

func (p *parser) index(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	p.fail("unknown operation %q", name)
	return 0
}

func (p *parser) hostStm(word string) Stm {
	switch word {
	case "alloc":
		name, n := p.split(p.word())
		p.expect(":")
		s := &Alloc{Elem: p.prim()}
		p.expect("[")
		s.Count = p.exp()
		p.expect("]")
		s.Mapped = p.accept("mapped")
		s.Var = p.bind(name, n, Block)
		return s
	case "free":
		return &Free{p.v(p.word())}
	case "copy":
		s := &Copy{Elem: p.prim()}
		s.Dst, s.DstOff = p.hostElement()
		p.expect("=")
		s.Src, s.SrcOff = p.hostElement()
		p.expect(",")
		s.Count = p.exp()
		return s
	case "fill":
		s := &Fill{Elem: p.prim()}
		s.Block, s.Off = p.hostElement()
		p.expect(",")
		s.Count = p.exp()
		p.expect("=")
		s.Value = p.exp()
		return s
	case "data":
		name, n := p.split(p.word())
		p.expect(":")
		return &Data{p.bind(name, n, Block), p.prim(), []byte(p.str())}
	case "read":
		name, n, t := p.binder()
		p.expect("=")
		s := &ReadScalar{Elem: t.Prim()}
		s.Block, s.Index = p.hostElement()
		s.Var = p.bind(name, n, t)
		return s
	case "write":
		s := &WriteScalar{Elem: p.prim()}
		s.Block, s.Index = p.hostElement()
		p.expect("=")
		s.Value = p.exp()
		return s
	case "const":
		name, n, t := p.binder()
		p.expect("=")
		return &GetConst{p.bind(name, n, t), int(p.int())}
	case "tune":
		name, n := p.split(p.word())
		p.expect("=")
		return &GetTune{p.bind(name, n, I64), int(p.int())}
	case "launch":
		return p.launch()
	case "trace":
		return &Trace{p.str(), p.str(), list(&p.lexer, p.tracePart)}
	case "call":
		return p.call()
	}
	p.fail("unknown statement %q", word)
	return nil
}

func (p *parser) call() Stm {
	s := &Call{Fun: p.word()}
	if p.tok == ":" {
		s.Dst = append(s.Dst, p.declare(s.Fun))
		for p.accept(",") {
			s.Dst = append(s.Dst, p.declare(p.word()))
		}
		p.expect("=")
		s.Fun = p.word()
	}
	s.Args = list(&p.lexer, p.exp)
	p.expect("site")
	s.Site = SiteID(p.int())
	return s
}

func (p *parser) launch() Stm {
	s := &Launch{Kernel: p.word()}
	p.expect("<")
	s.Groups = p.exp()
	p.expect(">")
	s.Args = list(&p.lexer, p.exp)
	p.expect("blocks")
	s.Blocks = list(&p.lexer, func() Var { return p.v(p.word()) })
	if p.accept("room") {
		s.Room = list(&p.lexer, p.exp)
	}
	p.expect("fits")
	s.Fits = list(&p.lexer, p.exp)
	return s
}

func (p *parser) hostElement() (Var, Exp) {
	v := p.v(p.word())
	p.expect("[")
	e := p.exp()
	p.expect("]")
	return v, e
}

func (p *parser) exp() Exp {
	if p.tok == "@" {
		m := p.mem()
		p.expect("[")
		l := &Load{Mem: m, Maybe: p.accept("maybe")}
		l.Index = p.exp()
		p.expect("]")
		return l
	}
	word := p.take()
	switch {
	case word == "none":
		return NoBlock()
	case word == "true" || word == "false":
		return &Const{Bool, prim.MakeBool(word == "true")}
	case p.tok == ":" && (word[0] == '-' || word[0] >= '0' && word[0] <= '9'):
		p.next()
		return p.constant(word, p.typ())
	case p.tok == "(":
		return p.apply(word)
	}
	for i, n := range idNames {
		if n == word {
			return &Id{IdKind(i)}
		}
	}
	return &VarExp{p.v(word)}
}

func (p *parser) constant(word string, t Type) Exp {
	if t.IsInt() {
		n, err := strconv.ParseInt(word, 10, 64)
		if u, uerr := strconv.ParseUint(word, 10, 64); err != nil && uerr == nil {
			n, err = int64(u), nil
		}
		if err != nil {
			p.fail("bad number %q", word)
		}
		return &Const{t, prim.FromWord(t.Prim(), uint64(n))}
	}
	bits, err := strconv.ParseUint(word, 0, 64)
	if err != nil {
		p.fail("bad number %q", word)
	}
	return &Const{t, prim.FromWord(t.Prim(), bits)}
}

// apply reads the operands of an operator and takes its name apart.
func (p *parser) apply(word string) Exp {
	parts := strings.Split(word, ".")
	args := list(&p.lexer, p.exp)
	need := func(n int) {
		if len(args) != n {
			p.fail("%s with %d operands", word, len(args))
		}
	}
	types := func(from, n int) []Type {
		if len(parts) != from+n {
			p.fail("unknown operator %q", word)
		}
		ts := make([]Type, n)
		for i := range ts {
			ts[i] = p.typeNamed(parts[from+i])
		}
		return ts
	}
	switch parts[0] {
	case "un":
		need(1)
		ts := types(2, 1)
		if op, ok := prim.ParseUnOp(parts[1]); ok {
			return &Un{op, ts[0], args[0]}
		}
	case "conv":
		need(1)
		ts := types(1, 2)
		return &Conv{ts[0], ts[1], args[0]}
	case "select":
		need(3)
		return &Select{types(1, 1)[0], args[0], args[1], args[2]}
	case "call":
		ts := types(2, 1)
		if f, ok := prim.ParseFunc(parts[1]); ok {
			return &CallFunc{f, ts[0].Prim(), args}
		}
	default:
		need(2)
		ts := types(1, 1)
		if op, ok := prim.ParseBinOp(parts[0]); ok {
			return &Bin{op, ts[0], args[0], args[1]}
		}
		if op, ok := prim.ParseCmpOp(parts[0]); ok {
			return &Cmp{op, ts[0], args[0], args[1]}
		}
	}
	p.fail("unknown operator %q", word)
	return nil
}

func (p *parser) typeNamed(name string) Type {
	if name == "idx" {
		return Idx
	}
	t, ok := prim.ParseType(name)
	if !ok {
		p.fail("unknown type %q", name)
	}
	return Of(t)
}
