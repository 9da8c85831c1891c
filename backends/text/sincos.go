package text

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Sine and cosine of one angle]
//
// A sine and a cosine of one angle share its reduction, the polynomials and the branch for large angles, of which compilers of drivers find
// all but the branch by themselves, and NVRTC none. Where both are bound in one run of bindings they are one call:
//
//	let both_t1 = sin_cos_f32(x);
//	let c = both_t1.y;
//	let s = both_t1.x;

// SinePair is a sine and a cosine of one angle: the name of both, once they are computed.
type SinePair struct{ name string }

// PairSines finds the sines and cosines of one angle in the bodies of the kernel.
func (p *Printer) PairSines() {
	p.pairs = map[*imp.CallFunc]*SinePair{}
	p.pairsIn(p.Kernel.Body)
}

func (p *Printer) pairsIn(body []imp.Stm) {
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
			both := &SinePair{}
			p.pairs[other], p.pairs[e] = both, both
			delete(waiting, x.Var)
		}
	}
}

// Sine prints a sine or cosine that is one of a pair, and before the first of them both, with the word that declares them; ok is false for
// others.
func (p *Printer) Sine(e *imp.CallFunc, declare, x string) (value string, ok bool) {
	both := p.pairs[e]
	if both == nil {
		return "", false
	}
	if both.name == "" {
		both.name = p.Temp("both")
		p.Line("%s %s = %s;", declare, both.name, p.Support("sin_cos", prim.F32, x))
	}
	if e.Func == prim.Sin {
		return both.name + ".x", true
	}
	return both.name + ".y", true
}
