package check

import (
	"strconv"

	"skald/frontend/syntax"
	"skald/frontend/types"
)

// written returns a type as it was written in a scope, for the world outside; nil for a function.
func (in *infer) written(s *scope, te syntax.TypeExp) *types.Written {
	switch te := te.(type) {
	case *syntax.TypeVar:
		out := &types.Written{Name: typeText(te)}
		if len(te.Name.Quals) == 0 {
			if b := in.lookupType(s, te.Name); b != nil {
				out.Means = b.written
			}
		}
		return out
	case *syntax.TypeParens:
		return in.written(s, te.Body)
	case *syntax.TypeUnique:
		return in.written(s, te.Elem)
	case *syntax.TypeExists:
		return in.written(s, te.Body)
	case *syntax.TypeArray:
		return in.written(s, te.Elem).Array(1)
	case *syntax.TypeTuple:
		out := &types.Written{Tuple: true}
		for i, e := range te.Elems {
			out.Fields = append(out.Fields, types.WrittenField{Name: strconv.Itoa(i), Type: in.written(s, e)})
		}
		return out
	case *syntax.TypeRecord:
		out := &types.Written{}
		for _, f := range te.Fields {
			out.Fields = append(out.Fields, types.WrittenField{Name: f.Name.Text, Type: in.written(s, f.Type)})
		}
		return out
	case *syntax.TypeSum:
		out := &types.Written{}
		for _, c := range te.Clauses {
			ctor := types.WrittenCtor{Name: c.Name.Text}
			for _, p := range c.Payload {
				ctor.Args = append(ctor.Args, in.written(s, p))
			}
			out.Ctors = append(out.Ctors, ctor)
		}
		return out
	case *syntax.TypeApply:
		return in.writtenApply(s, te)
	case *syntax.TypeArrow:
		return nil
	}
	return nil
}

// writtenApply leaves out the sizes that a type is applied to. Types stay in its name, and then it is not known what that means.
func (in *infer) writtenApply(s *scope, te *syntax.TypeApply) *types.Written {
	out := in.written(s, te.Fun)
	for _, a := range te.Args {
		if a.Type == nil || out == nil {
			continue
		}
		arg := in.written(s, a.Type)
		if arg == nil {
			return nil
		}
		text := arg.String()
		if arg.Name == "" {
			text = "(" + text + ")"
		}
		out = &types.Written{Name: out.Name + " " + text}
	}
	return out
}

// writtenEntry notes how the types of an entry point were written. Of a function that is given as a value, the type of the
// result says what its further parameters are.
func (in *infer) writtenEntry(s *scope, d *syntax.ValDec, entry *types.Entry) {
	result := d.Result
	for i := range entry.Params {
		if i < len(d.Params) {
			if te := ascribed(d.Params[i]); te != nil {
				entry.Params[i].Written = in.written(s, te)
			}
			continue
		}
		arrow, ok := result.(*syntax.TypeArrow)
		if !ok {
			return
		}
		entry.Params[i].Written = in.written(s, arrow.From)
		result = arrow.To
	}
	if result != nil {
		entry.Result.Written = in.written(s, result)
	}
}
