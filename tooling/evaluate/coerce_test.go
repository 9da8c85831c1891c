package evaluate

import (
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

func TestScriptsIntegersFitSignedAndFloatParameters(t *testing.T) {
	ten := value.Scalar(prim.MakeI32(10))
	for to, want := range map[prim.Type]string{prim.I64: "10i64", prim.F32: "10.0f32", prim.U8: "10i32", prim.Bool: "10i32"} {
		if got := coerce(ten, to).String(); got != want {
			t.Errorf("as %s: got %s, want %s", to, got, want)
		}
	}
	if got := coerce(value.FromSlice([]int32{1, -2}, 2), prim.I8).String(); got != "[1i8, -2i8]" {
		t.Errorf("an array: got %s", got)
	}
}
