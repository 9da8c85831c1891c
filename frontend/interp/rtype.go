package interp

import (
	"fmt"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [Types at run time]
//
// Most closures need no types: values show their own structure. But a word does not show which primitive type it has,
// and no elements show no shape. Where an array is made, its element type must therefore be known, and inside a
// polymorphic function that type is an argument: a slot of the frame with a typeArg, beside the slots for the sizes.
// Types without parameters and variable sizes are made once, when the expression is compiled.
//
// Shapes that values show are preferred to those in types; the latter matter only for what is empty.

// rtype is a type with its sizes evaluated.
type rtype struct {
	kind   typeKind
	prim   prim.Type
	dim    int      // of an array; negative if it is not known
	elem   *rtype   // of an array
	names  []string // of a record's fields or a sum's constructors
	fields []*rtype // of a record
	ctors  [][]*rtype
}

type typeKind uint8

const (
	primType typeKind = iota
	arrayType
	recordType
	sumType
	functionType
)

// typeEval computes a type.
type typeEval func(f *frame) *rtype

// typeOf compiles t. The second result is the type itself if it is the same whenever it is evaluated.
func (s *scope) typeOf(t types.Type) (typeEval, *rtype) {
	switch t := types.Represent(t).(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Prim:
		return constantType(&rtype{kind: primType, prim: t.Kind})
	case *types.Array:
		return s.arrayTypeOf(t)
	case *types.Record:
		names := make([]string, len(t.Fields))
		ts := make([]types.Type, len(t.Fields))
		for i, f := range t.Fields {
			names[i], ts[i] = f.Name, f.Type
		}
		fields, known := s.typesOf(ts)
		if known != nil || len(ts) == 0 {
			return constantType(&rtype{kind: recordType, names: names, fields: known})
		}
		return func(f *frame) *rtype { return &rtype{kind: recordType, names: names, fields: fields(f)} }, nil
	case *types.Sum:
		return s.sumTypeOf(t)
	case *types.Arrow:
		return constantType(&rtype{kind: functionType})
	case *types.Var:
		slot := s.typeSlot(t.Param)
		return func(f *frame) *rtype { return f.slots[slot].ref.(*typeArg).t }, nil
	case *types.Con: // accumulators, which are in no array
		return constantType(&rtype{kind: functionType})
	default:
		panic(fmt.Sprintf("interp: run-time type of %T", t))
	}
}

func constantType(t *rtype) (typeEval, *rtype) { return func(*frame) *rtype { return t }, t }

func (s *scope) arrayTypeOf(t *types.Array) (typeEval, *rtype) {
	elem, known := s.typeOf(t.Elem)
	if c, ok := t.Size.(*types.SizeConst); ok && known != nil {
		return constantType(&rtype{kind: arrayType, dim: int(c.N), elem: known})
	}
	size := s.size(t.Size)
	return func(f *frame) *rtype { return &rtype{kind: arrayType, dim: size(f), elem: elem(f)} }, nil
}

func (s *scope) sumTypeOf(t *types.Sum) (typeEval, *rtype) {
	names := make([]string, len(t.Ctors))
	payloads := make([]func(*frame) []*rtype, len(t.Ctors))
	ctors := make([][]*rtype, len(t.Ctors))
	constant := true
	for i, c := range t.Ctors {
		names[i] = c.Name
		payloads[i], ctors[i] = s.typesOf(c.Args)
		constant = constant && (ctors[i] != nil || len(c.Args) == 0)
	}
	if constant {
		return constantType(&rtype{kind: sumType, names: names, ctors: ctors})
	}
	return func(f *frame) *rtype {
		ctors := make([][]*rtype, len(payloads))
		for i, p := range payloads {
			ctors[i] = p(f)
		}
		return &rtype{kind: sumType, names: names, ctors: ctors}
	}, nil
}

// typesOf is typeOf for several types; the second result is nil unless all of them are constant.
func (s *scope) typesOf(ts []types.Type) (func(*frame) []*rtype, []*rtype) {
	evals := make([]typeEval, len(ts))
	known := make([]*rtype, len(ts))
	constant := true
	for i, t := range ts {
		evals[i], known[i] = s.typeOf(t)
		constant = constant && known[i] != nil
	}
	if constant {
		return func(*frame) []*rtype { return known }, known
	}
	return func(f *frame) []*rtype {
		out := make([]*rtype, len(evals))
		for i, e := range evals {
			out[i] = e(f)
		}
		return out
	}, nil
}

// size compiles a size. One that is not bound here, because nothing that is evaluated can show it, is -1.
func (s *scope) size(d types.Size) func(*frame) int {
	switch d := d.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.SizeConst:
		n := int(d.N)
		return func(*frame) int { return n }
	case *types.SizeName:
		slot, ok := s.find(d.Sym)
		if !ok {
			if e := s.globalSize(d.Sym); e != nil {
				return e
			}
			return func(*frame) int { return -1 }
		}
		return func(f *frame) int { return f.slots[slot].int() }
	case *types.SizeExp:
		if !s.closed(d.Exp) {
			return func(*frame) int { return -1 }
		}
		e := s.exp(d.Exp)
		return func(f *frame) int { return e(f).int() }
	default:
		panic(fmt.Sprintf("interp: size %T", d))
	}
}

// globalSize is an existential size of a top-level value: it is read off the value's shape.
type globalSize struct {
	of      *global
	readers []sizeReader
}

// globalSize is the size that sym stands for at top level, or nil if it is bound by nothing there.
func (s *scope) globalSize(sym *types.Symbol) func(*frame) int {
	if g := s.m.globals[sym]; g != nil {
		return func(f *frame) int { return g.value(f.m).int() }
	}
	gs := s.m.globalSizes[sym]
	if gs == nil {
		return nil
	}
	return func(f *frame) int {
		v := gs.of.value(f.m)
		for _, read := range gs.readers {
			if n, ok := read(v, 0); ok {
				return n
			}
		}
		return -1
	}
}

// closed reports whether all variables of a size expression are in scope, or bound in the expression itself.
func (s *scope) closed(e types.Exp) bool {
	bound := map[*types.Symbol]bool{}
	bind := func(p types.Pat) {
		for _, sym := range types.PatSymbols(p) {
			bound[sym] = true
		}
	}
	ok := true
	types.Walk(e, func(e types.Exp) bool {
		switch e := e.(type) {
		case *types.Lambda:
			for _, p := range e.Params {
				bind(p.Pat)
			}
		case *types.Let:
			bind(e.Pat)
		case *types.Ref:
			if bound[e.Sym] || s.m.globals[e.Sym] != nil || s.m.globalSizes[e.Sym] != nil {
				return true
			}
			if _, found := s.find(e.Sym); !found {
				ok = false
			}
		case *types.Match, *types.Loop, *types.LetFun:
			ok = false
		default:
		}
		return ok
	})
	return ok
}

var (
	int64Type = &rtype{kind: primType, prim: prim.I64}
	boolType  = &rtype{kind: primType, prim: prim.Bool}
)
