package compiler_test

import (
	"strings"
	"testing"

	"skald/compiler"
	"skald/middle/core"
	"skald/runtime/device"
	"skald/targets"
)

func compile(t testing.TB, text string) *compiler.Program {
	t.Helper()
	p, d := compiler.Compile(checkText(t, text), compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		t.Fatal(d.Message)
	}
	return p
}

// Thresholds are unset on a GPU, where costs decide, and ask for few points on the evaluator; parameters of the program itself are unset.
func TestTuningParametersBeginAsTheDeviceAsks(t *testing.T) {
	p := compile(t, "def main [n][m] (xss: [n][m]i64) : [n]i64 = map i64.sum xss\nentry own (x: i64) : i64 = #[param(width)] x\n")
	for _, c := range []struct {
		model *compiler.Model
		want  int64
	}{{compiler.DeviceProfile("native"), core.TuneUnset}, {targets.Find("cpu").Model(&device.Facts{Units: 4}), 16 * 8}} {
		low, err := p.Lower(c.model)
		if err != nil {
			t.Fatal(err)
		}
		if len(low.Tunes) != 2 {
			t.Fatalf("%d tuning parameters", len(low.Tunes))
		}
		for _, tune := range low.Tunes {
			want := c.want
			if tune.Class == core.ClassParam {
				want = core.TuneUnset
			}
			if tune.Default != want {
				t.Errorf("%s: %s is %d, want %d", c.model.Target.Name, tune.Name, tune.Default, want)
			}
		}
	}
}

func TestADamagedBundleIsRefused(t *testing.T) {
	b := compile(t, "def main (x: i64) : i64 = x + 1\n").Bundle()
	b[0].Data[len(b[0].Data)-1] ^= 1
	if _, err := compiler.Load(b); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	b[0].Data[4]++
	if _, err := compiler.Load(b); err == nil || !strings.Contains(err.Error(), "newer version of skald") {
		t.Error(err)
	}
	b[0].Name = "other"
	if _, err := compiler.Load(b); err == nil || !strings.Contains(err.Error(), "has no program") {
		t.Error(err)
	}
}
