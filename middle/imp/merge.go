package imp

import "skald/runtime/prim"

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
	r := &renumber{to: to}
	out.Body = r.stms(k.Body)
	return &out
}

// PackMems is a copy of k in which several global arrays of one element type lie in one block, one behind the other: into[i] is
// the first of the arrays that array i lies with. Each that is not the first of its block has an offset, in
// elements, which is a new parameter of the kernel: they follow the others in the order of the arrays.
func PackMems(k *Kernel, into []int) *Kernel {
	out := MergeMems(k, into)
	out.Vars = append([]VarDecl(nil), k.Vars...)
	out.Params = append([]Var(nil), k.Params...)
	r := &renumber{to: make([]Mem, len(k.Mems)), offset: make([]Exp, len(k.Mems))}
	next := Mem(0)
	for i, m := range k.Mems {
		if i < len(into) && into[i] != i {
			r.to[i] = r.to[into[i]]
			v := out.Fresh(m.Name+"_offset", Idx)
			out.Params = append(out.Params, v)
			r.offset[i] = &VarExp{v}
			continue
		}
		r.to[i] = next
		next++
	}
	out.Body = r.stms(k.Body)
	return out
}

// renumber copies code with other numbers of arrays, and with offsets added to indices of some.
type renumber struct {
	to     []Mem
	offset []Exp // by old number; nil for none
}

// at is an index of array m.
func (r *renumber) at(m Mem, index Exp) Exp {
	index = r.exp(index)
	if r.offset == nil || r.offset[m] == nil {
		return index
	}
	return &Bin{prim.Add, Idx, r.offset[m], index}
}

func (r *renumber) exp(e Exp) Exp {
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
		return &Load{r.to[e.Mem], r.at(e.Mem, e.Index)}
	default:
	}
	return e
}

func (r *renumber) exps(es []Exp) []Exp {
	out := make([]Exp, len(es))
	for i, e := range es {
		out[i] = r.exp(e)
	}
	return out
}

func (r *renumber) stms(body []Stm) []Stm {
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = r.stm(s)
	}
	return out
}

func (r *renumber) stm(s Stm) Stm {
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
		return &Store{r.to[s.Mem], r.at(s.Mem, s.Index), r.exp(s.Value)}
	case *LoadVec:
		return &LoadVec{s.Vars, r.to[s.Mem], r.at(s.Mem, s.Index)}
	case *StoreVec:
		return &StoreVec{r.to[s.Mem], r.at(s.Mem, s.Index), r.exps(s.Values)}
	case *Atomic:
		return &Atomic{s.Op, s.Old, r.to[s.Mem], r.at(s.Mem, s.Index), r.exp(s.Value)}
	case *AtomicUpdate:
		return &AtomicUpdate{s.Old, r.to[s.Mem], r.at(s.Mem, s.Index), r.stms(s.Body), r.exp(s.New)}
	case *Subgroup:
		out := &Subgroup{Dst: s.Dst, Op: s.Op, X: r.exp(s.X)}
		if s.Lane != nil {
			out.Lane = r.exp(s.Lane)
		}
		return out
	case *Invoke:
		return &Invoke{s.Dst, s.Routine, r.exps(s.Args)}
	default:
	}
	return s // a barrier or comment
}
