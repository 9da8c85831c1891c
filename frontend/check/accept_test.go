package check_test

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

var statedType = regexp.MustCompile(`(?m)^--: (\S+) : (.*)$`)

func archive(t *testing.T, name string) []txtar.File {
	t.Helper()
	files := archiveFiles("testdata/" + name)
	if len(files) == 0 {
		t.Fatalf("%s has no programs", name)
	}
	return files
}

// archiveFiles is the programs in an archive, or nothing if it cannot be read.
func archiveFiles(path string) []txtar.File {
	a, err := txtar.ParseFile(path)
	if err != nil {
		return nil
	}
	return a.Files
}

func TestDefinitionsGetTheStatedTypes(t *testing.T) {
	for _, f := range archive(t, "types.txtar") {
		t.Run(f.Name, func(t *testing.T) {
			var sink diag.Sink
			prog, ok := check.Check(check.Files{"a.fut": string(f.Data)}, "a.fut", &sink, check.Options{})
			if !ok {
				for _, d := range sink.All() {
					t.Error(d.Error())
				}
				return
			}
			if err := types.Verify(prog); err != nil {
				t.Error(err)
			}
			found := map[string]string{}
			for _, d := range prog.Defs {
				if d.Sym.At.File.Name() == "a.fut" {
					found[d.Sym.Name] = types.RetType{Ext: valueExt(d), Type: d.Sym.Type}.String()
				}
			}
			for _, m := range statedType.FindAllStringSubmatch(string(f.Data), -1) {
				if got := found[m[1]]; got != m[2] {
					t.Errorf("%s : %s, want %s", m[1], got, m[2])
				}
			}
		})
	}
}

// valueExt is the sizes that the type of a value leaves open.
func valueExt(d *types.Def) []*types.Symbol {
	if len(d.Params) == 0 {
		return d.Ret.Ext
	}
	return nil
}

func TestBrokenDeclarationsSilenceTheirUsers(t *testing.T) {
	var sink diag.Sink
	text := "def f (x: i32) = x + true\ndef g = f 1\ndef h = g + 1\ndef k = unknown\n"
	_, ok := check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	if ok || sink.Errors() != 2 {
		var all []string
		for _, d := range sink.All() {
			all = append(all, d.Error())
		}
		t.Errorf("want two errors, got %d:\n%s", sink.Errors(), strings.Join(all, "\n"))
	}
}
