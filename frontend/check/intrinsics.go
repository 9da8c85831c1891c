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
//   - the polymorphic intrinsics of package types, with the types of their table there;
//   - conversions, FROM_to_TO, for each pair of primitive types;
//   - scalar functions, NAME_TYPE, for each unary and binary operator and named function at each type that it accepts.
//
// While a definition is checked they are ordinary curried functions. When its sizes are known, lowerIntrinsics makes
// Op and Builtin nodes of them, with all their arguments; where there are fewer, a lambda takes the rest.

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
	text := "module type intrinsics = {" + types.IntrinsicDeclarations() + "}"
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
