package render

import (
	"strings"
	"testing"
)

func TestFilesHaveAModuleForEachType(t *testing.T) {
	files := Files()
	for file, types := range map[string][]string{
		"integers.fut": {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"},
		"floats.fut":   {"f16", "f32", "f64"},
	} {
		for _, typ := range types {
			if n := strings.Count(files[file], "\nmodule "+typ+": "); n != 1 {
				t.Errorf("%s has %d modules %s, want one", file, n, typ)
			}
		}
	}
}

// A signed integer that becomes a wider unsigned one keeps its bits and is filled up with zeroes, not with its sign.
func TestConvertFillsUnsignedIntegersWithZeroes(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"i8", "u64", "intrinsics.u8_to_u64 (intrinsics.i8_to_u8 x)"},
		{"i8", "u8", "intrinsics.i8_to_u8 x"},
		{"i8", "i64", "intrinsics.i8_to_i64 x"},
		{"i64", "u8", "intrinsics.i64_to_u8 x"},
	} {
		if got := convert(test.from, test.to); got != test.want {
			t.Errorf("convert(%s, %s) = %q, want %q", test.from, test.to, got, test.want)
		}
	}
}
