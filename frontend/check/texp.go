package check

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// typeExp turns a type expression into a type. ext are the sizes in it that are existential or were left out: symbols
// that nothing binds yet. Size expressions are elaborated, but their own sizes are still to be inferred.
func (in *infer) typeExp(s *scope, te syntax.TypeExp) (t types.Type, ext []*types.Symbol) {
	switch te := te.(type) {
	case *syntax.TypeParens:
		return in.typeExp(s, te.Body)
	case *syntax.TypeVar:
		return in.typeApply(s, te.Name, nil, te.At)
	case *syntax.TypeApply:
		return in.typeApplication(s, te)
	case *syntax.TypeTuple:
		ts := make([]types.Type, len(te.Elems))
		for i, e := range te.Elems {
			ts[i], ext = in.typeExpInto(s, e, ext)
		}
		return types.Tuple(ts...), ext
	case *syntax.TypeRecord:
		return in.recordType(s, te)
	case *syntax.TypeArray:
		return in.arrayType(s, te)
	case *syntax.TypeSum:
		return in.sumType(s, te)
	case *syntax.TypeArrow:
		return in.arrowType(s, te)
	case *syntax.TypeUnique:
		t, ext = in.typeExp(s, te.Elem)
		if u := types.WithUnique(t, types.MadeUnique); types.IsUnique(u) {
			return u, ext
		}
		if d := in.warn(te.At, "useless-star", "Declaring \"%s\" as unique has no effect.", t); d != nil {
			d.Replace(te.At, te.Elem.Span().Text())
		}
		return t, ext
	case *syntax.TypeExists:
		return in.existsType(s, te)
	default:
		panic(fmt.Sprintf("check.typeExp: %T", te))
	}
}

func (in *infer) typeExpInto(s *scope, te syntax.TypeExp, ext []*types.Symbol) (types.Type, []*types.Symbol) {
	t, more := in.typeExp(s, te)
	return t, append(ext, more...)
}

func (in *infer) recordType(s *scope, te *syntax.TypeRecord) (types.Type, []*types.Symbol) {
	var ext []*types.Symbol
	fields := make([]types.Field, len(te.Fields))
	for i, f := range te.Fields {
		if fieldIn(fields[:i], f.Name.Text) != nil {
			in.fail(f.At, "duplicate-field", "Duplicate field \"%s\" in record type.", f.Name.Text)
		}
		fields[i].Name = f.Name.Text
		fields[i].Type, ext = in.typeExpInto(s, f.Type, ext)
	}
	types.SortFields(fields)
	return &types.Record{Fields: fields}, ext
}

func (in *infer) arrayType(s *scope, te *syntax.TypeArray) (types.Type, []*types.Symbol) {
	size, ext := in.sizeExp(s, te.Size)
	before := len(ext)
	elem, ext := in.typeExpInto(s, te.Elem, ext)
	in.checkElem(elem, len(ext) > before && !anonymousOnly(te.Elem), te.Elem.Span())
	in.checkElemName(s, te.Elem)
	return &types.Array{Size: size, Elem: elem}, ext
}

// checkElemName rejects a type that was declared as lifted, whatever it is, as the element of an array.
func (in *infer) checkElemName(s *scope, te syntax.TypeExp) {
	for {
		p, ok := te.(*syntax.TypeParens)
		if !ok {
			break
		}
		te = p.Body
	}
	v, ok := te.(*syntax.TypeVar)
	if !ok {
		return
	}
	if b := in.lookupType(s, v.Name); b != nil && b.lifted != types.Unlifted {
		in.fail(te.Span(), "lifted-type", "Cannot create array with elements of type \"%s\", which is lifted: "+
			"an array element might contain function values, or differ in size from the others.", v.Name)
	}
}

// anonymousOnly reports whether a type is written as an array with sizes left out, which are then one size for all
// elements.
func anonymousOnly(te syntax.TypeExp) bool {
	switch te := te.(type) {
	case *syntax.TypeExists:
		return false
	case *syntax.TypeParens:
		return anonymousOnly(te.Body)
	case *syntax.TypeVar:
		return false
	default:
		return true
	}
}

// An argument of checkElem.
const notExistential = false

// checkElem rejects types that cannot be elements of an array.
func (in *infer) checkElem(t types.Type, existential bool, at source.Span) {
	in.later(func() {
		if isFunctional(t) {
			in.fail(at, "functional-element", "Cannot create array with elements of lifted type %s.\n"+
				"An array element may not be functional.", t)
		}
		if name, l := mostLifted(t); l != types.Unlifted {
			in.fail(at, "lifted-type",
				"Cannot create array with elements of type \"%s\", which is lifted: an array element might contain "+
					"function values.",
				name)
		}
	})
	if existential {
		in.fail(at, "lifted-type",
			"Cannot create array with elements of type\n  %s\nAn array element has a known size, which is "+
				"existential here.", t)
	}
}

func (in *infer) sizeExp(s *scope, se *syntax.SizeExp) (types.Size, []*types.Symbol) {
	if se.Exp == nil {
		k := in.newSymbol("d", types.ExtSize, types.I64, se.At)
		return &types.SizeName{Sym: k}, []*types.Symbol{k}
	}
	if v, ok := se.Exp.(*syntax.Var); ok && len(v.Name.Quals) == 0 && s.val(v.Name.Name.Text) == nil {
		in.unknownSize(s, v.Name.Name)
	}
	e := in.exp(s, se.Exp)
	in.equate(se.Exp.Span(), types.I64, e.Base().Type, func() string {
		return fmt.Sprintf("A size must be an i64, but \"%s\" is not.\n%s", se.At.Brief(), expected(types.I64, e.Base().Type))
	})
	if _, ok := e.(*types.Ref); ok {
		return types.ExpToSize(e), nil
	}
	// A literal has no value yet: the second half makes it a constant.
	return &types.SizeExp{Exp: e}, nil
}

// unknownSize rejects a name in a size that nothing binds.
func (in *infer) unknownSize(s *scope, name syntax.Name) {
	d := in.report(name.At, "unknown-name", "Unknown name \"%s\".", name.Text)
	if near := nearest(name.Text, s.visible(withOuter)); near != "" {
		d.Hintf("Did you mean \"%s\"?", near).Replace(name.At, near)
	} else {
		d.Hintf("A size that arguments are to decide is declared before the parameters, as [%s].", name.Text)
	}
	panic(silent{})
}

func (in *infer) sumType(s *scope, te *syntax.TypeSum) (types.Type, []*types.Symbol) {
	var ext []*types.Symbol
	if len(te.Clauses) > 256 {
		in.fail(te.At, "too-many-constructors",
			"A sum type may have at most 256 constructors; this one has %d.", len(te.Clauses))
	}
	sum := &types.Sum{}
	for _, clause := range te.Clauses {
		if have, _ := sum.Ctor(clause.Name.Text); have != nil {
			in.fail(clause.At, "duplicate-constructor", "Duplicate constructor \"#%s\" in sum type.", clause.Name.Text)
		}
		c := types.Ctor{Name: clause.Name.Text}
		for _, p := range clause.Payload {
			var t types.Type
			t, ext = in.typeExpInto(s, p, ext)
			c.Args = append(c.Args, t)
		}
		sum.Ctors = append(sum.Ctors, c)
	}
	sortCtors(sum.Ctors)
	return sum, ext
}

func (in *infer) arrowType(s *scope, te *syntax.TypeArrow) (types.Type, []*types.Symbol) {
	from, ext := in.typeExp(s, te.From)
	arrow := &types.Arrow{Param: from}
	inner := s
	if te.Param.Text != "" && te.Param.Text != "_" {
		if b := s.val(te.Param.Text); b != nil && b.arrow {
			in.failNote(te.Param.At, "duplicate-name", b.at, "Two parameters are called \"%s\".", te.Param.Text)
		}
		arrow.Name = in.newSymbol(te.Param.Text, types.Local, strip(from), te.Param.At)
		inner = in.bind(s, te.Param, &binding{sym: arrow.Name, at: te.Param.At, used: true, arrow: true})
	}
	to, toExt := in.typeExp(inner, te.To)
	arrow.Ret.Type = to
	for _, k := range toExt {
		// A size left out in a parameter of the result is not the result's own.
		if shownSize(to, k) {
			arrow.Ret.Ext = append(arrow.Ret.Ext, k)
		} else {
			ext = append(ext, k)
		}
	}
	return arrow, ext
}

func (in *infer) existsType(s *scope, te *syntax.TypeExists) (types.Type, []*types.Symbol) {
	inner := s
	var ext []*types.Symbol
	for _, n := range te.Sizes {
		k := in.newSymbol(n.Text, types.ExtSize, types.I64, n.At)
		ext = append(ext, k)
		inner = in.bind(inner, n, &binding{sym: k, at: n.At, used: true})
	}
	t, more := in.typeExp(inner, te.Body)
	for _, k := range ext {
		if !shownSize(t, k) {
			in.fail(te.At, "unused-existential", "No array of this type has the existential size \"%s\", so that no value "+
				"shows it.\n  %s", k.Name, t)
		}
	}
	return t, append(ext, more...)
}

func (in *infer) typeApplication(s *scope, te *syntax.TypeApply) (types.Type, []*types.Symbol) {
	fun := te.Fun
	for {
		p, ok := fun.(*syntax.TypeParens)
		if !ok {
			break
		}
		fun = p.Body
	}
	v, ok := fun.(*syntax.TypeVar)
	if !ok {
		in.fail(te.Fun.Span(), "not-a-type-constructor", "Only a named type can be applied to arguments.")
	}
	return in.typeApply(s, v.Name, te.Args, te.At)
}

// typeApply applies a named type to arguments.
func (in *infer) typeApply(s *scope, name syntax.QualName, args []syntax.TypeArg, at source.Span) (types.Type,
	[]*types.Symbol,
) {
	b := in.lookupType(s, name)
	if b == nil {
		if t, ok := prim.ParseType(name.Name.Text); ok && len(name.Quals) == 0 {
			b = &typeBinding{typ: &types.Prim{Kind: t}}
		} else {
			in.unknownType(s, name)
		}
	}
	if b.broken {
		panic(silent{})
	}
	in.mentionType(name.Name, b)
	if len(args) != len(b.params) {
		in.fail(at, "type-arity", "Type constructor \"%s\" requires %s, but provided %d.", name,
			count(len(b.params), "argument", "arguments"), len(args))
	}
	t, ext := in.freshExt(b)
	if len(args) == 0 {
		in.checkSize(t, at)
		return t, ext
	}
	actual := make([]types.TypeArg, len(args))
	for i, a := range args {
		p := b.params[i]
		if (a.Size != nil) != p.IsSize() {
			in.fail(a.Span(), "type-arity", "Type argument \"%s\" not valid for parameter \"%s\" of type \"%s\".",
				a.Span().Brief(), p.Name, name)
		}
		if a.Size != nil {
			var more []*types.Symbol
			actual[i].Size, more = in.sizeExp(s, a.Size)
			ext = append(ext, more...)
			continue
		}
		actual[i].Type, ext = in.typeExpInto(s, a.Type, ext)
		actual[i].Type = types.WithUnique(actual[i].Type, types.NotUnique)
	}
	t = types.Bind(b.params, actual).Type(t)
	in.checkSize(t, at)
	in.checkElems(t, at)
	return t, ext
}

// checkElems checks the arrays in t, into which type arguments may have been put.
func (in *infer) checkElems(t types.Type, at source.Span) {
	switch t := types.Force(t).(type) {
	case *types.Array:
		in.checkElem(t.Elem, notExistential, at)
	case *types.Record:
		for _, f := range t.Fields {
			in.checkElems(f.Type, at)
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				in.checkElems(a, at)
			}
		}
	default:
	}
}

// freshExt makes new symbols for the existential sizes of an abbreviation.
func (in *infer) freshExt(b *typeBinding) (types.Type, []*types.Symbol) {
	if len(b.ext) == 0 {
		return b.typ, nil
	}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	ext := make([]*types.Symbol, len(b.ext))
	for i, k := range b.ext {
		ext[i] = in.newSymbol(k.Name, types.ExtSize, types.I64, k.At)
		subst.Sizes[k] = &types.SizeName{Sym: ext[i]}
	}
	return subst.Type(b.typ), ext
}

// mentionsSize reports whether k is a size in t.
func mentionsSize(t types.Type, k *types.Symbol) bool {
	for _, d := range types.SizesIn(t) {
		if n, ok := d.(*types.SizeName); ok && n.Sym == k {
			return true
		}
	}
	return false
}
