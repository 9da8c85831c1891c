package manifest_test

import (
	"testing"

	"skald/runtime/manifest"
)

// The names are those that Futhark's compiler makes; its tests of libraries use them.
func TestNamesInC(t *testing.T) {
	for name, want := range map[string]string{
		"[]i32":                   "i32_1d",
		"[][]f16":                 "f16_2d",
		"t":                       "opaque_t",
		"[][]t":                   "opaque_arr2d_t",
		"()":                      "opaque_unit",
		"(i32, []f32)":            "opaque_tup2_i32_arr1d_f32",
		"[](i32, (f32, f32))":     "opaque_arr1d_tup2_i32_tup2_f32_f32",
		"([]i64, []bool, bool)":   "opaque_tup3_arr1d_i64_arr1d_bool_bool",
		"m.t":                     "opaque_m_t",
		"{x: i32, y: i32}":        "opaque_bda45ecc4522eff7bd51d26d27e66014",
		"(i32, {x: i32, y: i32})": "opaque_d523f1ed3fbfca26784620b67532c808",
		"#some i32 | #none":       "opaque_c59f16186fe701fd3d1e02a343e2c30f",
		"triad f32":               "opaque_ad064416512a164c78572bc089377948",
	} {
		typ := manifest.Transparent(name)
		if typ == nil {
			typ = &manifest.Type{Name: name, Kind: manifest.Record}
		}
		if got := typ.CName(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{"main": "main", "step'": "stepzq", "a_b'": "azubzq", "z'": "zzzq"} {
		if got := manifest.EscapeC(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestTransparentTypes(t *testing.T) {
	for _, name := range []string{"", "t", "[]", "[i32", "i32[]", "[]t", "]["} {
		if manifest.Transparent(name) != nil {
			t.Errorf("%q is taken for a type of scalars", name)
		}
	}
	if got := manifest.Transparent("[][]f64"); got == nil || got.Rank != 2 || got.Elem != "f64" || got.Kind != manifest.Array {
		t.Errorf("[][]f64 is %+v", got)
	}
}
