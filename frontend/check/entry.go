package check

import (
	"strings"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// entryPoint checks that a definition can be called from outside and describes what it then shows.
func (in *infer) entryPoint(s *scope, d *syntax.ValDec, def *types.Def) {
	name := d.Name
	for _, p := range def.TypeParams {
		if !p.IsSize() {
			in.fail(name.At, "polymorphic-entry", "Entry point functions may not be polymorphic: \"%s\" has a "+
				"type parameter.", name.Text)
		}
	}
	entry := &types.Entry{Name: name.Text}
	for i, p := range def.Params {
		t := p.Pat.Base().Type
		if functional(t) {
			in.fail(p.Pat.Base().At, "higher-order-entry", "Entry point functions may not be higher-order; \"%s\" "+
				"has a parameter of type\n  %s",
				name.Text, t)
		}
		param := types.EntryParam{EntryType: types.EntryType{
			Text: ascribedText(d.Params, i), Type: t,
			Unique: types.IsUnique(t),
		}}
		if sym := types.Variable(p.Pat); sym != nil {
			param.Name = sym.Name
		}
		entry.Params = append(entry.Params, param)
	}
	in.expandEntry(def)
	for _, p := range def.Params[len(entry.Params):] {
		t := p.Pat.Base().Type
		if functional(t) {
			in.fail(name.At, "higher-order-entry", "Entry point functions may not be higher-order: \"%s\" "+
				"takes\n  %s", name.Text, t)
		}
		entry.Params = append(entry.Params, types.EntryParam{EntryType: types.EntryType{Type: t, Unique: types.IsUnique(t)}})
	}
	ret := def.Ret.Type
	if functional(ret) {
		in.fail(name.At, "higher-order-entry", "Entry point functions may not be higher-order: \"%s\" returns\n  "+
			"%s", name.Text, ret)
	}
	in.checkEntrySizes(def, name.At)
	entry.Result = types.EntryType{Type: ret, Unique: types.IsUnique(ret)}
	if d.Result != nil && len(entry.Params) == len(d.Params) {
		entry.Result.Text = strings.TrimPrefix(typeText(d.Result), "*")
	}
	in.writtenEntry(s, d, entry)
	def.Entry = entry
}

// expandEntry adds parameters to an entry point whose result is a function: the arguments of that.
func (in *infer) expandEntry(def *types.Def) {
	for {
		arrow, ok := types.Force(def.Ret.Type).(*types.Arrow)
		if !ok {
			return
		}
		p, x := in.localVar("x", arrow.Param, def.At)
		ret := arrow.Ret
		if arrow.Name != nil {
			subst := types.Subst{Sizes: map[*types.Symbol]types.Size{arrow.Name: &types.SizeName{Sym: x.(*types.Ref).Sym}}}
			ret = subst.RetType(ret)
		}
		info := types.Info{At: def.Body.Base().At}
		fresh := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
		for _, k := range ret.Ext {
			sym := in.newSymbol(k.Name, types.ExtSize, types.I64, k.At)
			info.Ext = append(info.Ext, sym)
			fresh.Sizes[k] = &types.SizeName{Sym: sym}
		}
		info.Type = types.WithUnique(fresh.Type(ret.Type), types.NotUnique)
		if a, ok := def.Body.(*types.Apply); ok {
			def.Body = &types.Apply{Info: info, Fun: a.Fun, Args: append(append([]types.Exp{}, a.Args...), x)}
		} else {
			def.Body = &types.Apply{Info: info, Fun: def.Body, Args: []types.Exp{x}}
		}
		def.Params = append(append([]*types.Param{}, def.Params...), p)
		def.Ret = ret
	}
}

// checkEntrySizes rejects a size parameter that no parameter's shape shows: nobody can pass it.
func (in *infer) checkEntrySizes(def *types.Def, at source.Span) {
	for _, p := range def.TypeParams {
		if !p.IsSize() {
			continue
		}
		shown, mentioned := false, false
		for _, param := range def.Params {
			t := types.Represent(param.Pat.Base().Type)
			shown = shown || shownSize(t, p.Size)
			mentioned = mentioned || mentionsSize(param.Pat.Base().Type, p.Size)
		}
		switch {
		case shown:
		case mentioned || mentionedIn(def.Params, p.Size):
			in.fail(p.At, "nonconstructive-entry",
				"No argument of the entry point shows the size [%s]: it is not the size of an array parameter, outside of functions.",
				p.Name)
		default:
			in.fail(at, "size-polymorphic-entry",
				"Entry point with a result of size \"%s\", which nothing that it is given determines: it must not be "+
					"size-polymorphic in this way.", p.Name)
		}
	}
}

func mentionedIn(params []*types.Param, k *types.Symbol) bool {
	for _, p := range params {
		if mentioned(p.Pat.Base().Type, k) {
			return true
		}
	}
	return false
}

// ascribedText is the type written for a parameter, or "".
func ascribedText(params []syntax.Pat, i int) string {
	if i >= len(params) {
		return ""
	}
	if te := ascribed(params[i]); te != nil {
		return strings.TrimPrefix(typeText(te), "*")
	}
	return ""
}

// ascribed is the type written for a parameter, or nil.
func ascribed(p syntax.Pat) syntax.TypeExp {
	for {
		switch q := p.(type) {
		case *syntax.PatParens:
			p = q.Body
			continue
		case *syntax.PatAttr:
			p = q.Pat
			continue
		case *syntax.PatAscript:
			return q.Type
		default:
		}
		return nil
	}
}

// typeText is a type as it was written, on one line.
func typeText(te syntax.TypeExp) string { return strings.Join(strings.Fields(te.Span().Text()), " ") }
