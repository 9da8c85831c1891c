package core

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Subst replaces variables by operands; variables that are not in the map
// stay. Bound variables must not be in it: names are bound once.
type Subst map[Var]Operand

// Operand applies s to an operand.
func (s Subst) Operand(o Operand) Operand {
	if r, ok := s[o.Var]; ok && o.Var != 0 {
		return r
	}
	return o
}

func (s Subst) mapper() Mapper {
	m := Mapper{Operand: s.Operand}
	m.Body = func(b *Body) *Body { return m.MapBody(b) }
	return m
}

// Type applies s to a type.
func (s Subst) Type(t Type) Type { return s.mapper().Type(t) }

// Stm applies s to a statement.
func (s Subst) Stm(st *Stm) *Stm {
	if len(s) == 0 {
		return st
	}
	return s.mapper().MapStm(st)
}

// Body applies s to a body.
func (s Subst) Body(b *Body) *Body {
	if len(s) == 0 {
		return b
	}
	return s.mapper().MapBody(b)
}

// Whole is Body for the body of a whole function, whose kernels are worked on at the same time.
func (s Subst) Whole(b *Body) *Body {
	if len(s) == 0 {
		return b
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	m := Mapper{Operand: s.Operand}
	m.Body = func(b *Body) *Body { return m.mapBeside(b, &wait) }
	return m.body(b)
}

// Renamer copies code with fresh names for what it binds, so that the copy and
// the original can stand in one function.
type Renamer struct {
	into *Fun
	base func(Var) string
	sub  Subst
}

// NewRenamer makes a renamer whose new variables belong to into and take
// their base names from from. Free variables in sub are replaced.
func NewRenamer(into, from *Fun, sub Subst) *Renamer {
	if sub == nil {
		sub = Subst{}
	}
	return &Renamer{into: into, base: from.Base, sub: sub}
}

func (r *Renamer) mapper() Mapper {
	m := Mapper{Operand: r.sub.Operand}
	m.Bind = func(v Var) Var {
		fresh := r.into.Fresh(r.base(v))
		r.sub[v] = V(fresh)
		return fresh
	}
	m.Body = func(b *Body) *Body { return m.MapBody(b) }
	return m
}

// Body copies a body.
func (r *Renamer) Body(b *Body) *Body { return r.mapper().MapBody(b) }

// Lambda copies a lambda.
func (r *Renamer) Lambda(l *Lambda) *Lambda { return r.mapper().LambdaParts(l) }

// Stm copies a statement.
func (r *Renamer) Stm(s *Stm) *Stm { return r.mapper().MapStm(s) }

// Operand is what stands for o in the copy.
func (r *Renamer) Operand(o Operand) Operand { return r.sub.Operand(o) }

// RenameLambda copies l with fresh names, within function f.
func RenameLambda(f *Fun, l *Lambda) *Lambda { return NewRenamer(f, f, nil).Lambda(l) }

// VarSet is a set of variables that remembers the order of insertion.
type VarSet struct {
	list []Var
	has  map[Var]bool // of sets with more than fewVars elements
}

// fewVars is how many elements are looked through one by one.
const fewVars = 8

// Add inserts v.
func (s *VarSet) Add(v Var) {
	if v == 0 || s.Has(v) {
		return
	}
	s.list = append(s.list, v)
	switch n := len(s.list); {
	case n > fewVars+1:
		s.has[v] = true
	case n == fewVars+1:
		s.has = make(map[Var]bool, 2*n)
		for _, w := range s.list {
			s.has[w] = true
		}
	}
}

// Has reports whether v is in the set.
func (s *VarSet) Has(v Var) bool {
	if s.has == nil {
		return slices.Contains(s.list, v)
	}
	return s.has[v]
}

// List returns the variables in the order of insertion.
func (s *VarSet) List() []Var { return s.list }

// AddAll inserts all of t.
func (s *VarSet) AddAll(t *VarSet) {
	for _, v := range t.list {
		s.Add(v)
	}
}

// freeCollector finds uses of variables that are not bound inside. It answers one question after the other.
type freeCollector struct {
	free *VarSet
	// bound has, by variable, the last question in whose code it was bound.
	bound    []uint32
	question uint32
	mapper   Mapper
}

func (c *freeCollector) bind(v Var) {
	if int(v) >= len(c.bound) {
		c.bound = append(c.bound, make([]uint32, int(v)+1-len(c.bound))...)
	}
	c.bound[v] = c.question
}

func (c *freeCollector) isBound(v Var) bool { return int(v) < len(c.bound) && c.bound[v] == c.question }

// freeCollectors are those that nobody uses: passes ask for the free variables of most statements, some several times.
var freeCollectors = sync.Pool{New: func() any { return newFreeCollector() }}

func newFreeCollector() *freeCollector {
	c := &freeCollector{}
	use := func(v Var) {
		if v != 0 && !c.isBound(v) {
			c.free.Add(v)
		}
	}
	c.mapper = freeMapper(use, c.bind, func(s *Stm) { freeParts(c.mapper, s) })
	return c
}

// freeMapper looks at a node: use gets the variables that are used in it, bind those that are bound, and stm the statements of its bodies.
func freeMapper(use, bind func(Var), stm func(*Stm)) Mapper {
	m := Mapper{
		Operand: func(o Operand) Operand { use(o.Var); return o },
		Bind:    func(v Var) Var { bind(v); return v },
	}
	m.Body = func(b *Body) *Body {
		for _, s := range b.Stms {
			stm(s)
		}
		m.operands(b.Res)
		return b
	}
	return m
}

// freeParts looks at the parts of a statement by a freeMapper.
func freeParts(m Mapper, s *Stm) {
	for _, v := range s.Aux.Certs {
		m.Operand(V(v))
	}
	for i := range s.Dst {
		m.Bind(s.Dst[i].Var)
	}
	MapExp(s.Exp, m)
	m.visitTypes(s.Dst)
}

func collectFree(f func(Mapper)) *VarSet {
	free := &VarSet{}
	collectFreeInto(free, f)
	return free
}

func collectFreeInto(free *VarSet, f func(Mapper)) {
	c := freeCollectors.Get().(*freeCollector)
	c.free = free
	if c.question++; c.question == 0 { // The numbers of questions begin again.
		clear(c.bound)
		c.question = 1
	}
	f(c.mapper)
	c.free = nil
	freeCollectors.Put(c)
}

// AddFree inserts the variables that st uses but does not bind.
func (s *VarSet) AddFree(st *Stm) { collectFreeInto(s, func(m Mapper) { freeParts(m, st) }) }

// FreeInExp is the set of variables that e uses but does not bind.
func FreeInExp(e Exp) *VarSet {
	return collectFree(func(m Mapper) { MapExp(e, m) })
}

// FreeInStm is the set of variables that s uses but does not bind.
func FreeInStm(s *Stm) *VarSet {
	return collectFree(func(m Mapper) { freeParts(m, s) })
}

// Frees remembers the free variables of statements, with those inside of others but kernels, and of bodies that were asked for: to ask for
// those of all statements of a deep nest takes time for the nest, where FreeInStm takes time for its square. What it returns is not to be
// changed.
type Frees struct {
	of   map[*Stm][]Var
	body map[*Body][]Var
}

// Stm lists what FreeInStm has.
func (f *Frees) Stm(s *Stm) []Var {
	free, ok := f.of[s]
	if !ok {
		if f.of == nil {
			f.of = map[*Stm][]Var{}
		}
		switch Match(s.Exp).(type) {
		case Scalar, View, Seg: // they have no bodies, or nobody asks for the statements in these
			free = FreeInStm(s).list
		default:
			free = f.collect(func(m Mapper) { freeParts(m, s) })
		}
		f.of[s] = free
	}
	return free
}

// Body lists what FreeInBody has.
func (f *Frees) Body(b *Body) []Var {
	free, ok := f.body[b]
	if !ok {
		if f.body == nil {
			f.body = map[*Body][]Var{}
		}
		free = f.collect(func(m Mapper) { m.Body(b) })
		f.body[b] = free
	}
	return free
}

// collect lists the free variables of what look looks at, by those of the statements in it.
func (f *Frees) collect(look func(Mapper)) []Var {
	bound, free := VarSet{}, VarSet{}
	use := func(v Var) {
		if !bound.Has(v) {
			free.Add(v)
		}
	}
	look(freeMapper(use, bound.Add, func(in *Stm) {
		for _, v := range f.Stm(in) {
			use(v)
		}
		for _, p := range in.Dst {
			bound.Add(p.Var)
		}
	}))
	return free.list
}

// FreeInBody is the set of variables that b uses but does not bind.
func FreeInBody(b *Body) *VarSet {
	return collectFree(func(m Mapper) { m.Body(b) })
}

// FreeInLambda is the set of variables that l uses but does not bind.
func FreeInLambda(l *Lambda) *VarSet {
	return collectFree(func(m Mapper) { m.LambdaParts(l) })
}

// FreeInType is the set of variables that t mentions.
func FreeInType(t Type) *VarSet {
	return collectFree(func(m Mapper) { m.Type(t) })
}

// Note [Numbers of variables]
//
// Facts about variables are lists by number, so a function of many numbers costs each pass time and memory, whether variables have them or
// not: what is inlined brings numbers for all that it binds, and most of that does not last. So variables are numbered again where many
// numbers are left over. Their order stays, for what passes sort by it.

// manyUnused is how many numbers may be left over, unless they are few of all. Numbers in small programs stay, which is good for reading
// them pass by pass.
const manyUnused = 250

// Renumbered is f with its variables numbered again if many numbers are not used; else f itself.
func Renumbered(f *Fun) *Fun {
	if len(f.Names) <= manyUnused {
		return f
	}
	numbers, n := f.numbers()
	if len(f.Names)-n <= max(manyUnused, n/4) {
		return f
	}
	m := Mapper{
		Operand: func(o Operand) Operand { o.Var = numbers[o.Var]; return o },
		Bind:    func(v Var) Var { return numbers[v] },
	}
	var wait sync.WaitGroup
	m.Body = func(b *Body) *Body { return m.mapBeside(b, &wait) }
	g := *f
	g.Names = make([]string, n)
	for v, w := range numbers {
		if w != 0 {
			g.Names[w] = f.Names[v]
		}
	}
	g.Params, g.Ret = m.Params(f.Params), m.Params(f.Ret)
	g.Globals = slices.Clone(f.Globals)
	for i, r := range f.Globals {
		g.Globals[i].Param = m.Params([]Param{r.Param})[0]
	}
	g.Body = m.body(f.Body)
	wait.Wait()
	return &g
}

// numbers are numbers without gaps for the variables of a function, by those that they have, and how many there are with 0.
func (f *Fun) numbers() (numbers []Var, n int) {
	numbers = make([]Var, len(f.Names))
	used := make([]atomic.Bool, len(f.Names))
	use := func(v Var) {
		if u := &used[v]; !u.Load() {
			u.Store(true)
		}
	}
	m := Mapper{
		Operand: func(o Operand) Operand { use(o.Var); return o },
		Bind:    func(v Var) Var { use(v); return v },
	}
	var wait sync.WaitGroup // for kernels, which are looked at at the same time
	m.Body = func(b *Body) *Body {
		for _, s := range b.Stms {
			if _, ok := s.Exp.(Seg); ok {
				wait.Go(func() { m.VisitStm(s) })
			} else {
				m.VisitStm(s)
			}
		}
		m.operands(b.Res)
		return b
	}
	m.Params(f.Params)
	m.Params(f.Ret)
	for _, r := range f.Globals {
		m.Params([]Param{r.Param})
	}
	m.Body(f.Body)
	wait.Wait()
	n = 1
	for v := range used {
		if v > 0 && used[v].Load() {
			numbers[v] = Var(n)
			n++
		}
	}
	return numbers, n
}
