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

func (r *renumber) mapper() Mapper {
	return Mapper{Exp: r.exp, Mem: func(m Mem) Mem { return r.to[m] }, Index: r.at, Body: r.stms}
}

// at is an index of array m.
func (r *renumber) at(m Mem, index Exp) Exp {
	index = r.exp(index)
	if r.offset == nil || r.offset[m] == nil {
		return index
	}
	return &Bin{prim.Add, Idx, r.offset[m], index}
}

func (r *renumber) exp(e Exp) Exp { return e.parts(r.mapper()) }

func (r *renumber) stms(body []Stm) []Stm {
	m := r.mapper()
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = s.parts(m)
	}
	return out
}
