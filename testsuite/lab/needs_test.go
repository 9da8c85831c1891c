package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "write the table of needs")

// operation is something that a kernel may need beside loads, stores, arithmetic and loops: how a body writes it, and
// what middle/imp calls it; none, where it has nothing of the kind.
type operation struct {
	name string
	text *regexp.Regexp
	imp  []string
}

var operations = []operation{
	{"16 bytes at once", regexp.MustCompile(`\bvec4<[a-z0-9]+>$`), []string{"LoadVec", "StoreVec"}},
	{"one word of a vector", regexp.MustCompile(`\]\.[xyzw] =`), nil},
	{"barrier", regexp.MustCompile(`workgroupBarrier|workgroupUniformLoad`), []string{"Barrier"}},
	{"uniform load", regexp.MustCompile(`workgroupUniformLoad`), nil},
	{"subgroup sum", regexp.MustCompile(`subgroupAdd\(`), []string{"SubgroupAdd"}},
	{"subgroup maximum", regexp.MustCompile(`subgroupMax\(`), []string{"SubgroupMax"}},
	{"subgroup sums before", regexp.MustCompile(`subgroup(In|Ex)clusiveAdd\(`), []string{"SubgroupScanAdd"}},
	{"shuffle", regexp.MustCompile(`subgroupShuffle\(|subgroupBroadcastFirst\(`), []string{"Shuffle"}},
	{"shuffle up", regexp.MustCompile(`subgroupShuffleUp\(`), []string{"ShuffleUp"}},
	{"shuffle down", regexp.MustCompile(`subgroupShuffleDown\(`), []string{"ShuffleDown"}},
	{"shuffle xor", regexp.MustCompile(`subgroupShuffleXor\(`), []string{"ShuffleXor"}},
	{"ballot", regexp.MustCompile(`subgroupBallot\(`), nil},
	{"vote", regexp.MustCompile(`subgroup(All|Any)\(`), nil},
	{"atomic addition", regexp.MustCompile(`atomic(Add|Sub)\(`), []string{"AtomicAdd"}},
	{"atomic minimum, maximum", regexp.MustCompile(`atomic(Min|Max)\(`), []string{"AtomicMin", "AtomicMax"}},
	{"atomic load, store", regexp.MustCompile(`atomic(Load|Store)\(`), []string{"AtomicAccess"}},
	{"compare and exchange", regexp.MustCompile(`atomicCompareExchangeWeak\(`), []string{"AtomicUpdate"}},
	{"bits counted, found", regexp.MustCompile(`countOneBits\(|first(Trailing|Leading)Bit\(`), []string{"CallFunc"}},
	{"fused multiply-add", regexp.MustCompile(`\bfma\(`), []string{"CallFunc"}},
	{"halves in a word", regexp.MustCompile(`half_(low|high|pair)\(`), []string{"Conv"}},
	{"over 48 KiB", regexp.MustCompile(`^over 48 KiB$`), nil},
	{"bound on registers", regexp.MustCompile(`^bound on registers$`), nil},
}

// needs are the operations of a kernel.
func needs(s *Source) map[string]bool {
	texts := append([]string{s.Body, s.Raw.WGSL}, s.Buffers...)
	for _, f := range s.Funcs {
		texts = append(texts, f.Body)
	}
	if s.sharedBytes() > staticShared {
		texts = append(texts, "over 48 KiB")
	}
	if s.Resident > 0 {
		texts = append(texts, "bound on registers")
	}
	found := map[string]bool{}
	for _, o := range operations {
		found[o.name] = slices.ContainsFunc(texts, o.text.MatchString)
	}
	return found
}

// needsCSV says for each shape what its kernels need, and what middle/imp calls it.
func needsCSV() string {
	byShape := map[string]map[string]bool{}
	for _, c := range cases(testSizes, families) {
		shape, _, _ := strings.Cut(c.Name, "/")
		if byShape[shape] == nil {
			byShape[shape] = map[string]bool{}
		}
		p, _ := c.Plan(&cudaFacts)
		if p == nil {
			continue
		}
		for _, k := range p.Kernels {
			for name, needed := range needs(k) {
				byShape[shape][name] = byShape[shape][name] || needed
			}
		}
	}
	var b strings.Builder
	b.WriteString("shape,operation,in_imp\n")
	for _, shape := range slices.Sorted(maps.Keys(byShape)) {
		for _, o := range operations {
			if byShape[shape][o.name] {
				fmt.Fprintf(&b, "%s,%q,%s\n", shape, o.name, strings.Join(o.imp, " "))
			}
		}
	}
	return b.String()
}

func TestTheTableOfNeedsIsCurrent(t *testing.T) {
	const path = "../../benchmarks/lab-needs.csv"
	want := needsCSV()
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is not what the kernels' texts say (%v); go -C testsuite/lab test -update writes it", path, err)
	}
}

// The lab does not import the low-level program: the names are looked up in its source.
func TestOperationsHaveTheNamesOfTheLowLevelProgram(t *testing.T) {
	files, err := filepath.Glob("../../middle/imp/*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					declared[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						declared[n.Name] = true
					}
				}
			}
		}
	}
	for _, o := range operations {
		for _, name := range o.imp {
			if !declared[name] {
				t.Errorf("%s: middle/imp declares no %s", o.name, name)
			}
		}
	}
}
