package compiler_test

import (
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/diag"
)

// One thread does all updates of an accumulator whose operator combines arrays. It cannot make arrays whose sizes are known only where they
// are made: such a program is refused, with its place.
func TestArraysOfUnknownSizeWhereRowsAreCombined(t *testing.T) {
	const text = `entry main [m] (n: i64) (b: bool) (counts: *[m]i64) (sums: *[m][n]i32) (rows: [n][n]i32) =
  unzip (intrinsics.hist_stream (zip counts sums) (\x y -> (x.0 * y.0, map2 (+) x.1 y.1)) (1, replicate n 0)
    (\(acc: *intrinsics.acc ([m](i64, [n]i32))) (e: i64) ->
       intrinsics.acc_write acc e (e, reduce (map2 (+)) (replicate n 0) ROWS))
    (iota m))
`
	const says = "size that is only known when it is made"
	for rows, refused := range map[string]bool{"rows[0:3]": false, "(if b then [] else rows[0:e])": true} {
		p, d := compiler.Compile(checkText(t, strings.ReplaceAll(text, "ROWS", rows)), compiler.CompileOptions{})
		if d != nil {
			t.Fatal(d)
		}
		_, err := p.Lower(compiler.DeviceProfile("cpu"))
		d, _ = err.(*diag.Diagnostic) //nolint:errorlint // what Lower returns
		switch {
		case !refused && err != nil:
			t.Errorf("%s: %v", rows, err)
		case refused && (d == nil || d.Code != diag.CodeLimit || !strings.Contains(d.Error(), ":2:9-5:13") || !strings.Contains(d.Message, says)):
			t.Errorf("%s: %v", rows, err)
		}
	}
}
