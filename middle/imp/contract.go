package imp

import "skald/runtime/prim"

// Note [Contraction]
//
// GPUs compute a · b + c with one rounding in the time of a sum, and compilers of other languages let them where the product is used for
// nothing else. Here it is this pass that does, on kernels before they are printed: so results do not depend on a driver or on the
// language of kernels, and the functions of the support library, some of which are right only if nothing is contracted, stay as they are.
// A product that is bound to a variable is moved to where it is used, if its operands are variables that are not set again, or constants.

// Contract is p where kernels and device functions compute sums and differences of products with one rounding, at the types that fused
// says so of.
func Contract(p *Prog, fused func(prim.Type) bool) *Prog {
	c := &contractor{fused: fused, functions: map[*DeviceFunction]*DeviceFunction{}}
	mapFunctions(p, c.functions, func(f *DeviceFunction) {
		in := c.code(f.Vars, f.Body, f.Results)
		f.Body, f.Results = in.stms(f.Body), in.mapper.exps(f.Results)
	})
	return mapKernels(p, func(k *Kernel) { k.Body = c.code(k.Vars, k.Body, nil).whole(k.Body) })
}

// contractor is what the code of a program shares. It is only read while kernels are worked on, several at once.
type contractor struct {
	fused     func(prim.Type) bool
	functions map[*DeviceFunction]*DeviceFunction
}

// contraction works on one kernel or device function.
type contraction struct {
	*contractor
	mapper   Mapper
	found    bool         // there is something to change
	set      []bool       // the variables that are set again
	products map[Var]*Bin // variables that are products, used once
	moved    map[Var]bool // those of them that a sum takes
}

// code finds the products in the code of a kernel, or of a device function and its results.
func (c *contractor) code(vars []VarDecl, body []Stm, results []Exp) *contraction {
	k := &contraction{contractor: c, set: make([]bool, len(vars)), products: map[Var]*Bin{}, moved: map[Var]bool{}}
	k.mapper = Mapper{Exp: k.exp, Body: k.stms}
	each := func(f func(Exp)) {
		Walk(body, func(s Stm) bool {
			WalkExps(s, f)
			return true
		})
		for _, e := range results {
			WalkExp(e, f)
		}
	}
	uses := make([]int, len(vars))
	sums := false
	each(func(e Exp) {
		switch e := Match(e).(type) {
		case *VarExp:
			uses[e.Var]++
		case *Bin:
			sums = sums || (e.Op == prim.Add || e.Op == prim.Sub) && e.Type.IsPrim() && k.fused(e.Type.Prim())
		default:
		}
	})
	if !sums {
		return k
	}
	var lets []*Let
	Walk(body, func(s Stm) bool {
		switch s := MatchStm(s).(type) {
		case *Set:
			k.set[s.Var] = true
		case *Let:
			if b, ok := s.Exp.(*Bin); ok && uses[s.Var] == 1 && k.isProduct(b) {
				lets = append(lets, s)
			}
		default:
		}
		return true
	})
	for _, let := range lets {
		if b, _ := let.Exp.(*Bin); !k.set[let.Var] && k.fixed(b.X) && k.fixed(b.Y) {
			k.products[let.Var] = b
		}
	}
	each(func(e Exp) {
		if b, ok := e.(*Bin); ok {
			x := k.factor(b)
			if v, ok := x.(*VarExp); ok {
				k.moved[v.Var] = true
			}
			k.found = k.found || x != nil
		}
	})
	return k
}

// fixed reports whether e has the same value in all of the code.
func (k *contraction) fixed(e Exp) bool {
	switch e := Match(e).(type) {
	case *Const:
		return true
	case *VarExp:
		return !k.set[e.Var]
	default:
		return false
	}
}

func (k *contraction) isProduct(e *Bin) bool {
	return e.Op == prim.Mul && e.Type.IsPrim() && k.fused(e.Type.Prim())
}

// product is the product that an expression is or stands for, or nil.
func (k *contraction) product(e Exp) *Bin {
	switch e := Match(e).(type) {
	case *VarExp:
		return k.products[e.Var]
	case *Bin:
		if k.isProduct(e) {
			return e
		}
	default:
	}
	return nil
}

// factor is the operand of a sum or difference that is a product, of two the second; nil if none is.
func (k *contraction) factor(e *Bin) Exp {
	if e.Op != prim.Add && e.Op != prim.Sub {
		return nil
	}
	for _, x := range []Exp{e.Y, e.X} {
		if k.product(x) != nil {
			return x
		}
	}
	return nil
}

// whole is the body of a kernel, which is the same if there is nothing to change.
func (k *contraction) whole(body []Stm) []Stm {
	if !k.found && !Any(body, calls) {
		return body
	}
	return k.stms(body)
}

func (k *contraction) stms(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		if let, ok := s.(*Let); ok && k.moved[let.Var] {
			continue
		}
		s = s.parts(k.mapper)
		if call, ok := s.(*Invoke); ok {
			call.DeviceFunction = k.functions[call.DeviceFunction]
		}
		out = append(out, s)
	}
	return out
}

func (k *contraction) exp(e Exp) Exp {
	b, ok := e.(*Bin)
	if !ok {
		return e.parts(k.mapper)
	}
	x := k.factor(b)
	if x == nil {
		return e.parts(k.mapper)
	}
	p := k.product(x)
	first, second, rest := k.exp(p.X), k.exp(p.Y), b.Y
	if x == b.Y {
		rest = b.X
	}
	rest = k.exp(rest)
	switch {
	case b.Op == prim.Sub && x == b.Y:
		first = negative(b.Type, first)
	case b.Op == prim.Sub:
		rest = negative(b.Type, rest)
	}
	return &CallFunc{prim.Fma, b.Type.Prim(), []Exp{first, second, rest}}
}

func negative(t Type, e Exp) Exp {
	if c, ok := e.(*Const); ok {
		return &Const{t, prim.EvalUn(prim.Neg, c.Value)}
	}
	return &Un{prim.Neg, t, e}
}
