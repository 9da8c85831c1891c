package inline

import (
	"slices"

	"skald/middle/core"
)

// recursive finds the functions that call themselves, directly or through others. Their calls remain. They are those in strongly
// connected components of several functions, and those that call themselves; the components are found by Tarjan's algorithm, in one walk
// over the calls.
func recursive(p *core.Prog) map[string]bool {
	c := &components{calls: map[string][]string{}, visited: map[string]int{}, open: map[string]bool{}, recursive: map[string]bool{}}
	for _, f := range p.Funs {
		core.Walk(f.Body, func(s *core.Stm) bool {
			if call, ok := s.Exp.(*core.Call); ok {
				c.calls[f.Name] = append(c.calls[f.Name], call.Fun)
			}
			return true
		})
	}
	for _, f := range p.Funs {
		if c.visited[f.Name] == 0 {
			c.visit(f.Name)
		}
	}
	return c.recursive
}

// components is the state of Tarjan's algorithm.
type components struct {
	calls     map[string][]string
	visited   map[string]int // when functions were met, from 1
	stack     []string       // functions whose component is not complete yet
	open      map[string]bool
	recursive map[string]bool
}

// visit walks over the calls of a function, and returns when the first function was met that is on the stack and called from there.
func (c *components) visit(name string) int {
	number, at := len(c.visited)+1, len(c.stack)
	c.visited[name] = number
	c.stack, c.open[name] = append(c.stack, name), true
	low := number
	for _, g := range c.calls[name] {
		switch {
		case c.visited[g] == 0:
			low = min(low, c.visit(g))
		case c.open[g]:
			low = min(low, c.visited[g])
		}
	}
	if low < number {
		return low
	}
	component := c.stack[at:]
	c.stack = c.stack[:at]
	for _, g := range component {
		delete(c.open, g)
		c.recursive[g] = len(component) > 1 || slices.Contains(c.calls[g], g)
	}
	return low
}
