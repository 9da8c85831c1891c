package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/runtime/prim"
)

// classify gives the first construct outside the level in the file and what it imports, or "".
func classify(path string) string {
	c := &classifier{own: map[string]bool{}, seen: map[string]bool{}}
	c.load(path)
	for _, n := range c.nodes {
		c.node(n)
	}
	return c.reason
}

// classifier collects the nodes of all files of a program, then judges them.
type classifier struct {
	nodes []any
	// own are all names that the program binds anywhere. Scopes are not looked at: a program that binds a name itself is
	// taken to mean its own.
	own    map[string]bool
	seen   map[string]bool
	reason string
}

func (c *classifier) leave(reason string) {
	if c.reason == "" {
		c.reason = reason
	}
}

// load parses a file and what it imports.
func (c *classifier) load(path string) {
	if c.seen[path] {
		return
	}
	c.seen[path] = true
	text, err := os.ReadFile(path)
	if err != nil {
		c.leave("import of a file that is not there")
		return
	}
	var sink diag.Sink
	file := syntax.Parse(source.NewFile(path, string(text)), &sink)
	if sink.HasErrors() {
		c.leave("syntax")
		return
	}
	for _, im := range syntax.Imports(file) {
		if strings.HasPrefix(im.Path, "/") {
			c.leave("import of an absolute path")
			return
		}
		c.load(filepath.Join(filepath.Dir(path), im.Path+".fut"))
	}
	c.collect(reflect.ValueOf(file.Decs))
}

// collect lists the nodes below v, and the names that they bind. It goes by reflection, since it looks at every kind of node alike.
func (c *classifier) collect(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // what else a tree holds has no nodes in it
	case reflect.Interface:
		c.collect(v.Elem())
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		if _, ok := v.Interface().(*source.File); ok {
			return
		}
		c.nodes = append(c.nodes, v.Interface())
		c.bind(v.Interface())
		c.collect(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			c.collect(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.collect(v.Field(i))
			}
		}
	default:
	}
}

// bind notes the name that a node binds.
func (c *classifier) bind(node any) {
	switch n := node.(type) {
	case *syntax.ValDec:
		c.own[n.Name.Text] = true
	case *syntax.LetFun:
		c.own[n.Name.Text] = true
	case *syntax.PatName:
		c.own[n.Name.Text] = true
	case *syntax.TypeParam:
		c.own[n.Name.Text] = true
	case *syntax.For:
		c.own[n.Var.Text] = true
	case *syntax.TypeArrow:
		c.own[n.Param.Text] = true
	case *syntax.LetPat:
		for _, s := range n.Sizes {
			c.own[s.Text] = true
		}
	default:
	}
}

// node judges one node.
func (c *classifier) node(node any) {
	switch n := node.(type) {
	case *syntax.ValDec:
		c.recursion(n.Name.Text, n.Body)
	case *syntax.LetFun:
		c.recursion(n.Name.Text, n.Value)
	case *syntax.ModDec, *syntax.ModTypeDec, *syntax.OpenDec, *syntax.LocalDec, *syntax.OpenIn:
		c.leave("modules")
	case *syntax.TypeSum, *syntax.Constr, *syntax.PatConstr:
		c.leave("sum types")
	case *syntax.Match, *syntax.PatLit:
		c.leave("match")
	case *syntax.TypeExists:
		c.leave("existential sizes in types")
	case *syntax.Assert:
		c.leave("assert")
	case *syntax.Hole:
		c.leave("holes")
	case *syntax.Var:
		c.name(n.Name)
	case *syntax.BinOp:
		c.name(n.Op)
	case *syntax.Section:
		c.name(n.Op)
	case *syntax.LeftSection:
		c.name(n.Op)
	case *syntax.RightSection:
		c.name(n.Op)
	default:
	}
}

// recursion leaves out functions that mention their own names; not where a local variable has the name.
func (c *classifier) recursion(name string, body syntax.Exp) {
	inner := &classifier{own: map[string]bool{}}
	inner.collect(reflect.ValueOf(body))
	for _, n := range inner.nodes {
		if v, ok := n.(*syntax.Var); ok && len(v.Name.Quals) == 0 && v.Name.Name.Text == name && !inner.own[name] {
			c.leave("recursive functions")
		}
	}
}

// name judges a mention of a value.
func (c *classifier) name(q syntax.QualName) {
	first := q.Name.Text
	if len(q.Quals) > 0 {
		first = q.Quals[0].Text
	}
	switch {
	case c.own[first]:
	case len(q.Quals) == 0:
		if !inLevel(first) {
			c.leave("prelude: " + first)
		}
	default:
		if _, numeric := prim.ParseType(first); !numeric {
			c.leave("modules")
		}
	}
}

// combinators are the functions of the prelude inside the level: those that its definition lists, and what is but a
// slice, a range or a combination of them.
const combinators = `
map map1 map2 map3 map4 map5 reduce reduce_comm scan scatter reduce_by_index hist iota indices replicate rep
zip zip2 zip3 zip4 zip5 unzip unzip2 unzip3 unzip4 unzip5 tabulate tabulate_2d tabulate_3d
flatten flatten_3d flatten_4d unflatten unflatten_3d unflatten_4d transpose
length null head last tail init take drop split reverse rotate concat ++ copy and or all any
id const flip curry uncurry not r32 t32 r64 t64`

// operators are the operators on scalars, and those of composition and pipes.
const operators = `+ - * / // % %% ** == != < <= > >= & | ^ << >> && || ! |> <| >-> <-<`

func inLevel(name string) bool {
	for _, f := range strings.Fields(combinators + " " + operators) {
		if f == name {
			return true
		}
	}
	return false
}
