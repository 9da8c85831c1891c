package fuse

import (
	"slices"

	"skald/middle/core"
)

// horizontal joins SOACs side by side: one pair, or more while there is nothing for vertical to do in between.
func (f *fuser) horizontal(stms []*core.Stm, _ []core.Operand) ([]*core.Stm, bool) {
	var r related
	var v *made
	any := false
	for j := 0; j < len(stms); j++ {
		i, at, s := f.besideOne(&r, stms, j)
		if s == nil {
			r.addUses(f, stms[j])
			continue
		}
		any = true
		if v == nil {
			v = f.madeBy(stms)
		}
		v.replace(stms[i], stms[j], s)
		stms = merged(stms, i, j, at, s)
		if f.blocked || v.mayFuse(f, s) {
			break
		}
		r.cut(i)
		j = i - 1 // what stood between the two may now meet others
	}
	return stms, any
}

// besideOne finds the last statement i before statement j that can be joined with it: where they meet, and what they become, or nil.
func (f *fuser) besideOne(r *related, stms []*core.Stm, j int) (i, at int, s *core.Stm) {
	c := stms[j]
	last := -1
	for k, i := range r.sharing(c) {
		p := stms[i]
		if f.notBeside[pair{p, c}] {
			continue
		}
		if k == 0 || last < 0 {
			last = r.lastMade(f, c)
		}
		if r.first[i] > 0 && last > i {
			continue // they cannot meet: something between uses p, and c something between
		}
		if !f.mayStandBeside(p, c) {
			f.notBeside[pair{p, c}] = true
		} else if at := f.meet(stms, i, j); at >= 0 {
			return i, at, f.beside(p, c)
		}
	}
	return 0, 0, nil
}

// made knows which statement makes an array and which SOACs read it, while statements of a body are joined.
type made struct {
	by      map[core.Var]*core.Stm
	readers map[core.Var][]*core.Stm
	now     map[*core.Stm]*core.Stm // what statements were joined to
}

func (f *fuser) madeBy(stms []*core.Stm) *made {
	m := &made{by: map[core.Var]*core.Stm{}, readers: map[core.Var][]*core.Stm{}, now: map[*core.Stm]*core.Stm{}}
	for _, s := range stms {
		for _, a := range inputs(s.Exp) {
			m.readers[a] = append(m.readers[a], s)
		}
		m.bind(s)
	}
	return m
}

func (m *made) bind(s *core.Stm) {
	if _, ok := s.Exp.(*core.Screma); ok {
		for _, p := range s.Dst {
			m.by[p.Var] = s
		}
	}
}

// replace notes that two statements have been joined to one.
func (m *made) replace(p, c, s *core.Stm) {
	m.now[p], m.now[c] = s, s
	m.bind(s)
}

// mayFuse reports whether a new statement may be fused with a producer or a consumer of it.
func (m *made) mayFuse(f *fuser, s *core.Stm) bool {
	may := func(p, c *core.Stm) bool {
		prod, ok := p.Exp.(*core.Screma)
		if !ok || f.unfusible[pair{p, c}] {
			return false
		}
		if f.fusible(p, prod, c) {
			return true
		}
		f.unfusible[pair{p, c}] = true
		return false
	}
	for _, a := range inputs(s.Exp) {
		if p := m.by[a]; p != nil && may(p, s) {
			return true
		}
	}
	for _, q := range s.Dst {
		for _, c := range m.readers[q.Var] {
			for m.now[c] != nil {
				c = m.now[c]
			}
			if may(s, c) {
				return true
			}
		}
	}
	return false
}

// mostBeside is how many results SOACs side by side may have together: no device holds more at once, and joining n SOACs one after
// the other takes time for what is joined already.
const mostBeside = 128

// mayStandBeside reports whether two SOACs on one array are of one size and kind and do not depend on each other.
func (f *fuser) mayStandBeside(p, c *core.Stm) bool {
	if len(p.Dst)+len(c.Dst) > mostBeside || sequential(p) != sequential(c) {
		return false
	}
	switch a := core.Match(p.Exp).(type) {
	case *core.Screma:
		b, ok := c.Exp.(*core.Screma)
		if !ok || a.Size != b.Size || a.Post != nil || b.Post != nil || mixed(a, b) {
			return false
		}
	case *core.Hist:
		b, ok := c.Exp.(*core.Hist)
		if !ok || a.Size != b.Size || ofArrays(a) != ofArrays(b) || elected(a) != elected(b) {
			return false
		}
	default:
		return false
	}
	return !f.uses(c, p) && !f.conflict(p, c) && !f.folds(p, c)
}

// beside joins two SOACs that may stand beside each other.
func (f *fuser) beside(p, c *core.Stm) *core.Stm {
	switch a := core.Match(p.Exp).(type) {
	case *core.Screma:
		b := c.Exp.(*core.Screma)
		keep := make([]bool, len(p.Dst))
		for k := range keep {
			keep[k] = true
		}
		dst, exp := joinScremas(p, a, c, b, keep)
		return &core.Stm{Dst: dst, Exp: exp, Aux: joinAux(p, c)}
	case *core.Hist:
		return &core.Stm{Dst: slices.Concat(p.Dst, c.Dst), Exp: joinHists(a, c.Exp.(*core.Hist)), Aux: joinAux(p, c)}
	default:
	}
	return nil
}

func shareInput(a, b core.Exp) bool {
	return slices.ContainsFunc(inputs(a), func(v core.Var) bool { return slices.Contains(inputs(b), v) })
}

// joinHists makes one histogram of two over the same elements.
func joinHists(a, b *core.Hist) core.Exp {
	arrays := slices.Clone(a.Arrays)
	params := slices.Clone(a.Bucket.Params)
	sub := core.Subst{}
	for k, x := range b.Arrays {
		if at := slices.Index(arrays, x); at >= 0 {
			sub[b.Bucket.Params[k].Var] = core.V(params[at].Var)
			continue
		}
		arrays, params = append(arrays, x), append(params, b.Bucket.Params[k])
	}
	body := sub.Body(b.Bucket.Body)
	na, nb := indices(a), indices(b)
	return &core.Hist{
		Size: a.Size, Arrays: arrays, Ops: slices.Concat(a.Ops, b.Ops),
		Bucket: &core.Lambda{
			Params: params,
			Body: &core.Body{
				Stms: slices.Concat(a.Bucket.Body.Stms, body.Stms),
				Res:  indicesFirst(a.Bucket.Body.Res, body.Res, na, nb),
			},
			Ret: indicesFirst(a.Bucket.Ret, b.Bucket.Ret, na, nb),
		},
	}
}

// ofArrays reports whether a histogram has arrays in its bins: their elements are points of its kernels, and numbers would be once for
// each.
func ofArrays(h *core.Hist) bool {
	return slices.ContainsFunc(h.Ops, func(op core.HistOp) bool {
		return slices.ContainsFunc(op.Lambda.Ret, core.Type.IsArray)
	})
}

// elected reports whether devices may keep one number for each bin of a histogram (package elect), which they do where all its operators
// return one of their operands.
func elected(h *core.Hist) bool { return core.ChooseSeveral(h.Ops) }

func indices(h *core.Hist) int {
	n := 0
	for _, op := range h.Ops {
		n += len(op.Shape)
	}
	return n
}

func indicesFirst[T any](a, b []T, na, nb int) []T {
	return slices.Concat(a[:na], b[:nb], a[na:], b[nb:])
}
