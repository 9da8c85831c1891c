package pipeline

import (
	"fmt"

	"skald/frontend/diag"
	"skald/middle/core"
	"skald/middle/pass"
)

// tooLarge is the limitation that a program has more statements than it may (Note [Budgets] in package pass); nil if it has not.
func tooLarge(ctx *pass.Context, p *core.Prog) *diag.Diagnostic {
	funs := p.Funs
	if p.Consts != nil {
		funs = append([]*core.Fun{p.Consts}, funs...)
	}
	names := 0 // at least as many as statements, and quickly counted
	for _, f := range funs {
		names += len(f.Names)
	}
	allowed := ctx.Statements()
	if names <= allowed {
		return nil
	}
	total, largest := 0, 0
	var body *core.Body
	for _, f := range funs {
		n := core.CountStms(f.Body)
		if n > largest {
			largest, body = n, f.Body
		}
		total += n
	}
	if total <= allowed {
		return nil
	}
	place, n := most(body)
	return ctx.Large(place, fmt.Sprintf("%d of them from", n))
}

// most is the place in a function from which most of its statements come, and how many come from there. What functions that it calls
// brought there is of the place of the call.
func most(b *core.Body) (place string, n int) {
	from := map[string]int{}
	for _, s := range b.Stms {
		here := s.Aux.Where.Outermost().Place()
		from[here] += core.CountStms(&core.Body{Stms: []*core.Stm{s}})
		if from[here] > n {
			place, n = here, from[here]
		}
	}
	return place, n
}
