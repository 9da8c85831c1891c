package wgsl_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"skald/backends/wgsl"
	"skald/middle/goldentest"
	"skald/middle/imp"
	"skald/middle/imp/imptest"
	"skald/runtime/prim"
)

var native = wgsl.Options{I64: true, F64: true, F16: true, Atomic64: true}

// TestGolden shows what becomes of kernels in both dialects, without the text of
// the support library, which has tests of its own. Devices run such kernels in
// testsuite/lowering.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.imp")
	if err != nil || len(paths) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, path := range paths {
		for name, o := range map[string]wgsl.Options{"portable": {}, "native": native} {
			var got strings.Builder
			for _, k := range imptest.KernelsOf(t, path) {
				c, err := wgsl.Print(k, o)
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(own(c.Source))
			}
			golden := strings.TrimSuffix(path, ".imp") + "." + name + ".wgsl"
			goldentest.File(t, golden, got.String())
		}
	}
}

// own drops the declarations of the support library from a module.
func own(source string) string {
	var out []string
	skip := false
	for _, line := range strings.SplitAfter(source, "\n") {
		start := strings.HasPrefix(line, "fn ") || strings.HasPrefix(line, "alias ") || strings.HasPrefix(line, "const ") ||
			strings.HasPrefix(line, "struct ")
		if start {
			name := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '(' || r == ':' })[1]
			skip = !printed[strings.SplitN(name, "_", 2)[0]] && name != "Params"
		}
		if !skip {
			out = append(out, line)
		}
		if skip && (strings.HasPrefix(line, "}") || start && strings.ContainsAny(line, "};")) {
			skip = false
		}
	}
	return strings.Join(out, "")
}

// printed are the first words of the names of functions that the printer makes.
var printed = map[string]bool{
	"main": true, "half": true, "quarter": true,
	"load": true, "store": true, "own": true, "atomic": true, "claim": true, "note": true, "sign": true, "words": true,
}

// Chains of branches are cut in pieces behind each other, of which drivers take so many.
func TestChainsOfBranchesHaveALimit(t *testing.T) {
	for n, want := range map[int]string{2048: "", 2049: "a chain of more than 2048 branches"} {
		var b strings.Builder
		b.WriteString("kernel k(write @ys_0: i32) group 32 {\n")
		for i := range n {
			fmt.Fprintf(&b, "if lt.idx(thread_id, %d:idx) {\n@ys_0[thread_id] = %d:i32\n} else {\n", i, i)
		}
		b.WriteString(strings.Repeat("}\n", n+1))
		p, err := imp.Parse(b.String())
		if err != nil {
			t.Fatal(err)
		}
		switch _, err := wgsl.Print(p.Kernels[0], native); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%d branches: %v, want %q", n, err, want)
		}
	}
}

func TestTooManyBuffersIsALimit(t *testing.T) {
	k := &imp.Kernel{Name: "k", GroupSize: 1, Vars: make([]imp.VarDecl, 1)}
	for range 9 {
		k.Mems = append(k.Mems, imp.MemDecl{Name: "a", Elem: prim.I32})
	}
	if _, err := wgsl.Print(k, wgsl.Options{}); err == nil || !strings.Contains(err.Error(), "needs 9 buffers") {
		t.Error(err)
	}
}

func TestAtomicUpdateOfTwoWordsIsALimit(t *testing.T) {
	p, err := imp.Parse("kernel k(atomic @a_0: i64) group 1 {\n update x_1: i64 = @a_0[0:idx] {\n } new x_1\n}")
	if err != nil {
		t.Fatal(err)
	}
	_, err = wgsl.Print(p.Kernels[0], wgsl.Options{})
	if err == nil || !strings.Contains(err.Error(), "atomic update of i64") {
		t.Error(err)
	}
	if _, err := wgsl.Print(p.Kernels[0], native); err != nil {
		t.Error(err)
	}
}

// Of whatever type the elements of an array are, wherever it lies and however it is accessed, it holds no bools: see Note [Bools in
// workgroup memory].
func TestNoArrayHoldsBools(t *testing.T) {
	accesses := map[string]string{
		"element":  "@a_0[local_id] = @a_0[add.idx(local_id, 1:idx)]",
		"vector":   "loadvec x_1: TYPE, y_2: TYPE = @a_0[0:idx]\n storevec @a_0[2:idx] = x_1, y_2",
		"exchange": "atomic x_1: TYPE = exchange @a_0[0:idx] @a_0[1:idx]",
	}
	for _, elem := range prim.AllTypes() {
		for name, access := range accesses {
			for _, space := range []string{"shared", "private"} {
				if space == "private" && name == "exchange" {
					continue
				}
				text := "kernel k() group 4 {\n " + space + " @a_0: TYPE[8]\n " + access + "\n}"
				p, err := imp.Parse(strings.ReplaceAll(text, "TYPE", elem.String()))
				if err != nil {
					t.Fatal(err)
				}
				for dialect, o := range map[string]wgsl.Options{"portable": {}, "native": native} {
					c, err := wgsl.Print(p.Kernels[0], o)
					if err != nil {
						if elem != prim.Bool {
							continue // the atomic operation is a limit of the device
						}
						t.Fatal(err)
					}
					if strings.Contains(c.Source, "array<bool") || strings.Contains(c.Source, "<bool>") {
						t.Errorf("%s array of %s, %s, %s:\n%s", space, elem, name, dialect, c.Source)
					}
				}
			}
		}
	}
}
