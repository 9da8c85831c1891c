package derive_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skald/middle/core"
	"skald/middle/core/eval"
	"skald/middle/derive"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// derivative makes a program with a function `d` that takes the parameters of function f of the program, then a tangent for each float, and
// returns f's results and their tangents.
func derivative(t *testing.T, text string) *core.Prog {
	t.Helper()
	prog, err := core.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Verify(prog); err != nil {
		t.Fatal(err)
	}
	f := prog.Fun("f")
	d := &core.Fun{Name: "d", Names: append([]string(nil), f.Names...)}
	b := core.NewBuilder(d, nil)
	b.Scope.BindAll(f.Params)
	b.Scope.BindAll(f.Ret)
	b.Scope.BindBody(f.Body)
	tan := derive.Tangents{}
	d.Params = append(d.Params, f.Params...)
	for _, p := range f.Params {
		if derive.Active(p.Type, false) {
			dp := b.Param("d", p.Type)
			d.Params = append(d.Params, dp)
			tan[p.Var] = core.V(dp.Var)
		}
	}
	deriver := &derive.Deriver{
		Fun:  prog.Fun,
		Add:  func(f *core.Fun) { prog.Funs = append(prog.Funs, f) },
		Name: func(base string) string { return base },
	}
	before := core.Print(prog)
	res, dres := deriver.Body(b, f.Body, tan, false)
	for _, p := range f.Ret {
		d.Ret = append(d.Ret, b.Param("r", p.Type))
	}
	all := res
	for i, dx := range dres {
		if dx != derive.None {
			all = append(all, dx)
			d.Ret = append(d.Ret, b.Param("r", f.Ret[i].Type))
		}
	}
	d.Body = b.Body(all...)
	if len(prog.Funs) == 1 && core.Print(prog) != before {
		t.Error("the function itself was changed")
	}
	prog.Funs = append(prog.Funs, d)
	if err := core.Verify(prog); err != nil {
		t.Fatalf("%v\n%s", err, core.Print(prog))
	}
	return prog
}

func run(t *testing.T, prog *core.Prog, fun, args string) string {
	t.Helper()
	vals, err := value.ParseAll(args)
	if err != nil {
		t.Fatal(err)
	}
	res, err := eval.Run(prog, fun, vals, eval.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, core.Print(prog))
	}
	var b strings.Builder
	for _, v := range res {
		fmt.Fprintf(&b, "%v ", v)
	}
	return strings.TrimSpace(b.String())
}

// The derivative of each construct, with results worked out by hand.
func TestTangents(t *testing.T) {
	tests := []struct{ name, text, args, want string }{
		{"product", `fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = mul.f64 x_1 x_1
  in (y_3)
}`, "3f64 1f64", "9.0f64 6.0f64"},
		{"quotient", `fun f (x_1: f64, y_2: f64): (r_3: f64) = {
  let (z_4: f64) = div.f64 x_1 y_2
  in (z_4)
}`, "6f64 2f64 1f64 4f64", "3.0f64 -5.5f64"},
		{"constant", `fun f (x_1: f64, n_2: i64): (r_3: f64, r_4: i64) = {
  in (2.5f64, n_2)
}`, "3f64 7i64 1f64", "2.5f64 7i64 0.0f64"},
		{"branch", `fun f (c_1: bool, x_2: f64): (r_3: f64) = {
  let (y_4: f64) = if c_1 {
    let (z_5: f64) = add.f64 x_2 x_2
    in (z_5)
  } else {
    in (1f64)
  }
  in (y_4)
}`, "true 3f64 1f64", "6.0f64 2.0f64"},
		{"loop", `fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = loop (z_4: f64 = 1f64) for i_5: i64 < 3i64 {
    let (w_6: f64) = mul.f64 z_4 x_1
    in (w_6)
  }
  in (y_3)
}`, "2f64 1f64", "8.0f64 12.0f64"},
		{"map and reduce", `fun f (n_1: i64, xs_2: [n_1]f64): (r_3: f64) = {
  let (s_4: f64) = screma n_1 (xs_2)
    map fn (x_5: f64): (f64) {
      let (y_6: f64) = mul.f64 x_5 x_5
      in (y_6)
    }
    reds (neutral (0f64) fn (a_7: f64, b_8: f64): (f64) {
      let (c_9: f64) = add.f64 a_7 b_8
      in (c_9)
    })
  in (s_4)
}`, "2i64 [3f64, 5f64] [1f64, 10f64]", "34.0f64 106.0f64"},
		{"update", `fun f (xs_1: *[3i64]f64, x_2: f64): (r_3: [3i64]f64) = {
  let (ys_4: [3i64]f64) = update xs_1 [1i64] x_2
  in (ys_4)
}`, "[1f64, 2f64, 3f64] 7f64 [4f64, 5f64, 6f64] 8f64", "[1.0f64, 7.0f64, 3.0f64] [4.0f64, 8.0f64, 6.0f64]"},
		{"call", `fun g (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = mul.f64 x_1 x_1
  in (y_3)
}
fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = call g (x_1)
  let (z_4: f64) = call g (y_3)
  in (z_4)
}`, "2f64 1f64", "16.0f64 32.0f64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, derivative(t, "stage soacs\n\n"+tt.text), "d", tt.args); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// gradient makes a program with a function `d` that takes the parameters of function f of the program, then an adjoint for each result of
// f, all floats, and returns f's results and the adjoints of its float parameters.
func gradient(t *testing.T, text string) *core.Prog {
	t.Helper()
	prog, err := core.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f := prog.Fun("f")
	d := &core.Fun{Name: "d", Names: append([]string(nil), f.Names...), Params: append([]core.Param(nil), f.Params...)}
	b := core.NewBuilder(d, nil)
	b.Scope.BindAll(f.Params)
	b.Scope.BindBody(f.Body)
	deriver := &derive.Deriver{
		Fun:  prog.Fun,
		Add:  func(f *core.Fun) { prog.Funs = append(prog.Funs, f) },
		Name: func(base string) string { return base },
	}
	var wrt []core.Var
	for _, p := range f.Params {
		if derive.Active(p.Type, false) {
			wrt = append(wrt, p.Var)
		}
	}
	res, back := deriver.Forward(b, f.Body, wrt, false)
	var seeds []core.Operand
	for _, p := range f.Ret {
		dp := b.Param("d", p.Type)
		d.Params = append(d.Params, dp)
		d.Ret = append(d.Ret, b.Param("r", p.Type))
		seeds = append(seeds, core.V(dp.Var))
	}
	for i, dx := range back.Sweep(b, seeds, wrt) {
		res = append(res, dx)
		d.Ret = append(d.Ret, b.Param("r", b.Scope.TypeOf(wrt[i])))
	}
	d.Body = b.Body(res...)
	prog.Funs = append(prog.Funs, d)
	if err := core.Verify(prog); err != nil {
		t.Fatalf("%v\n%s", err, core.Print(prog))
	}
	return prog
}

// What return sweeps give, with results worked out by hand.
func TestAdjoints(t *testing.T) {
	tests := []struct{ name, text, args, want string }{
		{"product of two", `fun f (x_1: f64, y_2: f64): (r_3: f64) = {
  let (z_4: f64) = mul.f64 x_1 y_2
  in (z_4)
}`, "3f64 5f64 2f64", "15.0f64 10.0f64 6.0f64"},
		{"branch", `fun f (c_1: bool, x_2: f64): (r_3: f64) = {
  let (y_4: f64) = if c_1 {
    let (z_5: f64) = mul.f64 x_2 x_2
    in (z_5)
  } else {
    in (x_2)
  }
  in (y_4)
}`, "true 3f64 1f64", "9.0f64 6.0f64"},
		{"power by a loop", `fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = loop (z_4: f64 = 1f64) for i_5: i64 < 3i64 {
    let (w_6: f64) = mul.f64 z_4 x_1
    in (w_6)
  }
  in (y_3)
}`, "2f64 1f64", "8.0f64 12.0f64"},
		{"array that is overwritten keeps what the sweep needs", `fun f (xs_1: *[2i64]f64): (r_2: [2i64]f64) = {
  let (x_3: f64) = index xs_1 [0i64]
  let (y_4: f64) = mul.f64 x_3 x_3
  let (ys_5: [2i64]f64) = update xs_1 [0i64] y_4
  in (ys_5)
}`, "[3f64, 4f64] [1f64, 10f64]", "[9.0f64, 4.0f64] [6.0f64, 10.0f64]"},
		{"elements of a free array", `fun f (n_1: i64, is_2: [n_1]i64, xs_3: [3i64]f64): (r_4: [n_1]f64) = {
  let (ys_5: [n_1]f64) = screma n_1 (is_2)
    map fn (i_6: i64): (f64) {
      let (x_7: f64) = index xs_3 [i_6]
      let (y_8: f64) = mul.f64 x_7 x_7
      in (y_8)
    }
  in (ys_5)
}`, "2i64 [2i64, 2i64] [3f64, 4f64, 5f64] [1f64, 10f64]", "[25.0f64, 25.0f64] [0.0f64, 0.0f64, 110.0f64]"},
		{"power by recursion", `fun power (n_1: i64, x_2: f64): (r_3: f64) = {
  let (stop_4: bool) = eq.i64 n_1 0i64
  let (r_5: f64) = if stop_4 {
    in (1f64)
  } else {
    let (m_6: i64) = sub.i64 n_1 1i64
    let (p_7: f64) = call power (m_6, x_2)
    let (q_8: f64) = mul.f64 x_2 p_7
    in (q_8)
  }
  in (r_5)
}
fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64) = call power (3i64, x_1)
  in (y_3)
}`, "2f64 1f64", "8.0f64 12.0f64"},
		{"scan by a product", `fun f (n_1: i64, xs_2: [n_1]f64): (r_3: [n_1]f64) = {
  let (ys_4: [n_1]f64) = screma n_1 (xs_2)
    map fn (x_5: f64): (f64) {
      in (x_5)
    }
    scans (neutral (1f64) fn (a_6: f64, b_7: f64): (f64) {
      let (c_8: f64) = mul.f64 a_6 b_7
      in (c_8)
    })
  in (ys_4)
}`, "3i64 [2f64, 3f64, 5f64] [1f64, 1f64, 1f64]", "[2.0f64, 6.0f64, 30.0f64] [19.0f64, 12.0f64, 6.0f64]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := run(t, gradient(t, "stage soacs\n\n"+tt.text), "d", tt.args); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// The derivatives of the functions of one operand agree with differences.
func TestFunctionsAgreeWithDifferences(t *testing.T) {
	const h = 1e-5
	tested := 0
	for f := range prim.NumFuncs {
		fun := prim.Func(f)
		text := fmt.Sprintf("stage soacs\n\nfun f (x_1: f64): (r_2: f64) = {\n  let (y_3: f64) = %s.f64 (x_1)\n  in (y_3)\n}\n", fun)
		prog, err := core.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if core.Verify(prog) != nil {
			continue // not a function from a float to a float
		}
		tested++
		prog = derivative(t, text)
		at := func(x float64) float64 { return floats(t, run(t, prog, "f", fmt.Sprintf("%.17gf64", x)))[0] }
		for _, x := range []float64{0.3, 0.7, 1.6, -0.4} {
			want := (at(x+h) - at(x-h)) / (2 * h)
			if math.IsNaN(want) || math.IsInf(want, 0) {
				continue
			}
			got := floats(t, run(t, prog, "d", fmt.Sprintf("%.17gf64 1f64", x)))[1]
			if math.Abs(got-want) > 1e-4*math.Max(1, math.Abs(want)) {
				t.Errorf("%s at %v: derivative %v, difference %v", fun, x, got, want)
			}
		}
	}
	if tested < 37 {
		t.Errorf("%d functions tested", tested)
	}
}

func floats(t *testing.T, text string) []float64 {
	t.Helper()
	var out []float64
	for _, f := range strings.Fields(text) {
		var x float64
		switch f {
		case "f64.nan":
			x = math.NaN()
		case "f64.inf":
			x = math.Inf(1)
		case "-f64.inf":
			x = math.Inf(-1)
		default:
			if _, err := fmt.Sscanf(strings.TrimSuffix(f, "f64"), "%g", &x); err != nil {
				t.Fatalf("%q: %v", f, err)
			}
		}
		out = append(out, x)
	}
	return out
}

// A program says so if it has what neither mode covers.
func TestUnsupportedIsSaid(t *testing.T) {
	defer func() {
		if _, ok := recover().(derive.Unsupported); !ok {
			t.Error("the derivative of a loop whose array grows was made")
		}
	}()
	gradient(t, `stage soacs

fun f (x_1: f64): (r_2: f64) = {
  let (xs_3: [1i64]f64) = array f64 (x_1)
  let (n_4: i64, ys_5: [n_4]f64) = loop (m_6: i64 = 1i64, zs_7: [m_6]f64 = xs_3) for i_8: i64 < 3i64 {
    let (k_9: i64) = mul.i64 m_6 2i64
    let (ws_10: [k_9]f64) = concat k_9 (zs_7, zs_7)
    in (k_9, ws_10)
  }
  let (y_11: f64) = index ys_5 [0i64]
  in (y_11)
}
`)
}
