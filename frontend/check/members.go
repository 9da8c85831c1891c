package check

import (
	"strings"

	"skald/frontend/source"
)

// Member is something that a module exports.
type Member struct {
	Kind MentionKind
	Name string
	// Text is its specification in a module type; of a module only the name.
	Text string
	// At is where it was declared, or nowhere.
	At source.Span
	// Members are those of a module that is not parametric.
	Members []Member
}

// Members lists what a module in scope exports, whose name may be qualified: types first, and then values and modules, by name.
// ok says that there is such a module, and that it is not parametric.
func (e *Env) Members(name string) (members []Member, ok bool) {
	s := e.module(name)
	if s == nil {
		return nil, false
	}
	return (&module{scope: s}).members(name), true
}

// members lists what the module of a name exports.
func (m *module) members(module string) []Member {
	var out []Member
	for _, name := range sortedNames(m.scope.types) {
		if b := m.scope.types[name]; !b.broken {
			out = append(out, Member{Kind: TypeName, Name: name, Text: memberText(module, name, b), At: b.at})
		}
	}
	seen := map[string]bool{}
	for _, name := range m.scope.visible(withoutOuter) {
		if seen[name] {
			continue
		}
		seen[name] = true
		switch b := m.scope.ownVal(name); {
		case b == nil || b.broken:
		case b.mod != nil:
			inner := Member{Kind: ModuleName, Name: name, Text: "module " + name, At: b.at}
			if b.mod.functor == nil {
				inner.Members = b.mod.members(module + "." + name)
			}
			out = append(out, inner)
		case b.sym != nil:
			out = append(out, Member{Kind: ValueName, Name: name, Text: valueText(name, b.sym.Params, b.sym.Type), At: b.sym.At})
		}
	}
	return out
}

// memberText is a type as a specification. One that is abstract, which stands for itself, has no definition.
func memberText(module, name string, b *typeBinding) string {
	text := abbreviationText(name, b)
	head, definition, _ := strings.Cut(text, " = ")
	constructor, _, _ := strings.Cut(definition, " ")
	if constructor == name || constructor == module+"."+name {
		return head
	}
	return text
}
