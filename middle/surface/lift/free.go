package lift

import (
	"skald/frontend/types"
	"skald/runtime/prim"
)

// free returns the variables that are free in d, those of its types included: integers, which the types of the others may
// mention, first; otherwise in order of occurrence.
func (l *lifter) free(d *types.Def) []*types.Symbol {
	f := &freeVars{l: l, seen: map[*types.Symbol]bool{d.Sym: true}}
	for _, s := range types.Binders(d) {
		f.seen[s] = true
	}
	for _, p := range d.Params {
		f.pat(p.Pat)
	}
	f.typ(d.Ret.Type)
	f.exp(d.Body)
	return append(f.sizes, f.others...)
}

// freeVars collects free variables.
type freeVars struct {
	l             *lifter
	seen          map[*types.Symbol]bool
	sizes, others []*types.Symbol
}

func (f *freeVars) exp(e types.Exp) {
	m := types.Mapper{
		Exp:  func(e types.Exp) types.Exp { f.exp(e); return e },
		Type: func(t types.Type) types.Type { f.typ(t); return t },
		Size: func(d types.Size) types.Size { f.size(d); return d },
	}
	if ref, ok := e.(*types.Ref); ok {
		f.add(ref.Sym)
	}
	types.MapExp(e, m)
}

func (f *freeVars) pat(p types.Pat) {
	types.MapPat(p, types.Mapper{Type: func(t types.Type) types.Type { f.typ(t); return t }})
}

func (f *freeVars) typ(t types.Type) {
	for _, d := range types.SizesIn(t) {
		f.size(d)
	}
}

func (f *freeVars) size(d types.Size) {
	switch d := d.(type) {
	case *types.SizeName:
		f.add(d.Sym)
	case *types.SizeExp:
		f.exp(d.Exp)
	default:
	}
}

func (f *freeVars) add(s *types.Symbol) {
	if f.seen[s] || s.Kind == types.Global || f.l.global[s] {
		return
	}
	f.seen[s] = true
	if fun, ok := f.l.lifted[s]; ok {
		for _, v := range fun.free {
			f.add(v)
		}
		return
	}
	f.typ(s.Type)
	if p, ok := types.Force(s.Type).(*types.Prim); ok && p.Kind == prim.I64 {
		f.sizes = append(f.sizes, s)
		return
	}
	f.others = append(f.others, s)
}
