package expand

import (
	"slices"

	"skald/frontend/source"
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Largest sizes]
//
// Where the size of a point's array differs between points, a kernel computes the largest first, and the host waits for it, unless it has
// been computed anyway (core.Largest). So that is done
// once for all arrays of a kernel that have the same size, over those dimensions of the space alone that the size depends on, and before
// the loops of the host in which nothing of it changes. There it is computed only if the code that needs it runs at all, as far as that is
// decided there: if the loop goes round, and by conditions of branches, which must be known there, too, as those of versions are.

// room is how many elements an array of so many has in each point at most.
func (x *expander) room(k *kernel, sizes []core.Operand) core.Operand {
	if most, ok := k.sizing.Most(sizes); ok {
		return k.host.Product(most...)
	}
	for _, r := range k.rooms {
		if slices.Equal(r.sizes, sizes) {
			return r.largest
		}
	}
	k.sizing.Add(k.body.Stms[k.sized:k.top]...)
	k.sized = k.top
	slice, ok := k.sizing.Slice(sizes)
	if !ok {
		x.unknownSize()
	}
	largest := x.largest(k, slice, sizes)
	k.rooms = append(k.rooms, room{sizes, largest})
	return largest
}

// room is the largest product of sizes at the points of a kernel.
type room struct {
	sizes   []core.Operand
	largest core.Operand
}

func (x *expander) unknownSize() {
	x.ctx.Bug(source.Span{}, "flattening made a kernel with an array of unknown size at %s", x.Where.Place())
}

// largest adds a kernel that computes, over all points, the largest product
// of sizes: Note [Sizes in kernels] in package core, and Note [Largest sizes].
func (x *expander) largest(k *kernel, slice []*core.Stm, shape []core.Operand) core.Operand {
	in := core.NewBuilder(x.Fun, x.Scope)
	in.Add(slice...)
	size := in.Product(shape...)
	code := withoutCerts(in.Body(size))
	needs := core.FreeInBody(code)
	for _, n := range k.space.Sizes {
		needs.Add(n.Var)
	}
	at, runs := x.earliest(k.host, needs)
	if at == k.host {
		return x.maximum(at, k.space, code)
	}
	guard := runs[0].of(at)
	for _, c := range runs[1:] {
		guard = at.Bin(prim.LogAnd, guard, c.of(at))
	}
	return at.If("largest", guard, []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
		return []core.Operand{x.maximum(b, k.space, code)}
	}, func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} })[0]
}

// maximum adds the reduction of the result of code at the points of a space, over the dimensions that it depends on, as one.
func (x *expander) maximum(host *core.Builder, sp core.Space, code *core.Body) core.Operand {
	i := host.Param("i", core.I64)
	points, sub := core.Int(1), core.Subst{}
	in := host.Nested()
	free, point := core.FreeInBody(code), core.V(i.Var)
	for d, id := range slices.Backward(sp.Ids) {
		if !free.Has(id) {
			points = host.Mul64(points, host.Bin(prim.Min, core.Int(1), sp.Sizes[d]))
			continue
		}
		first := !slices.ContainsFunc(sp.Ids[:d], free.Has)
		sub[id] = point
		if !first {
			sub[id] = in.Bin(prim.Rem, point, sp.Sizes[d])
			point = in.Bin(prim.Quot, point, sp.Sizes[d])
		}
		points = host.Mul64(points, sp.Sizes[d])
	}
	own := core.NewRenamer(x.Fun, x.Fun, sub).Body(code)
	body := &core.Body{Stms: append(in.Stms(), own.Stms...), Res: own.Res}
	x.Scope.BindBody(body)
	i64 := []core.Type{core.I64}
	l := host.Lambda("x", []core.Type{core.I64, core.I64}, i64, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Let("max", &core.Bin{Op: prim.Max, Type: prim.I64, X: ps[0], Y: ps[1]})}
	})
	return host.Let("largest", &core.SegRed{
		Space: core.Space{Ids: []core.Var{i.Var}, Sizes: []core.Operand{points}},
		Ops:   []core.Operator{{Lambda: l, Neutral: []core.Operand{core.Int(0)}, Commutative: true}}, Body: body, Ret: i64,
	})
}

func withoutCerts(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := *s
		n.Aux.Certs = nil
		n.Exp = core.MapBodies(s.Exp, withoutCerts)
		out.Stms = append(out.Stms, &n)
	}
	return out
}
