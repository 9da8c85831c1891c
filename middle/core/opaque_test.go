package core_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/derive"
	"skald/middle/pass"
	"skald/middle/passtest"
	"skald/middle/pipeline"
)

// rewriting are the passes before flattening: their rules match what they rewrite, and carry all else along. Derivatives are translated.
func rewriting() []pipeline.Step {
	return slices.DeleteFunc(slices.Clone(pipeline.Front), func(s pipeline.Step) bool { return s.Name == derive.Pass.Name })
}

// everywhere applies f to the expressions of a program, bodies first.
func everywhere(p *core.Prog, f func(core.Exp) core.Exp) *core.Prog {
	var body func(b *core.Body) *core.Body
	body = func(b *core.Body) *core.Body {
		out := &core.Body{Res: b.Res}
		for _, s := range b.Stms {
			out.Stms = append(out.Stms, &core.Stm{Dst: s.Dst, Exp: f(core.MapBodies(s.Exp, body)), Aux: s.Aux})
		}
		return out
	}
	fun := func(g *core.Fun) *core.Fun {
		out := *g
		out.Body = body(g.Body)
		return &out
	}
	out := *p
	out.Funs = nil
	for _, g := range p.Funs {
		out.Funs = append(out.Funs, fun(g))
	}
	if p.Consts != nil {
		out.Consts = fun(p.Consts)
	}
	return &out
}

func kind(e core.Exp) string { return reflect.TypeOf(e).Elem().Name() }

// kinds lists the kinds of nodes of a program that passes may not know. Functions are known by the calls of them.
func kinds(p *core.Prog) []string {
	var names []string
	everywhere(p, func(e core.Exp) core.Exp {
		if name := kind(e); name != "Call" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		return e
	})
	return names
}

func hide(p *core.Prog, name string) *core.Prog {
	return everywhere(p, func(e core.Exp) core.Exp {
		if kind(e) == name {
			return &core.Opaque{Exp: e}
		}
		return e
	})
}

// reveal is the inverse of hide; effects counts the hidden nodes that do more than give results.
func reveal(p *core.Prog) (revealed *core.Prog, effects int) {
	revealed = everywhere(p, func(e core.Exp) core.Exp {
		o, ok := e.(*core.Opaque)
		if !ok {
			return e
		}
		if core.MayFail(o.Exp) || len(core.Consumes(o.Exp)) > 0 {
			effects++
		}
		return o.Exp
	})
	return revealed, effects
}

// A node that no pass has heard of goes through all that rewrite core: it is carried along, not copied, and results stay the same, so that
// it has not been dropped or moved over a write. Each node in turn is hidden in each program that golden tests have.
func TestPassesCarryAlongNodesThatTheyDoNotKnow(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	tried := map[string]bool{}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(ar.Files) == 0 || !strings.HasPrefix(string(ar.Files[0].Data), "stage soacs") {
			continue
		}
		prog, err := core.Parse(string(ar.Files[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		if len(prog.Entries) == 0 {
			prog.Entries = []core.Entry{{Name: "main", Fun: "main"}}
		}
		for _, name := range kinds(prog) {
			tried[name] = true
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { carriedAlong(t, prog, name, ar) })
		}
	}
	for _, name := range []string{"Update", "WithAcc", "UpdateAcc", "Hist", "Screma", "Assert", "Loop", "Index", "Copy"} {
		if !tried[name] {
			t.Errorf("no program has a %s", name)
		}
	}
}

func carriedAlong(t *testing.T, prog *core.Prog, name string, ar *txtar.Archive) {
	p := hide(prog, name)
	_, before := reveal(p)
	for _, step := range rewriting() {
		out, d := pipeline.Run(&pass.Context{DumpDir: t.TempDir(), Check: true}, []pipeline.Step{step}, p, "")
		if d != nil {
			t.Fatalf("%s: %s", step.Name, d.Message)
		}
		p = out
		revealed, effects := reveal(p)
		if err := core.Verify(revealed); err != nil {
			t.Fatalf("%s: %v", step.Name, err)
		}
		// A map that updates with concatenated arrays becomes one for each of these, and a loop with #[unroll] its iterations. Certificates
		// do not leave the first map of a flat one.
		twice := name == "UpdateAcc" || name == "Assert" && slices.Contains(kinds(prog), "FlatMap") ||
			strings.Contains(core.Print(prog), "#[unroll]")
		if len(prog.Funs) == 1 && effects > before && !twice {
			t.Errorf("%s makes %d of %d", step.Name, effects, before)
		}
		for _, f := range ar.Files {
			if strings.HasPrefix(f.Name, "call main") {
				passtest.SameResults(t, prog, revealed, "main", string(f.Data))
			}
		}
	}
}
