package expand

import (
	"skald/frontend/source"
	"skald/middle/core"
	"skald/runtime/prim"
)

// room is how many elements an array of so many has in each point at most.
func (x *expander) room(k *kernel, sizes []core.Operand) core.Operand {
	if k.sizing.Outside(sizes) {
		return k.host.Product(sizes...)
	}
	k.sizing.Add(k.body.Stms[k.sized:k.top]...)
	k.sized = k.top
	slice, ok := k.sizing.Slice(sizes)
	if !ok {
		x.unknownSize()
	}
	return x.largest(k, slice, sizes)
}

func (x *expander) unknownSize() {
	x.ctx.Bug(source.Span{}, "flattening made a kernel with an array of unknown size at %s", x.Where.Place())
}

// largest adds a kernel that computes, over all points, the largest product
// of sizes: Note [Sizes in kernels].
func (x *expander) largest(k *kernel, slice []*core.Stm, shape []core.Operand) core.Operand {
	in := core.NewBuilder(x.Fun, x.Scope)
	in.Add(slice...)
	size := in.Product(shape...)
	sub := core.Subst{}
	sp := core.Space{Sizes: k.space.Sizes}
	for _, id := range k.space.Ids {
		sp.Ids = append(sp.Ids, x.Param(x.Fun.Base(id), core.I64).Var)
		sub[id] = core.V(sp.Ids[len(sp.Ids)-1])
	}
	body := core.NewRenamer(x.Fun, x.Fun, sub).Body(withoutCerts(in.Body(size)))
	x.Scope.BindBody(body)
	return x.maximum(k, sp, body)
}

// maximum adds the reduction, one dimension after the other, of a body's
// result over a space.
func (x *expander) maximum(k *kernel, sp core.Space, body *core.Body) core.Operand {
	host := k.host
	op := func() core.Operator {
		i64 := []core.Type{core.I64}
		l := host.Lambda("x", []core.Type{core.I64, core.I64}, i64, func(b *core.Builder, ps []core.Operand) []core.Operand {
			return []core.Operand{b.Let("max", &core.Bin{Op: prim.Max, Type: prim.I64, X: ps[0], Y: ps[1]})}
		})
		return core.Operator{Lambda: l, Neutral: []core.Operand{core.Int(0)}, Commutative: true}
	}
	for {
		last := len(sp.Sizes) - 1
		dst := host.Param("largest", core.ArrayOf(core.I64, sp.Sizes[:last]...))
		if dst.Type.IsArray() {
			mem := host.LetVar("largest_mem", &core.Alloc{Elem: prim.I64, Count: host.Product(dst.Type.Shape...), Space: core.SpaceDevice})
			dst.Type.Layout = core.RowMajor(mem, dst.Type.Shape)
		}
		red := &core.SegRed{Space: sp, Ops: []core.Operator{op()}, Body: body, Ret: []core.Type{core.I64}}
		host.Bind([]core.Param{dst}, red)
		if last == 0 {
			return core.V(dst.Var)
		}
		next := core.Space{Sizes: sp.Sizes[:last]}
		for range last {
			next.Ids = append(next.Ids, host.Param("i", core.I64).Var)
		}
		body = host.Build(func(b *core.Builder) []core.Operand {
			return []core.Operand{b.Index("x", dst.Var, core.Vars(next.Ids)...)}
		})
		sp = next
	}
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
