package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [Scans and reductions of one input]
//
// A reduction that reads what a scan reads, or what the scan's map computes and keeps, becomes part of the scan's SOAC: a thread that has a
// row to itself goes over it once. Kernels scan or reduce, so that flattening takes such a SOAC apart where it makes kernels of its own of
// it. Derivatives see scans and reductions apart, as this is done where post lambdas are made (Note [Post lambdas of SOACs]).

// reductionOf joins one scan and a reduction.
func (f *scanFuser) reductionOf(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	return f.joined(stms, res, func(p, c *core.Stm, _ int) joiner {
		if scan, red := scanOf(p), reductionAlone(c); scan != nil && red != nil {
			if inputs := f.ofScan(p, scan, c, red); inputs != nil {
				return func(func(core.Param) bool) *core.Stm { return f.withReduction(p, scan, c, red, inputs) }
			}
		}
		if scan, red := scanOf(c), reductionAlone(p); scan != nil && red != nil && !f.uses(c, p) {
			if inputs := f.ofScan(c, scan, p, red); inputs != nil {
				return func(func(core.Param) bool) *core.Stm { return f.withReduction(c, scan, p, red, inputs) }
			}
		}
		return nil
	})
}

// scanOf is the SOAC of a statement if that scans scalars.
func scanOf(s *core.Stm) *core.Screma {
	e, ok := s.Exp.(*core.Screma)
	if !ok || len(e.Scans) == 0 || !core.OnlyScalars(e.Map.Ret) {
		return nil
	}
	return e
}

// reductionAlone is the SOAC of a statement if that reduces scalars, and does nothing else.
func reductionAlone(s *core.Stm) *core.Screma {
	e, ok := s.Exp.(*core.Screma)
	if !ok || len(e.Reds) == 0 || len(e.Map.Ret) > core.Width(e.Reds) || !core.OnlyScalars(e.Map.Ret) {
		return nil
	}
	return e
}

// ofScan finds what the map of a scan, statement p, has of each input of a reduction, statement c: an element that it reads, or a value
// that it keeps. Inputs that it does not have are none. It is nil where the map has none of them, or the two cannot be one.
func (f *scanFuser) ofScan(p *core.Stm, scan *core.Screma, c *core.Stm, red *core.Screma) []core.Operand {
	if scan.Size != red.Size || sequential(p) != sequential(c) || f.uses(&core.Stm{Dst: c.Dst, Exp: withoutInputs(red), Aux: c.Aux}, p) {
		return nil
	}
	nr := core.Width(scan.Reds)
	inputs, some := make([]core.Operand, len(red.Arrays)), false
	for k, a := range red.Arrays {
		if at := slices.Index(scan.Arrays, a); at >= 0 {
			inputs[k], some = core.V(scan.Map.Params[at].Var), true
		} else if at := slices.Index(core.ParamVars(p.Dst), a); at >= 0 {
			if inputs[k] = keptBy(scan, at-nr); inputs[k] == (core.Operand{}) {
				return nil
			}
			some = true
		}
	}
	if !some {
		return nil
	}
	return inputs
}

// keptBy is the value of a scan's map that array k of those it makes holds; none where that was scanned, or computed by the post lambda.
func keptBy(scan *core.Screma, k int) core.Operand {
	ns, nr := core.Width(scan.Scans), core.Width(scan.Reds)
	if k >= 0 && scan.Post != nil {
		r := scan.Post.Body.Res[k]
		k = slices.IndexFunc(scan.Post.Params, func(q core.Param) bool { return r.IsVar(q.Var) })
	}
	if k < ns {
		return core.Operand{}
	}
	return scan.Map.Body.Res[nr+k]
}

// withReduction is the scan of p with the reduction of c, whose inputs are these of the scan's map, or arrays of its own.
func (f *scanFuser) withReduction(p *core.Stm, scan *core.Screma, c *core.Stm, red *core.Screma, inputs []core.Operand) *core.Stm {
	ns, nr := core.Width(scan.Scans), core.Width(scan.Reds)
	arrays, params, sub := slices.Clone(scan.Arrays), slices.Clone(scan.Map.Params), core.Subst{}
	for k, q := range red.Map.Params {
		if inputs[k] != (core.Operand{}) {
			sub[q.Var] = inputs[k]
			continue
		}
		arrays, params = append(arrays, red.Arrays[k]), append(params, q)
	}
	code := sub.Body(red.Map.Body)
	mapped := &core.Lambda{
		Params: params,
		Body: &core.Body{
			Stms: slices.Concat(scan.Map.Body.Stms, code.Stms),
			Res:  slices.Insert(slices.Clone(scan.Map.Body.Res), ns+nr, code.Res...),
		},
		Ret: slices.Insert(slices.Clone(scan.Map.Ret), ns+nr, red.Map.Ret...),
	}
	return &core.Stm{
		Dst: slices.Insert(slices.Clone(p.Dst), nr, c.Dst...),
		Exp: &core.Screma{
			Size: scan.Size, Arrays: arrays, Map: mapped,
			Scans: scan.Scans, Reds: slices.Concat(scan.Reds, red.Reds), Post: scan.Post,
		},
		Aux: joinAux(p, c),
	}
}
