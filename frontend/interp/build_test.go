package interp

import (
	"context"
	"strings"
	"testing"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// The tests of this file build typed programs by hand: the language they are in is that of frontend/types, not source
// text.

func i64Array(size types.Size, elem types.Type) types.Type {
	return &types.Array{Size: size, Elem: elem}
}

func local(name string, t types.Type) *types.Symbol { return &types.Symbol{Name: name, Type: t} }

func use(s *types.Symbol) types.Exp { return &types.Ref{Info: types.Info{Type: s.Type}, Sym: s} }

func i64(n int64) types.Exp {
	return &types.Const{Info: types.Info{Type: types.I64}, Value: prim.MakeI64(n)}
}

func bin(op prim.BinOp, x, y types.Exp) types.Exp {
	t := x.Base().Type.(*types.Prim).Kind
	return &types.Op{
		Info: types.Info{Type: x.Base().Type},
		Op:   types.ScalarOp{Kind: types.BinaryOp, Type: t, Bin: op}, Args: []types.Exp{x, y},
	}
}

func param(s *types.Symbol) *types.Param {
	return &types.Param{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: s.Type}, Sym: s}}
}

func entry(body types.Exp, sizes []*types.TypeParam, params ...*types.Symbol) *types.Prog {
	d := &types.Def{
		Sym: &types.Symbol{Name: "main", Params: sizes}, TypeParams: sizes, Body: body,
		Ret: types.RetType{Type: body.Base().Type}, Entry: &types.Entry{Name: "main"},
	}
	for _, p := range params {
		d.Params = append(d.Params, param(p))
	}
	return &types.Prog{Defs: []*types.Def{d}}
}

// sumLoop is `loop acc = 0 for i < n do acc + i * 3`.
func sumLoop(n *types.Symbol) types.Exp {
	acc, i := local("acc", types.I64), local("i", types.I64)
	return &types.Loop{
		Info: types.Info{Type: types.I64}, Pat: param(acc).Pat, Init: i64(0),
		Form: &types.For{Sym: i, Bound: use(n)}, Body: bin(prim.Add, use(acc), bin(prim.Mul, use(i), i64(3))),
	}
}

// mapIncrement is `map (+1) (0..<n)`.
func mapIncrement(n *types.Symbol) types.Exp {
	x := local("x", types.I64)
	t := i64Array(&types.SizeName{Sym: n}, types.I64)
	f := &types.Lambda{
		Info:   types.Info{Type: &types.Arrow{Param: types.I64, Ret: types.RetType{Type: types.I64}}},
		Params: []*types.Param{param(x)}, Ret: types.RetType{Type: types.I64}, Body: bin(prim.Add, use(x), i64(1)),
	}
	xs := &types.Range{Info: types.Info{Type: t}, Kind: types.UpTo, First: i64(0), Last: use(n)}
	return &types.Builtin{
		Info: types.Info{Type: t}, Fn: types.Map, Args: []types.Exp{f, xs},
		TypeArgs: []types.TypeArg{{Type: types.I64}, {Type: types.I64}, {Size: &types.SizeName{Sym: n}}},
	}
}

func run(t testing.TB, p *types.Prog, args ...value.Value) []value.Value {
	t.Helper()
	out, err := New(p, Options{}).Call(context.Background(), "main", args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLoopAddsUp(t *testing.T) {
	n := local("n", types.I64)
	out := run(t, entry(sumLoop(n), nil, n), value.Scalar(prim.MakeI64(1000)))
	if got := out[0].Scalar().Int(); got != 3*999*1000/2 {
		t.Errorf("got %d", got)
	}
}

func TestMapOverRange(t *testing.T) {
	n := local("n", types.I64)
	out := run(t, entry(mapIncrement(n), nil, n), value.Scalar(prim.MakeI64(4)))
	if got := out[0].String(); got != "[1i64, 2i64, 3i64, 4i64]" {
		t.Errorf("got %s", got)
	}
}

func BenchmarkScalarLoop(b *testing.B) {
	n := local("n", types.I64)
	p := entry(sumLoop(n), nil, n)
	b.ResetTimer()
	run(b, p, value.Scalar(prim.MakeI64(int64(b.N))))
}

func BenchmarkMapIncrement(b *testing.B) {
	n := local("n", types.I64)
	p := entry(mapIncrement(n), nil, n)
	b.ResetTimer()
	run(b, p, value.Scalar(prim.MakeI64(int64(b.N))))
}

// The checker rejects such programs, so this one is built by hand: `let ys = xs with [0] = 1 in xs[0]`.
func TestReadingAConsumedArrayIsAnErrorWhereAskedFor(t *testing.T) {
	arr := i64Array(&types.SizeConst{N: 2}, types.I64)
	xs, ys := local("xs", arr), local("ys", arr)
	update := &types.Update{
		Info: types.Info{Type: arr}, Src: use(xs), Path: []types.Step{{Dims: []types.Dim{{Index: i64(0)}}}}, Value: i64(1),
	}
	body := &types.Let{
		Info: types.Info{Type: types.I64}, Pat: param(ys).Pat, Exp: update,
		Body: &types.Index{Info: types.Info{Type: types.I64}, Array: use(xs), Dims: []types.Dim{{Index: i64(0)}}},
	}
	p := entry(body, nil, xs)
	arg := []value.Value{value.FromSlice([]int64{5, 6}, 2)}
	if _, err := New(p, Options{}).Call(context.Background(), "main", arg); err != nil {
		t.Errorf("unasked: %v", err)
	}
	_, err := New(p, Options{CheckConsumption: true}).Call(context.Background(), "main", arg)
	if err == nil || !strings.Contains(err.Error(), "xs is read after it has been consumed") {
		t.Errorf("got %v", err)
	}
}
