package check

import (
	"fmt"
	"strings"

	"skald/frontend/check/sizes"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Note [Values through module types]
//
// A value seen through a module type has the type that this states: perhaps less polymorphic than its own, perhaps
// with abstract types. While checking it is a symbol of its own. In the finished program it is replaced by the value
// itself, instantiated: the alias says which, and with what arguments in terms of the parameters stated.

// alias is what a symbol stands for.
type alias struct {
	sym  *types.Symbol
	args []types.TypeArg
	// hidden are sizes in args that an abstract type hides: they are read off the shapes of the arguments. typ is the function's type
	// in terms of the parameters stated and these.
	hidden []*types.Symbol
	typ    types.Type
}

// matcher is the state of matching one module against one module type.
type matcher struct {
	*checker
	at source.Span
	// cons says what the abstract types of the module type are in the module; sizes what its values are, where types
	// mention them.
	cons  map[*types.TypeCon]*typeBinding
	sizes map[*types.Symbol]types.Size
	seal  bool
}

// Arguments of match and matchAt: whether types become abstract.
const (
	sealing   = true
	comparing = false
)

// match checks that m has what s asks for, and returns what is visible of it then. With seal, the abstract types of s
// stay abstract; without, they are what they are in m.
func (c *checker) match(m *module, s *sigValue, at source.Span, seal bool) *module {
	return c.matchAt(m, s, at, seal, "")
}

// matchAt is match for a module within another, which messages call path.
func (c *checker) matchAt(m *module, s *sigValue, at source.Span, seal bool, path string) *module {
	mt := &matcher{c, at, map[*types.TypeCon]*typeBinding{}, map[*types.Symbol]types.Size{}, seal}
	return mt.module(m, s, path)
}

func (mt *matcher) module(m *module, s *sigValue, path string) *module {
	if (m.functor != nil) != (s.functor != nil) {
		if m.functor != nil {
			mt.fail(mt.at, "module-mismatch", "The module is parametric, but its type is that of a module "+
				"without parameters.")
		}
		mt.fail(mt.at, "module-mismatch", "The module type is parametric, but the module has no parameters.")
	}
	if s.functor != nil {
		return mt.functor(m.functor, s.functor, path)
	}
	out := &module{scope: newScope(nil)}
	mt.abstract(m, s, path)
	for _, item := range s.items {
		name := path + item.name
		switch {
		case item.typ != nil:
			out.scope.setType(item.name, mt.typ(m, item, name))
		case item.val != nil:
			out.scope.setVal(item.name, mt.value(m, item, name))
		default:
			b := m.scope.ownVal(item.name)
			if b != nil && b.broken {
				panic(silent{})
			}
			if b == nil || b.mod == nil {
				mt.fail(mt.at, "missing-module", "The module lacks a module \"%s\" that its type asks for.", name)
			}
			out.scope.setVal(item.name, &binding{mod: mt.module(b.mod, item.mod, name+"."), at: b.at, used: true})
		}
	}
	return out
}

// functor matches a functor with the type of one: it must accept what the type's parameter offers, and give what the
// type's result asks for.
func (mt *matcher) functor(f *functor, spec *functorSpec, path string) *module {
	check := func(c *checker, inner *scope, arg *module) *module {
		result := c.applyAt(f, arg, mt.at, path)
		return c.matchAt(result, c.evalSig(inner, spec.to), mt.at, mt.seal, path)
	}
	mt.dry++
	abstract := mt.evalSig(spec.scope, spec.from).module()
	check(mt.checker, spec.scope.with(spec.param, &binding{mod: abstract, used: true}), abstract)
	mt.dry--
	return &module{functor: &functor{
		scope: spec.scope, param: spec.param, from: spec.from,
		run: func(c *checker, inner *scope) *module { return check(c, inner, inner.ownVal(spec.param).mod) },
	}}
}

// abstract finds what the abstract types of s are in m.
func (mt *matcher) abstract(m *module, s *sigValue, path string) {
	for _, item := range s.items {
		if item.con == nil {
			continue
		}
		name := path + item.name
		have := m.scope.ownType(item.name)
		if have == nil {
			mt.fail(mt.at, "missing-type", "The module lacks a type \"%s\" that its type asks for.", name)
		}
		if have.broken {
			panic(silent{})
		}
		mt.checkAbstract(item.con, have, name)
		mt.cons[item.con] = have
	}
}

func (mt *matcher) checkAbstract(con *types.TypeCon, have *typeBinding, name string) {
	defines := fmt.Sprintf("Module defines\n  %s\n", abbreviationText(name, have))
	switch {
	case have.lifted > con.Lifted:
		what := [...]string{"a non-lifted type", "a size-lifted type", "a lifted type"}[con.Lifted]
		mt.fail(mt.at, "module-type-lifted", "%sbut module type requires %s.", defines, what)
	case con.Lifted < types.SizeLifted && len(have.ext) > 0:
		mt.fail(mt.at, "module-type-lifted", "%sof anonymous sizes, but module type requires "+
			"a non-lifted type.", defines)
	case !sameParams(con.Params, have.params):
		mt.fail(mt.at, "module-type-mismatch", "%sbut module type requires\n  %s", defines, abbreviationText(name,
			conBinding(con)))
	}
	for _, p := range have.params {
		if p.IsSize() && !shownSize(have.typ, p.Size) {
			mt.fail(mt.at, "not-constructive",
				"Type\n  %s\ncannot be abstract: no value of it shows the size\n  %s\nwhich is not the size of an array in it.",
				abbreviationText(name, have), p.Name)
		}
	}
}

// shownSize reports whether k alone is the size of an array in t that is not inside a function.
func shownSize(t types.Type, k *types.Symbol) bool {
	switch t := types.Force(t).(type) {
	case *types.Array:
		n, ok := t.Size.(*types.SizeName)
		return ok && n.Sym == k || shownSize(t.Elem, k)
	case *types.Record:
		for _, f := range t.Fields {
			if shownSize(f.Type, k) {
				return true
			}
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				if shownSize(a, k) {
					return true
				}
			}
		}
	case *types.Con:
		for _, a := range t.Args {
			if n, ok := a.Size.(*types.SizeName); ok && n.Sym == k || a.Type != nil && shownSize(a.Type, k) {
				return true
			}
		}
	default:
	}
	return false
}

func sameParams(a, b []*types.TypeParam) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].IsSize() != b[i].IsSize() {
			return false
		}
	}
	return true
}

// abbreviationText shows a type as it would be declared.
func abbreviationText(name string, b *typeBinding) string {
	var out strings.Builder
	out.WriteString("type" + [...]string{"", "~", "^"}[b.lifted] + " " + name)
	for _, p := range b.params {
		out.WriteString(" " + paramText(p))
	}
	return out.String() + " = " + types.RetType{Ext: b.ext, Type: b.typ}.String()
}

func paramText(p *types.TypeParam) string {
	if p.IsSize() {
		return "[" + p.Name + "]"
	}
	return "'" + [...]string{"", "~", "^"}[p.Lifted] + p.Name
}

// typ checks a type that s asks for and returns it as seen from outside.
func (mt *matcher) typ(m *module, item sigItem, name string) *typeBinding {
	if item.con != nil {
		have := mt.cons[item.con]
		if !mt.seal {
			return have
		}
		item.con.Repr = rename(have, item.con.Params)
		return item.typ
	}
	have := m.scope.ownType(item.name)
	if have == nil {
		mt.fail(mt.at, "missing-type", "The module lacks a type \"%s\" that its type asks for.", name)
	}
	if have.broken {
		panic(silent{})
	}
	want := *item.typ
	want.typ, want.ext = mt.actual(item.typ.typ)
	want.ext = append(want.ext, item.typ.ext...)
	ok := sameParams(want.params, have.params)
	if ok {
		loose := sizeParams(have.ext)
		rigid := append(append([]*types.TypeParam{}, want.params...), sizeParams(want.ext)...)
		_, err := mt.fits(rigid, want.typ, &types.Symbol{Name: name, Type: rename(have, want.params), Params: loose})
		ok = err == ""
	}
	if !ok {
		mt.fail(mt.at, "module-type-mismatch", "Module defines\n  %s\nbut module type requires\n  %s",
			abbreviationText(name, have), abbreviationText(name, &want))
	}
	if mt.seal {
		item.typ.typ = types.Subst{Sizes: mt.sizes}.Type(item.typ.typ)
		return item.typ
	}
	return &want
}

// sizeParams makes existential sizes parameters.
func sizeParams(ext []*types.Symbol) []*types.TypeParam {
	out := make([]*types.TypeParam, len(ext))
	for i, k := range ext {
		out[i] = &types.TypeParam{Name: k.Name, Size: k, At: k.At}
	}
	return out
}

// rename is the type of b in terms of other parameters of the same kinds.
func rename(b *typeBinding, params []*types.TypeParam) types.Type {
	args := make([]types.TypeArg, len(params))
	for i, p := range params {
		if p.IsSize() {
			args[i].Size = &types.SizeName{Sym: p.Size}
		} else {
			args[i].Type = &types.Var{Param: p}
		}
	}
	return types.Bind(b.params, args).Type(b.typ)
}

// actual is a type of the module type in terms of the module. ext are the existential sizes that come with it.
func (mt *matcher) actual(t types.Type) (out types.Type, ext []*types.Symbol) {
	r := &conReplacer{checker: mt.checker, cons: mt.cons}
	return types.Subst{Sizes: mt.sizes}.Type(r.typ(t)), r.ext
}

// value checks a value that s asks for and returns it as seen from outside.
func (mt *matcher) value(m *module, item sigItem, name string) *binding {
	have := m.scope.ownVal(item.name)
	if have == nil || have.mod != nil {
		mt.fail(mt.at, "missing-value", "The module lacks a value \"%s\" that its type asks for.", name)
	}
	if have.broken {
		panic(silent{})
	}
	have.used = true
	spec := item.val
	want, ext := mt.actual(spec.Type)
	for _, k := range ext {
		if shownSize(want, k) {
			mt.fail(mt.at, "top-level-size", "With the module's types, \"%s\" would have a size "+
				"that nothing determines.", name)
		}
	}
	params := append(append([]*types.TypeParam{}, spec.Params...), sizeParams(ext)...)
	args, err := mt.fits(params, want, have.sym)
	if err != "" {
		mt.fail(mt.at, "module-value-mismatch", "Module type specifies\n  %s\nbut module provides\n  %s\n%s",
			valueText(name, params, want), valueText(name, have.sym.Params, have.sym.Type), err)
	}
	mt.sizes[spec] = &types.SizeName{Sym: have.sym}
	if len(spec.Params) == 0 && len(have.sym.Params) == 0 {
		if _, plain := types.Force(want).(*types.Prim); plain && !mentionsCon(spec.Type) {
			return have
		}
	}
	t := want
	if mt.seal {
		t = types.Subst{Sizes: mt.sizes}.Type(spec.Type)
	}
	sym := mt.newSymbol(spec.Name, types.Global, t, have.sym.At)
	sym.Params = params
	if mt.seal {
		sym.Params = spec.Params
		mt.aliases[sym] = &alias{have.sym, args, ext, want}
		return &binding{sym: sym, at: have.at, used: true}
	}
	mt.aliases[sym] = &alias{sym: have.sym, args: args}
	return &binding{sym: sym, at: have.at, used: true}
}

func mentionsCon(t types.Type) bool {
	_, ok := types.Force(t).(*types.Con)
	return ok
}

func valueText(name string, params []*types.TypeParam, t types.Type) string {
	out := "val " + name
	for _, p := range params {
		out += " " + paramText(p)
	}
	return out + " : " + t.String()
}

// fits checks that have is at least as general as a value with the given parameters of type want. It returns how have
// is to be instantiated, or why it does not fit.
func (mt *matcher) fits(params []*types.TypeParam, want types.Type, have *types.Symbol) (args []types.TypeArg,
	problem string,
) {
	in := &infer{checker: mt.checker, quiet: true}
	t, args := in.instantiate(have, mt.at)
	if m := in.unify(strip(want), t); m != nil {
		return nil, m.text
	}
	for _, m := range in.metas {
		if m.Bound == nil {
			m.Bound = types.Unit
		}
	}
	n := mt.sink.Len()
	if !mt.attempt(func() {
		for _, f := range in.finish {
			f()
		}
	}) {
		text := mt.sink.All()[n].Message
		mt.sink.Truncate(n)
		return nil, text
	}
	args, err := sizes.Match(mt.checker, params, want, have, args)
	if err != nil {
		return nil, err.Msg
	}
	return args, ""
}

// refine evaluates S with t = T.
func (c *checker) refine(s *scope, e *syntax.ModTypeWith) *sigValue {
	sig := c.evalSig(s, e.Base)
	item := findType(sig, e.Name)
	if item == nil || item.con == nil {
		c.fail(e.Name.Span(), "refine-type", "\"%s\" is not an abstract type of this module type.", e.Name)
	}
	def := c.abbreviation(s, e.TypeParams, e.Def, types.FullLifted, e.Name.Name)
	def.lifted = item.con.Lifted
	if !sameParams(item.con.Params, def.params) || narrower(item.con.Params, def.params) {
		c.fail(e.Name.Span(), "refine-type", "Cannot refine a type having %s with a type having %s.",
			paramsText(item.con.Params), paramsText(def.params))
	}
	r := &conReplacer{checker: c, cons: map[*types.TypeCon]*typeBinding{item.con: def}}
	item.con = nil
	r.sig(sig)
	return sig
}

// narrower reports whether some parameter of b permits less than that of a at its place.
func narrower(a, b []*types.TypeParam) bool {
	for i := range a {
		if a[i].Lifted > b[i].Lifted {
			return true
		}
	}
	return false
}

func paramsText(ps []*types.TypeParam) string {
	if len(ps) == 0 {
		return "no type parameters"
	}
	out := "type parameters"
	for _, p := range ps {
		out += " " + paramText(p)
	}
	return out
}

// findType finds a type that a module type specifies, perhaps in a nested module.
func findType(s *sigValue, q syntax.QualName) *sigItem {
	for _, n := range q.Quals {
		var next *sigValue
		for i := range s.items {
			if s.items[i].mod != nil && s.items[i].name == n.Text {
				next = s.items[i].mod
			}
		}
		if next == nil || next.functor != nil {
			return nil
		}
		s = next
	}
	for i := range s.items {
		if s.items[i].typ != nil && s.items[i].name == q.Name.Text {
			return &s.items[i]
		}
	}
	return nil
}
