package check

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [What attributes reach]
//
// The attribute of an expression goes to each operation that the expression runs itself, in functions that it calls, too, when they are
// inlined. It does not go into the functions that are given to parallel operations, nor into branches and the bodies of loops, which have
// attributes of their own. So an attribute has no effect if nothing of that is what it belongs on: `unroll` on a map, whatever the map's
// function does; `sequential_inner` on a branch.
//
// This is asked of whole programs, where it is known what functions do. A function that is a parameter, or local, may do anything; the
// body of a parametric module is there once for each of its applications, and if an attribute in it has an effect in one, it has one.

// target is what an attribute belongs on.
type target uint8

const (
	anything target = iota
	parallel
	work
	loops
	calls
	arrays
	i64s
	functions
	entries
	patterns
)

// String describes a target.
func (t target) String() string {
	return [...]string{
		anything:  "an expression",
		parallel:  "a call of map, reduce or another parallel operation",
		work:      "a parallel operation, a loop or a branch",
		loops:     "a loop",
		calls:     "a function or a call of one",
		arrays:    "an array",
		i64s:      "an expression of type i64",
		functions: "the definition of a function",
		entries:   "an entry point",
		patterns:  "a parameter of a loop",
	}[t]
}

// reach is the set of targets that an expression runs: work, loops, parallel operations and calls.
type reach uint16

func (t target) set() reach { return 1 << t }

const (
	reachesNothing reach = 0
	mayReachAll    reach = 1<<parallel | 1<<work | 1<<loops | 1<<calls
)

// unreachedAttributes warns of attributes that have no effect on what they are on.
func (c *checker) unreachedAttributes() {
	if len(c.attributed) == 0 {
		return
	}
	r := &reacher{defs: map[*types.Symbol]*types.Def{}, known: map[*types.Def]reach{}}
	for _, d := range c.prog.Defs {
		r.defs[d.Sym] = d
	}
	var order []*types.Attributed
	effect := map[source.Span]bool{}
	for _, d := range c.attributed {
		types.Walk(d.Body, func(e types.Exp) bool {
			if e, ok := e.(*types.Attributed); ok && e.Attr.At.Valid() {
				if _, seen := effect[e.Attr.At]; !seen {
					order = append(order, e)
				}
				effect[e.Attr.At] = effect[e.Attr.At] || r.hasEffect(e)
			}
			return true
		})
	}
	for _, e := range order {
		if effect[e.Attr.At] {
			continue
		}
		hint := noHint
		if _, ok := types.Force(e.Type).(*types.Arrow); ok {
			hint = fmt.Sprintf("A function runs where it has its arguments: put these inside, too, as in \"#[%s] (xs |> f)\".", e.Attr)
		}
		c.unused(e.Attr, "this expression", hint)
	}
}

// reacher finds out what expressions reach.
type reacher struct {
	defs  map[*types.Symbol]*types.Def
	known map[*types.Def]reach
}

// hasEffect reports whether the attribute of e may have an effect. One that is not understood has been warned of.
func (r *reacher) hasEffect(e *types.Attributed) bool {
	k, ok := kindOf(e.Attr)
	if !ok {
		return true
	}
	switch k.on {
	case anything:
		return true
	case arrays:
		return mayHoldArray(e.Type)
	case i64s:
		p, scalar := types.Force(e.Type).(*types.Prim)
		return scalar && p.Kind == prim.I64
	case functions, entries, patterns:
		return false
	default:
		return r.exp(e.Exp)&k.on.set() != 0
	}
}

// mayHoldArray reports whether values of t have arrays in them, or of what t stands for.
func mayHoldArray(t types.Type) bool {
	switch t := types.Force(t).(type) {
	case *types.Prim:
		return false
	case *types.Record, *types.Sum:
		return types.AnyPart(t, mayHoldArray)
	default:
		return true
	}
}

// exp is what e runs itself, and through calls.
func (r *reacher) exp(e types.Exp) reach {
	switch e := e.(type) {
	case *types.Lambda:
		return reachesNothing
	case *types.LetFun:
		return r.exp(e.Body)
	case *types.If:
		return work.set() | r.exp(e.Cond)
	case *types.Match:
		return work.set() | r.exp(e.Exp)
	case *types.Loop:
		return work.set() | loops.set() | r.exp(e.Init) | r.rounds(e.Form)
	case *types.Range, *types.Update:
		return work.set() | r.children(e)
	case *types.Builtin:
		if !e.Fn.IsParallel() {
			return work.set() | r.children(e)
		}
		return work.set() | parallel.set() | r.children(e)
	case *types.Apply:
		return calls.set() | r.call(e) | r.children(e)
	case *types.Ref:
		if d := r.defs[e.Sym]; d != nil && len(d.Params) == 0 && !d.IsConstant() {
			return r.def(d)
		}
		return reachesNothing
	default:
		return r.children(e)
	}
}

func (r *reacher) children(e types.Exp) (all reach) {
	types.Children(e, func(c types.Exp) { all |= r.exp(c) })
	return all
}

// rounds is what is run to find out how often a loop goes round.
func (r *reacher) rounds(f types.LoopForm) reach {
	switch f := f.(type) {
	case *types.For:
		return r.exp(f.Bound)
	case *types.ForIn:
		return r.exp(f.Array)
	case *types.While: // Each round runs its condition.
		return reachesNothing
	default:
		panic(fmt.Sprintf("check.rounds: %T", f))
	}
}

// call is what the function of an application runs. With fewer arguments than it takes it does not run.
func (r *reacher) call(e *types.Apply) reach {
	ref, ok := e.Fun.(*types.Ref)
	if !ok {
		return mayReachAll
	}
	d := r.defs[ref.Sym]
	switch {
	case d == nil, len(e.Args) > len(d.Params):
		return mayReachAll
	case len(e.Args) < len(d.Params):
		return reachesNothing
	}
	return r.def(d)
}

// def is what the body of a definition runs. A call of itself adds nothing.
func (r *reacher) def(d *types.Def) reach {
	if known, ok := r.known[d]; ok {
		return known
	}
	r.known[d] = reachesNothing
	r.known[d] = r.exp(d.Body)
	return r.known[d]
}
