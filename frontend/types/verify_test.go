package types_test

import (
	"strings"
	"testing"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// broken is a program of one function, made by f from its parameter, a variable of type i64.
func broken(f func(x *types.Ref) types.Exp) *types.Prog {
	x := &types.Symbol{Name: "x", ID: 1, Type: types.I64}
	ref := &types.Ref{Info: types.Info{Type: types.I64}, Sym: x}
	body := f(ref)
	ret := types.RetType{Type: types.I64}
	def := &types.Def{
		Sym:    &types.Symbol{Name: "f", Kind: types.Global, Type: types.Func(ret, types.I64)},
		Params: []*types.Param{{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: types.I64}, Sym: x}}},
		Ret:    ret,
		Body:   body,
	}
	return &types.Prog{Defs: []*types.Def{def}, NumSymbols: 9}
}

func TestVerifyFindsWhatIsWrong(t *testing.T) {
	unit := types.Info{Type: types.Unit}
	stranger := &types.Symbol{Name: "y", ID: 7, Type: types.I64}
	array := func(d types.Size) types.Type { return &types.Array{Size: d, Elem: types.I32} }
	tests := []struct {
		name, want string
		f          func(x *types.Ref) types.Exp
	}{
		{"sound", "", func(x *types.Ref) types.Exp { return x }},
		{"unbound variable", "which is not in scope", func(*types.Ref) types.Exp {
			return &types.Ref{Info: types.Info{Type: types.I64}, Sym: stranger}
		}},
		{"unbound size", "mentions y", func(*types.Ref) types.Exp {
			return &types.Hole{Info: types.Info{Type: array(&types.SizeName{Sym: stranger})}}
		}},
		{"size born here", "", func(*types.Ref) types.Exp {
			return &types.Hole{Info: types.Info{Type: array(&types.SizeName{Sym: stranger}), Ext: []*types.Symbol{stranger}}}
		}},
		{"size left out", "not inferred", func(*types.Ref) types.Exp {
			return &types.Hole{Info: types.Info{Type: array(&types.AnySize{})}}
		}},
		{"type left out", "not inferred", func(*types.Ref) types.Exp {
			return &types.Hole{Info: types.Info{Type: &types.Meta{ID: 1}}}
		}},
		{"bound twice", "bound twice", func(x *types.Ref) types.Exp {
			pat := &types.VarPat{PatInfo: types.PatInfo{Type: types.I64}, Sym: x.Sym}
			return &types.Let{Info: unit, Pat: pat, Exp: x, Body: &types.RecordLit{Info: unit}}
		}},
		{"missing arguments", "0 arguments for 1 parameters", func(x *types.Ref) types.Exp {
			x.Sym.Params = []*types.TypeParam{{Name: "a"}}
			return x
		}},
		{"variable used before its let", "which is not in scope", func(*types.Ref) types.Exp {
			ref := &types.Ref{Info: types.Info{Type: types.I64}, Sym: stranger}
			pat := &types.VarPat{PatInfo: types.PatInfo{Type: types.I64}, Sym: stranger}
			one := &types.Const{Info: types.Info{Type: types.I64}, Value: prim.MakeI64(1)}
			return &types.Let{Info: unit, Pat: pat, Exp: ref, Body: one}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := types.Verify(broken(tt.f))
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("a sound program is rejected: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}
