package core

import (
	"testing"

	"skald/runtime/prim"
)

// A function built with Builder verifies, and constants have folded.
func TestBuilderMakesVerifiedCode(t *testing.T) {
	f := &Fun{Name: "main"}
	b := NewBuilder(f, nil)
	n := b.Param("n", I64)
	xs := b.Param("xs", ArrayOf(ScalarType(prim.F32), V(n.Var)))
	f.Params = []Param{n, xs}
	two := b.Bin(prim.Add, C(prim.MakeF32(1)), C(prim.MakeF32(1)))
	if !two.IsConst() {
		t.Error("1 + 1 did not fold")
	}
	f32 := []Type{ScalarType(prim.F32)}
	double := b.Lambda("x", f32, f32, func(b *Builder, ps []Operand) []Operand {
		return []Operand{b.Bin(prim.Mul, ps[0], two)}
	})
	ys := b.Let("ys", &Screma{Size: V(n.Var), Arrays: []Var{xs.Var}, Map: double})
	small := b.Cmp(prim.Lt, V(n.Var), Int(5))
	sum := b.If("sum", small, f32, func(*Builder) []Operand { return []Operand{two} },
		func(b *Builder) []Operand { return []Operand{b.Index("y", ys.Var, Int(0))} })
	acc := b.Param("acc", ScalarType(prim.F32))
	total := b.ForLoop([]Param{acc}, sum, V(n.Var), func(b *Builder, i Operand, ps []Operand) []Operand {
		return []Operand{b.Bin(prim.Add, ps[0], b.Index("y", ys.Var, i))}
	})
	f.Ret = []Param{b.Param("r", ScalarType(prim.F32))}
	f.Body = b.Body(total...)
	if err := Verify(&Prog{Funs: []*Fun{f}}); err != nil {
		t.Errorf("%v\n%s", err, PrintFun(f))
	}
}

func TestRenamingKeepsMeaningAndBindsAnew(t *testing.T) {
	p, err := Parse(`stage soacs
fun main (n_1: i64): (r_2: i64) = {
  let (x_3: i64) = add.i64 n_1 1i64
  let (y_4: i64) = loop (a_5: i64 = x_3) for i_6: i64 < n_1 { let (b_7: i64) = mul.i64 a_5 i_6 in (b_7) }
  in (y_4)
}`)
	if err != nil {
		t.Fatal(err)
	}
	f := p.Funs[0]
	twice := NewRenamer(f, f, nil).Body(f.Body)
	f.Body = &Body{Stms: append(f.Body.Stms, twice.Stms...), Res: twice.Res}
	if err := Verify(p); err != nil {
		t.Error(err)
	}
	if free := FreeInBody(twice).List(); len(free) != 1 || free[0] != 1 {
		t.Errorf("free variables: %v", free)
	}
}
