package lower

import (
	"skald/middle/imp"
	"skald/middle/pass"
)

// Unroll unrolls loops that wait for memory, on GPUs: Note [Unrolled loops] in package imp.
func Unroll(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return pass.Pass[*imp.Prog, *imp.Prog]{
		Name: "unroll",
		Doc:  "do four iterations together of loops that read several arrays and write none",
		Run: func(_ *pass.Context, p *imp.Prog) *imp.Prog {
			if facts.Software || facts.Tasks > 0 {
				return p
			}
			return imp.Unroll(p)
		},
	}
}
