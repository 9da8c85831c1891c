package lower

import (
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Contract rounds sums of products once where the device does so in one instruction: Note [Contraction] in package imp.
func Contract(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return pass.Pass[*imp.Prog, *imp.Prog]{
		Name: "contract",
		Doc:  "compute a product that is added with one rounding where the device has an instruction for it",
		Run: func(_ *pass.Context, p *imp.Prog) *imp.Prog {
			if !facts.Fma32 && !facts.Fma64 {
				return p
			}
			return imp.Contract(p, func(t prim.Type) bool { return t == prim.F32 && facts.Fma32 || t == prim.F64 && facts.Fma64 })
		},
	}
}
