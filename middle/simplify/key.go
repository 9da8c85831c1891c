package simplify

import (
	"encoding/binary"

	"skald/middle/core"
)

// structure writes what an expression is in binary, so that two that are written alike are equal.
type structure []byte

func (s structure) number(n int64) structure { return binary.AppendVarint(s, n) }

func (s structure) operand(o core.Operand) structure {
	if o.Var != 0 {
		return s.number(int64(o.Var))
	}
	return binary.AppendUvarint(append(s.number(0), byte(o.Const.Type())), o.Const.Word())
}
