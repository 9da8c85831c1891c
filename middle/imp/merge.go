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
	r := newRenumber(to)
	out.Body = r.stms(k.Body)
	return &out
}

// renumber copies code with other numbers of arrays.
type renumber struct {
	to     []Mem
	mapper Mapper
}

func newRenumber(to []Mem) *renumber {
	r := &renumber{to: to}
	r.mapper = Mapper{Exp: r.exp, Mem: func(m Mem) Mem { return r.to[m] }, Body: r.stms}
	return r
}

func (r *renumber) exp(e Exp) Exp { return e.parts(r.mapper) }

func (r *renumber) stms(body []Stm) []Stm {
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = s.parts(r.mapper)
	}
	return out
}
