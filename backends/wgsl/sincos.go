package wgsl

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Sine and cosine of one angle]
//
// A sine and a cosine of one angle share its reduction, the polynomials and the branch for large angles, of which compilers of drivers find
// all but the branch by themselves. Where both are bound in one run of bindings they are one call:
//
//	let both_t1 = sin_cos_f32(x);
//	let c = both_t1.y;
//	let s = both_t1.x;

// pairSines finds the sines and cosines of one angle in the bodies of a kernel.
func (p *printer) pairSines(body []imp.Stm) {
	p.pairs = map[*imp.CallFunc]*pair{}
	p.pairsIn(body)
}

// pair is a sine and a cosine of one angle: the name of both, once they are computed.
type pair struct{ name string }

func (p *printer) pairsIn(body []imp.Stm) {
	waiting := map[imp.Var]*imp.CallFunc{} // the first of what may be a pair, by angle
	for _, s := range body {
		let, isLet := s.(*imp.Let)
		if !isLet {
			clear(waiting)
		}
		for _, b := range imp.Bodies(s) {
			p.pairsIn(b)
		}
		if !isLet || p.Inlined[let.Var] {
			continue
		}
		e, ok := let.Exp.(*imp.CallFunc)
		if !ok || e.Func != prim.Sin && e.Func != prim.Cos || e.Type != prim.F32 {
			continue
		}
		x, ok := e.Args[0].(*imp.VarExp)
		if !ok {
			continue
		}
		if other := waiting[x.Var]; other == nil {
			waiting[x.Var] = e
		} else if other.Func != e.Func {
			both := &pair{}
			p.pairs[other], p.pairs[e] = both, both
			delete(waiting, x.Var)
		}
	}
}

// sine prints one of a sine and a cosine of one angle, and before the first of them both.
func (p *printer) sine(e *imp.CallFunc, both *pair, x string) string {
	if both.name == "" {
		both.name = p.Temp("both")
		p.Line("let %s = %s;", both.name, p.Support("sin_cos", prim.F32, x))
	}
	if e.Func == prim.Sin {
		return both.name + ".x"
	}
	return both.name + ".y"
}
