package core

// HostNeeds are the scalars that host code will need to go on, of a function whose SOACs have not been flattened yet: sizes of what it
// makes or goes over, bounds and conditions, where views start, and what it computes these from. What a SOAC computes of them the host
// waits for.
func HostNeeds(f *Fun) *VarSet {
	n := &hostNeeds{}
	for before := -1; before < len(n.vars.List()); {
		before = len(n.vars.List())
		n.body(f.Body)
	}
	return &n.vars
}

// hostNeeds collects what host code needs.
type hostNeeds struct{ vars VarSet }

func (n *hostNeeds) add(os ...Operand) {
	for _, o := range os {
		if o.Var != 0 {
			n.vars.Add(o.Var)
		}
	}
}

// pass adds from where a variable comes if that is needed.
func (n *hostNeeds) pass(v Var, from Operand) {
	if n.vars.Has(v) {
		n.add(from)
	}
}

func (n *hostNeeds) body(b *Body) {
	for i := len(b.Stms) - 1; i >= 0; i-- {
		n.stm(b.Stms[i])
	}
}

func (n *hostNeeds) stm(s *Stm) {
	for _, p := range s.Dst {
		n.add(p.Type.Shape...)
	}
	if size, ok := SizeOf(s.Exp); ok {
		n.add(size)
		return // What is inside runs on the device.
	}
	switch e := Match(s.Exp).(type) {
	case *If:
		n.add(e.Cond)
		n.branch(s.Dst, e.Then)
		n.branch(s.Dst, e.Else)
	case *Switch:
		n.add(e.On)
		for _, b := range e.Bodies() {
			n.branch(s.Dst, b)
		}
	case *Loop:
		n.loop(s.Dst, e)
	case *Index:
		for _, d := range e.Slice {
			if !d.Fix {
				n.add(d.Off, d.Len, d.Stride)
			}
		}
	case *WithAcc:
		n.body(e.Lambda.Body)
	default:
		if Pure(s.Exp) && len(s.Dst) == 1 && n.vars.Has(s.Dst[0].Var) {
			for _, v := range FreeInStm(s).List() {
				n.add(V(v))
			}
		}
	}
}

// branch adds what a branch needs that returns some variables.
func (n *hostNeeds) branch(dst []Param, b *Body) {
	for i, p := range dst {
		n.pass(p.Var, b.Res[i])
	}
	n.body(b)
}

// loop adds what a loop needs. Each round needs what the one behind it does.
func (n *hostNeeds) loop(dst []Param, e *Loop) {
	if e.IsFor() {
		n.add(e.Bound)
	} else {
		n.add(V(e.While))
	}
	for i, p := range e.Params {
		n.add(p.Type.Shape...)
		n.pass(dst[i].Var, V(p.Var))
		n.pass(p.Var, e.Init[i])
		n.pass(p.Var, e.Body.Res[i])
	}
	n.body(e.Body)
}
