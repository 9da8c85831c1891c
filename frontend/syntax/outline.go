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
	o := &outline{}
	o.decs(f.Decs)
	return o.imports
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
	o := &outline{}
	o.decs(f.Decs)
	return o.definitions
}

// An outline collects imports and definitions.
type outline struct {
	imports     []Import
	definitions []Defined
}

// define notes a definition.
func (o *outline) define(kind string, name Name, at source.Span) {
	o.definitions = append(o.definitions, Defined{Kind: kind, Name: name, At: at})
}

// decs collects from declarations.
func (o *outline) decs(decs []Dec) {
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
			o.define("value", d.Name, d.At)
		case *TypeDec:
			o.define("type", d.Name, d.At)
		case *ModDec:
			o.define("module", d.Name, d.At)
			o.mod(d.Body)
		case *ModTypeDec:
			o.define("module type", d.Name, d.At)
		case *OpenDec:
			o.mod(d.Mod)
		case *ImportDec:
			o.imports = append(o.imports, Import{Path: d.Path, At: d.PathAt})
		default:
			panic(fmt.Sprintf("syntax: declaration %T", d))
		}
	}
}

// mod collects from a module expression.
func (o *outline) mod(m ModExp) {
	switch m := m.(type) {
	case *ModVar:
	case *ModParens:
		o.mod(m.Body)
	case *ModBody:
		o.decs(m.Decs)
	case *ModImport:
		o.imports = append(o.imports, Import{Path: m.Path, At: m.PathAt})
	case *ModApply:
		o.mod(m.Fun)
		o.mod(m.Arg)
	case *ModAscript:
		o.mod(m.Mod)
	case *ModLambda:
		o.mod(m.Body)
	default:
		panic(fmt.Sprintf("syntax: module expression %T", m))
	}
}
