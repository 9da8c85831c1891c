package syntax

import (
	"fmt"

	"skald/frontend/source"
)

// An Import is a mention of another file, in a declaration or as a module.
type Import struct {
	Path string
	At   source.Span
}

// Imports returns the files that a file imports, in the order written.
func Imports(f *File) []Import {
	s := &survey{}
	s.decs(f.Decs)
	return s.imports
}

// A Defined is a name that is declared at top level, or at the top level of
// a module.
type Defined struct {
	// Kind is "value", "type", "module" or "module type".
	Kind string
	Name Name
	// At is the whole declaration.
	At source.Span
}

// Definitions returns what a file declares, modules before their contents.
func Definitions(f *File) []Defined {
	s := &survey{}
	s.decs(f.Decs)
	return s.definitions
}

// A survey collects imports and definitions.
type survey struct {
	imports     []Import
	definitions []Defined
}

// define notes a definition.
func (s *survey) define(kind string, name Name, at source.Span) {
	s.definitions = append(s.definitions, Defined{Kind: kind, Name: name, At: at})
}

// decs surveys declarations.
func (s *survey) decs(decs []Dec) {
	for _, d := range decs {
		for {
			l, ok := d.(*LocalDec)
			if !ok {
				break
			}
			d = l.Dec
		}
		switch d := d.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
		case *ValDec:
			s.define("value", d.Name, d.At)
		case *TypeDec:
			s.define("type", d.Name, d.At)
		case *ModDec:
			s.define("module", d.Name, d.At)
			s.mod(d.Body)
		case *ModTypeDec:
			s.define("module type", d.Name, d.At)
		case *OpenDec:
			s.mod(d.Mod)
		case *ImportDec:
			s.imports = append(s.imports, Import{Path: d.Path, At: d.PathAt})
		default:
			panic(fmt.Sprintf("syntax: declaration %T", d))
		}
	}
}

// mod surveys a module expression.
func (s *survey) mod(m ModExp) {
	switch m := m.(type) {
	case *ModVar:
	case *ModParens:
		s.mod(m.Body)
	case *ModBody:
		s.decs(m.Decs)
	case *ModImport:
		s.imports = append(s.imports, Import{Path: m.Path, At: m.PathAt})
	case *ModApply:
		s.mod(m.Fun)
		s.mod(m.Arg)
	case *ModAscript:
		s.mod(m.Mod)
	case *ModLambda:
		s.mod(m.Body)
	default:
		panic(fmt.Sprintf("syntax: module expression %T", m))
	}
}
