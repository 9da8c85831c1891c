package memory

import (
	"slices"

	"skald/middle/core"
)

// stay is a home that does not change, if there is one; spaced says that its root's elements must be evenly spaced.
type stay struct {
	home   home
	spaced bool
}

// updatedRows puts results of a kernel where the array is whose rows its points overwrite: point i updates row i in place, and returns it
// as element i. What is overwritten is not used afterwards, so nothing else needs the array.
func (h *homes) updatedRows(s *core.Stm, e *core.SegMap) {
	stays := make([]stay, len(s.Dst))
	for k, q := range s.Dst {
		r := e.Body.Res[k].Var
		if q.Type.Rank() <= len(e.Space.Ids) || r == 0 {
			continue
		}
		of, spaced := h.of[r], h.spaced[r]
		row := h.sites[of]
		if h.isPoint(row.slice, e.Space.Ids) && h.overwrites(e.Body, of) {
			stays[k] = stay{home: row.of, spaced: spaced}
			h.of[q.Var], h.spaced[q.Var] = row.of, spaced
		}
	}
	h.stays[s] = stays
}

// isPoint reports whether a slice takes the row at the point with these ids.
func (*homes) isPoint(sl core.Slice, ids []core.Var) bool {
	if len(sl) <= len(ids) {
		return false
	}
	for d, dim := range sl {
		if d < len(ids) && (!dim.Fix || !dim.Off.IsVar(ids[d])) ||
			d >= len(ids) && (dim.Fix || dim.Off != core.Int(0) || dim.Stride != core.Int(1)) {
			return false
		}
	}
	return true
}

// overwrites reports whether a statement of b, at any depth, overwrites an array of a home.
func (h *homes) overwrites(b *core.Body, of home) bool {
	return core.Any(b, func(e core.Exp) bool {
		return slices.ContainsFunc(core.Consumes(e), func(v core.Var) bool { return h.of[v] == of })
	})
}

// branches finds the homes from outside that all alternatives of a branch share.
func (h *homes) branches(s *core.Stm, bodies []*core.Body) {
	before := h.clock
	for _, b := range bodies {
		h.body(b)
	}
	stays := make([]stay, len(s.Dst))
	for i, q := range s.Dst {
		h.bind(q)
		if !q.Type.IsArray() {
			continue
		}
		all := stay{home: h.of[bodies[0].Res[i].Var]}
		for _, b := range bodies {
			r := b.Res[i].Var
			all.spaced = all.spaced || h.spaced[r]
			if h.of[r] != all.home {
				all.home = 0
			}
		}
		if all.home != 0 && h.sites[all.home].latest <= before {
			stays[i] = all
			h.of[q.Var], h.spaced[q.Var] = all.home, all.spaced
		}
	}
	h.stays[s] = stays
}

// loop finds the parameters of a loop that stay in place.
func (h *homes) loop(s *core.Stm, e *core.Loop) {
	for _, q := range e.Params {
		h.bind(q)
	}
	if e.IsFor() {
		h.bind(e.Index)
	}
	h.body(e.Body)
	stays := make([]stay, len(e.Params))
	for i, q := range e.Params {
		h.bind(s.Dst[i])
		if q.Type.IsArray() {
			stays[i] = h.iteration(q, e.Init[i].Var, e.Body.Res[i].Var)
		}
		if stays[i].home != 0 {
			h.of[s.Dst[i].Var] = stays[i].home
			h.spaced[s.Dst[i].Var] = stays[i].spaced || h.spaced[e.Init[i].Var]
		}
	}
	h.stays[s] = stays
	h.becomes[s] = h.turns(e)
}

// turns finds, for each parameter of a loop, the other one whose memory its next value is in, if they are alike.
func (h *homes) turns(e *core.Loop) []int {
	next := make([]int, len(e.Params))
	for i, q := range e.Params {
		next[i] = -1
		r := e.Body.Res[i].Var
		if !q.Type.IsArray() || h.spaced[r] {
			continue
		}
		next[i] = slices.IndexFunc(e.Params, func(o core.Param) bool {
			return o.Var != q.Var && o.Type.IsArray() && h.of[o.Var] == h.of[r] &&
				o.Type.Elem == q.Type.Elem && slices.Equal(o.Type.Shape, q.Type.Shape)
		})
	}
	return next
}

// iteration finds out whether a loop's parameter, first init, then res, stays where init is.
func (h *homes) iteration(q core.Param, init, res core.Var) stay {
	at := stay{home: h.of[init], spaced: h.spaced[res]}
	switch h.of[res] {
	case h.of[q.Var]:
	case h.of[init]:
		at.spaced = at.spaced || h.spaced[init]
	default:
		return stay{}
	}
	if at.spaced && (!h.whole(h.of[init]) || !slices.Equal(h.types[init].Shape[1:], q.Type.Shape[1:])) {
		return stay{}
	}
	return at
}

// standing is the layout of what stays somewhere; ok is false when it does not.
func (p *placer) standing(at stay) (l *core.Layout, ok bool) {
	if at.home == 0 {
		return nil, false
	}
	if at.spaced {
		t := p.Scope.TypeOf(p.homes.sites[at.home].root)
		if _, ok := t.Layout.Reshaped(t.Shape, t.Shape); !ok {
			return nil, false
		}
	}
	return p.layoutOf(at.home), true
}
