package spec_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/tooling/script"
	"skald/tooling/spec"
)

// describe lists what a program's test blocks say, one thing a line.
func describe(p *spec.Program) string {
	var b strings.Builder
	if p.Tags != nil {
		fmt.Fprintf(&b, "tags %v\n", p.Tags)
	}
	if p.Rejected != nil {
		fmt.Fprintf(&b, "rejected %q\n", p.Rejected.Pattern)
	}
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "entry %s\n", g.Entry)
		for _, c := range g.Cases {
			fmt.Fprintf(&b, "  case %q %v %s\n", c.Name(), c.Tags, describeValues(c.Input))
			switch c.Want.Kind {
			case spec.WantAny:
			case spec.WantAuto:
				b.WriteString("    auto\n")
			case spec.WantValues:
				fmt.Fprintf(&b, "    returns %s\n", describeValues(c.Want.Values))
			case spec.WantError:
				fmt.Fprintf(&b, "    fails %q\n", c.Want.Error.Pattern)
			}
		}
	}
	for _, s := range p.Structures {
		fmt.Fprintf(&b, "structure %q %v\n", s.Pipeline, s.Counts)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "warning %q\n", w.Pattern)
	}
	if p.Properties != nil {
		fmt.Fprintf(&b, "properties %v\n", p.Properties)
	}
	return b.String()
}

func describeValues(v spec.Values) string {
	switch v.Kind {
	case spec.InText:
		return strings.Join(strings.Fields(v.Text), " ")
	case spec.InFile:
		return "file " + v.Path
	case spec.InRandom:
		return fmt.Sprintf("random %v", v.Random)
	case spec.InScript:
		return "script " + script.Format(v.Script)
	case spec.InScriptFile:
		return "script file " + v.Path
	default:
		panic("unknown kind of values")
	}
}

func TestBlocksParse(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no block": {"def main = 1\n", ""},
		"cases": {`-- Prose.
-- ==
-- tags { a no_cuda
--        b-c }
-- input { [1,2]
--   3i8 } output { 4 }
-- "named \"x\""
-- compiled nobench input @ data/a.in.gz
-- output @ data/a.out
-- input { "}" } error: Index \[4\].*
-- input { }
-- structure { Screma 1 SegMap/If 0 }
-- structure gpu-mem { Alloc 2 }
-- warning: unused.*

def x = 1
-- Not a block:
-- entry: foo

-- More prose.
-- ==
-- entry: f g
-- random input { [10][1_000]f32 10i64 -1.5f32 } auto output
-- script input { f {a = 1} "}" }
-- script input @ x.fut
`, `tags [a no_cuda b-c]
entry main
  case "#0 (\"[1i32, 2i32] 3i8\")" [] [1,2] 3i8
    returns 4
  case "named \"x\"" [compiled nobench] file data/a.in.gz
    returns file data/a.out
  case "#2 (\"[125u8]\")" [] "}"
    fails "Index \\[4\\].*"
  case "#3 (\"\")" [] 
entry f
  case "[10][1000]f32 10i64 -1.5f32" [random] random [[10][1000]f32 10i64 -1.5f32]
    auto
  case "f {a=1} \"}\"" [script] script f {a=1} "}"
  case "x.fut" [script] script file x.fut
entry g
  case "[10][1000]f32 10i64 -1.5f32" [random] random [[10][1000]f32 10i64 -1.5f32]
    auto
  case "f {a=1} \"}\"" [script] script f {a=1} "}"
  case "x.fut" [script] script file x.fut
structure "" [{Screma 1} {SegMap/If 0}]
structure "gpu-mem" [{Alloc 2}]
warning "unused.*"
`},
		"rejected":   {"-- ==\n-- error: Some  thing .*\n\ndef x = 1", "rejected \"Some  thing .*\"\n"},
		"any error":  {"-- ==\n-- tags { x }\n-- error:\ndef x = 1", "tags [x]\nrejected \"\"\n"},
		"properties": {"-- ==\n-- property: p q\n-- property: r\n\n-- ==\n-- property: s", "properties [p q r s]\n"},
		"empty":      {"-- ==\n", ""},
	} {
		var sink diag.Sink
		p := spec.Parse(source.NewFile("a.fut", c.text), &sink)
		if p == nil {
			t.Errorf("%s: %v", name, sink.All()[0])
		} else if d := cmp.Diff(c.want, describe(p)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestBadBlocksAreRejected parses pairs of a program NAME.fut and the error in
// its test block, NAME.out.
func TestBadBlocksAreRejected(t *testing.T) {
	data, err := os.ReadFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := txtar.Parse(data).Files
	for i := 0; i+1 < len(files); i += 2 {
		var sink diag.Sink
		p := spec.Parse(source.NewFile(files[i].Name, string(files[i].Data)), &sink)
		if p != nil || sink.Len() != 1 {
			t.Errorf("%s: got %v, %v", files[i].Name, p, sink.All())
			continue
		}
		if d := cmp.Diff(string(files[i+1].Data), sink.All()[0].Error()+"\n"); d != "" {
			t.Errorf("%s:\n%s", files[i].Name, d)
		}
	}
}

func TestPatternsTreatNewlinesAsCharacters(t *testing.T) {
	var sink diag.Sink
	p := spec.Parse(source.NewFile("a.fut", "-- ==\n-- error: one.*two\n"), &sink)
	if !p.Rejected.Matches("xx one\ntwo") || p.Rejected.Matches("two one") {
		t.Error("the pattern matches wrong")
	}
}

// TestPeerBlocksParse parses the test blocks of all programs under the folders
// tests and futhark-benchmarks of a Futhark checkout, named by SKALD_PEER.
func TestPeerBlocksParse(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	programs, rejected, cases := 0, 0, 0
	err := filepath.WalkDir(filepath.Join(root, "tests"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".fut") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var sink diag.Sink
		p := spec.Parse(source.NewFile(path, string(text)), &sink)
		if p == nil {
			t.Errorf("%v", sink.All()[0])
			return nil
		}
		programs++
		if p.Rejected != nil {
			rejected++
		}
		for _, g := range p.Groups {
			cases += len(g.Cases)
			for _, c := range g.Cases {
				if c.Input.Kind == spec.InText {
					if _, err := c.Input.Read(); err != nil {
						t.Errorf("%v: %v", c.Input.At, err)
					}
				}
				if c.Want.Kind == spec.WantValues && c.Want.Values.Kind == spec.InText {
					if _, err := c.Want.Values.Read(); err != nil {
						t.Errorf("%v: %v", c.Want.Values.At, err)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d programs, %d to be rejected, %d cases", programs, rejected, cases)
}

func FuzzParse(f *testing.F) {
	f.Add("-- ==\n-- tags { a }\n-- entry: f\n-- \"x\" random input { [1]i32 } auto output\n-- structure gpu { A 1 }\n")
	f.Add("-- ==\n-- error: x\n\n-- ==\n-- property: p\n-- script input { f 1 } error: y\n")
	f.Fuzz(func(t *testing.T, text string) {
		var sink diag.Sink
		if p := spec.Parse(source.NewFile("a.fut", text), &sink); (p == nil) != sink.HasErrors() {
			t.Fatalf("got %v, %v", p, sink.All())
		}
	})
}
