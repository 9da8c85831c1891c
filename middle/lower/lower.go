package lower

import (
	"fmt"
	"math"
	"slices"

	"skald/frontend/source"
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Name is what `skald dev --after` calls lowering.
const Name = "lower"

// Pass is lowering for a device that has these facts. Where versions is not nil, it says what is left out, and is told what is not.
func Pass(facts Facts, versions *Versions) pass.Pass[*core.Prog, *imp.Prog] {
	if versions == nil {
		versions = &Versions{}
	}
	versions.of = map[string][]version{}
	return pass.Pass[*core.Prog, *imp.Prog]{
		Name: Name,
		Doc:  "make host code and kernels for a device (--profile), as the choices say",
		Run: func(ctx *pass.Context, p *core.Prog) *imp.Prog {
			l := &lowerer{
				ctx: ctx, facts: facts.WithDefaults(), device: choose.NewDevice(facts, p), core: p, prog: &imp.Prog{},
				sites: map[string]imp.SiteID{}, deviceFunctions: map[string]*imp.DeviceFunction{}, here: map[string]int{},
				versions: versions, apart: map[*imp.Kernel][]imp.SiteID{}, order: []*siteRun{{}},
			}
			if err := choose.Check(l.device, p); err != nil {
				ctx.Bug(source.Span{}, "%v", err)
			}
			return l.program()
		},
	}
}

// lowerer is the state of lowering one program.
type lowerer struct {
	ctx     *pass.Context
	facts   Facts
	device  *choose.Device // answers what the device can do
	core    *core.Prog
	prog    *imp.Prog
	sites   map[string]imp.SiteID
	kernels int
	// statements counts those of kernels, in all and by the places that they come from.
	statements int
	here       map[string]int
	// besides are the kernels that are generated beside host code, and unjoined how many statements of core IR they are.
	besides  []*beside
	unjoined int
	// apart has the numbers of the sites of those that have been, and order are the numbers of all sites in the order of the code.
	apart map[*imp.Kernel][]imp.SiteID
	order []*siteRun
	// deviceFunctions are those lowered so far, by name.
	deviceFunctions map[string]*imp.DeviceFunction
	// versions are those that are left out and those of kernels, and in those around the code that is being lowered.
	versions *Versions
	in       []version

	// The function that is being lowered.
	fun      *core.Fun
	types    *core.Scope
	most     core.UpperBounds       // of sizes
	sizes    map[core.Var]bool      // i64 variables that are sizes or bounds
	sums     map[core.Var]*core.Bin // sums and differences of sizes and constants
	names    map[core.Var]string
	tunes    map[string]imp.Var
	accs     map[core.Var]*accumulator
	tuneStms []imp.Stm
	// mapped is the map whose points are being lowered, nil in other operations.
	mapped *core.SegMap
}

// program lowers the program.
func (l *lowerer) program() *imp.Prog {
	p := l.core
	for _, t := range p.Types {
		l.prog.Opaques = append(l.prog.Opaques, t.Name)
	}
	for _, f := range p.Funs {
		if f.DeviceFunction {
			l.deviceFunction(f)
		}
	}
	if p.Consts != nil {
		l.function(p.Consts)
		l.prog.Init = p.Consts.Name
	}
	for _, f := range p.Funs {
		if !f.DeviceFunction {
			l.function(f)
		}
	}
	for i := range p.Entries {
		l.entry(&p.Entries[i])
	}
	l.orderSites()
	guard(l.prog)
	return l.prog
}

// add adds a kernel to the program, which comes from a place, if it may have so many statements (Note [Budgets] in package pass).
func (l *lowerer) add(k *imp.Kernel, where *core.Site) {
	l.place(k)
	l.count(k, where)
}

// place adds a kernel whose statements are counted later.
func (l *lowerer) place(k *imp.Kernel) {
	l.prog.Kernels = append(l.prog.Kernels, k)
	l.versions.of[k.Name] = slices.Clone(l.in)
}

// count counts the statements of a kernel.
func (l *lowerer) count(k *imp.Kernel, where *core.Site) {
	at := where.Outermost().Place()
	imp.Walk(k.Body, func(imp.Stm) bool {
		l.statements++
		l.here[at]++
		return true
	})
	if l.statements <= l.ctx.LowStatements() {
		return
	}
	for place, n := range l.here {
		if n > l.here[at] || n == l.here[at] && place < at {
			at = place
		}
	}
	l.ctx.Leave(l.ctx.LargeLow(at, l.here[at]))
}

// forms are those of a choice that are made at a place: where kernels have come to half of what they may, the one alone that takes all
// sizes (Note [Budgets] in package pass).
func (l *lowerer) forms(forms []core.Form, where *core.Site) []core.Form {
	if len(forms) > 1 && l.spent(where) {
		forms = forms[len(forms)-1:]
	}
	return forms
}

// spent reports whether kernels have come to half of what they may, and tells that what is at a place has fewer versions for it.
func (l *lowerer) spent(where *core.Site) bool {
	if l.statements+manyStatements*l.unjoined > l.ctx.LowStatements()/2 {
		l.join()
	}
	spent := l.statements > l.ctx.LowStatements()/2
	if spent {
		l.ctx.Fewer(where.Outermost().Place(), "kernels from here have one form each and none is of workgroups that others could stand in "+
			"for: before them the program's kernels come to more than %d statements", l.ctx.LowStatements()/2)
	}
	return spent
}

// limit stops lowering.
func (l *lowerer) limit(at *core.Site, format string, args ...any) {
	l.ctx.LimitAt(at.Place(), format, args...)
}

// site numbers a site, of code that is being generated; equal sites have one number.
func (l *lowerer) site(s imp.Site) imp.SiteID {
	n := l.numberOf(s)
	run := l.order[len(l.order)-1]
	run.numbers = append(run.numbers, n)
	return n
}

// numberOf is the number of a site, until those of all are put in order.
func (l *lowerer) numberOf(s imp.Site) imp.SiteID {
	key := fmt.Sprintf("%q %q %v", s.Where, s.Text, s.Types)
	n, ok := l.sites[key]
	if !ok {
		n = imp.SiteID(len(l.prog.Sites))
		l.sites[key] = n
		l.prog.Sites = append(l.prog.Sites, s)
	}
	return n
}

// guard lets kernels look for an earlier failure, if there can be one.
func guard(p *imp.Prog) {
	fails := false
	for _, k := range p.Kernels {
		fails = fails || k.HasAssert()
	}
	for _, k := range p.Kernels {
		k.Guarded = fails
	}
}

// begin forgets the function before.
func (l *lowerer) begin(f *core.Fun) {
	l.fun, l.types = f, core.ScopeOf(f)
	l.tunes, l.accs = map[string]imp.Var{}, map[core.Var]*accumulator{}
	l.tuneStms, l.most = nil, core.UpperBoundsIn(f)
	l.collect(f)
}

// function lowers a function.
func (l *lowerer) function(f *core.Fun) {
	l.begin(f)
	out := &imp.Fun{Name: f.Name, Vars: make([]imp.VarDecl, 1)}
	c := newHostBuilder(l, out)
	for _, g := range f.Globals {
		c.globalConst(g)
	}
	for _, p := range f.Params {
		c.funParam(p)
	}
	vals := c.joined(f.Body)
	for i, r := range f.Body.Res {
		switch f.Ret[i].Type.Kind {
		case core.KindScalar:
			out.Results = append(out.Results, asPrim(vals[i]))
		case core.KindMem:
			out.Results = append(out.Results, use(c.block(r.Var)))
		default:
		}
	}
	out.Body = append(l.tuneStms, out.Body...)
	imp.InsertFrees(out)
	l.prog.Funs = append(l.prog.Funs, out)
}

// joined generates a function's body, with the kernels that are generated beside it. Where it cannot be, one of these may say why.
func (c *hostBuilder) joined(b *core.Body) []value {
	defer c.l.join()
	return c.body(b)
}

func (c *hostBuilder) funParam(p core.Param) {
	switch p.Type.Kind {
	case core.KindScalar:
		t := imp.Of(p.Type.Elem)
		v := c.fn.Fresh(c.l.fun.Base(p.Var), t)
		c.fn.Params = append(c.fn.Params, v)
		c.vals[p.Var] = unknown(use(v), t)
	case core.KindMem:
		v := c.fn.Fresh(c.l.memName(p.Var), imp.Block)
		c.fn.Params = append(c.fn.Params, v)
		c.blocks[p.Var] = v
	default:
	}
}

// collect finds the variables that are sizes, and names for blocks: that of the
// first array that lies in one.
func (l *lowerer) collect(f *core.Fun) {
	l.sizes, l.names, l.sums = map[core.Var]bool{}, map[core.Var]string{}, map[core.Var]*core.Bin{}
	size := func(o core.Operand) {
		if o.Var != 0 {
			l.sizes[o.Var] = true
		}
	}
	sizes := func(os []core.Operand) {
		for _, o := range os {
			size(o)
		}
	}
	params := func(ps []core.Param) {
		for _, p := range ps {
			sizes(p.Type.Shape)
			if p.Type.Layout == nil {
				continue
			}
			if m := p.Type.Layout.Mem; l.names[m] == "" {
				l.names[m] = f.Base(p.Var)
			}
			for _, s := range append([]core.Poly{p.Type.Layout.Offset}, p.Type.Layout.Strides...) {
				for _, v := range s.Vars() {
					l.sizes[v] = true
				}
			}
		}
	}
	params(f.Params)
	for _, g := range f.Globals {
		params([]core.Param{g.Param})
	}
	core.Walk(f.Body, func(s *core.Stm) bool {
		params(s.Dst)
		switch e := core.Match(s.Exp).(type) {
		case *core.Bin:
			if e.Type == prim.I64 && (e.Op == prim.Add || e.Op == prim.Sub) {
				l.sums[s.Dst[0].Var] = e
			}
		case *core.Loop:
			params(e.Params)
			if e.IsFor() {
				size(e.Bound)
			}
		case core.Seg:
			sp := e.SpaceOf()
			size(sp.Slots)
			sizes(sp.Sizes)
			if e, ok := e.(*core.SegHist); ok {
				for _, op := range e.Ops {
					sizes(op.Shape)
				}
			}
		case *core.WithAcc:
			for _, in := range e.Inputs {
				sizes(in.Shape)
			}
		default:
		}
		return true
	})
}

// typeOf is the type of a variable.
func (l *lowerer) typeOf(v core.Var) core.Type { return l.types.TypeOf(v) }

// memName is a readable name for a block.
func (l *lowerer) memName(m core.Var) string {
	if n := l.names[m]; n != "" {
		return n
	}
	return l.fun.Base(m)
}

// tuneVar is the host variable of a tuning parameter, which is bound at the
// start of its function.
func (l *lowerer) tuneVar(c *hostBuilder, e *core.Tune) imp.Var {
	if v, ok := l.tunes[e.Name]; ok {
		return v
	}
	v := c.fn.Fresh("tune", imp.I64)
	l.tunes[e.Name] = v
	n := slices.IndexFunc(l.prog.Tunes, func(t imp.Tune) bool { return t.Name == e.Name })
	if n < 0 {
		n = len(l.prog.Tunes)
		unset := int64(core.TuneUnset)
		switch {
		case e.Class == core.ClassRow:
			unset = core.LeastRow
		case l.facts.Threshold == 0 || e.Class == core.ClassParam:
		case e.Class == core.ClassSaturated:
			unset = l.facts.Value("threads")
		case e.Class == core.ClassIntra:
			unset = math.MaxInt64
		default:
			unset = int64(l.facts.Threshold)
		}
		l.prog.Tunes = append(l.prog.Tunes, imp.Tune{Name: e.Name, Class: e.Class, Default: unset})
	}
	l.tuneStms = append(l.tuneStms, &imp.GetTune{Var: v, Index: n})
	return v
}
