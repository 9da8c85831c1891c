package check

import (
	"testing"

	"skald/frontend/diag"
	"skald/frontend/types"
)

// The table says which arguments are functions, since passes ask it when types are long gone; the types say so, too.
func TestIntrinsicsTakeTheFunctionsThatTheirTypesSay(t *testing.T) {
	c := newChecker(nil, &diag.Sink{})
	m := newIntrinsics(c)
	for name, fn := range types.Intrinsics() {
		b := m.scope.source.value(name)
		if b == nil {
			t.Errorf("%s has no type", name)
			continue
		}
		typ, arg := b.sym.Type, 0
		for a, ok := typ.(*types.Arrow); ok; a, ok = a.Ret.Type.(*types.Arrow) {
			if got, want := fn.FunctionArity(arg), arity(a.Param); got != want {
				t.Errorf("argument %d of %s takes %d arguments by the table, %d by its type", arg, name, got, want)
			}
			arg++
		}
		if got := fn.FunctionArity(arg); got != 0 {
			t.Errorf("%s has an argument %d by the table, none by its type", name, arg)
		}
	}
}
