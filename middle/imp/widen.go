package imp

import "skald/runtime/prim"

// Note [Wide kernels]
//
// Index arithmetic has 32 bits, which the host checks to be enough at each launch: for the sizes that a kernel is given (Launch.Fits), and
// for its arrays, as an index may be a product of sizes. Where it is not, the kernel runs in a form that computes every Idx as an i64. Only
// where an element is accessed, or the target wants a small number, is an Idx made. The index of an access is an unsigned number then: back
// ends must not take its upper bit for a sign. So an array has fewer elements than 32 bits can tell apart, while a space of points may be
// of any size; but C has indices of 64 bits (Code.LongIndices), so that arrays have any size, too.

// NarrowLimit is what the elements of an array that an ordinary kernel accesses are fewer than: indices are natural numbers of type Idx.
const NarrowLimit = 1 << 31

// WideLimit is what the elements of an array that a wide kernel accesses are fewer than, unless it has long indices.
const WideLimit = 1 << 32

// WidenKernel is the wide form of k.
func WidenKernel(k *Kernel) *Kernel {
	out := *k
	w := &widener{k: &out}
	out.Vars = append([]VarDecl(nil), k.Vars...)
	narrow := subgroupResults(k)
	for i := range out.Vars {
		if v := &out.Vars[i]; v.Type == Idx && !narrow[i] {
			v.Type = I64
		}
	}
	out.Body = w.stms(k.Body)
	return &out
}

// subgroupResults are the variables that subgroup operations bind: devices do not exchange i64.
func subgroupResults(k *Kernel) []bool {
	is := make([]bool, len(k.Vars))
	Walk(k.Body, func(s Stm) bool {
		if s, ok := s.(*Subgroup); ok {
			is[s.Dst] = true
		}
		return true
	})
	return is
}

type widener struct{ k *Kernel }

// typ is the type that a value of type t has in wide code.
func (w *widener) typ(t Type) Type {
	if t == Idx {
		return I64
	}
	return t
}

// wide makes an i64 of an Idx.
func wide(e Exp) Exp { return &Conv{Idx, I64, e} }

// index is e in wide code, as an Idx.
func (w *widener) index(e Exp) Exp {
	if c, ok := e.(*Const); ok {
		return c
	}
	return &Conv{I64, Idx, w.exp(e)}
}

// mapper maps the parts of what stays as it is.
func (w *widener) mapper() Mapper {
	return Mapper{Exp: w.exp, Index: func(_ Mem, e Exp) Exp { return w.index(e) }, Body: w.stms}
}

func (w *widener) exp(e Exp) Exp {
	switch e := e.(type) {
	case *Const:
		return &Const{w.typ(e.Type), e.Value}
	case *VarExp:
		if w.k.Vars[e.Var].Type == Idx {
			return wide(e)
		}
		return e
	case *Un:
		return &Un{e.Op, w.typ(e.Type), w.exp(e.X)}
	case *Bin:
		return &Bin{e.Op, w.typ(e.Type), w.exp(e.X), w.exp(e.Y)}
	case *Cmp:
		return &Cmp{e.Op, w.typ(e.Type), w.exp(e.X), w.exp(e.Y)}
	case *Conv:
		if from, to := w.typ(e.From), w.typ(e.To); from != to {
			return &Conv{from, to, w.exp(e.X)}
		}
		return w.exp(e.X)
	case *Select:
		return &Select{w.typ(e.Type), w.exp(e.Cond), w.exp(e.Then), w.exp(e.Else)}
	case *CallFunc, *Load:
		return e.parts(w.mapper())
	case *Id:
		if e.Kind != ThreadID {
			return wide(e)
		}
		first := &Bin{prim.Mul, I64, wide(&Id{GroupID}), wide(&Id{GroupSize})}
		return &Bin{prim.Add, I64, first, wide(&Id{LocalID})}
	}
	panic(unknownNode)
}

// unknownNode is what switches over expressions and statements end with, which have a case for each.
const unknownNode = "imp: no known expression or statement"

func (w *widener) stms(body []Stm) []Stm {
	var out []Stm
	for _, s := range body {
		out = append(out, w.stm(s)...)
	}
	return out
}

func (w *widener) stm(s Stm) []Stm {
	switch s := MatchStm(s).(type) {
	case *For:
		return w.forStm(s)
	case *Subgroup:
		out := &Subgroup{Dst: s.Dst, Op: s.Op, X: w.exp(s.X)}
		if w.k.Vars[s.Dst].Type == Idx {
			out.X = w.index(s.X)
		}
		if s.Lane != nil {
			out.Lane = w.index(s.Lane)
		}
		return []Stm{out}
	default:
	}
	return []Stm{s.parts(w.mapper())}
}

// forStm counts in a while loop: the variable of a For is an Idx.
func (w *widener) forStm(s *For) []Stm {
	i := &VarExp{s.Var}
	bound := w.k.Fresh("bound", I64)
	body := append(w.stms(s.Body), &Set{s.Var, &Bin{prim.Add, I64, i, &Const{I64, prim.MakeI64(1)}}})
	return []Stm{
		&Let{bound, w.exp(s.Bound)},
		&Let{s.Var, &Const{I64, prim.MakeI64(0)}},
		&While{Cond: &Cmp{prim.Lt, I64, i, &VarExp{bound}}, Body: body},
	}
}
