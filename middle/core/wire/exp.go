package wire

import (
	"fmt"
	"reflect"

	"skald/middle/core"
	"skald/runtime/prim"
)

// variants lists the kinds of expression; the place of one in this list is what stands for it. New ones are added at the end, or
// Version is counted up.
var variants = []core.Exp{
	&core.Use{}, &core.Un{}, &core.Bin{}, &core.Cmp{}, &core.Conv{}, &core.CallFunc{}, &core.Assert{}, &core.If{}, &core.Switch{},
	&core.Loop{}, &core.Call{},
	&core.ArrayLit{}, &core.Index{}, &core.Update{}, &core.Concat{}, &core.Iota{}, &core.Replicate{}, &core.Scratch{},
	&core.Rearrange{}, &core.Reshape{}, &core.Copy{},
	&core.Screma{}, &core.Hist{}, &core.WithAcc{}, &core.UpdateAcc{},
	&core.SegMap{}, &core.SegRed{}, &core.SegScan{}, &core.SegHist{}, &core.Tune{}, &core.Fact{},
	&core.Alloc{},
	&core.Trace{},
	&core.Derivative{}, &core.WithVjp{},
	&core.FlatMap{},
}

// tags returns the place of each variant in the list.
var tags = func() map[reflect.Type]int {
	m := make(map[reflect.Type]int, len(variants))
	for i, v := range variants {
		m[reflect.TypeOf(v)] = i
	}
	return m
}()

func (c *codec) exp(e *core.Exp) {
	tag := 0
	if !c.reading {
		var ok bool
		tag, ok = tags[reflect.TypeOf(*e)]
		if c.structure != nil && (!ok || isTrace(*e)) {
			c.out = fmt.Appendf(c.out, "%p", *e) // It equals itself alone.
			return
		}
		if !ok {
			panic(fmt.Sprintf("wire: expression %T", *e))
		}
	}
	c.number(&tag, len(variants), "expression")
	if c.reading {
		*e = reflect.New(reflect.TypeOf(variants[tag]).Elem()).Interface().(core.Exp)
	}
	c.parts(*e)
}

// isTrace reports whether an expression prints, which it does each time that the program computes it.
func isTrace(e core.Exp) bool {
	_, ok := core.Match(e).(*core.Trace)
	return ok
}

// parts writes or reads what an expression is made of.
func (c *codec) parts(e core.Exp) {
	switch e := e.(type) {
	case core.Scalar:
		c.scalar(e)
	case core.View:
		c.view(e)
	case core.Memory:
		c.memory(e)
	case core.Control:
		c.control(e)
	case core.SOAC:
		c.soac(e)
	case core.Seg:
		c.seg(e)
	}
}

func (c *codec) scalar(e core.Scalar) {
	switch e := e.(type) {
	case *core.Un:
		enum(c, &e.Op, prim.NumUnOps, "operator")
		c.primitive(&e.Type)
		c.operand(&e.X)
	case *core.Bin:
		enum(c, &e.Op, prim.NumBinOps, "operator")
		c.primitive(&e.Type)
		c.operand(&e.X)
		c.operand(&e.Y)
	case *core.Cmp:
		enum(c, &e.Op, prim.NumCmpOps, "operator")
		c.primitive(&e.Type)
		c.operand(&e.X)
		c.operand(&e.Y)
	case *core.Conv:
		c.primitive(&e.From)
		c.primitive(&e.To)
		c.operand(&e.X)
	case *core.CallFunc:
		enum(c, &e.Func, prim.NumFuncs, "function")
		c.primitive(&e.Type)
		list(c, &e.Args, c.operand)
	case *core.Tune:
		c.string(&e.Name)
		c.string(&e.Class)
	case *core.Fact:
		c.string(&e.Name)
	}
}

func (c *codec) view(e core.View) {
	switch e := e.(type) {
	case *core.Use:
		c.operand(&e.X)
	case *core.Index:
		c.variable(&e.Array)
		c.slice(&e.Slice)
	case *core.Rearrange:
		list(c, &e.Perm, c.count)
		c.variable(&e.Array)
	case *core.Reshape:
		list(c, &e.Shape, c.operand)
		c.variable(&e.Array)
	}
}

func (c *codec) memory(e core.Memory) {
	switch e := e.(type) {
	case *core.ArrayLit:
		c.typ(&e.Row)
		list(c, &e.Elems, c.operand)
	case *core.Update:
		c.variable(&e.Array)
		c.slice(&e.Slice)
		c.operand(&e.Value)
	case *core.Concat:
		c.operand(&e.Size)
		list(c, &e.Arrays, c.variable)
	case *core.Iota:
		c.primitive(&e.Type)
		c.operand(&e.N)
		c.operand(&e.Start)
		c.operand(&e.Step)
	case *core.Replicate:
		list(c, &e.Shape, c.operand)
		c.operand(&e.X)
	case *core.Scratch:
		c.primitive(&e.Elem)
		list(c, &e.Shape, c.operand)
	case *core.Copy:
		c.variable(&e.Array)
	case *core.Alloc:
		c.primitive(&e.Elem)
		c.operand(&e.Count)
		enum(c, &e.Space, int(core.SpacePrivate)+1, "memory space")
	}
}

func (c *codec) control(e core.Control) {
	switch e := e.(type) {
	case *core.Assert:
		c.operand(&e.Cond)
		list(c, &e.Msg, func(m *core.MsgPart) {
			if c.bool(&m.IsOp); m.IsOp {
				c.operand(&m.X)
			} else {
				c.string(&m.Text)
			}
		})
	case *core.Trace:
		c.string(&e.Text)
		c.string(&e.Form)
		list(c, &e.Values, c.operand)
	case *core.If:
		c.operand(&e.Cond)
		c.bodies(&e.Then)
		c.bodies(&e.Else)
	case *core.Switch:
		c.operand(&e.On)
		list(c, &e.Cases, func(k *core.Case) {
			c.value(&k.Value)
			c.bodies(&k.Body)
		})
		c.bodies(&e.Default)
	case *core.Loop:
		list(c, &e.Params, c.param)
		list(c, &e.Init, c.operand)
		if c.variable(&e.While); e.While == 0 {
			c.param(&e.Index)
			c.operand(&e.Bound)
		}
		c.bodies(&e.Body)
	case *core.Call:
		c.string(&e.Fun)
		list(c, &e.Args, c.operand)
	case *core.Derivative:
		c.derivative(e)
	case *core.WithVjp:
		list(c, &e.Params, c.param)
		list(c, &e.Args, c.operand)
		c.bodies(&e.Body)
		pointer(c, &e.Back, c.lambda)
		c.count(&e.Sizes)
		list(c, &e.InertResults, c.count)
	}
}

// derivative is control for derivatives. Executables carry none, as they are taken before.
func (c *codec) derivative(e *core.Derivative) {
	c.bool(&e.Reverse)
	list(c, &e.Params, c.param)
	list(c, &e.Args, c.operand)
	many := e.IsMany()
	if c.bool(&many); many {
		c.operand(&e.Many)
	}
	list(c, &e.Seeds, c.operand)
	list(c, &e.InertArgs, c.count)
	list(c, &e.InertResults, c.count)
	c.bodies(&e.Body)
}

func (c *codec) soac(e core.SOAC) {
	switch e := e.(type) {
	case *core.Screma:
		c.operand(&e.Size)
		list(c, &e.Arrays, c.variable)
		pointer(c, &e.Map, c.lambda)
		list(c, &e.Scans, c.operator)
		list(c, &e.Reds, c.operator)
		optional(c, &e.Post, c.lambda)
	case *core.Hist:
		c.operand(&e.Size)
		list(c, &e.Arrays, c.variable)
		list(c, &e.Ops, c.histOp)
		pointer(c, &e.Bucket, c.lambda)
	case *core.WithAcc:
		list(c, &e.Inputs, c.accInput)
		pointer(c, &e.Lambda, c.lambda)
	case *core.FlatMap: // Executables have none, as they are SOACs by then.
		c.operand(&e.Size)
		list(c, &e.Arrays, c.variable)
		list(c, &e.Params, c.param)
		c.bodies(&e.Body)
		c.count(&e.Segments)
	case *core.UpdateAcc:
		c.variable(&e.Acc)
		list(c, &e.Index, c.operand)
		list(c, &e.Values, c.operand)
	}
}

func (c *codec) seg(e core.Seg) {
	switch e := e.(type) {
	case *core.SegMap:
		c.space(&e.Level, &e.Space, &e.Body, &e.Ret)
		optional(c, &e.Tiling, c.tiling)
		optional(c, &e.Choice, c.choice)
	case *core.SegRed:
		c.space(&e.Level, &e.Space, &e.Body, &e.Ret)
		list(c, &e.Ops, c.operator)
		optional(c, &e.Choice, c.choice)
	case *core.SegScan:
		c.space(&e.Level, &e.Space, &e.Body, &e.Ret)
		list(c, &e.Ops, c.operator)
		optional(c, &e.Post, c.lambda)
		optional(c, &e.Choice, c.choice)
	case *core.SegHist:
		c.space(&e.Level, &e.Space, &e.Body, &e.Ret)
		list(c, &e.Ops, c.histOp)
		optional(c, &e.Choice, c.choice)
	}
}
