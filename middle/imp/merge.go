package imp

// MergeMems is a copy of k in which global arrays that lie in one block are one
// array: alias[i] is the first array with the block of array i. Arrays of one
// block have one element type.
func MergeMems(k *Kernel, alias []int) *Kernel {
	out := *k
	out.Mems = nil
	to := make([]Mem, len(k.Mems))
	for i, m := range k.Mems {
		if i < len(alias) && alias[i] != i {
			to[i] = to[alias[i]]
			if d := &out.Mems[to[i]]; m.Access > d.Access {
				d.Access = m.Access
			}
			continue
		}
		to[i] = Mem(len(out.Mems))
		out.Mems = append(out.Mems, m)
	}
	r := renumber(to)
	out.Body = r.stms(k.Body)
	return &out
}

// renumber copies code with other numbers of arrays.
type renumber []Mem

func (r renumber) exp(e Exp) Exp {
	switch e := e.(type) {
	case *Un:
		return &Un{e.Op, e.Type, r.exp(e.X)}
	case *Bin:
		return &Bin{e.Op, e.Type, r.exp(e.X), r.exp(e.Y)}
	case *Cmp:
		return &Cmp{e.Op, e.Type, r.exp(e.X), r.exp(e.Y)}
	case *Conv:
		return &Conv{e.From, e.To, r.exp(e.X)}
	case *CallFunc:
		return &CallFunc{e.Func, e.Type, r.exps(e.Args)}
	case *Select:
		return &Select{e.Type, r.exp(e.Cond), r.exp(e.Then), r.exp(e.Else)}
	case *Load:
		return &Load{r[e.Mem], r.exp(e.Index)}
	default:
	}
	return e
}

func (r renumber) exps(es []Exp) []Exp {
	out := make([]Exp, len(es))
	for i, e := range es {
		out[i] = r.exp(e)
	}
	return out
}

func (r renumber) stms(body []Stm) []Stm {
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = r.stm(s)
	}
	return out
}

func (r renumber) stm(s Stm) Stm {
	switch s := s.(type) {
	case *Let:
		return &Let{s.Var, r.exp(s.Exp)}
	case *Set:
		return &Set{s.Var, r.exp(s.Exp)}
	case *If:
		return &If{r.exp(s.Cond), r.stms(s.Then), r.stms(s.Else)}
	case *For:
		return &For{s.Var, r.exp(s.Bound), r.stms(s.Body)}
	case *While:
		return &While{r.exp(s.Cond), r.stms(s.Body)}
	case *Assert:
		return &Assert{r.exp(s.Cond), s.Site, r.exps(s.Values)}
	case *Store:
		return &Store{r[s.Mem], r.exp(s.Index), r.exp(s.Value)}
	case *LoadVec:
		return &LoadVec{s.Vars, r[s.Mem], r.exp(s.Index)}
	case *StoreVec:
		return &StoreVec{r[s.Mem], r.exp(s.Index), r.exps(s.Values)}
	case *Atomic:
		return &Atomic{s.Op, s.Old, r[s.Mem], r.exp(s.Index), r.exp(s.Value)}
	case *AtomicUpdate:
		return &AtomicUpdate{s.Old, r[s.Mem], r.exp(s.Index), r.stms(s.Body), r.exp(s.New)}
	case *Subgroup:
		out := &Subgroup{Dst: s.Dst, Op: s.Op, X: r.exp(s.X)}
		if s.Lane != nil {
			out.Lane = r.exp(s.Lane)
		}
		return out
	default:
	}
	return s // a barrier or comment
}
