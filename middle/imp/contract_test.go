package imp_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// A product is added with one rounding if it is used for nothing else; what is set in between is not read too late.
func TestProductsThatAreAddedAreRoundedOnce(t *testing.T) {
	for _, c := range []struct{ body, want, not string }{
		{
			"let p_4: f32 = mul.f32(a_1, b_2)\n let s_5: f32 = add.f32(p_4, a_1)\n @xs_0[0:idx] = s_5",
			"fma.f32(a_1, b_2, a_1)", "mul.",
		},
		{
			"let p_4: f32 = mul.f32(a_1, b_2)\n let s_5: f32 = sub.f32(a_1, p_4)\n @xs_0[0:idx] = s_5",
			"fma.f32(un.neg.f32(a_1), b_2, a_1)", "mul.",
		},
		{
			"let s_5: f32 = sub.f32(mul.f32(0x40000000:f32, b_2), b_2)\n @xs_0[0:idx] = s_5",
			"fma.f32(0x40000000:f32, b_2, un.neg.f32(b_2))", "mul.",
		},
		{
			"let s_5: f32 = sub.f32(b_2, mul.f32(0x40000000:f32, b_2))\n @xs_0[0:idx] = s_5",
			"fma.f32(0xc0000000:f32, b_2, b_2)", "mul.",
		},
		{
			"let p_4: f32 = mul.f32(a_1, b_2)\n let s_5: f32 = add.f32(p_4, p_4)\n @xs_0[0:idx] = s_5",
			"mul.f32(a_1, b_2)", "fma",
		},
		{
			"let m_4: f32 = add.f32(a_1, b_2)\n let p_5: f32 = mul.f32(m_4, b_2)\n m_4 = a_1\n @xs_0[0:idx] = add.f32(p_5, a_1)",
			"mul.f32(m_4, b_2)", "fma",
		},
		{
			"let p_4: f32 = mul.f32(a_1, b_2)\n let q_5: f32 = mul.f32(b_2, b_2)\n @xs_0[0:idx] = add.f32(p_4, q_5)",
			"fma.f32(b_2, b_2, p_4)", "q_5",
		},
		{
			"let p_4: f64 = mul.f64(c_3, c_3)\n @xs_0[0:idx] = conv.f64.f32(add.f64(p_4, c_3))",
			"mul.f64(c_3, c_3)", "fma",
		},
	} {
		text := "kernel k(a_1: f32, b_2: f32, c_3: f64, write @xs_0: f32) group 32 {\n " + c.body + "\n}"
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out := imp.Contract(p, func(t prim.Type) bool { return t == prim.F32 })
		if err := imp.Verify(out); err != nil {
			t.Error(err)
		}
		if got := imp.Print(out); !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s\nis\n%s\nwithout %s, or with %s", text, got, c.want, c.not)
		}
		if before := imp.Print(p); !strings.Contains(before, "mul.f") {
			t.Errorf("the input has changed:\n%s", before)
		}
	}
}

// Device functions are contracted once, for all kernels that call them.
func TestDeviceFunctionsAreContracted(t *testing.T) {
	p := &imp.Prog{}
	f := &imp.DeviceFunction{
		Name: "f", Params: []imp.Var{1}, Vars: []imp.VarDecl{{}, {Name: "x", Type: imp.Of(prim.F32)}},
		Results: []imp.Exp{&imp.Bin{Op: prim.Add, Type: imp.Of(prim.F32), Y: &imp.VarExp{Var: 1}, X: &imp.Bin{
			Op: prim.Mul, Type: imp.Of(prim.F32), X: &imp.VarExp{Var: 1}, Y: &imp.VarExp{Var: 1},
		}}},
	}
	for _, name := range []string{"k", "l"} {
		p.Kernels = append(p.Kernels, &imp.Kernel{
			Name: name, GroupSize: 32, Vars: []imp.VarDecl{{}, {Name: "y", Type: imp.Of(prim.F32)}},
			Body: []imp.Stm{&imp.Invoke{Dst: []imp.Var{1}, DeviceFunction: f, Args: []imp.Exp{
				&imp.Const{Type: imp.Of(prim.F32), Value: prim.MakeF32(2)},
			}}},
		})
	}
	out := imp.Contract(p, func(prim.Type) bool { return true })
	of := func(i int) *imp.DeviceFunction { return out.Kernels[i].Body[0].(*imp.Invoke).DeviceFunction }
	if of(0) != of(1) || of(0) == f {
		t.Fatal("two kernels have two copies, or the one from before")
	}
	if e, ok := of(0).Results[0].(*imp.CallFunc); !ok || e.Func != prim.Fma {
		t.Errorf("the result is %#v", of(0).Results[0])
	}
}

// Kernels in which there is nothing to contract or unroll keep their code; the others are worked on side by side, in order.
func TestKernelsWithNothingToContractKeepTheirCode(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		sum := "add.i32(mul.i32(2:i32, 3:i32), 4:i32)"
		if i%2 == 1 {
			sum = "conv.f32.i32(add.f32(mul.f32(a_1, a_1), a_1))"
		}
		fmt.Fprintf(&text, "kernel k%d(a_1: f32, write @xs_0: i32) group 8 {\n  @xs_0[0:idx] = %s\n}\n", i, sum)
	}
	p, err := imp.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	out := imp.Unroll(imp.Contract(p, func(t prim.Type) bool { return t == prim.F32 }))
	for i, k := range out.Kernels {
		same, wasContracted := &k.Body[0] == &p.Kernels[i].Body[0], strings.Contains(imp.Print(&imp.Prog{Kernels: []*imp.Kernel{k}}), "fma")
		if k.Name != p.Kernels[i].Name || same != (i%2 == 0) || wasContracted != (i%2 == 1) {
			t.Errorf("kernel %d is %s; its code is the same: %v; contracted: %v", i, k.Name, same, wasContracted)
		}
	}
}
