package imp

import "skald/runtime/prim"

var atomicOperators = [...]prim.BinOp{
	AtomicAdd: prim.Add, AtomicMin: prim.Min, AtomicMax: prim.Max, AtomicAnd: prim.And, AtomicOr: prim.Or, AtomicXor: prim.Xor,
}

// Operator is what an atomic operation combines elements of type t by; ok is false for an exchange.
func (op AtomicOp) Operator(t prim.Type) (bin prim.BinOp, ok bool) {
	if int(op) >= len(atomicOperators) {
		return 0, false
	}
	return logical(atomicOperators[op], t), true
}

var subgroupOperators = [...]prim.BinOp{
	SubgroupAdd: prim.Add, SubgroupMul: prim.Mul, SubgroupMin: prim.Min, SubgroupMax: prim.Max, SubgroupAnd: prim.And,
	SubgroupOr: prim.Or, SubgroupXor: prim.Xor, SubgroupScanAdd: prim.Add,
}

// Operator is what a subgroup operation combines values of type t by; ok is false for a shuffle.
func (op SubgroupOp) Operator(t prim.Type) (bin prim.BinOp, ok bool) {
	if int(op) >= len(subgroupOperators) {
		return 0, false
	}
	return logical(subgroupOperators[op], t), true
}

// logical is the operator on values of type t: booleans have operators of their own.
func logical(op prim.BinOp, t prim.Type) prim.BinOp {
	switch {
	case t == prim.Bool && op == prim.And:
		return prim.LogAnd
	case t == prim.Bool && op == prim.Or:
		return prim.LogOr
	}
	return op
}
