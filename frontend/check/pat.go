package check

import (
	"fmt"
	"strings"

	"skald/frontend/check/sizes"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// patScope collects what a pattern binds.
type patScope struct {
	scope *scope
	seen  map[string]source.Span
}

// pattern elaborates a pattern; it returns the scope in which its names are bound.
func (in *infer) pattern(s *scope, p syntax.Pat) (types.Pat, *scope) {
	ps := &patScope{scope: s, seen: map[string]source.Span{}}
	out := in.pat(ps, s, p)
	return out, ps.scope
}

// pat elaborates p; type expressions in it are read in scope s.
func (in *infer) pat(ps *patScope, s *scope, p syntax.Pat) types.Pat {
	at := p.Span()
	switch p := p.(type) {
	case *syntax.PatParens:
		return in.pat(ps, s, p.Body)
	case *syntax.PatName:
		return in.bindName(ps, p.Name, in.anyType(at))
	case *syntax.PatWild:
		return &types.WildPat{PatInfo: types.PatInfo{Type: in.anyType(at), At: at}}
	case *syntax.PatTuple:
		fields := make([]types.FieldPat, len(p.Elems))
		for i, e := range p.Elems {
			fields[i] = types.FieldPat{Name: fmt.Sprint(i), Pat: in.pat(ps, s, e)}
		}
		if len(fields) == 1 {
			return fields[0].Pat
		}
		return recordPat(fields, at)
	case *syntax.PatRecord:
		return in.recordPat(ps, s, p)
	case *syntax.PatLit:
		return in.litPat(p)
	case *syntax.PatConstr:
		return in.ctorPat(ps, s, p)
	case *syntax.PatAscript:
		return in.ascribedPat(ps, s, p)
	case *syntax.PatAttr:
		inner := in.pat(ps, s, p.Pat)
		return &types.AttrPat{PatInfo: types.PatInfo{Type: inner.Base().Type, At: at}, Attr: in.patAttr(p.Attr), Pat: inner}
	default:
		panic(fmt.Sprintf("check.pat: %T", p))
	}
}

func (in *infer) bindName(ps *patScope, name syntax.Name, t types.Type) types.Pat {
	if prev, ok := ps.seen[name.Text]; ok {
		in.failNote(name.At, "duplicate-name", prev, "\"%s\" is bound twice in one pattern.", name.Text)
	}
	ps.seen[name.Text] = name.At
	sym := in.newSymbol(name.Text, types.Local, t, name.At)
	ps.scope = in.bind(ps.scope, name, &binding{sym: sym, at: name.At})
	in.noteLocal(ps.scope.one, name)
	return &types.VarPat{PatInfo: types.PatInfo{Type: t, At: name.At}, Sym: sym}
}

func recordPat(fields []types.FieldPat, at source.Span) types.Pat {
	ts := make([]types.Field, len(fields))
	for i, f := range fields {
		ts[i] = types.Field{Name: f.Name, Type: f.Pat.Base().Type}
	}
	return &types.RecordPat{PatInfo: types.PatInfo{Type: &types.Record{Fields: ts}, At: at}, Fields: fields}
}

func (in *infer) recordPat(ps *patScope, s *scope, p *syntax.PatRecord) types.Pat {
	fields := make([]types.FieldPat, 0, len(p.Fields))
	for _, f := range p.Fields {
		if strings.HasPrefix(f.Name.Text, "_") {
			in.fail(f.Name.At, "underscore-field", "A field that is named after a variable cannot begin with an underscore.\n"+
				"Hint: to ignore the field, write \"%s = _\".", f.Name.Text[1:])
		}
		for _, other := range fields {
			if other.Name == f.Name.Text {
				in.fail(f.At, "duplicate-field", "Duplicate fields in record pattern: \"%s\".", f.Name.Text)
			}
		}
		fields = append(fields, types.FieldPat{Name: f.Name.Text, Pat: in.pat(ps, s, f.Pat)})
	}
	sortFieldPats(fields)
	return recordPat(fields, p.At)
}

func (in *infer) litPat(p *syntax.PatLit) types.Pat {
	lit := in.literal(p.Lit, p.Neg)
	out := &types.LitPat{PatInfo: types.PatInfo{Type: lit.Type, At: p.At}}
	in.later(func() { out.Value = lit.Value })
	return out
}

func (in *infer) ctorPat(ps *patScope, s *scope, p *syntax.PatConstr) types.Pat {
	out := &types.CtorPat{Ctor: p.Name.Text}
	c := types.Ctor{Name: p.Name.Text}
	for _, a := range p.Args {
		arg := in.pat(ps, s, a)
		out.Args = append(out.Args, arg)
		c.Args = append(c.Args, strip(arg.Base().Type))
	}
	t := in.meta(p.At, metaInfo{ctors: []types.Ctor{c}, lifted: types.FullLifted})
	out.PatInfo = types.PatInfo{Type: t, At: p.At}
	return out
}

// ascribedPat leaves the declared type for the second half to see; see Note [Ascriptions] in package sizes.
func (in *infer) ascribedPat(ps *patScope, s *scope, p *syntax.PatAscript) types.Pat {
	inner := in.pat(ps, s, p.Pat)
	t, _ := in.typeExp(s, p.Type)
	if in.ascribed == nil {
		in.ascribed = map[*types.Symbol]bool{}
	}
	for _, sym := range types.PatSymbols(inner) {
		in.ascribed[sym] = true
	}
	in.equate(p.At, inner.Base().Type, strip(t), func() string {
		return "Pattern cannot match ascribed type\n  " + t.String()
	})
	return &types.AttrPat{
		PatInfo: types.PatInfo{Type: t, At: p.At}, Attr: types.Attr{Name: sizes.Ascription},
		Pat: inner,
	}
}

// patType is the type of the values that p takes, without sizes.
func patType(p types.Pat) types.Type { return strip(p.Base().Type) }
