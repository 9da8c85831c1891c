package device

import (
	"strings"
	"testing"
)

func TestDescribeSaysWhatADeviceHas(t *testing.T) {
	f := NullFacts()
	f.I64, f.Subgroups, f.SubgroupSize, f.SubgroupLinear = true, true, 32, true
	f.Floats = Floats{Probed: true, AddExact: true, FlushesResults: true, Excuses: []string{"an excuse"}}
	var b strings.Builder
	if err := f.Describe(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"null device (null)\n", "types          i64\n", "subgroups      32 threads, in order\n",
		"256 threads, 16 KiB of memory",
		"buffer         256 MiB, 128 MiB bound, offsets of 256\n", "f32 exact      add\n", "an excuse", "rounds twice",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing from\n%s", want, b.String())
		}
	}
}
