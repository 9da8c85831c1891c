package inline

import (
	"slices"

	"skald/middle/core"
	"skald/middle/simplify"
)

// Note [What stays a function]
//
// A function that is called in many places, or by functions that are, becomes many copies: programs that compute with long integers grow
// from thousands of statements to millions. So one stays a function, a device function (Note [Device functions in core]), if nothing is
// lost with it but what follows from the values of its arguments, and enough is gained:
//
//   - it takes and returns scalars, and has no parallelism: its arrays have at most smallArray elements, and its SOACs go over no more;
//   - it has, simplified and with what it calls put into it, at least minDeviceFunction statements;
//   - all its copies together would have at least manyStatements.
//
// Those that it calls become part of it while it has at most mostStatements then.
//
// So does one that takes and returns scalars and has no parallelism where the program says `noinline` of it, or of a call of it.
//
// It is simplified first, since what it does with arrays of constant size often shows only then. The last condition keeps
// device functions out of all but large programs. Where the host calls such a function, it calls the function as it was. A call
// whose arguments are numbers that decide on the function's branches or loops is replaced by the body nevertheless: little is left of it.
//
// The host calls other functions, too, that have minOnHost statements or more with those of what they call, if their copies would have
// manyOnHost: where each of twenty functions calls the one before twice, there would be a million copies of the first.

const (
	smallArray        = 32
	minDeviceFunction = 100
	manyStatements    = 5_000
	mostStatements    = 1_500
	minOnHost         = 1_000
	manyOnHost        = 20_000
	mostInWrapper     = 3
)

// growth is what inlining everything would make of functions.
type growth struct {
	prog      *core.Prog
	funs      map[string]*core.Fun
	recursive map[string]bool // these are not copied
	callers   map[string][]caller
	// noinline are functions with this attribute, or a call that has it.
	noinline map[string]bool
	// copies counts the places where a function would stand; sizes counts the statements of one copy, and hostSizes those that are not of
	// device functions.
	copies, sizes, hostSizes map[string]int
}

// caller is a function, or the computation of the constants, that calls another so many times.
type caller struct {
	fun   *core.Fun
	times int
}

// most bounds the counts.
const most = 1 << 30

func newGrowth(p *core.Prog, named map[string]*core.Fun, recursive map[string]bool) *growth {
	g := &growth{
		prog: p, funs: named, recursive: recursive,
		callers: map[string][]caller{}, copies: map[string]int{}, sizes: map[string]int{}, hostSizes: map[string]int{},
		noinline: map[string]bool{},
	}
	funs := p.Funs
	if p.Consts != nil {
		funs = append([]*core.Fun{p.Consts}, funs...)
	}
	for _, f := range funs {
		if slices.Contains(f.Attrs, noinline) {
			g.noinline[f.Name] = true
		}
		core.Walk(f.Body, func(s *core.Stm) bool {
			c, ok := s.Exp.(*core.Call)
			if !ok {
				return true
			}
			if slices.Contains(s.Aux.Attrs, noinline) {
				g.noinline[c.Fun] = true
			}
			cs := g.callers[c.Fun]
			if n := len(cs) - 1; n >= 0 && cs[n].fun == f {
				cs[n].times++
			} else {
				g.callers[c.Fun] = append(cs, caller{f, 1})
			}
			return true
		})
	}
	return g
}

// copiesOf counts the places where f would stand: itself if it is called from outside of the program, and its calls in copies of others.
func (g *growth) copiesOf(f *core.Fun) int {
	if f == g.prog.Consts || g.recursive[f.Name] {
		return 1
	}
	n, ok := g.copies[f.Name]
	if !ok {
		if slices.ContainsFunc(g.prog.Entries, func(e core.Entry) bool { return e.Fun == f.Name }) {
			n = 1
		}
		for _, c := range g.callers[f.Name] {
			n = min(most, n+c.times*g.copiesOf(c.fun))
		}
		g.copies[f.Name] = n
	}
	return n
}

// sizeOf counts the statements of f with those of what it calls.
func (g *growth) sizeOf(f *core.Fun) int {
	n, ok := g.sizes[f.Name]
	if !ok {
		core.Walk(f.Body, func(s *core.Stm) bool {
			n++
			if c, ok := s.Exp.(*core.Call); ok && !g.recursive[c.Fun] {
				n = min(most, n+g.sizeOf(g.funs[c.Fun]))
			}
			return true
		})
		g.sizes[f.Name] = n
	}
	return n
}

// onHost counts the statements of f with those of what it calls, but for what may become device functions.
func (g *growth) onHost(f *core.Fun) int {
	n, ok := g.hostSizes[f.Name]
	if !ok {
		core.Walk(f.Body, func(s *core.Stm) bool {
			n++
			if c, ok := s.Exp.(*core.Call); ok && !g.recursive[c.Fun] && !g.candidate(g.funs[c.Fun]) {
				n = min(most, n+g.onHost(g.funs[c.Fun]))
			}
			return true
		})
		g.hostSizes[f.Name] = n
	}
	return n
}

// candidate reports whether f, of which only the calls have been looked at, may become a device function.
func (g *growth) candidate(f *core.Fun) bool {
	scalars := core.OnlyScalars(core.ParamTypes(f.Params)) && core.OnlyScalars(core.ParamTypes(f.Ret))
	return scalars && !g.recursive[f.Name] && g.enough(f, g.sizeOf(f))
}

// enough reports whether f, of so many statements, is large and copied often, or the program says that it stays.
func (g *growth) enough(f *core.Fun, statements int) bool {
	return g.noinline[f.Name] || statements >= minDeviceFunction && g.copiesOf(f) > 1 && statements*g.copiesOf(f) >= manyStatements
}

// multiplies reports whether f is large and the host would have so many copies of it that it calls f instead. (A function that updates
// accumulators cannot be called.)
func (g *growth) multiplies(f *core.Fun) bool {
	n := g.onHost(f)
	return n >= minOnHost && g.copiesOf(f) > 1 && n*g.copiesOf(f) >= manyOnHost &&
		!slices.ContainsFunc(core.ParamTypes(f.Params), func(t core.Type) bool { return t.Kind == core.KindAcc })
}

// deviceFunction is what becomes of function name in code that may not call other functions: nil if it is put into its callers.
func (in *program) deviceFunction(name string) *core.Fun {
	if !in.growth.candidate(in.funs[name]) {
		return nil
	}
	in.as(name, inside) // finds out
	return in.deviceFunctions[name]
}

// decide simplifies a candidate, f, which has no calls but of device functions, and makes a device function of it if it may and should
// be one.
func (in *program) decide(f *core.Fun) *core.Fun {
	f = simplify.Fun(f, core.StageSOACS)
	whole := f
	if g := in.joined(f); g != f {
		whole = simplify.Fun(g, core.StageSOACS)
	}
	globals := make([]core.Param, len(f.Globals))
	for i, g := range f.Globals {
		globals[i] = g.Param
	}
	if !core.OnlyScalars(core.ParamTypes(globals)) || !in.sequential(whole.Body) || !in.growth.enough(f, core.CountStms(whole.Body)) {
		return f
	}
	r := *whole
	r.Name, r.DeviceFunction, r.Globals = in.freeName(f.Name+"_device"), true, nil
	r.Params = append(slices.Clone(f.Params), globals...)
	in.deviceFunctions[f.Name] = &r
	in.made = append(in.made, &r)
	return whole
}

// joined puts the device functions that a function calls into it if it is no larger than mostStatements then: a call costs the more, the
// more numbers it hands over, and the function of which others are parts has the fewest calls. What does hardly more than call another
// stays as it is.
func (in *program) joined(f *core.Fun) *core.Fun {
	total, calls := 0, 0
	core.Walk(f.Body, func(s *core.Stm) bool {
		total++
		if c, ok := s.Exp.(*core.Call); ok && in.byName(c.Fun) != nil {
			total += core.CountStms(in.byName(c.Fun).Body)
			calls++
		}
		return total <= mostStatements
	})
	if calls == 0 || calls == 1 && core.CountStms(f.Body) <= mostInWrapper || total > mostStatements {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	sub := core.Subst{}
	m := core.Mapper{Operand: sub.Operand}
	m.Body = func(b *core.Body) *core.Body {
		out := &core.Body{}
		for _, s := range b.Stms {
			s = m.MapStm(s)
			c, ok := s.Exp.(*core.Call)
			if !ok || in.byName(c.Fun) == nil {
				out.Stms = append(out.Stms, s)
				continue
			}
			body := core.Expand(&g, in.byName(c.Fun), s, nil)
			out.Stms = append(out.Stms, body.Stms...)
			for i, p := range s.Dst {
				sub[p.Var] = body.Res[i]
			}
		}
		for _, r := range b.Res {
			out.Res = append(out.Res, sub.Operand(r))
		}
		return out
	}
	g.Body = m.Body(f.Body)
	return &g
}

// byName is the device function of a name; nil for others.
func (in *program) byName(name string) *core.Fun {
	i := slices.IndexFunc(in.made, func(f *core.Fun) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return in.made[i]
}

// steered reports whether a call of a device function passes it a number on which a branch or a loop of it depends.
func (in *program) steered(call *core.Call) bool {
	f := in.as(call.Fun, inside)
	known := map[core.Var]bool{}
	for i, x := range call.Args {
		if x.IsConst() {
			known[f.Params[i].Var] = true
		}
	}
	depends := func(o core.Operand) bool { return known[o.Var] }
	found := false
	core.Walk(f.Body, func(s *core.Stm) bool {
		switch e := core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv:
			if slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool { return known[v] }) {
				known[s.Dst[0].Var] = true
			}
		case *core.If:
			found = found || depends(e.Cond)
		case *core.Switch:
			found = found || depends(e.On)
		case *core.Loop:
			found = found || depends(e.Bound)
		default:
		}
		return !found
	})
	return found
}

// freeName is a name like base that no function has.
func (in *program) freeName(base string) string {
	for in.funs[base] != nil {
		base += "_"
	}
	return base
}

// sequential reports whether a body is code for one thread: see Note [What stays a function].
func (in *program) sequential(b *core.Body) bool {
	ok := true
	core.Walk(b, func(s *core.Stm) bool {
		switch e := core.Match(s.Exp).(type) {
		case *core.Screma:
			ok = ok && small(e.Size)
		case *core.Hist:
			ok = ok && small(e.Size)
		case *core.WithAcc, *core.UpdateAcc, *core.FlatMap, *core.Tune, *core.Derivative, *core.WithVjp:
			ok = false
		case *core.Call:
			ok = ok && !in.recursive[e.Fun]
		case *core.Loop:
			ok = ok && !slices.ContainsFunc(e.Params, large)
		default:
			ok = ok && !core.Parallel(s.Exp)
		}
		ok = ok && !slices.ContainsFunc(s.Dst, large)
		return ok
	})
	return ok
}

// large reports whether p is an array that is not known to be small.
func large(p core.Param) bool { return p.Type.IsArray() && !small(p.Type.Shape...) }

func small(sizes ...core.Operand) bool {
	n := int64(1)
	for _, size := range sizes {
		c, ok := size.ConstInt()
		if !ok || c > smallArray {
			return false
		}
		n *= max(c, 1)
	}
	return n <= smallArray
}
