package imp

// Scope has the types that expressions depend on: of variables and arrays.
type Scope struct {
	Vars []VarDecl
	Mems []MemDecl
}

// Scope is the scope of k's body.
func (k *Kernel) Scope() Scope { return Scope{k.Vars, k.Mems} }

// Scope is the scope of f's body.
func (f *Fun) Scope() Scope { return Scope{Vars: f.Vars} }

// TypeOf is the type of e.
func (s Scope) TypeOf(e Exp) Type {
	switch e := e.(type) {
	case *Const:
		return e.Type
	case *VarExp:
		return s.Vars[e.Var].Type
	case *Un:
		return e.Type
	case *Bin:
		return e.Type
	case *Cmp:
		return Bool
	case *Conv:
		return e.To
	case *CallFunc:
		return Of(e.Func.Result(e.Type))
	case *Select:
		return e.Type
	case *Load:
		return Of(s.Mems[e.Mem].Elem)
	case *Id:
		return Idx
	}
	panic(unknownNode)
}
