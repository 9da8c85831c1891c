package check

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// infer is the state of elaborating one definition: the first half of type checking, which finds types without sizes.
type infer struct {
	*checker
	metas []*types.Meta
	// finish holds what can be done only when all types are known: choosing operators, decoding literals, checks.
	finish []func()
	// params are the type parameters in scope, with their liftedness.
	self     *types.Symbol
	selfUsed bool
	// quiet suppresses warnings.
	quiet bool
	// attributed is set when there is an expression with an attribute.
	attributed bool
	// level counts the local functions with type parameters around; paramLevels says at which level such a parameter
	// is.
	level       int
	paramLevels map[*types.TypeParam]int
	// declared marks where functions with a declared result type are.
	declared map[source.Span]bool
	// infix says of infix applications whether the function is evaluated first, as in f <| x.
	infix map[source.Span]bool
	// ascribed holds the variables whose pattern has a declared type.
	ascribed map[*types.Symbol]bool
}

// Infix reports whether the application at a place was written infix, so that its parts are evaluated from left to
// right, and whether the function is the first of these.
func (in *infer) Infix(at source.Span) (infix, funFirst bool) {
	funFirst, infix = in.infix[at]
	return infix, funFirst
}

// Which side of an infix application is inferred first.
const functionFirst, argumentFirst = true, false

func (in *infer) noteInfix(at source.Span, funFirst bool) {
	if in.infix == nil {
		in.infix = map[source.Span]bool{}
	}
	in.infix[at] = funFirst
}

// metaInfo says what a unification variable may become.
type metaInfo struct {
	prims  primSet // if not zero, one of these
	fields []types.Field
	ctors  []types.Ctor
	lifted types.Liftedness
	level  int // how many local functions with type parameters were around
	at     source.Span
}

// primSet is a set of primitive types, one bit each.
type primSet uint16

func primsWhere(keep func(prim.Type) bool) primSet {
	var s primSet
	for _, t := range prim.AllTypes() {
		if keep(t) {
			s |= 1 << t
		}
	}
	return s
}

var (
	anyNumber = primsWhere(prim.Type.IsNumeric)
	anyInt    = primsWhere(prim.Type.IsInt)
	anySigned = primsWhere(prim.Type.IsSigned)
	anyFloat  = primsWhere(prim.Type.IsFloat)
	anyPrim   = primsWhere(func(prim.Type) bool { return true })
)

func (s primSet) has(t prim.Type) bool { return s>>t&1 != 0 }

// only returns the one type in s, if there is just one.
func (s primSet) only() (prim.Type, bool) {
	var found prim.Type
	n := 0
	for _, t := range prim.AllTypes() {
		if s.has(t) {
			found = t
			n++
		}
	}
	return found, n == 1
}

func (s primSet) String() string {
	text := ""
	for _, t := range prim.AllTypes() {
		if s.has(t) {
			if text != "" {
				text += ", "
			}
			text += t.String()
		}
	}
	return text
}

func (in *infer) meta(at source.Span, info metaInfo) *types.Meta {
	in.nextMeta++
	info.at, info.level = at, in.level
	m := &types.Meta{ID: in.nextMeta, Info: &info}
	in.metas = append(in.metas, m)
	return m
}

// anyType makes a variable for any type at all.
func (in *infer) anyType(at source.Span) types.Type {
	return in.meta(at, metaInfo{lifted: types.FullLifted})
}

// elemType makes a variable for a type that may be an array's element.
func (in *infer) elemType(at source.Span) types.Type {
	return in.meta(at, metaInfo{lifted: types.Unlifted})
}

func (in *infer) primType(at source.Span, prims primSet) types.Type {
	if t, ok := prims.only(); ok {
		return &types.Prim{Kind: t}
	}
	return in.meta(at, metaInfo{prims: prims})
}

func (in *infer) array(rank int, elem types.Type) types.Type {
	for ; rank > 0; rank-- {
		elem = &types.Array{Size: anySize, Elem: elem}
	}
	return elem
}

var anySize types.Size = &types.AnySize{}

// later runs f when the types of the definition are known.
func (in *infer) later(f func()) { in.finish = append(in.finish, f) }

// strip returns t without sizes, which the first half does not look at.
func strip(t types.Type) types.Type {
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Meta:
		return t
	case *types.Var:
		return t
	case *types.Array:
		return &types.Array{Size: anySize, Elem: strip(t.Elem)}
	case *types.Record:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: strip(f.Type)}
		}
		return &types.Record{Fields: fields}
	case *types.Sum:
		ctors := make([]types.Ctor, len(t.Ctors))
		for i, c := range t.Ctors {
			args := make([]types.Type, len(c.Args))
			for j, a := range c.Args {
				args[j] = strip(a)
			}
			ctors[i] = types.Ctor{Name: c.Name, Args: args}
		}
		return &types.Sum{Ctors: ctors}
	case *types.Arrow:
		return &types.Arrow{Name: t.Name, Param: strip(t.Param), Ret: types.RetType{Type: strip(t.Ret.Type)}}
	case *types.Con:
		args := make([]types.TypeArg, len(t.Args))
		for i, a := range t.Args {
			if a.Size != nil {
				args[i].Size = anySize
			} else {
				args[i].Type = strip(a.Type)
			}
		}
		return &types.Con{Con: t.Con, Args: args}
	default:
		panic(fmt.Sprintf("check.strip: %T", t))
	}
}

// instantiate makes fresh types for the parameters of sym.
func (in *infer) instantiate(sym *types.Symbol, at source.Span) (types.Type, []types.TypeArg) {
	if len(sym.Params) == 0 {
		return strip(sym.Type), nil
	}
	args := make([]types.TypeArg, len(sym.Params))
	subst := types.Subst{Types: map[*types.TypeParam]types.Type{}}
	for i, p := range sym.Params {
		if p.IsSize() {
			args[i].Size = anySize
			continue
		}
		m := in.meta(at, metaInfo{lifted: p.Lifted})
		args[i].Type = m
		subst.Types[p] = m
		if p.Lifted != types.FullLifted {
			in.later(func() { in.checkLifted(m, p.Lifted, sym, at) })
		}
	}
	return subst.Type(strip(sym.Type)), args
}

// checkLifted rejects a type argument that its parameter does not permit.
func (in *infer) checkLifted(t types.Type, allowed types.Liftedness, sym *types.Symbol, at source.Span) {
	when := fmt.Sprintf("\nWhen instantiating type parameter of \"%s\".", sym.Name)
	if isFunctional(t) {
		in.fail(at, "functional-type", "Type\n  %s\nfound to be functional, where no functions are allowed.%s\n"+
			"Hint: is an argument missing, or a parameter too many?", t, when)
	}
	if what, got := mostLifted(t); got > allowed {
		if allowed == types.Unlifted {
			in.fail(at, "lifted-type", "Type \"%s\" is lifted, and no type of an array element.%s", what, when)
		}
		in.fail(at, "lifted-type", "Type \"%s\" is lifted: its values may be functions.%s", what, when)
	}
}

// isFunctional reports whether values of t contain functions, as far as t says.
func isFunctional(t types.Type) bool {
	if _, ok := types.Force(t).(*types.Arrow); ok {
		return true
	}
	return types.AnyPart(t, isFunctional)
}

// mostLifted returns the type parameter or abstract type in t that permits most, and what it permits.
func mostLifted(t types.Type) (string, types.Liftedness) {
	name, most := "", types.Unlifted
	note := func(n string, l types.Liftedness) {
		if l > most {
			name, most = n, l
		}
	}
	var look func(types.Type) bool
	look = func(t types.Type) bool {
		switch t := types.Force(t).(type) {
		case *types.Arrow:
			return false
		case *types.Var:
			note(t.Param.Name, t.Param.Lifted)
		case *types.Con:
			note(t.Con.Name, t.Con.Lifted)
		default:
		}
		return types.AnyPart(t, look)
	}
	look(t)
	return name, most
}
