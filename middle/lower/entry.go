package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
)

// entry describes an entry point.
func (l *lowerer) entry(e *core.Entry) {
	f := l.core.Fun(e.Fun)
	if f == nil {
		return
	}
	b := &boundary{f: f, param: numbers(f.Params), result: numbers(f.Ret), vars: map[core.Var]imp.Dim{}}
	for i, p := range f.Params {
		b.vars[p.Var] = imp.Dim{Kind: imp.DimParam, N: int64(b.param[i])}
	}
	for i, p := range f.Ret {
		if _, ok := b.vars[p.Var]; !ok {
			b.vars[p.Var] = imp.Dim{Kind: imp.DimResult, N: int64(b.result[i])}
		}
	}
	out := imp.Entry{Name: e.Name, Fun: e.Fun, Doc: e.Doc}
	for _, v := range e.Params {
		out.Params = append(out.Params, b.value(v, f.Params, b.param))
	}
	for _, v := range e.Results {
		out.Results = append(out.Results, b.value(v, f.Ret, b.result))
	}
	l.prog.Entries = append(l.prog.Entries, out)
}

// boundary is what is known of an entry point's function.
type boundary struct {
	f             *core.Fun
	param, result []int // where core parameters and results are in the imp function
	vars          map[core.Var]imp.Dim
}

// numbers sets the number of each scalar or block among them, and each array
// that of its block.
func numbers(ps []core.Param) []int {
	out := make([]int, len(ps))
	at := map[core.Var]int{}
	n := 0
	for i, p := range ps {
		if p.Type.Kind == core.KindScalar || p.Type.Kind == core.KindMem {
			out[i], at[p.Var] = n, n
			n++
		}
	}
	for i, p := range ps {
		if p.Type.IsArray() {
			out[i] = at[p.Type.Layout.Mem]
		}
	}
	return out
}

// value describes one value: consecutive core values, blocks not counted.
func (b *boundary) value(v core.EntryValue, ps []core.Param, at []int) imp.EntryValue {
	out := imp.EntryValue{Name: v.Name, Type: v.Type, Unique: v.Unique, Opaque: v.Opaque}
	n := 0
	for i, p := range ps {
		if p.Type.Kind == core.KindMem {
			continue
		}
		if n >= v.First && n < v.First+v.Count {
			part := imp.EntryPart{Elem: p.Type.Elem, At: at[i]}
			for _, s := range p.Type.Shape {
				part.Shape = append(part.Shape, b.dim(s))
			}
			out.Parts = append(out.Parts, part)
		}
		n++
	}
	return out
}

func (b *boundary) dim(s core.Operand) imp.Dim {
	if s.IsConst() {
		return imp.Dim{Kind: imp.DimConst, N: s.Const.Int()}
	}
	return b.vars[s.Var]
}
