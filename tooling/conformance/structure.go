package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"skald/compiler"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/tooling/spec"
)

// Note [Structures]
//
// A structure says how often constructs occur in a program after the compiler's passes. The names of constructs are those of core IR's
// expressions (middle/core), and the field's usual ones where these differ. "SegMap/Screma" is a Screma directly in a SegMap; "/Screma"
// is one that is in nothing but the function. What is in a branch is in "If/True" or "If/False", in a case of a switch in "Match" and its
// number, or "default", an operator of a segmented reduction or scan in "SegBinOp"; a loop has a "ForLoop" or a "WhileLoop" in it.
// Constructs that Futhark has and skald has not occur nowhere (absent). What is counted depends on the name of the pipeline:
// "internalised" is core IR as it begins, none is after the last fusion, "gpu" is with kernels, "gpu-mem" with memory. Pipelines that
// skald does not have are skipped.
//
// Where the attribute only_intra asks for the version of a map inside a workgroup, that version counts, and not the one beside it, which
// runs where a workgroup has no room for its arrays: Futhark has none there.
//
// An update of an element by a number of the device is here a kernel of one thread that updates an accumulator: it counts as the Update
// that it is, beside a GPUBody of what else the kernel computes.
//
// The branch that finds out whether a version runs, by a threshold or costs, does not count: in Futhark that is one comparison.
//
// In Futhark a copy is a Replicate of no dimensions, so a Copy counts as either; an Apply calls a function of the program or a built-in one
// (CallFunc); and Replicate and Iota remain with kernels, where here they are SegMaps of that body (construct).
//
// What a GPUBody computes for the host is read by an Index in Futhark, whose kernels return arrays, and is a scalar here that the host
// reads: such a scalar counts as an Index beside its GPUBody, in the same pipelines. An array of one number that a GPUBody makes is a
// literal here, and does not count, as Futhark's is what each GPUBody returns.

// pipelineEnds says after which pass a pipeline's constructs are counted.
var pipelineEnds = map[string]string{
	"internalised": "internalise", "": "fuse-posts", "gpu": "migrate", "gpu-mem": "simplify-memory",
}

// constructs are the names that a structure may use.
var constructs = []string{
	"Alloc", "ArrayLit", "Assert", "Bin", "Call", "CallFunc", "Cmp", "Concat", "Conv", "Copy", "Fact", "False", "ForLoop", "GPUBody", "Hist",
	"If", "Index", "Iota",
	"Loop", "Rearrange", "Replicate", "Reshape", "Scratch", "Screma", "SegBinOp", "SegHist", "SegMap", "SegRed", "SegScan", "Switch", "True",
	"Tune", "Un", "Update", "UpdateAcc", "Use", "WhileLoop", "WithAcc", "default",
}

// absent are the names of constructs of Futhark's, of today or before, that core IR has nothing for: views are slices of any stride,
// accumulators have no parts, `opaque` leaves nothing, and no function is called to make segments.
var absent = []string{
	"EnsureDirect", "FlatIndex", "FlatUpdate", "Map", "Negate", "Opaque", "Redomap", "Reduce", "Scan", "Scanomap", "SplitAcc", "Stream",
	"repiota", "segiota",
}

// otherNames are names that Futhark's own intermediate language has for the same.
var otherNames = map[string]string{
	"Apply": "Call", "BinOp": "Bin", "CmpOp": "Cmp", "ConvOp": "Conv", "DoLoop": "Loop", "Match": "Switch", "Manifest": "Copy",
	"UnOp": "Un",
}

// structures counts what the program's test block is about.
func (t *tester) structures(prog *types.Prog) {
	for i := range t.spec.Structures {
		t.add(structure(prog, &t.spec.Structures[i]))
	}
}

func structure(prog *types.Prog, s *spec.Structure) Result {
	r := Result{Kind: Shaped, Case: s.Pipeline}
	end, ok := pipelineEnds[s.Pipeline]
	if !ok {
		r.Status, r.Reason = Skip, "there is no pipeline "+s.Pipeline
		return r
	}
	ir, d := compiler.Core(prog, end, compiler.CompileOptions{})
	if d != nil {
		r.Status, r.Reason = Fail, d.Error()
		return r
	}
	paths := pathsIn(ir)
	var others []string
	for _, c := range s.Counts {
		n, err := occurrences(paths, c.Construct)
		if err != nil {
			others = append(others, err.Error())
		} else if n != c.N {
			others = append(others, fmt.Sprintf("%s occurs %d times, not %d", c.Construct, n, c.N))
		}
	}
	if len(others) > 0 {
		r.Status, r.Reason = Fail, strings.Join(others, "; ")
	}
	return r
}

// pathsIn lists all statements of a program, each as the constructs that it is in and its own, from the outside.
func pathsIn(p *core.Prog) [][]string {
	l := &paths{}
	for _, f := range p.Funs {
		l.reads = readByHost(f.Body)
		l.body(f.Body, nil)
	}
	if p.Consts != nil {
		l.reads = readByHost(p.Consts.Body)
		l.body(p.Consts.Body, nil)
	}
	return l.list
}

// paths collects the paths of statements.
type paths struct {
	list  [][]string
	reads *core.VarSet // by the host, in the function at hand
}

// within adds the path of a construct in others.
func (l *paths) within(outer []string, name string) []string {
	path := append(outer[:len(outer):len(outer)], name)
	l.list = append(l.list, path)
	return path
}

func (l *paths) body(b *core.Body, outer []string) {
	for _, s := range b.Stms {
		inKernel := len(outer) > 0 && outer[len(outer)-1] == gpuBody
		if wanted := onlyInside(s); wanted != nil {
			l.body(wanted, outer)
		} else if kernel := updatesElements(s); kernel != nil {
			l.updates(kernel, outer)
		} else if !guard(s) && !(inKernel && literalOfOne(s.Exp)) {
			l.stm(s, outer)
		}
	}
}

func (l *paths) stm(s *core.Stm, outer []string) {
	path := l.within(outer, construct(s.Exp))
	if construct(s.Exp) == gpuBody {
		for _, p := range s.Dst {
			if p.Type.IsScalar() && l.reads.Has(p.Var) {
				l.within(outer, "Index")
			}
		}
	}
	if e, ok := s.Exp.(*core.Loop); ok && e.IsFor() {
		l.within(path, "ForLoop")
	} else if ok {
		l.within(path, "WhileLoop")
	}
	parts := bodyNames(s.Exp)
	core.MapBodies(s.Exp, func(inner *core.Body) *core.Body {
		if len(parts) > 0 {
			l.body(inner, l.within(path, parts[0]))
			parts = parts[1:]
		} else {
			l.body(inner, path)
		}
		return inner
	})
}

// updates adds what a kernel of one thread that updates elements is in Futhark: the updates, and a kernel of what else it computes.
func (l *paths) updates(kernel *core.SegMap, outer []string) {
	computes := &core.Body{}
	for _, s := range kernel.Body.Stms {
		if _, update := s.Exp.(*core.UpdateAcc); update {
			l.within(outer, "Update")
		} else {
			computes.Stms = append(computes.Stms, s)
		}
	}
	if len(computes.Stms) > 0 {
		l.body(computes, l.within(outer, gpuBody))
	}
}

// onlyInside is the version inside a workgroup, where an attribute asks for that alone; nil for other statements.
func onlyInside(s *core.Stm) *core.Body {
	e, ok := s.Exp.(*core.If)
	if !ok || !slices.Contains(s.Aux.Attrs, core.Versions) || !slices.ContainsFunc(s.Aux.Attrs, func(a core.Attr) bool {
		return strings.HasSuffix(string(a), "flattening(only_intra)")
	}) {
		return nil
	}
	return e.Then
}

// updatesElements is the kernel of one thread by which a statement updates elements of arrays; nil for other statements.
func updatesElements(s *core.Stm) *core.SegMap {
	acc, ok := s.Exp.(*core.WithAcc)
	if !ok || len(acc.Lambda.Body.Stms) != 1 || slices.ContainsFunc(acc.Inputs, func(in core.AccInput) bool { return in.Op != nil }) {
		return nil
	}
	if m, ok := acc.Lambda.Body.Stms[0].Exp.(*core.SegMap); ok && construct(m) == gpuBody {
		return m
	}
	return nil
}

// literalOfOne reports whether an expression is a literal of one number.
func literalOfOne(e core.Exp) bool {
	lit, ok := e.(*core.ArrayLit)
	return ok && len(lit.Elems) == 1 && lit.Row.IsScalar()
}

// guard reports whether a statement computes whether a version runs, of thresholds and costs.
func guard(s *core.Stm) bool {
	if _, branch := s.Exp.(*core.If); !branch || len(s.Dst) == 0 || !s.Dst[0].Type.Same(core.BoolType) {
		return false
	}
	return s.Any(func(e core.Exp) bool {
		f, ok := e.(*core.Fact)
		return ok && f.Name == "threads"
	})
}

// readByHost are the variables that host code reads: those that are used outside of kernels.
func readByHost(b *core.Body) *core.VarSet {
	reads := &core.VarSet{}
	var walk func(b *core.Body) *core.Body
	walk = func(b *core.Body) *core.Body {
		for _, r := range b.Res {
			reads.Add(r.Var)
		}
		for _, s := range b.Stms {
			if _, kernel := s.Exp.(core.Seg); kernel {
				continue
			}
			shallow := core.MapBodies(s.Exp, func(inner *core.Body) *core.Body { walk(inner); return &core.Body{} })
			reads.AddAll(core.FreeInStm(&core.Stm{Dst: s.Dst, Exp: shallow, Aux: s.Aux}))
		}
		return b
	}
	walk(b)
	return reads
}

// bodyNames are the names of what is in each branch and in each operator, which come first; there are none for other bodies.
func bodyNames(e core.Exp) []string {
	switch e := core.Match(e).(type) {
	case *core.If:
		return []string{"True", "False"}
	case *core.Switch:
		var names []string
		for i := range e.Cases {
			names = append(names, strconv.Itoa(i))
		}
		return append(names, "default")
	case *core.SegRed:
		return slices.Repeat([]string{"SegBinOp"}, len(e.Ops))
	case *core.SegScan:
		return slices.Repeat([]string{"SegBinOp"}, len(e.Ops))
	default:
		return nil
	}
}

// gpuBody is a kernel of one thread; a copy is a replicate once.
const (
	gpuBody   = "GPUBody"
	replicate = "Replicate"
)

// construct is the name of a construct. A SegMap over one point is a GPUBody; one that assigns each point the same value, or its
// index, is the kernel of a Replicate or an Iota. A conversion between the signed and the unsigned type of a width is none: Futhark's
// intermediate types have no sign.
func construct(e core.Exp) string {
	if c, ok := e.(*core.Conv); ok && c.From.IsInt() && c.To.IsInt() && c.From.Bits() == c.To.Bits() {
		return "Reinterpret"
	}
	if m, ok := e.(*core.SegMap); ok {
		switch {
		case !slices.ContainsFunc(m.Space.Sizes, func(n core.Operand) bool { return n != core.Int(1) }):
			return gpuBody
		case len(m.Body.Stms) > 0 || len(m.Body.Res) != 1:
		case m.Body.Res[0].IsVar(m.Space.Ids[0]) && len(m.Space.Ids) == 1:
			return "Iota"
		case !slices.Contains(m.Space.Ids, m.Body.Res[0].Var) && m.Space.Sizes[0] != core.Int(1):
			return replicate
		}
	}
	return reflect.TypeOf(e).Elem().Name()
}

// occurrences counts the paths that end like a construct's, or are the same if that begins with a slash.
func occurrences(paths [][]string, construct string) (int, error) {
	whole, anchored := strings.CutPrefix(construct, "/")
	want := strings.Split(whole, "/")
	for i, name := range want {
		if other, ok := otherNames[name]; ok {
			want[i] = other
		}
		if _, err := strconv.Atoi(name); err != nil && !slices.Contains(constructs, want[i]) && !slices.Contains(absent, want[i]) {
			return 0, fmt.Errorf("no construct is called %q; there are %s", name, strings.Join(constructs, ", "))
		}
	}
	n := 0
	for _, path := range paths {
		from := len(path) - len(want)
		if from < 0 || anchored && from > 0 {
			continue
		}
		if slices.EqualFunc(path[from:], want, func(is, name string) bool {
			return is == name || is == "Copy" && name == replicate || is == "CallFunc" && name == "Call"
		}) {
			n++
		}
	}
	return n, nil
}
