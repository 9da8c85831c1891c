package lower

import (
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Registers unrolls loops that keep private arrays out of registers, on GPUs: Note [Arrays in registers] in package imp.
func Registers(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return pass.Pass[*imp.Prog, *imp.Prog]{
		Name: "registers",
		Doc:  "unroll loops that keep small private arrays out of registers",
		Run: func(_ *pass.Context, p *imp.Prog) *imp.Prog {
			if facts.Software || facts.Tasks > 0 {
				return p
			}
			return imp.Registers(p, func(t prim.Type) bool {
				return t.Bits() == 64 && (t.IsFloat() && facts.NoF64 || t.IsInt() && facts.NoI64)
			})
		},
	}
}
