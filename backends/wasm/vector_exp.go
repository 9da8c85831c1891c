package wasm

import (
	"encoding/binary"
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// exp pushes vector r of the value of an expression.
func (v *vectors) exp(e imp.Exp, r int) {
	if v.failed {
		return
	}
	if v.strides.Uniform(e) {
		v.splat(e)
		return
	}
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		if locals := v.values[e.Var]; locals != nil {
			v.get(locals[r])
			return
		}
		v.fail()
	case *imp.Un:
		v.exp(e.X, r)
		v.un(e.Op, primOf(e.Type))
	case *imp.Bin:
		x, y := v.operands(e)
		v.exp(x, r)
		v.exp(y, r)
		v.bin(e.Op, primOf(e.Type), y)
	case *imp.Cmp:
		v.exp(e.X, r)
		v.exp(e.Y, r)
		v.compare(e.Op, primOf(e.Type))
	case *imp.Conv:
		v.conv(e, r)
	case *imp.CallFunc:
		for _, a := range e.Args {
			v.exp(a, r)
		}
		v.call(e.Func, e.Type)
	case *imp.Select:
		v.choose(e, r)
	case *imp.Load:
		v.load(e, r)
	default:
		v.fail()
	}
}

// Note [Operands that are overwritten]
//
// An instruction of amd64 overwrites its left operand, which wazero copies before if it is needed later. So where the order does not
// matter the left one is what nothing else uses. What is the same for all lanes is never overwritten (Note [Splats]).

// operands are those of an operation, in the order in which they are pushed.
func (v *vectors) operands(e *imp.Bin) (left, right imp.Exp) {
	if !e.Op.Commutative(primOf(e.Type)) || v.strides.Uniform(e.Y) {
		return e.X, e.Y
	}
	if v.strides.Uniform(e.X) || v.usedAgain(e.X) && !v.usedAgain(e.Y) {
		return e.Y, e.X
	}
	return e.X, e.Y
}

// usedAgain reports whether an operand is a variable that the loop uses more than once. One that is set has a new value then, as a sum has
// that it is an operand of.
func (v *vectors) usedAgain(e imp.Exp) bool {
	x, ok := e.(*imp.VarExp)
	return ok && v.strides.Defs[x.Var] != nil && v.uses[x.Var] > 1
}

// instruction writes the one of a name for vectors of a type, if there is one.
func (v *vectors) instruction(name string, t prim.Type) {
	code, ok := simd[name][shapeOf(t)]
	if !ok || t == prim.F16 {
		v.fail()
		return
	}
	v.emit(prefixed(vector, code))
}

// splat pushes what is the same for all lanes. A mask is -1 or 0.
func (v *vectors) splat(e imp.Exp) {
	t := v.scope.TypeOf(e)
	p := primOf(t)
	if p != prim.Bool && p.Bits() != v.width {
		v.fail()
		return
	}
	key := fmt.Sprintf("splat %v %s", p, v.strides.key(e))
	if known := v.known[key]; known != nil {
		v.get(known[0])
		return
	}
	if c, constant := e.(*imp.Const); constant {
		v.repeated(p, c.Value.Word())
	} else if p == prim.Bool {
		v.constant(i32Const, 0)
		v.writer.exp(e)
		v.emit(sub)
		v.instruction("splat", prim.I32)
	} else {
		v.writer.exp(e)
		v.instruction("splat", p)
	}
	l := v.local(V128, fmt.Sprintf("splat_%dm", len(v.locals)))
	v.tee(l)
	v.known[key] = []uint64{l}
}

// Note [Splats]
//
// On amd64 wazero inserts a number into lane 0 of whatever register is free, and copies that lane to the others: so a splat waits for what
// computed the register's old value. That is soon there if no arithmetic overwrites splats, whose registers come free then: they are the
// right operands where the order does not matter. Constants are loaded, and what is gathered begins with a load that clears the register.

// repeated pushes a vector of a constant; a boolean makes a mask.
func (v *vectors) repeated(t prim.Type, word uint64) {
	if t == prim.F16 {
		v.fail()
		return
	}
	bits := t.Bits()
	if t == prim.Bool {
		bits, word = 8, -word
	}
	if bits < 64 {
		word &= 1<<bits - 1
	}
	for ; bits < 64; bits *= 2 {
		word |= word << bits
	}
	v.body = append(v.body, instruction{v128Const, word, word})
}

// signed is the suffix of instructions that tell signed numbers apart.
func signed(t prim.Type) string {
	if t.IsSigned() {
		return "_s"
	}
	return "_u"
}

func (v *vectors) un(op prim.UnOp, t prim.Type) {
	switch {
	case op == prim.Not:
		v.emit(v128Not)
	case op == prim.Neg:
		v.instruction("neg", t)
	case op == prim.Abs && !t.IsUnsigned():
		v.instruction("abs", t)
	default:
		v.fail()
	}
}

var (
	vectorInfix = map[prim.BinOp]string{prim.Add: "add", prim.Sub: "sub", prim.Mul: "mul"}
	vectorBitOp = map[prim.BinOp]op{
		prim.And: v128And, prim.Or: v128Or, prim.Xor: v128Xor, prim.LogAnd: v128And, prim.LogOr: v128Or,
	}
)

func (v *vectors) bin(op prim.BinOp, t prim.Type, right imp.Exp) {
	name, infix := vectorInfix[op]
	bits, isBits := vectorBitOp[op]
	switch {
	case isBits:
		v.emit(bits)
	case infix:
		v.instruction(name, t)
	case op == prim.Div && t.IsFloat():
		v.instruction("div", t)
	case (op == prim.Min || op == prim.Max) && t.IsInt():
		v.instruction(op.String()+signed(t), t)
	case op == prim.Min || op == prim.Max:
		v.lesser(op.String(), t)
	case op == prim.Shl || op == prim.Shr || op == prim.UShr:
		v.shift(op, t, right)
	default:
		v.fail()
	}
}

// shift shifts by a constant, whose vector is on the stack.
func (v *vectors) shift(op prim.BinOp, t prim.Type, right imp.Exp) {
	c, ok := right.(*imp.Const)
	if !ok || c.Value.Word() >= uint64(t.Bits()) {
		v.fail()
		return
	}
	name := "shr_u"
	switch {
	case op == prim.Shl:
		name = "shl"
	case op == prim.Shr && t.IsSigned():
		name = "shr_s"
	}
	v.emit(drop)
	v.with(i32Const, c.Value.Word())
	v.instruction(name, t)
}

// lesser is writer.floatLesser for vectors.
func (v *vectors) lesser(name string, t prim.Type) {
	x, y := v.temp(V128), v.temp(V128)
	v.set(y)
	v.set(x)
	v.get(x)
	v.get(y)
	v.instruction(name, t)
	v.get(x)
	v.get(y)
	v.get(y)
	v.instruction("eq", t)
	v.emit(v128Bitselect) // x unless y is a number
	v.get(y)
	v.get(x)
	v.get(x)
	v.instruction("eq", t)
	v.emit(v128Bitselect) // y unless x is a number
	v.release(V128, x, y)
}

func (v *vectors) compare(c prim.CmpOp, t prim.Type) {
	name := c.String()
	switch {
	case t == prim.Bool && c == prim.Ne:
		v.emit(v128Xor)
		return
	case t == prim.Bool && c == prim.Eq:
		v.emit(v128Xor, v128Not)
		return
	case t == prim.Bool:
		v.fail()
		return
	case t.IsInt() && c != prim.Eq && c != prim.Ne:
		name += signed(t)
	}
	v.instruction(name, t)
}

// conv converts between types of one width, to and from masks, and from numbers of lanes.
func (v *vectors) conv(e *imp.Conv, r int) {
	from, to := primOf(e.From), primOf(e.To)
	n, linear := v.strides.Of(e.X)
	switch {
	case linear && from.Bits() == 64 && from.IsInt() && to.IsInt() && to.Bits() == 32:
		v.writer.exp(e.X)
		v.emit(i32WrapI64)
		v.instruction("splat", to)
		v.numbers(int64(r)*n*4, n)
		v.instruction("add", to)
		return
	case from == to:
		v.exp(e.X, r)
		return
	}
	v.exp(e.X, r)
	switch {
	case to == prim.Bool && from != prim.F16:
		v.repeated(prim.Bool, 0)
		v.instruction("ne", from)
	case from == prim.Bool && to.IsInt():
		v.ones()
		v.emit(v128And)
	case from.IsInt() && to.IsInt() && from.Bits() == to.Bits():
	case to == prim.F32 && from.IsInt() && from.Bits() == 32:
		v.instruction("convert_i32x4"+signed(from), to)
	default:
		v.fail()
	}
}

// numbers pushes a vector of i32: first, and then each more by n.
func (v *vectors) numbers(first, n int64) {
	var b []byte
	for i := range int64(4) {
		b = binary.LittleEndian.AppendUint32(b, uint32(first+i*n))
	}
	v.body = append(v.body, instruction{v128Const, binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])})
}

// vectorFunctions are the functions that are one instruction.
var vectorFunctions = map[prim.Func]string{
	prim.Sqrt: "sqrt", prim.Floor: "floor", prim.Ceil: "ceil", prim.Trunc: "trunc", prim.Round: "nearest",
}

func (v *vectors) call(f prim.Func, t prim.Type) {
	name, single := vectorFunctions[f]
	switch {
	case t == prim.F16:
		v.fail()
	case single:
		v.instruction(name, t)
	case f == prim.ToBits || f == prim.FromBits:
	case f == prim.Recip:
		x := v.temp(V128)
		v.set(x)
		v.value(t, prim.One(t))
		v.instruction("splat", t)
		v.get(x)
		v.instruction("div", t)
		v.release(V128, x)
	case f == prim.Mad:
		x := v.temp(V128)
		v.set(x)
		v.instruction("mul", t)
		v.get(x)
		v.instruction("add", t)
		v.release(V128, x)
	default:
		v.fail()
	}
}

// load pushes elements: neighbours by one access, others one by one.
func (v *vectors) load(e *imp.Load, r int) {
	d := v.kernel.Mems[e.Mem]
	n, ok := v.strides.Of(e.Index)
	switch {
	case d.Elem.Bits() != v.width || d.Access == imp.AtomicAccess && d.Space == imp.Global:
		v.fail()
		return
	case ok && n == 1:
		at, offset := v.place(e.Mem, e.Index)
		v.get(at)
		v.access(v128Load, alignment(d.Elem), offset+r*vectorBits/8)
	case v.strides.numbered(e.Index) && d.Space == imp.Global && v.mask == nil && d.Elem != prim.Bool && d.Elem != prim.F16:
		v.gather(e, r)
	default:
		v.fail()
	}
	if d.Elem == prim.Bool {
		v.repeated(prim.U8, 0)
		v.instruction("ne", prim.U8)
	}
}
