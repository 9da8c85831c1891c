package skald_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// takeBools are functions of others, for which a boolean argument is a value like any other or has its name from the function: flags,
// membership, atomic variables, options.
var takeBools = regexp.MustCompile(`^(Bool|BoolP|BoolVar|BoolVarP|Contains|CompareAndSwap|WithLinkableLineNumbers)$`)

// A call f(x, true) does not say what is true: there is a named constant or a struct of options instead.
func TestBooleanArgumentsHaveNames(t *testing.T) {
	list, err := exec.Command("git", "ls-files", "-z", "*.go").Output()
	if err != nil {
		t.Skipf("SKIPPED: the list of files: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // deleted and not committed yet
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 2 || takeBools.MatchString(calledName(call.Fun)) {
				return true
			}
			for _, arg := range call.Args {
				if id, ok := arg.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					t.Errorf("%v: an argument is %s: name it by a constant", files.Position(arg.Pos()), id.Name)
				}
			}
			return true
		})
	}
}

// calledName is the name of a function without its package or receiver.
func calledName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
