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
// A structure says how often constructs occur in a program after the compiler's passes. The names of constructs are those of core
// IR's expressions (middle/core), and the field's usual ones where these differ. "SegMap/Screma" is a Screma directly in a
// SegMap; "/Screma" is one that is in nothing but the function. What is in a branch is in "If/True" or "If/False", in a case of a switch in
// "Match" and its number, or "default"; a loop has a "ForLoop" or a "WhileLoop" in it. Constructs that Futhark has and skald has not occur
// nowhere (absent). What is counted depends on the name of the pipeline:
// "internalised" is core IR as it begins, none is after the last fusion, "gpu" is with kernels, "gpu-mem" with memory. Pipelines that
// skald does not have are skipped.
//
// In Futhark a copy is a Replicate of no dimensions, so a Copy counts as either; and Replicate and Iota remain with kernels, where here
// they are SegMaps of that body (construct).
//
// What a GPUBody computes for the host is read by an Index in Futhark, whose kernels return arrays, and is a scalar here that the host
// reads: such a scalar counts as an Index beside its GPUBody, in the same pipelines.

// pipelineEnds says after which pass a pipeline's constructs are counted.
var pipelineEnds = map[string]string{
	"internalised": "internalise", "": "fuse-posts", "gpu": "migrate", "gpu-mem": "simplify-memory",
}

// constructs are the names that a structure may use.
var constructs = []string{
	"Alloc", "ArrayLit", "Assert", "Bin", "Call", "CallFunc", "Cmp", "Concat", "Conv", "Copy", "Fact", "False", "ForLoop", "GPUBody", "Hist",
	"If", "Index", "Iota",
	"Loop", "Rearrange", "Replicate", "Reshape", "Scratch", "Screma", "SegHist", "SegMap", "SegRed", "SegScan", "Switch", "True", "Tune", "Un",
	"Update", "UpdateAcc", "Use", "WhileLoop", "WithAcc", "default",
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
	for _, c := range s.Counts {
		n, err := occurrences(paths, c.Construct)
		switch {
		case err != nil:
			r.Status, r.Reason = Fail, err.Error()
		case n != c.N:
			r.Status, r.Reason = Fail, fmt.Sprintf("%s occurs %d times, not %d", c.Construct, n, c.N)
		default:
			continue
		}
		return r
	}
	return r
}

// pathsIn lists all statements of a program, each as the constructs that it is in and its own, from the outside.
func pathsIn(p *core.Prog) [][]string {
	var paths [][]string
	var reads *core.VarSet
	var walk func(b *core.Body, outer []string)
	within := func(outer []string, name string) []string {
		path := append(outer[:len(outer):len(outer)], name)
		paths = append(paths, path)
		return path
	}
	walk = func(b *core.Body, outer []string) {
		for _, s := range b.Stms {
			path := within(outer, construct(s.Exp))
			if construct(s.Exp) == gpuBody {
				for _, p := range s.Dst {
					if p.Type.IsScalar() && reads.Has(p.Var) {
						within(outer, "Index")
					}
				}
			}
			parts := bodyNames(s.Exp)
			if l, ok := s.Exp.(*core.Loop); ok && l.IsFor() {
				within(path, "ForLoop")
			} else if ok {
				within(path, "WhileLoop")
			}
			core.MapBodies(s.Exp, func(inner *core.Body) *core.Body {
				if len(parts) > 0 {
					walk(inner, within(path, parts[0]))
					parts = parts[1:]
				} else {
					walk(inner, path)
				}
				return inner
			})
		}
	}
	for _, f := range p.Funs {
		reads = readByHost(f.Body)
		walk(f.Body, nil)
	}
	if p.Consts != nil {
		reads = readByHost(p.Consts.Body)
		walk(p.Consts.Body, nil)
	}
	return paths
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

// bodyNames are the names of what is in each branch; there are none for other constructs.
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
	default:
		return nil
	}
}

// gpuBody is a kernel of one thread; a copy is a replicate once.
const (
	gpuBody   = "GPUBody"
	replicate = "Replicate"
)

// construct is the name of a construct. A SegMap over no dimensions is a GPUBody; one that assigns each point the same value, or its
// index, is the kernel of a Replicate or an Iota.
func construct(e core.Exp) string {
	if m, ok := e.(*core.SegMap); ok {
		switch {
		case len(m.Space.Sizes) == 0:
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
		if slices.EqualFunc(path[from:], want, func(is, name string) bool { return is == name || is == "Copy" && name == replicate }) {
			n++
		}
	}
	return n, nil
}
