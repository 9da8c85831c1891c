package device

import (
	"strings"
	"testing"
)

func TestDescribeSaysWhatADeviceHas(t *testing.T) {
	f := NullFacts()
	f.I64, f.Subgroups, f.SubgroupSize, f.SubgroupLinear = true, true, 32, true
	f.Floats = Floats{Probed: true, AddExact: true, FlushesResults: true, Excuses: []Excuse{
		{"two roundings", "fma", "fma(1) is 0"}, {"flush", "add", "add(1) is 0"}, {"two roundings", "mul", "mul(1) is 0"},
	}}
	f.Sharing = Sharing{Probed: true, Excuses: []Excuse{{"bools", "workgroup memory", "true is false"}}}
	var b strings.Builder
	if err := f.Describe(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"null device (null)\n", "types          up to 32 bits, i64; emulated are f64, f16\n", "subgroups      32 threads, in order\n",
		"256 threads, 16 KiB of memory; 1 compute units",
		"buffer         256 MiB, 128 MiB bound, offsets of 256\n", "f32 exact      add\n",
		"deviations     two roundings in fma, mul: fma(1) is 0\n                 flush in add: add(1) is 0\n" +
			"                 bools in workgroup memory: true is false\n",
		"rounds twice",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing from\n%s", want, b.String())
		}
	}
}
