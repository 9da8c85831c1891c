// Package checktest makes long programs on which the checker and the language server are tested and measured.
package checktest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Many is how many functions make 5,000 lines.
const Many = 1000

// Functions is a program of n functions of five lines, each of which calls the one before.
func Functions(n int) string {
	var text strings.Builder
	text.WriteString("def f0 (x: i32) = x\n")
	for i := range n {
		fmt.Fprintf(&text, "\n-- | Function %d.\ndef f%d (x: i32) =\n", i, i+1)
		fmt.Fprintf(&text, "  let ys = map (+ f%d x) [x, %d]\n  in ys[0] + reduce (+) 0 ys\n", i, i)
	}
	return text.String()
}

// Module is the same in one module.
func Module(n int) string { return "module m = {\n" + Functions(n) + "}\n" }

// topLevel begins what is not possible in a module.
var topLevel = regexp.MustCompile(`(?m)^entry `)

// wrong is what test blocks of programs say that are wrong on purpose.
var wrong = regexp.MustCompile(`(?m)^-- +error:|error: `)

// Programs puts the programs below a folder one behind the other, each in a module of its own, until there are 5,000 lines. Those that
// are wrong on purpose, or import files, are left out.
func Programs(folder string) (string, error) {
	var text strings.Builder
	n := 0
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".fut" || n >= 5000 {
			return err
		}
		one, err := os.ReadFile(path)
		if err != nil || wrong.Match(one) || strings.Contains(string(one), "import") {
			return err
		}
		fmt.Fprintf(&text, "module p%d = {\n%s\n}\n", n, topLevel.ReplaceAllString(string(one), "def "))
		n += strings.Count(string(one), "\n") + 3
		return nil
	})
	return text.String(), err
}
