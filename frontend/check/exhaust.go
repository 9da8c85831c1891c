package check

import (
	"strings"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [Exhaustiveness]
//
// Patterns are a matrix with a row for each and one column at first. missing takes the first column apart: for each
// constructor of its type (of a sum, a record, or bool), it keeps the rows that may match it, replaces the column by
// those for its parts, and goes on. Numbers have more values than patterns can list, so they are complete only with a
// row that takes anything. The answer is an example of values, as patterns, that no row matches.

// row is a list of patterns; nil stands for one that takes anything.
type row []types.Pat

// checkExhaustive rejects a match that leaves out values: see Note [Exhaustiveness].
func (in *infer) checkExhaustive(m *types.Match) {
	rows := make([]row, len(m.Cases))
	for i, c := range m.Cases {
		rows[i] = row{c.Pat}
	}
	if example := missing(rows, []types.Type{m.Exp.Base().Type}); example != nil {
		in.fail(m.At, "unmatched-cases", "Unmatched cases in match expression:\n  %s", example[0])
	}
}

// mustMatch rejects a pattern that does not take every value of its type, when that is known.
func (in *infer) mustMatch(p types.Pat) {
	in.later(func() {
		if example := missing([]row{{p}}, []types.Type{p.Base().Type}); example != nil {
			in.fail(p.Base().At, "refutable-pattern",
				"Refutable pattern not allowed here.\nUnmatched cases:\n  %s", example[0])
		}
	})
}

// bare removes what has no bearing on what a pattern takes; nil means anything.
func bare(p types.Pat) types.Pat {
	switch p := p.(type) {
	case *types.AttrPat:
		return bare(p.Pat)
	case *types.VarPat, *types.WildPat:
		return nil
	default:
		return p
	}
}

// missing returns example values of types ts that no row matches, or nil: see Note [Exhaustiveness].
func missing(rows []row, ts []types.Type) []string {
	if len(ts) == 0 {
		if len(rows) > 0 {
			return nil
		}
		return []string{}
	}
	switch t := types.Force(ts[0]).(type) {
	case *types.Record:
		return missingRecord(rows, t, ts[1:])
	case *types.Sum:
		return missingSum(rows, t, ts[1:])
	case *types.Prim:
		return missingPrim(rows, t, ts[1:])
	default:
		return prefix("_", missing(defaults(rows), ts[1:]))
	}
}

func prefix(first string, rest []string) []string {
	if rest == nil {
		return nil
	}
	return append([]string{first}, rest...)
}

// defaults keeps the rows that take anything in the first column, without that column.
func defaults(rows []row) []row {
	var out []row
	for _, r := range rows {
		if bare(r[0]) == nil {
			out = append(out, r[1:])
		}
	}
	return out
}

func join(parts []types.Pat, rest row) row { return append(append(row{}, parts...), rest...) }

func missingRecord(rows []row, t *types.Record, rest []types.Type) []string {
	var inner []row
	structured := false
	for _, r := range rows {
		parts := make([]types.Pat, len(t.Fields))
		if p, ok := bare(r[0]).(*types.RecordPat); ok {
			structured = true
			for i, f := range p.Fields {
				parts[i] = f.Pat
			}
		}
		inner = append(inner, join(parts, r[1:]))
	}
	if !structured {
		return prefix("_", missing(defaults(rows), rest))
	}
	ts := make([]types.Type, 0, len(t.Fields)+len(rest))
	for _, f := range t.Fields {
		ts = append(ts, f.Type)
	}
	found := missing(inner, append(ts, rest...))
	if found == nil {
		return nil
	}
	n := len(t.Fields)
	return append([]string{recordExample(t, found[:n])}, found[n:]...)
}

func recordExample(t *types.Record, parts []string) string {
	if t.IsTuple() {
		return "(" + strings.Join(parts, ", ") + ")"
	}
	fields := make([]string, len(parts))
	for i, p := range parts {
		fields[i] = t.Fields[i].Name + " = " + p
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func missingSum(rows []row, t *types.Sum, rest []types.Type) []string {
	structured := false
	for _, r := range rows {
		structured = structured || bare(r[0]) != nil
	}
	if !structured {
		return prefix("_", missing(defaults(rows), rest))
	}
	for _, c := range t.Ctors {
		var inner []row
		for _, r := range rows {
			switch p := bare(r[0]).(type) {
			case nil:
				inner = append(inner, join(make([]types.Pat, len(c.Args)), r[1:]))
			case *types.CtorPat:
				if p.Ctor == c.Name {
					inner = append(inner, join(p.Args, r[1:]))
				}
			default:
			}
		}
		found := missing(inner, append(append([]types.Type{}, c.Args...), rest...))
		if found != nil {
			n := len(c.Args)
			for i, part := range found[:n] {
				if strings.HasPrefix(part, "#") && strings.Contains(part, " ") {
					found[i] = "(" + part + ")"
				}
			}
			return append([]string{strings.Join(append([]string{"#" + c.Name}, found[:n]...), " ")}, found[n:]...)
		}
	}
	return nil
}

func missingPrim(rows []row, t *types.Prim, rest []types.Type) []string {
	seen := map[prim.Value]bool{}
	var values []prim.Value
	for _, r := range rows {
		if p, ok := bare(r[0]).(*types.LitPat); ok && !seen[p.Value] {
			seen[p.Value] = true
			values = append(values, p.Value)
		}
	}
	if len(values) == 0 {
		return prefix("_", missing(defaults(rows), rest))
	}
	if t.Kind == prim.Bool {
		values = []prim.Value{prim.MakeBool(true), prim.MakeBool(false)}
	}
	for _, v := range values {
		var inner []row
		for _, r := range rows {
			p, ok := bare(r[0]).(*types.LitPat)
			if bare(r[0]) == nil || ok && p.Value == v {
				inner = append(inner, r[1:])
			}
		}
		if found := missing(inner, rest); found != nil {
			return append([]string{v.String()}, found...)
		}
	}
	if t.Kind == prim.Bool {
		return nil
	}
	return prefix("_", missing(defaults(rows), rest))
}
