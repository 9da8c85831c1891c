package simplify

import (
	"encoding/binary"

	"skald/middle/core"
	"skald/runtime/prim"
)

// structure writes what an expression is in binary, so that two that are written alike are equal: printing them took most of the time of
// looking for common subexpressions.
type structure []byte

// keyed distinguishes the nodes that have a structure.
type keyed byte

const (
	keyedCall keyed = iota
	keyedIndex
	keyedRearrange
	keyedReshape
)

func (k keyed) of(ts ...prim.Type) structure {
	s := structure{byte(k)}
	for _, t := range ts {
		s = append(s, byte(t))
	}
	return s
}

func (s structure) number(n int64) structure { return binary.AppendVarint(s, n) }

func (s structure) operand(o core.Operand) structure {
	if o.Var != 0 {
		return s.number(int64(o.Var))
	}
	return binary.AppendUvarint(append(s.number(0), byte(o.Const.Type())), o.Const.Word())
}

func (s structure) operands(os ...core.Operand) structure {
	s = s.number(int64(len(os)))
	for _, o := range os {
		s = s.operand(o)
	}
	return s
}

// structureOf returns the structure of an expression that has the same value wherever its operands do, as a string; empty if it has none.
func structureOf(e core.Exp) string {
	switch e := core.Match(e).(type) {
	case *core.CallFunc:
		return string(keyedCall.of(e.Type).number(int64(e.Func)).operands(e.Args...))
	case *core.Index:
		s := keyedIndex.of().number(int64(e.Array))
		for _, d := range e.Slice {
			if d.Fix {
				s = append(s, 1).operand(d.Off)
			} else {
				s = append(s, 0).operands(d.Off, d.Len, d.Stride)
			}
		}
		return string(s)
	case *core.Rearrange:
		s := keyedRearrange.of().number(int64(e.Array))
		for _, d := range e.Perm {
			s = s.number(int64(d))
		}
		return string(s)
	case *core.Reshape:
		return string(keyedReshape.of().number(int64(e.Array)).operands(e.Shape...))
	default:
		return ""
	}
}
