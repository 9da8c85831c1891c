package check

import (
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [Intrinsics]
//
// The module `intrinsics` has, besides the overloaded operators under their own names:
//
//   - the polymorphic intrinsics of package types, with the types of intrinsicSpecs;
//   - conversions, FROM_to_TO, for each pair of primitive types;
//   - scalar functions, NAME_TYPE, for each unary and binary operator and named function at each type that it accepts.
//
// While a definition is checked they are ordinary curried functions. When its sizes are known, lowerIntrinsics makes
// Op and Builtin nodes of them, with all their arguments; where there are fewer, a lambda takes the rest.

// intrinsicSpecs gives the polymorphic intrinsics their types.
const intrinsicSpecs = `
val map 'a 'b [n] : (f: a -> b) -> (as: [n]a) -> *[n]b
val reduce 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val reduce_comm 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val scan 'a [n] : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a
val hist_1d 'a [k] [n] : i64 -> *[k]a -> (a -> a -> a) -> a -> [n]i64 -> [n]a -> *[k]a
val hist_2d 'a [k] [l] [n] : i64 -> *[k][l]a -> (a -> a -> a) -> a -> [n](i64, i64) -> [n]a -> *[k][l]a
val hist_3d 'a [k] [l] [m] [n] :
  i64 -> *[k][l][m]a -> (a -> a -> a) -> a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a
val scatter 'a [k] [n] : *[k]a -> [n]i64 -> [n]a -> *[k]a
val scatter_2d 'a [k] [l] [n] : *[k][l]a -> [n](i64, i64) -> [n]a -> *[k][l]a
val scatter_3d 'a [k] [l] [m] [n] : *[k][l][m]a -> [n](i64, i64, i64) -> [n]a -> *[k][l][m]a
val partition 'a [n] : (k: i32) -> (a -> i64) -> [n]a -> ?[m].(*[n]a, *[m]i64)
val flatmap 'a 'b 'c [n] : (a -> ?[k].([k]b, c)) -> [n]a -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)
val zip 'a 'b [n] : [n]a -> [n]b -> *[n](a, b)
val unzip 'a 'b [n] : [n](a, b) -> ([n]a, [n]b)
val concat 'a [n] [m] : [n]a -> [m]a -> *[n + m]a
val flatten 'a [n] [m] : [n][m]a -> [n * m]a
val unflatten 'a [n] [m] : [n * m]a -> [n][m]a
val transpose 'a [n] [m] : [n][m]a -> [m][n]a
val manifest 'a : a -> *a
val replicate 'a : (n: i64) -> a -> *[n]a
val acc_write [k] 'a : *acc ([k]a) -> i64 -> a -> *acc ([k]a)
val scatter_stream 'a 'b [k] [n] : *[k]a -> (*acc ([k]a) -> b -> acc ([k]a)) -> [n]b -> *[k]a
val hist_stream 'a 'b [k] [n] : *[k]a -> (a -> a -> a) -> a -> (*acc ([k]a) -> b -> acc ([k]a)) -> [n]b -> *[k]a
val jvp2 'a 'b : (a -> b) -> a -> a -> (b, b)
val vjp2 'a 'b : (a -> b) -> a -> b -> (b, a)
val jmp2 'a 'b [n] : (a -> b) -> a -> [n]a -> (b, [n]b)
val mjp2 'a 'b [n] : (a -> b) -> a -> [n]b -> (b, [n]a)
val with_vjp 'a 'b : (a -> b) -> (b -> b -> a) -> a -> b
val flat_index_2d 'a [n] : [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l].[k][l]a
val flat_index_3d 'a [n] : [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l][m].[k][l][m]a
val flat_index_4d 'a [n] :
  [n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> i64 -> ?[k][l][m][p].[k][l][m][p]a
val flat_update_2d 'a [n] [k] [l] : *[n]a -> i64 -> i64 -> i64 -> [k][l]a -> *[n]a
val flat_update_3d 'a [n] [k] [l] [m] : *[n]a -> i64 -> i64 -> i64 -> i64 -> [k][l][m]a -> *[n]a
val flat_update_4d 'a [n] [k] [l] [m] [p] : *[n]a -> i64 -> i64 -> i64 -> i64 -> i64 -> [k][l][m][p]a -> *[n]a
`

// intrinsic is what a symbol of the module does.
type intrinsic struct {
	arity int
	fn    types.Intrinsic
	op    types.ScalarOp // if fn is NoIntrinsic
}

// intrinsicsModule is the lazy source of the module's names.
type intrinsicsModule struct {
	c     *checker
	vals  map[string]*binding
	specs map[string]*syntax.ValSpec
	acc   *typeBinding
}

// accType is the type of accumulators: abstract, of size-lifted content.
func accType() *typeBinding {
	p := &types.TypeParam{Name: "a"}
	con := &types.TypeCon{Name: "acc", Params: []*types.TypeParam{p}}
	return &typeBinding{params: con.Params, typ: &types.Con{
		Con:  con,
		Args: []types.TypeArg{{Type: &types.Var{Param: p}}},
	}}
}

func newIntrinsics(c *checker) *module {
	src := &intrinsicsModule{c: c, vals: map[string]*binding{}, acc: accType()}
	for name, op := range overloads {
		src.vals[name] = &binding{op: op}
	}
	return &module{scope: &scope{source: src}}
}

func (m *intrinsicsModule) typ(name string) *typeBinding {
	if name == "acc" {
		return m.acc
	}
	return nil
}

func (m *intrinsicsModule) sig(string) *sigBinding { return nil }
func (m *intrinsicsModule) names() []string        { return nil }

func (m *intrinsicsModule) value(name string) *binding {
	if b := m.vals[name]; b != nil {
		return b
	}
	b := m.scalar(name)
	if b == nil {
		b = m.polymorphic(name)
	}
	if b != nil {
		m.vals[name] = b
	}
	return b
}

func (m *intrinsicsModule) define(name string, in *intrinsic, t types.Type) *binding {
	sym := m.c.newSymbol(name, types.Global, t, source.Span{})
	m.c.intrinsics[sym] = in
	return &binding{sym: sym}
}

// scalar finds a conversion or scalar function by its name.
func (m *intrinsicsModule) scalar(name string) *binding {
	if from, to, ok := strings.Cut(name, "_to_"); ok {
		a, okA := prim.ParseType(from)
		b, okB := prim.ParseType(to)
		if okA && okB {
			op := types.ScalarOp{Kind: types.ConvertOp, Type: a, To: b}
			return m.define(name, &intrinsic{arity: 1, op: op}, primFunc(b, a))
		}
	}
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return nil
	}
	t, ok := prim.ParseType(name[i+1:])
	if !ok {
		return nil
	}
	stem := name[:i]
	if op, ok := prim.ParseUnOp(stem); ok && op.Accepts(t) {
		return m.define(name, &intrinsic{arity: 1, op: types.ScalarOp{Kind: types.UnaryOp, Type: t, Un: op}},
			primFunc(t, t))
	}
	if op, ok := prim.ParseBinOp(stem); ok && op.Accepts(t) {
		return m.define(name, &intrinsic{arity: 2, op: types.ScalarOp{Kind: types.BinaryOp, Type: t, Bin: op}},
			primFunc(t, t, t))
	}
	if op, ok := prim.ParseCmpOp(stem); ok && op.Accepts(t) {
		return m.define(name, &intrinsic{arity: 2, op: types.ScalarOp{Kind: types.CompareOp, Type: t, Cmp: op}},
			primFunc(prim.Bool, t, t))
	}
	if f, ok := prim.ParseFunc(stem); ok && f.Accepts(t) {
		op := types.ScalarOp{Kind: types.FuncOp, Type: t, Func: f}
		return m.define(name, &intrinsic{arity: f.Arity(), op: op}, primFunc(f.Result(t), f.Params(t)...))
	}
	return nil
}

func primFunc(ret prim.Type, params ...prim.Type) types.Type {
	ts := make([]types.Type, len(params))
	for i, p := range params {
		ts[i] = &types.Prim{Kind: p}
	}
	return types.Func(types.RetType{Type: &types.Prim{Kind: ret}}, ts...)
}

// polymorphic finds a polymorphic intrinsic; the table of types is parsed on first use.
func (m *intrinsicsModule) polymorphic(name string) *binding {
	fn, ok := types.Intrinsics()[name]
	if !ok {
		return nil
	}
	if m.specs == nil {
		m.parse()
	}
	spec := m.specs[name]
	in := &infer{checker: m.c, quiet: true}
	scope := newScope(m.c.builtin)
	scope.setType("acc", m.acc)
	params, inner := in.typeParams(scope, spec.TypeParams)
	t, _ := in.closedType(inner, spec.Type)
	b := m.define(name, &intrinsic{arity: arity(t), fn: fn}, t)
	b.sym.Params = params
	return b
}

// parse reads the table of types.
func (m *intrinsicsModule) parse() {
	m.specs = map[string]*syntax.ValSpec{}
	text := "module type intrinsics = {" + intrinsicSpecs + "}"
	var sink diag.Sink
	file := syntax.Parse(source.NewFile("/prelude/intrinsics.fut", text), &sink)
	if sink.HasErrors() {
		panic("check: the types of intrinsics: " + sink.All()[0].Error())
	}
	for _, spec := range file.Decs[0].(*syntax.ModTypeDec).Def.(*syntax.ModTypeSpecs).Specs {
		v := spec.(*syntax.ValSpec)
		m.specs[v.Name.Text] = v
	}
}

// arity is the number of arguments that a function of type t takes.
func arity(t types.Type) int {
	n := 0
	for {
		a, ok := t.(*types.Arrow)
		if !ok {
			return n
		}
		n++
		t = a.Ret.Type
	}
}
