package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass is flattening.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "flatten",
	Doc:  "turn nested SOACs into segmented operations",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return run(ctx, p) },
}

func run(ctx *pass.Context, p *core.Prog) *core.Prog {
	p = untraced(p)
	share := ctx.Statements()
	flat := func(f *core.Fun) *core.Fun { return function(ctx, p, f, share) }
	out := functions.Map(p, flat)
	for share > 0 && statements(out) > ctx.Statements()*3/4 { // later passes make some more
		share /= 2
		out = functions.Map(p, flat)
	}
	out.Stage = core.StageKernels
	return out
}

// statements is how many statements the functions of a program have.
func statements(p *core.Prog) int {
	n := 0
	for _, f := range p.Funs {
		n += core.CountStms(f.Body)
	}
	return n
}

// flattener works on one function.
type flattener struct {
	*core.Builder // host code at the current place
	ctx           *pass.Context
	prog          *core.Prog
	// defs are the statements that make arrays which need not be read: iota
	// and replicate. They are indexed by what they bind.
	defs map[core.Var]core.Exp
	// turned are the transpositions and reshapes that kernels of nests make for themselves, by what they bind.
	turned map[core.Var]core.Exp
	// aliases are those of the function as it came.
	aliases *core.Aliases
	// updates says that the nest being worked on updates arrays in place, so
	// that reading an element again later may give another value.
	updates bool
	// made are the arrays that kernels of nests have made for later kernels.
	made                     map[core.Var]bool
	tunes, intras, rowLimits int // thresholds so far
	// atMost are numbers of points that are known when kernels have counted them, and of how many they are at most.
	atMost map[core.Var]core.Operand
	// counting are the loops of the host that go round until all points have counted to their bounds.
	counting map[*core.Loop]bool
	// accs are the inputs of accumulators that kernels update together, by the parameters that stand for them.
	accs map[core.Var]core.AccInput
	// asIs says that kernels being made update where their code does: Note [Updates in loops and branches].
	asIs bool
	// guards are the branches that choose between versions.
	guards map[*core.If]bool
	// blocked says why not, when a kernel comes up that calls more than device functions, or whose arrays cannot be given
	// memory; see Note [Arrays of unknown size].
	blocked string
	// inGroup says that the code being made is a workgroup's: see Note [Versions inside a workgroup].
	inGroup bool
	// onHost keeps lambdas that go into a loop as they are.
	onHost bool
	// tasks is the answer of noWorkgroups, once it is asked for.
	tasks *bool
	// share is how many variables the function has before versions are left out: see fewer.
	share int
	// inVersions and inThreads are room for what costs are counted with.
	inVersions table[bound]
	inThreads  table[ids]
}

func function(ctx *pass.Context, p *core.Prog, f *core.Fun, share int) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	fl := &flattener{
		ctx: ctx, prog: p, share: share, Builder: core.NewBuilder(&g, core.ScopeOf(f)),
		defs: map[core.Var]core.Exp{}, turned: map[core.Var]core.Exp{}, made: map[core.Var]bool{}, guards: map[*core.If]bool{},
		accs: map[core.Var]core.AccInput{}, atMost: map[core.Var]core.Operand{}, counting: map[*core.Loop]bool{}, aliases: core.AliasesOf(f),
	}
	fl.note(f.Body)
	if f.DeviceFunction {
		g.Body = fl.sequentialBody(f.Body)
	} else {
		g.Body = fl.hostBody(f.Body)
	}
	return &g
}

// note remembers the arrays in a body that need not be read.
func (f *flattener) note(b *core.Body) {
	core.Walk(b, func(s *core.Stm) bool {
		f.noteStm(s)
		return true
	})
}

func (f *flattener) noteStm(s *core.Stm) {
	switch core.Match(s.Exp).(type) {
	case *core.Iota, *core.Replicate:
		f.defs[s.Dst[0].Var] = s.Exp
	default:
	}
}

// noteView remembers a view that is made in kernels.
func (f *flattener) noteView(s *core.Stm) {
	switch core.Match(s.Exp).(type) {
	case *core.Rearrange, *core.Reshape:
		f.turned[s.Dst[0].Var] = s.Exp
	default:
	}
}

// hostBody flattens a body that runs on the host.
func (f *flattener) hostBody(b *core.Body) *core.Body {
	return f.builtBody(b.Res, func() {
		for _, s := range b.Stms {
			f.hostStm(s)
		}
	})
}

// builtBody is the body, with the given results, of the host code that generate adds.
func (f *flattener) builtBody(res []core.Operand, generate func()) *core.Body {
	outer := f.Builder
	f.Builder = outer.Nested()
	generate()
	body := f.Body(res...)
	f.Builder = outer
	return body
}

// endless is how many times as many variables a function may have as a program may have statements: then the pass ends (Note [Budgets] in
// package pass).
const endless = 2

// hostStm flattens a statement that runs on the host.
func (f *flattener) hostStm(s *core.Stm) {
	f.at(s, func() {
		switch e := s.Exp.(type) {
		case *core.Call:
			f.hostCall(s, e)
		case *core.Screma, *core.Hist:
			updates, blocked := f.updates, f.blocked // of a nest that this is a part of
			f.updates = f.consumes(e)
			f.hostSOAC(s)
			f.updates = updates
			if !f.inGroup {
				f.blocked = blocked
			}
		case *core.Iota, *core.Replicate:
			f.parallel(&nest{}, s, s.Dst)
		case *core.Concat:
			f.concat(s.Dst[0], e)
		case *core.WithAcc:
			f.withAcc(s, e)
		case *core.UpdateAcc:
			// Only kernels have atomic operations, and operators are theirs.
			one := (&nest{}).extend(f.Param("i", core.I64).Var, core.Int(1))
			f.segMap(one.binding(s), []*core.Stm{s}, core.Vars(core.ParamVars(s.Dst)), s.Dst)
		case *core.Loop:
			if onlyReads(e) && !f.inGroup {
				f.oneThread(e, s.Dst) // Note [Loops that read arrays]
				return
			}
			f.Bind(s.Dst, core.MapBodies(e, f.hostBody))
		case core.Scalar, core.View, *core.ArrayLit, *core.Update, *core.Scratch, *core.Copy, *core.Assert, *core.Trace, *core.If, *core.Switch:
			// Bodies of branches are host code as well.
			f.Bind(s.Dst, core.MapBodies(s.Exp, f.hostBody))
		case *core.Alloc, *core.FlatMap, *core.Derivative, *core.WithVjp, core.Seg:
			panic(fmt.Sprintf("flatten: %T before there are kernels", e))
		}
	})
}

// hostCall puts a device function in the place of its call, as device functions are for kernels alone.
func (f *flattener) hostCall(s *core.Stm, e *core.Call) {
	callee := f.prog.Fun(e.Fun)
	if !callee.DeviceFunction {
		f.block("it calls a recursive function")
		f.Bind(s.Dst, e)
		return
	}
	body := core.Expand(f.Fun, callee, s, nil)
	f.Scope.BindBody(body)
	f.note(body)
	for _, s := range body.Stms {
		f.hostStm(s)
	}
	for i, x := range body.Res {
		f.Bind(s.Dst[i:i+1], &core.Use{X: x})
	}
}

// at makes statements carry s's place, attributes and certificates while g
// runs.
func (f *flattener) at(s *core.Stm, g func()) {
	if len(f.Fun.Names) > endless*f.ctx.Statements() {
		f.ctx.Leave(f.ctx.Large(s.Aux.Where.Outermost().Place(), "the last of them"))
	}
	b := f.Builder
	where, attrs, certs := b.Where, b.Attrs, b.Certs
	b.Where, b.Attrs, b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	g()
	b.Where, b.Attrs, b.Certs = where, attrs, certs
}

// concat joins arrays by copying them into place.
func (f *flattener) concat(dst core.Param, e *core.Concat) {
	t := f.TypeOf(core.V(dst.Var))
	out := f.LetVar(f.Fun.Base(dst.Var), &core.Scratch{Elem: t.Elem, Shape: t.Shape})
	off := core.Int(0)
	for i, a := range e.Arrays {
		at := f.TypeOf(core.V(a))
		sl := core.FullSlice(t)
		sl[0] = core.Range(off, at.Shape[0], core.Int(1))
		up := &core.Update{Array: out, Slice: sl, Value: core.V(a)}
		if i == len(e.Arrays)-1 {
			f.Bind([]core.Param{dst}, up)
			return
		}
		out = f.LetVar(f.Fun.Base(dst.Var), up)
		off = f.Add64(off, at.Shape[0])
	}
}

// consumes reports whether the bodies of an expression update arrays in place. Nobody reads the arrays of accumulators.
func (f *flattener) consumes(e core.Exp) bool {
	found := false
	core.MapBodies(e, func(b *core.Body) *core.Body {
		found = found || core.Any(b, func(e core.Exp) bool {
			return slices.ContainsFunc(core.Consumes(e), func(v core.Var) bool { return f.Scope.TypeOf(v).IsArray() })
		})
		return b
	})
	return found
}
