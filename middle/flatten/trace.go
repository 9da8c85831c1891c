package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Traces in kernels]
//
// Nothing prints from a kernel. What #[trace] asks for is printed where the host computes it: in functions, loops and branches outside of
// parallel operations. In the functions given to these, and in device functions, traces are left out before anything becomes a
// kernel, so that the kernels are those of the program without them. The compiler notes each place (LostTraces). The interpreter
// prints there, too.

// LostTraces lists the traces of a program of SOACs that flattening leaves out.
func LostTraces(p *core.Prog) []*core.Stm {
	t := &tracer{}
	t.program(p)
	return t.lost
}

// untraced is the program without them.
func untraced(p *core.Prog) *core.Prog { return (&tracer{}).program(p) }

// tracer leaves out traces where code becomes kernels.
type tracer struct{ lost []*core.Stm }

func (t *tracer) program(p *core.Prog) *core.Prog {
	if !p.Any(func(e core.Exp) bool { _, is := e.(*core.Trace); return is }) {
		return p
	}
	out := *p
	if p.Consts != nil {
		out.Consts = t.function(p.Consts)
	}
	out.Funs = make([]*core.Fun, len(p.Funs))
	for i, f := range p.Funs {
		out.Funs[i] = t.function(f)
	}
	return &out
}

func (t *tracer) function(f *core.Fun) *core.Fun {
	g := *f
	g.Body = t.body(f.Body, f.DeviceFunction)
	return &g
}

// An argument of body.
const inKernel = true

// body returns a body without the traces in it that are in kernels; kernel says that all of it is in one.
func (t *tracer) body(b *core.Body, kernel bool) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		exp := s.Exp
		switch e := core.Match(exp).(type) {
		case *core.Trace:
			if kernel {
				t.lost = append(t.lost, s)
				continue
			}
		case *core.WithAcc:
			exp = t.operators(e)
		default:
		}
		inner := kernel || core.Parallel(exp)
		exp = core.MapBodies(exp, func(b *core.Body) *core.Body { return t.body(b, inner) })
		out.Stms = append(out.Stms, &core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux})
	}
	return out
}

// operators are those of accumulators, which kernels apply even where the host makes the accumulator.
func (t *tracer) operators(e *core.WithAcc) core.Exp {
	out := *e
	out.Inputs = slices.Clone(e.Inputs)
	for i, in := range e.Inputs {
		if in.Op != nil {
			op := *in.Op
			op.Body = t.body(op.Body, inKernel)
			out.Inputs[i].Op = &op
		}
	}
	return &out
}
