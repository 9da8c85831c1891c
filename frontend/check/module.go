package check

import (
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// functorSpec is a functor that a module type specifies.
type functorSpec struct {
	param syntax.Name
	from  syntax.ModTypeExp
	to    syntax.ModTypeExp
	scope *scope
}

func (c *checker) declareModule(b *body, d *syntax.ModDec) {}

func (c *checker) declareSig(b *body, d *syntax.ModTypeDec) {}

func (c *checker) modExp(b *body, e syntax.ModExp) *module { return nil }

var _ source.Span
