package defunctionalise

import (
	"strconv"

	"skald/frontend/types"
	"skald/middle/pass"
)

// Pass is the pass: a typed program with function values to one without.
var Pass = pass.Pass[*types.Prog, *types.Prog]{
	Name: "defunctionalise",
	Doc:  "replace function values by records of what they captured",
	Run:  Run,
}

// Run removes the function values of p. A function value whose definition cannot be told is a limit, reported through ctx.
func Run(ctx *pass.Context, p *types.Prog) *types.Prog {
	f := &defun{
		ctx:     ctx,
		supply:  types.NewSupply(p),
		defs:    make(map[*types.Symbol]*types.Def, len(p.Defs)),
		sizesOf: map[*types.Symbol]*types.Def{},
		copies:  map[string]*copied{},
		env:     map[*types.Symbol]static{},
	}
	for _, d := range p.Defs {
		f.defs[d.Sym] = d
		if d.IsConstant() {
			for _, size := range d.Ret.Ext {
				f.sizesOf[size] = d
			}
		}
	}
	for _, d := range p.Defs {
		if d.Entry != nil {
			f.specialise(d, make([]static, len(d.Params)))
		}
	}
	return &types.Prog{Defs: f.out, NumSymbols: f.supply.NumSymbols()}
}

// defun is the state of one run.
type defun struct {
	ctx    *pass.Context
	supply *types.Supply
	defs   map[*types.Symbol]*types.Def
	// sizesOf maps each existential size of a constant, which is in scope everywhere, to that constant.
	sizesOf map[*types.Symbol]*types.Def
	copies  map[string]*copied
	out     []*types.Def
	// env holds what is known of the variables of the definition that is being rewritten; symbols are unique, so that one map
	// serves all.
	env map[*types.Symbol]static
}

// copied is a definition rewritten for some static arguments.
type copied struct {
	def    *types.Def
	result static
}

// specialise returns the copy of d for the given static arguments, one for each parameter.
func (f *defun) specialise(d *types.Def, args []static) *copied {
	key := strconv.Itoa(d.Sym.ID) + keyOf(args)
	if c, ok := f.copies[key]; ok {
		return c
	}
	sym := f.supply.Like(d.Sym, nil)
	sym.Name = f.supply.Name(types.Identifier(d.Sym.Name))
	cp := types.Copier{Fresh: f.supply.Like}
	if d.IsConstant() && d.Entry == nil {
		cp.Keep(d.Ret.Ext)
	}
	out := cp.Def(d, sym)
	c := &copied{def: out}
	f.copies[key] = c
	f.ctx.Copied(len(f.copies), d.Sym.Name, d.At)
	f.defs[sym] = out
	for i, p := range out.Params {
		known, sizes := f.rebind(args[i])
		out.Params[i] = &types.Param{Sizes: append(p.Sizes, sizes...), Pat: f.bind(p.Pat, known)}
	}
	out.Ret.Type = f.typ(out.Ret.Type)
	if out.Entry != nil {
		out.Entry = out.Entry.MapSizes(f.size)
	}
	sym.Type = funcType(out)
	body, result := f.exp(out.Body)
	out.Body = body
	c.result = result
	if result != nil {
		known, sizes := f.rebind(result)
		out.Ret = types.RetType{Ext: append(out.Ret.Ext, sizes...), Type: typeOf(known, out.Ret.Type)}
		sym.Type = funcType(out)
	}
	f.out = append(f.out, out)
	return c
}

// funcType is the type of d's symbol, from its parameters and result.
func funcType(d *types.Def) types.Type {
	ret := d.Ret
	for i := len(d.Params) - 1; i >= 0; i-- {
		arrow := &types.Arrow{Param: d.Params[i].Pat.Base().Type, Ret: ret}
		if v, ok := d.Params[i].Pat.(*types.VarPat); ok {
			arrow.Name = v.Sym
		}
		ret = types.RetType{Type: arrow}
	}
	return ret.Type
}

// retype rewrites the functions that size expressions in the types of a pattern mention.
func (f *defun) retype(p types.Pat) types.Pat {
	for _, s := range types.PatSymbols(p) {
		s.Type = f.typ(s.Type)
	}
	return types.MapPat(p, types.Mapper{Type: f.typ})
}

// bind notes what is known of the variables of p when it takes a value of which s is known, and returns them their run-time types.
func (f *defun) bind(p types.Pat, s static) types.Pat {
	if s == nil {
		return f.retype(p)
	}
	info := types.PatInfo{Type: typeOf(s, f.typ(p.Base().Type)), At: p.Base().At}
	switch p := p.(type) {
	case *types.VarPat:
		f.env[p.Sym] = s
		p.Sym.Type = info.Type
		return &types.VarPat{PatInfo: info, Sym: p.Sym}
	case *types.WildPat:
		return &types.WildPat{PatInfo: info}
	case *types.AttrPat:
		return &types.AttrPat{PatInfo: info, Attr: p.Attr, Pat: f.bind(p.Pat, s)}
	case *types.RecordPat:
		fields := make([]types.FieldPat, len(p.Fields))
		for i, fp := range p.Fields {
			fields[i] = types.FieldPat{Name: fp.Name, Pat: f.bind(fp.Pat, fieldOf(s, fp.Name))}
		}
		return &types.RecordPat{PatInfo: info, Fields: fields}
	case *types.CtorPat:
		return f.bindPayload(p, s)
	default:
		f.ctx.Bug(p.Base().At, "a pattern that takes functions has the form %T", p)
		return p
	}
}
