package imp

import "fmt"

// WalkExp calls f on e and on every expression in it, outside first.
func WalkExp(e Exp, f func(Exp)) {
	if e == nil {
		return
	}
	f(e)
	for _, x := range children(e) {
		WalkExp(x, f)
	}
}

func children(e Exp) []Exp {
	switch e := e.(type) {
	case *Const, *VarExp, *Id:
		return nil
	case *Un:
		return []Exp{e.X}
	case *Bin:
		return []Exp{e.X, e.Y}
	case *Cmp:
		return []Exp{e.X, e.Y}
	case *Conv:
		return []Exp{e.X}
	case *CallFunc:
		return e.Args
	case *Select:
		return []Exp{e.Cond, e.Then, e.Else}
	case *Load:
		return []Exp{e.Index}
	}
	panic(fmt.Sprintf("imp: unknown expression %T", e))
}

// Exps lists the expressions that stand directly in s, not those of the
// statements inside it.
func Exps(s Stm) []Exp {
	switch s := s.(type) {
	case *Let:
		return []Exp{s.Exp}
	case *Set:
		return []Exp{s.Exp}
	case *If:
		return []Exp{s.Cond}
	case *For:
		return []Exp{s.Bound}
	case *While:
		return []Exp{s.Cond}
	case *Assert:
		return append([]Exp{s.Cond}, s.Values...)
	case *Comment, *Barrier, *Free, *Data, *GetConst, *GetTune:
		return nil
	case *Store:
		return []Exp{s.Index, s.Value}
	case *LoadVec:
		return []Exp{s.Index}
	case *StoreVec:
		return append([]Exp{s.Index}, s.Values...)
	case *Atomic:
		return []Exp{s.Index, s.Value}
	case *AtomicUpdate:
		return []Exp{s.Index, s.New}
	case *Subgroup:
		if s.Lane == nil {
			return []Exp{s.X}
		}
		return []Exp{s.X, s.Lane}
	case *Alloc:
		return []Exp{s.Count}
	case *Copy:
		return []Exp{s.DstOff, s.SrcOff, s.Count}
	case *Fill:
		return []Exp{s.Off, s.Count, s.Value}
	case *ReadScalar:
		return []Exp{s.Index}
	case *WriteScalar:
		return []Exp{s.Index, s.Value}
	case *Launch:
		es := append([]Exp{s.Groups}, s.Args...)
		return append(es, s.Fits...)
	case *Call:
		return s.Args
	case *Invoke:
		return s.Args
	}
	panic(fmt.Sprintf("imp: unknown statement %T", s))
}

// Bodies lists the statement sequences directly inside s.
func Bodies(s Stm) [][]Stm {
	switch s := s.(type) {
	case *If:
		return [][]Stm{s.Then, s.Else}
	case *For:
		return [][]Stm{s.Body}
	case *While:
		return [][]Stm{s.Body}
	case *AtomicUpdate:
		return [][]Stm{s.Body}
	default:
	}
	return nil
}

// Walk calls f on each statement of body and of the bodies in it, outside
// first. When f gives false it does not look inside that statement.
func Walk(body []Stm, f func(Stm) bool) {
	for _, s := range body {
		if f(s) {
			for _, b := range Bodies(s) {
				Walk(b, f)
			}
		}
	}
}

// Any reports whether a statement of body, at any depth, satisfies f.
func Any(body []Stm, f func(Stm) bool) bool {
	found := false
	Walk(body, func(s Stm) bool {
		found = found || f(s)
		return !found
	})
	return found
}

// Collective reports whether all threads of a workgroup, or of a subgroup,
// must arrive at s together.
func Collective(s Stm) bool {
	switch s.(type) {
	case *Barrier, *Subgroup:
		return true
	default:
	}
	return false
}

// MayFail reports whether s itself, without the statements in it, may fail.
func MayFail(s Stm) bool {
	switch s := s.(type) {
	case *Assert:
		return true
	case *Invoke:
		return s.Routine.Fails
	default:
	}
	return false
}

// HasAssert reports whether k may fail.
func (k *Kernel) HasAssert() bool { return Any(k.Body, MayFail) }

// HasCollective reports whether k has barriers or subgroup operations.
func (k *Kernel) HasCollective() bool { return Any(k.Body, Collective) }
