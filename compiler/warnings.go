package compiler

import (
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/flatten"
)

var (
	codeSafety = diag.Declare(diag.Code{
		ID: "safety-check", Severity: diag.Warning,
		Doc: "A check that may fail is left in an expression with the attribute #[warn(safety_checks)], after all that the compiler " +
			"could prove.",
	})
	codeUnroll = diag.Declare(diag.Code{
		ID: "cannot-unroll", Severity: diag.Warning,
		Doc: "A loop has the attribute #[unroll], but its number of rounds is not known when it is compiled, or its rounds come to more code " +
			"than is unrolled.",
	})
	codeHostLoop = diag.Declare(diag.Code{
		ID: "host-loop", Severity: diag.Remark,
		Doc: "A map, reduction, scan or histogram runs as a loop on the host, one element after the other, because no kernel can be made " +
			"of it. The message says why. What is inside may still be parallel.",
	})
	codeFewThreads = diag.Declare(diag.Code{
		ID: "few-threads", Severity: diag.Remark,
		Doc: "A reduction, scan, histogram or accumulator runs in few threads of the device, because its operator combines arrays " +
			"otherwise than element by element, or makes large ones. The message says in how many.",
	})
)

var codeSeqFactor = diag.Declare(diag.Code{
	ID: "unused-seq-factor", Severity: diag.Warning,
	Doc: "The attribute #[seq_factor(q)] is on something that no workgroup runs, or q is no number of elements that a thread could take: " +
		"from 1 to 65,535. It is for maps that hold parallel operations; with #[flattening(only_intra)] beside it a workgroup runs each point.",
})

var codeLostTrace = diag.Declare(diag.Code{
	ID: "lost-trace", Severity: diag.Remark,
	Doc: "An expression with the attribute #[trace] is in a function that is given to a parallel operation. Nothing prints from a kernel, " +
		"so a compiled program does not print it; `skald run` does.",
})

// Warnings tells what attributes asked to be told of the compiled program: safety checks that are left where
// #[warn(safety_checks)] is, and loops with #[unroll] that cannot be unrolled. It notes, unasked, what runs as a loop on the host or in
// few threads, and traces that nothing prints. The program is looked at as it is for the usual device.
func (p *Program) Warnings() []*diag.Diagnostic {
	ir, d := p.forDevice(p.opts.model())
	if d != nil {
		return nil // It is a limit of that device: see Refusals.
	}
	w := &warnings{told: map[string]bool{}}
	if front, err := p.ir(); err == nil {
		for _, s := range flatten.LostTraces(front) {
			w.tell(codeLostTrace, &core.Site{Loc: s.Aux.Where.Place()}, "This is traced in a kernel, from which nothing prints")
		}
	}
	for _, f := range ir.Funs {
		w.body(f.Body, passOverChecks)
		if p.opts.model().Lowering.Tasks == 0 { // Processors have no workgroups to share work in.
			w.seqFactors(f)
		}
	}
	if ir.Consts != nil {
		w.body(ir.Consts.Body, passOverChecks)
	}
	return w.list
}

// warnings is a search for what to warn of. Passes copy code, so each message is given once.
type warnings struct {
	list []*diag.Diagnostic
	told map[string]bool
}

// An argument of body: whether #[warn(safety_checks)] holds.
const passOverChecks = false

// body looks at the statements of b; safety says that an attribute around it asks for its checks.
func (w *warnings) body(b *core.Body, safety bool) {
	for _, s := range b.Stms {
		within := safety
		for _, a := range s.Aux.Attrs {
			within = within || a == "warn(safety_checks)"
			if l, ok := s.Exp.(*core.Loop); ok && a == "unroll" {
				w.unroll(s, l)
			}
			if reason, ok := strings.CutPrefix(string(a), flatten.HostLoop); ok {
				w.hostLoop(s, strings.TrimSuffix(reason, ")"))
			}
			if reason, ok := strings.CutPrefix(string(a), flatten.FewThreads); ok {
				w.tell(codeFewThreads, &core.Site{Loc: s.Aux.Where.Place()}, "This runs in "+strings.TrimSuffix(reason, ")"))
			}
		}
		if _, ok := s.Exp.(*core.Assert); ok && within {
			w.tell(codeSafety, s.Aux.Where, "Safety check required")
		}
		core.MapBodies(s.Exp, func(inner *core.Body) *core.Body { w.body(inner, within); return inner })
	}
}

// unroll warns of a loop with #[unroll] that is still there.
func (w *warnings) unroll(s *core.Stm, l *core.Loop) {
	if l.IsFor() && l.Bound.IsConst() {
		w.tell(codeUnroll, s.Aux.Where, "#[unroll] on a loop whose iterations come to too much code")
	} else {
		w.tell(codeUnroll, s.Aux.Where, "#[unroll] on a loop with unknown number of iterations")
	}
}

// seqFactors warns of a function that asks for elements of a thread (core.Attr.SeqFactor) where no workgroup runs a map's body.
func (w *warnings) seqFactors(f *core.Fun) {
	asks := map[core.Attr]*core.Site{}
	var order []core.Attr
	core.Walk(f.Body, func(s *core.Stm) bool {
		m, isMap := s.Exp.(*core.SegMap)
		for _, a := range s.Aux.Attrs {
			if !strings.HasPrefix(string(a), core.SeqFactorName) {
				continue
			}
			if _, told := asks[a]; !told {
				asks[a] = &core.Site{Loc: s.Aux.Where.Place()}
				order = append(order, a)
			}
			if _, ok := a.SeqFactor(); ok && isMap && m.Level == core.LevelGroup {
				asks[a] = nil
			}
		}
		return true
	})
	for _, a := range order {
		if at := asks[a]; at != nil {
			w.tell(codeSeqFactor, at, "No workgroup runs what #["+string(a)+"] is on")
		}
	}
}

// tell adds a warning about a place, of which core IR knows the text alone.
func (w *warnings) tell(code *diag.Code, at *core.Site, message string) {
	if at != nil {
		message += " at " + at.Loc
	}
	if !w.told[message] {
		w.told[message] = true
		w.list = append(w.list, diag.New(code, source.Span{}, "%s.", message))
	}
}

// hostLoop notes a loop on the host that was a SOAC.
func (w *warnings) hostLoop(s *core.Stm, reason string) {
	if _, ok := s.Exp.(*core.Loop); ok {
		w.tell(codeHostLoop, &core.Site{Loc: s.Aux.Where.Place()}, "This runs as a loop on the host, not in parallel: "+reason)
	}
}
