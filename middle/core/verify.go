package core

import (
	"fmt"
	"slices"
)

// Verify reports the first violation of the invariants that doc.go lists, or
// nil: every variable is bound once and before its uses, statements bind values
// of the types that their expressions give, arguments fit, and nothing is
// foreign to the program's stage.
func Verify(p *Prog) error {
	funs := p.Funs
	if p.Consts != nil {
		funs = append([]*Fun{p.Consts}, funs...)
	}
	for _, f := range funs {
		v := &verifier{prog: p, fun: f, bound: make([]bool, len(f.Names)), scope: &Scope{}}
		if err := v.function(); err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	for _, e := range p.Entries {
		if p.Fun(e.Fun) == nil {
			return fmt.Errorf("entry point %s: no function %s", e.Name, e.Fun)
		}
	}
	return nil
}

// verifier checks one function. Errors travel by panic, so that the checks
// read as a list.
type verifier struct {
	prog     *Prog
	fun      *Fun
	bound    []bool // bound anywhere so far
	scope    *Scope
	visible  []bool // in scope here
	inKernel bool   // one thread of a kernel runs the code here
	inGroup  bool   // the code is in a kernel of workgroups
	stm      *Stm
}

type verifyError struct{ msg string }

func (v *verifier) fail(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	if v.stm != nil {
		msg = fmt.Sprintf("in `let (%s) = %s`: %s", join(v.stm.Dst, func(p Param) string {
			return v.name(p.Var) + ": " + PrintType(v.fun, p.Type)
		}), abbreviate(PrintExp(v.fun, v.stm.Exp)), msg)
	}
	panic(&verifyError{msg})
}

// abbreviate keeps a message on one line.
func abbreviate(s string) string {
	if i := slices.Index([]byte(s), '\n'); i >= 0 {
		return s[:i] + " ..."
	}
	return s
}

func (v *verifier) name(x Var) string { return fmt.Sprintf("%s_%d", v.fun.Base(x), x) }

func (v *verifier) function() (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *verifyError:
			err = fmt.Errorf("%s", e.msg)
		default:
			panic(e)
		}
	}()
	f := v.fun
	v.inKernel = f.DeviceFunction
	v.visible = make([]bool, len(f.Names))
	for _, g := range f.Globals {
		v.bindAll([]Param{g.Param})
	}
	v.bindAll(f.Params)
	if f.DeviceFunction {
		v.deviceFunction()
	}
	v.body(f.Body, ParamTypes(f.Ret), f.Ret)
	return nil
}

// deviceFunction checks what a device function may not have, its body apart.
func (v *verifier) deviceFunction() {
	if len(v.fun.Globals) > 0 {
		v.fail("a device function refers to constants")
	}
	for _, p := range slices.Concat(v.fun.Params, v.fun.Ret) {
		if p.Type.Kind != KindScalar {
			v.fail("%s is a device function's parameter or result, and no scalar", v.name(p.Var))
		}
	}
}

// bindAll binds parameters whose types may mention each other.
func (v *verifier) bindAll(ps []Param) {
	for _, p := range ps {
		if p.Var <= 0 || int(p.Var) >= len(v.bound) {
			v.fail("variable %d has no name", p.Var)
		}
		if v.bound[p.Var] {
			v.fail("%s is bound twice", v.name(p.Var))
		}
		v.bound[p.Var], v.visible[p.Var] = true, true
		v.scope.Bind(p)
	}
	for _, p := range ps {
		v.typ(p.Type)
	}
}

func (v *verifier) typ(t Type) {
	if t.Kind == KindArray && len(t.Shape) == 0 {
		v.fail("array type without sizes")
	}
	for _, n := range t.Shape {
		v.want(n, I64, "size")
	}
	if t.Layout != nil {
		v.use(t.Layout.Mem)
		if len(t.Layout.Strides) != len(t.Shape) {
			v.fail("layout has %d strides for %d dimensions", len(t.Layout.Strides), len(t.Shape))
		}
	}
	if v.prog.Stage.HasMemory() && t.Kind == KindArray && t.Layout == nil {
		v.fail("array without a layout")
	}
}

func (v *verifier) use(x Var) Type {
	if x <= 0 || int(x) >= len(v.visible) || !v.visible[x] {
		v.fail("%s is not in scope", v.name(x))
	}
	return v.scope.TypeOf(x)
}

func (v *verifier) operand(o Operand) Type {
	if o.Var == 0 {
		return ScalarType(o.Const.Type())
	}
	return v.use(o.Var)
}

func (v *verifier) want(o Operand, t Type, what string) {
	if got := v.operand(o); !got.Same(t) {
		v.fail("%s %s has type %s, not %s", what, (&printer{fun: v.fun}).op(o),
			PrintType(v.fun, got), PrintType(v.fun, t))
	}
}

// wantAll checks operands against types, which may mention names: those that
// a caller chooses stand for the operand in the same place.
func (v *verifier) wantAll(os []Operand, ts []Type, names []Param, what string) {
	if len(os) != len(ts) {
		v.fail("%d %ss, not %d", len(os), what, len(ts))
	}
	sub := Subst{}
	for i, p := range names {
		sub[p.Var] = os[i]
	}
	for i, o := range os {
		v.want(o, stripLayout(sub.Type(ts[i])), what)
	}
}

func stripLayout(t Type) Type { t.Layout = nil; return t }

// Arguments of relocator.body.
const (
	functionBody = true
	innerBody    = false
)

// body checks a body against the types of its results, which may mention the
// names of a pattern.
func (v *verifier) body(b *Body, ret []Type, names []Param) {
	mark := slices.Clone(v.visible)
	for _, s := range b.Stms {
		v.statement(s)
	}
	v.wantAll(b.Res, ret, names, "result")
	v.visible = mark
}

func (v *verifier) statement(s *Stm) {
	outer := v.stm
	v.stm = s
	if !s.Exp.allowed(place{v.prog.Stage, v.inKernel, v.inGroup}) {
		v.foreign(s.Exp)
	}
	for _, c := range s.Aux.Certs {
		v.want(V(c), CertType, "certificate")
	}
	s.Exp.verify(v, s)
	v.stm = s
	v.bindAll(s.Dst)
	if ts, ok := v.scope.Infer(s.Exp); ok {
		if len(ts) != len(s.Dst) {
			v.fail("%d results, not %d", len(ts), len(s.Dst))
		}
		for i, t := range ts {
			if !t.Same(s.Dst[i].Type) {
				v.fail("%s should have type %s", v.name(s.Dst[i].Var), PrintType(v.fun, t))
			}
		}
	}
	v.stm = outer
}

// foreign rejects what the program's stage, or sequential code, may not have.
func (v *verifier) foreign(e Exp) { v.fail("%T is foreign to this stage or place", e) }
