package interp

import "skald/frontend/types"

type differentiation struct{}

func (d *differentiation) reset(int) {}

func (m *machine) differentiate(op types.ScalarOp, args ...Value) Value { panic("ad") }
func (m *machine) jvp(o operands) Value                                 { panic("ad") }
func (m *machine) vjp(o operands) Value                                 { panic("ad") }
func (m *machine) jmp(o operands) Value                                 { panic("ad") }
func (m *machine) mjp(o operands) Value                                 { panic("ad") }
func (m *machine) withVJP(o operands) Value                             { panic("ad") }
