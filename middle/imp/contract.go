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
	c := contractor{fused: fused, functions: map[*DeviceFunction]*DeviceFunction{}}
	return mapKernels(p, func(k *Kernel) { k.Body = c.code(k.Vars, k.Body, nil).stms(k.Body) })
}

// contractor is what the code of a program shares.
type contractor struct {
	fused     func(prim.Type) bool
	functions map[*DeviceFunction]*DeviceFunction
}

// function is a device function with its sums of products contracted, the same for all that call it.
func (c *contractor) function(f *DeviceFunction) *DeviceFunction {
	n, ok := c.functions[f]
	if !ok {
		out := *f
		in := c.code(f.Vars, f.Body, f.Results)
		out.Body, out.Results = in.stms(f.Body), in.mapper().exps(f.Results)
		n = &out
		c.functions[f] = n
	}
	return n
}

// contraction works on one kernel or device function.
type contraction struct {
	*contractor
	set      []bool       // the variables that are set again
	products map[Var]*Bin // variables that are products, used once
	moved    map[Var]bool // those of them that a sum takes
}

// code finds the products in the code of a kernel, or of a device function and its results.
func (c *contractor) code(vars []VarDecl, body []Stm, results []Exp) *contraction {
	k := &contraction{contractor: c, set: make([]bool, len(vars)), products: map[Var]*Bin{}, moved: map[Var]bool{}}
	each := func(f func(Exp)) {
		Walk(body, func(s Stm) bool {
			for _, e := range Exps(s) {
				WalkExp(e, f)
			}
			return true
		})
		for _, e := range results {
			WalkExp(e, f)
		}
	}
	uses := make([]int, len(vars))
	each(func(e Exp) {
		if v, ok := e.(*VarExp); ok {
			uses[v.Var]++
		}
	})
	Walk(body, func(s Stm) bool {
		if s, ok := s.(*Set); ok {
			k.set[s.Var] = true
		}
		return true
	})
	Walk(body, func(s Stm) bool {
		if let, ok := s.(*Let); ok && uses[let.Var] == 1 && !k.set[let.Var] {
			if b, ok := let.Exp.(*Bin); ok && k.isProduct(b) && k.fixed(b.X) && k.fixed(b.Y) {
				k.products[let.Var] = b
			}
		}
		return true
	})
	each(func(e Exp) {
		if b, ok := e.(*Bin); ok {
			if v, ok := k.factor(b).(*VarExp); ok {
				k.moved[v.Var] = true
			}
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

func (k *contraction) mapper() Mapper { return Mapper{Exp: k.exp, Body: k.stms} }

func (k *contraction) stms(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		if let, ok := s.(*Let); ok && k.moved[let.Var] {
			continue
		}
		s = s.parts(k.mapper())
		if call, ok := s.(*Invoke); ok {
			call.DeviceFunction = k.function(call.DeviceFunction)
		}
		out = append(out, s)
	}
	return out
}

func (k *contraction) exp(e Exp) Exp {
	b, ok := e.(*Bin)
	if !ok {
		return e.parts(k.mapper())
	}
	x := k.factor(b)
	if x == nil {
		return e.parts(k.mapper())
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
