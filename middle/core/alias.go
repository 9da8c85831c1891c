package core

// Aliases says which variables of a function may share memory, and which
// memory is ever overwritten. It is coarse: variables fall into classes, and
// what may share memory anywhere is in one class.
type Aliases struct {
	parent   []Var
	consumed []bool // by representative
}

// AliasesOf analyses a function.
func AliasesOf(f *Fun) *Aliases {
	a := &Aliases{parent: make([]Var, len(f.Names)), consumed: make([]bool, len(f.Names))}
	for i := range a.parent {
		a.parent[i] = Var(i)
	}
	a.body(f.Body)
	for i, r := range f.Body.Res {
		if i < len(f.Ret) && f.Ret[i].Unique {
			a.consume(r.Var)
		}
	}
	return a
}

func (a *Aliases) find(v Var) Var {
	for a.parent[v] != v {
		a.parent[v] = a.parent[a.parent[v]]
		v = a.parent[v]
	}
	return v
}

func (a *Aliases) join(v, w Var) {
	if v == 0 || w == 0 {
		return
	}
	v, w = a.find(v), a.find(w)
	if v != w {
		a.parent[w] = v
		a.consumed[v] = a.consumed[v] || a.consumed[w]
	}
}

func (a *Aliases) joinAll(ps []Param, os []Operand) {
	for i, o := range os {
		if i < len(ps) && !ps[i].Type.IsScalar() {
			a.join(ps[i].Var, o.Var)
		}
	}
}

func (a *Aliases) consume(v Var) {
	if v != 0 {
		a.consumed[a.find(v)] = true
	}
}

// MayAlias reports whether two variables may share memory.
func (a *Aliases) MayAlias(v, w Var) bool { return a.known(v) && a.known(w) && a.find(v) == a.find(w) }

// Consumed reports whether memory that v may share is overwritten anywhere,
// or given away as a unique result. What is not known counts as consumed.
func (a *Aliases) Consumed(v Var) bool { return !a.known(v) || a.consumed[a.find(v)] }

func (a *Aliases) known(v Var) bool { return int(v) < len(a.parent) }

func (a *Aliases) body(b *Body) {
	for _, s := range b.Stms {
		a.stm(s)
		MapBodies(s.Exp, func(b *Body) *Body { a.body(b); return b })
	}
}

func (a *Aliases) stm(s *Stm) {
	switch e := s.Exp.(type) {
	case *Use:
		a.joinAll(s.Dst, []Operand{e.X})
	case *Index:
		a.joinAll(s.Dst, []Operand{V(e.Array)})
	case *Update:
		a.join(s.Dst[0].Var, e.Array)
		a.consume(e.Array)
	case *Rearrange:
		a.join(s.Dst[0].Var, e.Array)
	case *Reshape:
		a.join(s.Dst[0].Var, e.Array)
	case *If:
		a.joinAll(s.Dst, e.Then.Res)
		a.joinAll(s.Dst, e.Else.Res)
	case *Switch:
		a.joinAll(s.Dst, e.Default.Res)
		for _, c := range e.Cases {
			a.joinAll(s.Dst, c.Body.Res)
		}
	case *Loop:
		a.joinAll(s.Dst, Vars(ParamVars(e.Params)))
		a.joinAll(e.Params, e.Init)
		a.joinAll(e.Params, e.Body.Res)
	case *Call:
		// A callee may give back an argument, or overwrite it.
		for _, arg := range e.Args {
			a.consume(arg.Var)
			for _, p := range s.Dst {
				if p.Type.IsArray() {
					a.join(p.Var, arg.Var)
				}
			}
		}
	default:
		a.soac(s)
	}
}

func (a *Aliases) soac(s *Stm) {
	switch e := s.Exp.(type) {
	case *Screma:
		a.joinAll(e.Map.Params, Vars(e.Arrays))
		a.operators(e.Scans)
		a.operators(e.Reds)
		for k, p := range s.Dst[:Width(e.Reds)] {
			a.joinAll([]Param{p}, []Operand{Neutrals(e.Reds)[k]})
		}
	case *SegRed:
		a.operators(e.Ops)
	case *SegScan:
		a.operators(e.Ops)
	case *Hist:
		a.joinAll(e.Bucket.Params, Vars(e.Arrays))
		a.hist(s, e.Ops)
	case *SegHist:
		a.hist(s, e.Ops)
	case *WithAcc:
		k := 0
		for _, in := range e.Inputs {
			for _, x := range in.Arrays {
				a.join(s.Dst[k].Var, x)
				a.consume(x)
				k++
			}
		}
		a.joinAll(s.Dst[k:], e.Lambda.Body.Res[len(e.Inputs):])
	default:
	}
}

// operators joins what flows through operators on arrays: their parameters
// stand for their results and for neutral elements.
func (a *Aliases) operators(ops []Operator) {
	for _, op := range ops {
		n := len(op.Neutral)
		for i, x := range op.Neutral {
			a.joinAll(op.Lambda.Params[i:i+1], []Operand{x})
			a.joinAll(op.Lambda.Params[i:i+1], op.Lambda.Body.Res[i:i+1])
			a.joinAll(op.Lambda.Params[n+i:n+i+1], []Operand{x})
		}
	}
}

func (a *Aliases) hist(s *Stm, ops []HistOp) {
	k := 0
	for _, op := range ops {
		a.operators([]Operator{{Lambda: op.Lambda, Neutral: op.Neutral}})
		for _, d := range op.Dests {
			a.join(s.Dst[k].Var, d)
			a.consume(d)
			k++
		}
	}
}

// Overwritten lists the arrays that e overwrites by itself: neither those that loops and functions are given to overwrite, nor those that
// bodies in e do.
func Overwritten(e Exp) []Var {
	switch e := e.(type) {
	case *Update:
		return []Var{e.Array}
	case *Hist:
		var dests []Var
		for _, op := range e.Ops {
			dests = append(dests, op.Dests...)
		}
		return dests
	case *WithAcc:
		var arrays []Var
		for _, in := range e.Inputs {
			arrays = append(arrays, in.Arrays...)
		}
		return arrays
	default:
		return nil
	}
}
