package types

import "fmt"

// Verify checks the invariants of a checked program (see the package comment) and returns what is wrong, or nil.
func Verify(p *Prog) error { return verify(p, withPolymorphism) }

// VerifyMonomorphic checks the invariants of a program as package monomorphise and the passes after it leave it: those of a checked
// program, but sizes may be left out (AnySize), and there are neither type parameters nor abstract types.
func VerifyMonomorphic(p *Prog) error { return verify(p, withoutPolymorphism) }

// Arguments of verify.
const (
	withoutPolymorphism = true
	withPolymorphism    = false
)

func verify(p *Prog, monomorphic bool) error {
	v := &verifier{bound: map[*Symbol]bool{}, known: map[*Symbol]bool{}, monomorphic: monomorphic}
	if monomorphic {
		// Copies of functions that call each other are in any order.
		for _, d := range p.Defs {
			v.known[d.Sym] = true
		}
	}
	for _, d := range p.Defs {
		v.top(d)
		if v.err != nil {
			return fmt.Errorf("in definition of %s: %w", d.Sym.Name, v.err)
		}
	}
	return nil
}

// verifier is the state of Verify: which symbols have had a binder anywhere, and which are in scope.
type verifier struct {
	bound map[*Symbol]bool
	known map[*Symbol]bool
	// monomorphic says which of the two sets of invariants is meant.
	monomorphic bool
	err         error
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// bind brings s into scope; a symbol has one binder in the whole program.
func (v *verifier) bind(s *Symbol) {
	if v.bound[s] {
		v.fail("symbol %s (%d) is bound twice", s.Name, s.ID)
	}
	v.bound[s], v.known[s] = true, true
}

func (v *verifier) bindAll(syms []*Symbol) {
	for _, s := range syms {
		v.bind(s)
	}
}

// top checks a definition at top level. The sizes that a value's type leaves open are those of its shape.
func (v *verifier) top(d *Def) {
	v.bind(d.Sym)
	v.def(d)
	if len(d.Params) == 0 {
		v.bindAll(d.Ret.Ext)
	}
}

func (v *verifier) def(d *Def) {
	if v.monomorphic && len(d.TypeParams) > 0 {
		v.fail("%s is polymorphic", d.Sym.Name)
	}
	for _, p := range d.TypeParams {
		if p.IsSize() {
			v.bind(p.Size)
		}
	}
	v.params(d.Params)
	v.retType("result", d.Ret)
	v.exp(d.Body)
}

func (v *verifier) params(ps []*Param) {
	// A parameter may bind a size that the one before it mentions in an expression.
	for _, p := range ps {
		v.bindAll(p.Sizes)
	}
	for _, p := range ps {
		v.pat(p.Pat)
	}
}

func (v *verifier) retType(what any, r RetType) {
	if r.Type == nil {
		v.fail("a %s without a type", what)
		return
	}
	v.typ(what, r.Type, r.Ext)
}

// pat binds the variables of a pattern and checks its types.
func (v *verifier) pat(p Pat) {
	v.bindAll(PatSymbols(p))
	v.patTypes(p)
}

func (v *verifier) patTypes(p Pat) {
	v.typ("pattern", p.Base().Type, nil)
	switch p := p.(type) {
	case *RecordPat:
		for _, f := range p.Fields {
			v.patTypes(f.Pat)
		}
	case *CtorPat:
		for _, a := range p.Args {
			v.patTypes(a)
		}
	case *AttrPat:
		v.patTypes(p.Pat)
	case *VarPat, *WildPat, *LitPat:
	default:
		panic(fmt.Sprintf("types.Verify: %T", p))
	}
}

// typ checks that t has no holes left and mentions known sizes only, where ext are bound as well.
func (v *verifier) typ(what any, t Type, ext []*Symbol) {
	v.noMetas(what, t)
	MapSizes(t, func(d Size) Size {
		v.size(what, t, d, ext)
		return d
	})
}

func (v *verifier) size(what any, t Type, d Size, ext []*Symbol) {
	switch d := d.(type) {
	case *AnySize:
		if !v.monomorphic {
			v.fail("%s of type %s has a size that was not inferred", what, t)
		}
	case *SizeName:
		for _, k := range ext {
			if k == d.Sym {
				return
			}
		}
		if !v.known[d.Sym] {
			v.fail("%s of type %s mentions %s (%d), which is not in scope", what, t, d.Sym.Name, d.Sym.ID)
		}
	case *SizeExp:
		v.sizeExp(what, t, d.Exp, ext)
	case *SizeConst:
	}
}

// sizeExp checks that a size expression mentions variables in scope. It may bind the parameters of lambdas in it.
func (v *verifier) sizeExp(what any, t Type, e Exp, ext []*Symbol) {
	inside := map[*Symbol]bool{}
	for _, k := range ext {
		inside[k] = true
	}
	Walk(e, func(e Exp) bool {
		switch e := e.(type) {
		case *Lambda:
			for _, p := range e.Params {
				for _, s := range PatSymbols(p.Pat) {
					inside[s] = true
				}
			}
		case *Ref:
			if !inside[e.Sym] && !v.known[e.Sym] {
				v.fail("%s of type %s mentions %s (%d) in a size, which is not in scope", what, t, e.Sym.Name, e.Sym.ID)
			}
		default:
		}
		return true
	})
}

func (v *verifier) noMetas(what any, t Type) {
	switch t := t.(type) {
	case nil:
		v.fail("a %s without a type", what)
	case *Meta:
		v.fail("%s has a type that was not inferred", what)
	case *Array:
		v.noMetas(what, t.Elem)
	case *Record:
		for _, f := range t.Fields {
			v.noMetas(what, f.Type)
		}
	case *Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				v.noMetas(what, a)
			}
		}
	case *Arrow:
		v.noMetas(what, t.Param)
		v.noMetas(what, t.Ret.Type)
	case *Con:
		if v.monomorphic && t.Con.Repr != nil {
			v.fail("%s has the abstract type %s", what, t)
		}
		for _, a := range t.Args {
			if a.Type != nil {
				v.noMetas(what, a.Type)
			}
		}
	case *Var:
		if v.monomorphic {
			v.fail("%s has the type parameter %s as its type", what, t)
		}
	case *Prim:
	default:
		panic(fmt.Sprintf("types.Verify: %T", t))
	}
}

// exp checks an expression, in the order of evaluation.
func (v *verifier) exp(e Exp) {
	if v.err != nil {
		return
	}
	v.parts(e)
	v.after(e)
}

// boundExp checks an expression that a Let binds together with sizes, which the type of the expression may mention.
func (v *verifier) boundExp(e Exp, sizes []*Symbol) {
	switch e := e.(type) {
	case *Attributed:
		v.boundExp(e.Exp, sizes)
	case *Let:
		v.let(e)
		v.boundExp(e.Body, sizes)
	default:
		v.parts(e)
		v.bindAll(sizes)
	}
	v.after(e)
}

// parts checks what e consists of.
func (v *verifier) parts(e Exp) {
	switch e := e.(type) {
	case *Ref:
		if !v.known[e.Sym] {
			v.fail("reference to %s (%d), which is not in scope, at %s", e.Sym.Name, e.Sym.ID, e.At)
		}
		if len(e.Args) != len(e.Sym.Params) {
			v.fail("reference to %s has %d arguments for %d parameters at %s", e.Sym.Name, len(e.Args),
				len(e.Sym.Params), e.At)
		}
	case *Lambda:
		v.params(e.Params)
		v.retType("lambda's result", e.Ret)
		v.exp(e.Body)
	case *Let:
		v.let(e)
		v.exp(e.Body)
	case *LetFun:
		v.bind(e.Def.Sym)
		v.def(e.Def)
		v.exp(e.Body)
	case *Loop:
		v.loop(e)
	case *Match:
		v.exp(e.Exp)
		for _, c := range e.Cases {
			v.pat(c.Pat)
			v.exp(c.Body)
		}
	case *Apply:
		v.reversed(e.Args)
		v.exp(e.Fun)
	case *Builtin:
		v.reversed(e.Args)
	default:
		Children(e, v.exp)
	}
}

// let checks what a Let binds.
func (v *verifier) let(e *Let) {
	v.boundExp(e.Exp, e.Sizes)
	v.pat(e.Pat)
}

func (v *verifier) reversed(es []Exp) {
	for i := len(es) - 1; i >= 0; i-- {
		v.exp(es[i])
	}
}

// after checks the type of an expression that has been evaluated, and brings the sizes born there into scope.
func (v *verifier) after(e Exp) {
	v.bindAll(e.Base().Ext)
	v.typ(Described{Of: e}, e.Base().Type, nil)
}

// Described is an expression that prints its kind and its place: verifiers hand one on for each expression, and print few.
type Described struct{ Of Exp }

// String is the kind and the place.
func (d Described) String() string { return fmt.Sprintf("%T at %s", d.Of, d.Of.Base().At) }

func (v *verifier) loop(e *Loop) {
	v.exp(e.Init)
	switch f := e.Form.(type) {
	case *For:
		v.exp(f.Bound)
		v.bind(f.Sym)
	case *ForIn:
		v.exp(f.Array)
		v.pat(f.Pat)
	case *While:
	default:
		panic(fmt.Sprintf("types.Verify: %T", f))
	}
	v.bindAll(e.Sizes)
	v.pat(e.Pat)
	if f, ok := e.Form.(*While); ok {
		v.exp(f.Cond)
	}
	v.exp(e.Body)
}
