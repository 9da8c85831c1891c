package check

import "skald/frontend/types"

// checkRecursion checks what recursive functions must keep to so that functions can be compiled away: their result
// contains no functions, and in a recursive call every parameter that contains functions is passed on as it is.
func (in *infer) checkRecursion(d *types.Def) {
	if functional(d.Ret.Type) {
		in.fail(d.Sym.At, "recursive-function", "Recursive function \"%s\" returns type\n  %s\nwhich is not "+
			"first-order.", d.Sym.Name, d.Ret.Type)
	}
	higher := false
	for _, p := range d.Params {
		higher = higher || functional(p.Pat.Base().Type)
	}
	if higher {
		in.checkCalls(d, d.Body)
	}
}

// functional reports whether values of t may contain functions.
func functional(t types.Type) bool {
	_, l := mostLifted(t)
	return isFunctional(t) || l == types.FullLifted
}

func (in *infer) checkCalls(d *types.Def, e types.Exp) {
	switch e := e.(type) {
	case *types.Ref:
		if e.Sym == d.Sym {
			in.fail(e.At, "recursive-function",
				"\"%s\" takes functions, and is used in its own body where it is not fully saturated: it must be given "+
					"all its arguments, its higher-order parameter among them.", d.Sym.Name)
		}
	case *types.Apply:
		if ref, ok := e.Fun.(*types.Ref); ok && ref.Sym == d.Sym {
			in.checkCall(d, e)
			for _, a := range e.Args {
				in.checkCalls(d, a)
			}
			return
		}
	default:
	}
	types.Children(e, func(x types.Exp) { in.checkCalls(d, x) })
}

func (in *infer) checkCall(d *types.Def, e *types.Apply) {
	if len(e.Args) != len(d.Params) {
		in.fail(e.At, "recursive-function", "Recursive application of \"%s\" is not fully saturated: expected %d "+
			"arguments but got %d.",
			d.Sym.Name, len(d.Params), len(e.Args))
	}
	for i, p := range d.Params {
		if !functional(p.Pat.Base().Type) {
			continue
		}
		ref, ok := e.Args[i].(*types.Ref)
		if !ok || !binds(p.Pat, ref.Sym) {
			in.fail(e.Args[i].Base().At, "recursive-function",
				"In its own body \"%s\" must be given the functions that it was given itself, passed unchanged in the "+
					"same place.", d.Sym.Name)
		}
	}
}

func binds(p types.Pat, sym *types.Symbol) bool {
	for _, s := range types.PatSymbols(p) {
		if s == sym {
			return true
		}
	}
	return false
}
