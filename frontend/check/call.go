package check

import (
	"fmt"

	"skald/frontend/check/sizes"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// overload is an operator that is built in at several types.
type overload struct {
	name   string
	prims  primSet
	kind   types.OpKind
	bin    prim.BinOp
	cmp    prim.CmpOp
	equals bool // == and !=, at any type without functions
	negate bool // of equals: !=
}

// overloads are the operators that need no definition, by name.
var overloads = makeOverloads()

func makeOverloads() map[string]*overload {
	m := map[string]*overload{}
	for i := range prim.NumBinOps {
		op := prim.BinOp(i)
		if op.Symbol() == op.String() || op == prim.LogAnd || op == prim.LogOr {
			continue
		}
		m[op.Symbol()] = &overload{name: op.Symbol(), prims: primsWhere(op.Accepts), kind: types.BinaryOp, bin: op}
	}
	for i := range prim.NumCmpOps {
		op := prim.CmpOp(i)
		o := &overload{name: op.Symbol(), prims: anyPrim, kind: types.CompareOp, cmp: op}
		o.equals, o.negate = op == prim.Eq || op == prim.Ne, op == prim.Ne
		m[op.Symbol()] = o
	}
	return m
}

// variable elaborates a name, perhaps followed by fields.
func (in *infer) variable(s *scope, q syntax.QualName) types.Exp {
	b, fields := in.lookupVal(s, q)
	at := q.Span()
	if b.op != nil {
		return in.opFunction(b.op, at)
	}
	if len(fields) > 0 {
		at = q.Quals[0].At
	}
	x := in.ref(b.sym, at)
	for _, f := range fields {
		x = in.project(x, f)
	}
	return x
}

func (in *infer) ref(sym *types.Symbol, at source.Span) types.Exp {
	if sym == in.self {
		in.selfUsed = true
		return &types.Ref{Info: types.Info{Type: sym.Type, At: at}, Sym: sym}
	}
	t, args := in.instantiate(sym, at)
	return &types.Ref{Info: types.Info{Type: t, At: at}, Sym: sym, Args: args}
}

// operator elaborates the operator of a section or an infix application as a function.
func (in *infer) operator(s *scope, q syntax.QualName, at source.Span) types.Exp {
	if name := q.Name.Text; len(q.Quals) == 0 && (name == "&&" || name == "||") {
		return in.function2(types.Bool, types.Bool, at, func(x, y types.Exp) types.Exp { return logic(name, x, y, at) })
	}
	b, fields := in.lookupVal(s, q)
	if len(fields) > 0 {
		in.fail(at, "not-an-operator", "\"%s\" is a field, not an operator: it cannot be used as infix.", q)
	}
	if b.op != nil {
		return in.opFunction(b.op, at)
	}
	return in.ref(b.sym, at)
}

// logic is a short-circuiting operator.
func logic(name string, x, y types.Exp, at source.Span) types.Exp {
	info := types.Info{Type: types.Bool, At: at}
	short := &types.Const{Info: info, Value: prim.MakeBool(name == "||")}
	if name == "||" {
		return &types.If{Info: info, Cond: x, Then: short, Else: y}
	}
	return &types.If{Info: info, Cond: x, Then: y, Else: short}
}

// function2 is the function \x y -> body x y.
func (in *infer) function2(tx, ty types.Type, at source.Span, body func(x, y types.Exp) types.Exp) types.Exp {
	px, x := in.localVar("x", tx, at)
	py, y := in.localVar("y", ty, at)
	return lambda([]*types.Param{px, py}, body(x, y), at)
}

func lambda(params []*types.Param, body types.Exp, at source.Span) types.Exp {
	info := types.Info{Type: arrowType(params, body.Base().Type), At: at}
	return &types.Lambda{Info: info, Params: params, Body: body}
}

// localVar makes a parameter for a variable that the source does not name, and a reference to it.
func (in *infer) localVar(name string, t types.Type, at source.Span) (*types.Param, types.Exp) {
	sym := in.newSymbol(name, types.Local, t, at)
	pat := &types.VarPat{PatInfo: types.PatInfo{Type: t, At: at}, Sym: sym}
	return &types.Param{Pat: pat}, &types.Ref{Info: types.Info{Type: t, At: at}, Sym: sym}
}

// opFunction is an overloaded operator as a function of two arguments.
func (in *infer) opFunction(op *overload, at source.Span) types.Exp {
	t := in.operandType(op, at)
	return in.function2(t, t, at, func(x, y types.Exp) types.Exp { return in.opNode(op, t, x, y, at) })
}

func (in *infer) operandType(op *overload, at source.Span) types.Type {
	if op.equals {
		return in.elemType(at)
	}
	return in.primType(at, op.prims)
}

// opNode applies an overloaded operator to operands of type t.
func (in *infer) opNode(op *overload, t types.Type, x, y types.Exp, at source.Span) types.Exp {
	if op.equals {
		in.later(func() { in.checkEquality(t, at) })
		return &types.Equal{Info: types.Info{Type: types.Bool, At: at}, X: x, Y: y, Negate: op.negate}
	}
	out := &types.Op{Info: types.Info{Type: t, At: at}, Args: []types.Exp{x, y}}
	if op.kind == types.CompareOp {
		out.Type = types.Bool
	}
	in.later(func() {
		out.Op = types.ScalarOp{Kind: op.kind, Type: types.Force(t).(*types.Prim).Kind, Bin: op.bin, Cmp: op.cmp}
	})
	return out
}

func (in *infer) checkEquality(t types.Type, at source.Span) {
	if !supportsEquality(t) {
		in.fail(at, "no-equality", "Values are compared with == whose type does not support equality:\n  %s", t)
	}
	if _, ok := types.Force(t).(*types.Array); ok && !in.quiet {
		in.warn(at, "array-comparison", "Comparing whole arrays with == is deprecated: compare their "+
			"elements with `map2` and `and`.")
	}
}

func supportsEquality(t types.Type) bool {
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Array, *types.Record, *types.Sum:
		return !types.AnyPart(t, func(part types.Type) bool { return !supportsEquality(part) })
	default:
		return false
	}
}

func (in *infer) binOp(s *scope, e *syntax.BinOp) types.Exp {
	name := e.Op.Name.Text
	plain := len(e.Op.Quals) == 0 && !e.Backtick
	if plain && (name == "&&" || name == "||") {
		what := "The operands of " + name + " must be bool."
		x := in.want(s, e.Left, types.Bool, what)
		y := in.want(s, e.Right, types.Bool, what)
		return logic(name, x, y, e.At)
	}
	b, fields := in.lookupVal(s, e.Op)
	if len(fields) > 0 {
		in.fail(e.Op.Span(), "not-an-operator", "\"%s\" is a field, not an operator: it cannot be used as infix.", e.Op)
	}
	if b.op != nil {
		t := in.operandType(b.op, e.At)
		x, y := in.exp(s, e.Left), in.exp(s, e.Right)
		in.operand(b.op, t, x, 0)
		in.operand(b.op, t, y, 1)
		return in.opNode(b.op, t, x, y, e.At)
	}
	if b.pipe {
		// A pipe is an application, so that sizes may depend on what is piped.
		if name == "|>" {
			arg := in.exp(s, e.Left)
			return in.applyTo(in.exp(s, e.Right), []types.Exp{arg}, e.At)
		}
		fun := in.exp(s, e.Left)
		in.noteInfix(e.At, functionFirst)
		return in.applyTo(fun, []types.Exp{in.exp(s, e.Right)}, e.At)
	}
	op := in.ref(b.sym, e.Op.Span())
	x := in.exp(s, e.Left)
	in.noteInfix(e.At, argumentFirst)
	return in.applyTo(op, []types.Exp{x, in.exp(s, e.Right)}, e.At)
}

func (in *infer) operand(op *overload, t types.Type, x types.Exp, i int) {
	in.equate(x.Base().At, t, x.Base().Type, func() string {
		return fmt.Sprintf("Cannot apply \"%s\"%s to \"%s\" (invalid type).\n%s", op.name, sizes.After(i),
			x.Base().At.Brief(), expected(t, x.Base().Type))
	})
}

func (in *infer) apply(s *scope, e *syntax.Apply) types.Exp {
	fun := in.exp(s, e.Fun)
	return in.applyTo(fun, in.exps(s, e.Args), e.At)
}

// applyTo applies fun to args.
func (in *infer) applyTo(fun types.Exp, args []types.Exp, at source.Span) types.Exp {
	t := fun.Base().Type
	for i, arg := range args {
		arrow, ok := types.Force(t).(*types.Arrow)
		if !ok {
			arrow = in.asArrow(fun, t, i, at)
		}
		in.equate(arg.Base().At, arrow.Param, arg.Base().Type, func() string {
			return fmt.Sprintf("Cannot apply %s to \"%s\" (invalid type).\n%s", sizes.Describe(fun, i),
				arg.Base().At.Brief(), expected(arrow.Param, arg.Base().Type))
		})
		t = arrow.Ret.Type
	}
	in.checkSize(t, at)
	return &types.Apply{Info: types.Info{Type: t, At: at}, Fun: fun, Args: args}
}

// asArrow makes t, the type of a function after i arguments, a function type.
func (in *infer) asArrow(fun types.Exp, t types.Type, i int, at source.Span) *types.Arrow {
	arrow := &types.Arrow{Param: in.anyType(at), Ret: types.RetType{Type: in.anyType(at)}}
	if m := in.unify(t, arrow); m != nil {
		if i > 0 {
			in.fail(at, m.code, "Cannot apply %s to more than %s.\nIts result is no function but of type\n  %s",
				sizes.Describe(fun, 0), count(i, "argument", "arguments"), show(t))
		}
		if _, ok := fun.(*types.Ref); !ok {
			in.fail(at, m.code, "Cannot apply expression as function.\nIts type is\n  %s", show(t))
		}
		in.fail(at, m.code, "Cannot apply %s as function.\nIts type is\n  %s", sizes.Describe(fun, 0), show(t))
	}
	return arrow
}

func (in *infer) negate(s *scope, e *syntax.Negate) types.Exp {
	switch lit := e.Exp.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.CharLit:
		out := in.literal(lit, negated)
		out.At = e.At
		return out
	default:
	}
	return in.unary(s, prim.Neg, e.Exp, anyNumber, e.At)
}

func (in *infer) not(s *scope, e *syntax.Not) types.Exp {
	return in.unary(s, prim.Not, e.Exp, anyInt|1<<prim.Bool, e.At)
}

func (in *infer) unary(s *scope, op prim.UnOp, arg syntax.Exp, prims primSet, at source.Span) types.Exp {
	t := in.primType(at, prims)
	x := in.want(s, arg, t, fmt.Sprintf("Cannot apply \"%s\" to an operand of this type.", op.Symbol()))
	out := &types.Op{Info: types.Info{Type: t, At: at}, Args: []types.Exp{x}}
	in.later(func() { out.Op = types.ScalarOp{Kind: types.UnaryOp, Type: types.Force(t).(*types.Prim).Kind, Un: op} })
	return out
}

// leftSection is (x op): the function \y -> x op y, with x evaluated once.
func (in *infer) leftSection(s *scope, e *syntax.LeftSection) types.Exp {
	op := in.operator(s, e.Op, e.Op.Span())
	x := in.exp(s, e.Left)
	if l, ok := op.(*types.Lambda); ok {
		return in.bindOperand(l, 0, x, e.At)
	}
	in.noteInfix(e.At, functionFirst)
	return in.applyTo(op, []types.Exp{x}, e.At)
}

// rightSection is (op y): the function \x -> x op y, with y evaluated once.
func (in *infer) rightSection(s *scope, e *syntax.RightSection) types.Exp {
	op := in.operator(s, e.Op, e.Op.Span())
	y := in.exp(s, e.Right)
	if l, ok := op.(*types.Lambda); ok {
		return in.bindOperand(l, 1, y, e.At)
	}
	first := in.asArrow2(op, e.At)
	px, x := in.localVar("x", strip(first.Param), e.At)
	if isAtom(y) {
		return lambda([]*types.Param{px}, in.applyTo(op, []types.Exp{x, y}, e.At), e.At)
	}
	py, yRef := in.localVar("y", y.Base().Type, y.Base().At)
	fun := lambda([]*types.Param{px}, in.applyTo(op, []types.Exp{x, yRef}, e.At), e.At)
	return &types.Let{Info: types.Info{Type: fun.Base().Type, At: e.At}, Pat: py.Pat, Exp: y, Body: fun}
}

func (in *infer) asArrow2(op types.Exp, at source.Span) *types.Arrow {
	if a, ok := types.Force(op.Base().Type).(*types.Arrow); ok {
		return a
	}
	return in.asArrow(op, op.Base().Type, 0, at)
}

// bindOperand binds the i-th parameter of an operator's function to x.
func (in *infer) bindOperand(l *types.Lambda, i int, x types.Exp, at source.Span) types.Exp {
	p := l.Params[i]
	in.equate(x.Base().At, p.Pat.Base().Type, x.Base().Type, func() string {
		return fmt.Sprintf("Cannot apply the operator to \"%s\" (invalid type).\n%s",
			x.Base().At.Brief(), expected(p.Pat.Base().Type, x.Base().Type))
	})
	fun := lambda([]*types.Param{l.Params[1-i]}, l.Body, at)
	if isAtom(x) {
		setOperand(l.Body, i, x)
		return fun
	}
	return &types.Let{Info: types.Info{Type: fun.Base().Type, At: at}, Pat: p.Pat, Exp: x, Body: fun}
}

// setOperand replaces an operand of the body that opFunction or operator made.
func setOperand(body types.Exp, i int, x types.Exp) {
	switch body := body.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Op:
		body.Args[i] = x
	case *types.Equal:
		if i == 0 {
			body.X = x
		} else {
			body.Y = x
		}
	case *types.If:
		switch {
		case i == 0:
			body.Cond = x
		case isConst(body.Then):
			body.Else = x
		default:
			body.Then = x
		}
	default:
		panic(fmt.Sprintf("check.setOperand: %T", body))
	}
}

func isConst(e types.Exp) bool {
	_, ok := e.(*types.Const)
	return ok
}

// isAtom reports whether evaluating e several times costs nothing.
func isAtom(e types.Exp) bool {
	switch e.(type) {
	case *types.Const, *types.Ref:
		return true
	default:
		return false
	}
}

// pathSection is (.a[i].b): the function \x -> x.a[i].b.
func (in *infer) pathSection(s *scope, e *syntax.PathSection) types.Exp {
	px, x := in.localVar("x", in.anyType(e.At), e.At)
	body := x
	for _, step := range e.Path {
		switch step := step.(type) {
		case *syntax.StepField:
			body = in.project(body, step.Field)
		case *syntax.StepIndex:
			dims, slices := in.dims(s, step.Indices)
			elem := in.elemType(step.At)
			in.equate(step.At, body.Base().Type, in.array(len(dims), elem),
				func() string {
					return "Only an array can be indexed.\n" + expected(in.array(len(dims), elem), body.Base().Type)
				})
			body = &types.Index{Info: types.Info{Type: in.array(slices, elem), At: e.At}, Array: body, Dims: dims}
		default:
			panic(fmt.Sprintf("check.pathSection: %T", step))
		}
	}
	return lambda([]*types.Param{px}, body, e.At)
}
