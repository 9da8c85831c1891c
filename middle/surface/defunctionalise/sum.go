package defunctionalise

import (
	"strconv"

	"skald/frontend/types"
)

// Note [Sums with functions]
//
// A value of a sum type with functions in a payload is, like a function, no result of a branch, so that it is known which constructor
// made it. A match on it is therefore decided here, as far as constructors of such types go: cases that cannot fit are dropped, and a
// pattern for the payload's tuple takes the place of the constructor's.

// construct rewrites the making of a value of a sum type.
func (f *defun) construct(e *types.Construct) (types.Exp, static) {
	if !types.HasFunctions(e.Type) {
		return types.MapExp(e, f.mapper()), nil
	}
	v := &variant{e.Ctor, make([]static, len(e.Args))}
	fields := make([]types.FieldExp, len(e.Args))
	for i, a := range e.Args {
		fields[i].Name = strconv.Itoa(i)
		fields[i].Exp, v.args[i] = f.exp(a)
	}
	return &types.RecordLit{Info: f.info(e.Info, v), Fields: fields}, v
}

// match rewrites a match: see Note [Sums with functions].
func (f *defun) match(e *types.Match) (types.Exp, static) {
	scrutinee, s := f.exp(e.Exp)
	if _, isMissing := s.(*missing); isMissing {
		return f.hole(e.Info)
	}
	var cases []types.Case
	for _, c := range e.Cases {
		possible, certain := fits(c.Pat, s)
		if possible {
			cases = append(cases, c)
		}
		if certain {
			break
		}
	}
	if len(cases) == 1 {
		pat := f.bind(cases[0].Pat, s)
		body, r := f.exp(cases[0].Body)
		return bindSizes(&types.Let{Info: f.info(e.Info, r), Pat: pat, Exp: scrutinee, Body: body}), r
	}
	for i, c := range cases {
		cases[i].Pat = f.bind(c.Pat, s)
		cases[i].Body = f.first(c.Body)
	}
	return &types.Match{Info: f.info(e.Info, nil), Exp: scrutinee, Cases: cases}, nil
}

// fits tells from what is known of a value whether a pattern can take it, and whether it is certain to.
func fits(p types.Pat, s static) (possible, certain bool) {
	switch p := p.(type) {
	case *types.VarPat, *types.WildPat:
		return true, true
	case *types.AttrPat:
		return fits(p.Pat, s)
	case *types.LitPat:
		return true, false
	case *types.RecordPat:
		possible, certain = true, true
		for _, fp := range p.Fields {
			part, sure := fits(fp.Pat, fieldOf(s, fp.Name))
			possible, certain = possible && part, certain && sure
		}
		return possible, certain
	case *types.CtorPat:
		v, known := s.(*variant)
		if !known {
			return true, false
		}
		possible, certain = p.Ctor == v.ctor, p.Ctor == v.ctor
		for i := 0; possible && i < len(p.Args); i++ {
			part, sure := fits(p.Args[i], v.args[i])
			possible, certain = part, certain && sure
		}
		return possible, certain
	default:
		panic("defunctionalise: unknown form of pattern")
	}
}

// bindPayload makes the pattern for the payload's tuple of a value of which s is known.
func (f *defun) bindPayload(p *types.CtorPat, s static) types.Pat {
	v, ok := s.(*variant)
	if !ok {
		f.ctx.Bug(p.At, "a pattern for constructor %s meets what no constructor made", p.Ctor)
		return p
	}
	fields := make([]types.FieldPat, len(p.Args))
	for i, a := range p.Args {
		fields[i] = types.FieldPat{Name: strconv.Itoa(i), Pat: f.bind(a, v.args[i])}
	}
	return &types.RecordPat{PatInfo: types.PatInfo{Type: v.typ(f.typ(p.Type)), At: p.At}, Fields: fields}
}

// hole rewrites a hole: where its type has functions in it, so does what is known of it.
func (f *defun) hole(i types.Info) (types.Exp, static) {
	s := missingOf(i.Type)
	return &types.Hole{Info: f.info(i, s)}, s
}

func missingOf(t types.Type) static {
	if !types.HasFunctions(t) {
		return nil
	}
	rec, ok := types.Force(t).(*types.Record)
	if !ok {
		return &missing{}
	}
	fields := make([]field, len(rec.Fields))
	for i, fl := range rec.Fields {
		fields[i] = field{fl.Name, missingOf(fl.Type)}
	}
	return makeRecord(fields)
}
