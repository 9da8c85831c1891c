package kernels

import (
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// What is compiled for processors does not depend on how many cores they have: code that an executable carries fits all of them.
func TestKernelsForProcessorsAreTheSameForAnyNumberOfCores(t *testing.T) {
	files := programs(t, []string{"../../examples", "../programs/soacs", "../programs/nested"})
	for _, file := range files {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		kernels := func(units int) string {
			low, err := compiled.Lower(targets.Find("cpu").Model(&device.Facts{Units: units, Compiled: true}))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, k := range low.Kernels {
				b.WriteString(imp.PrintKernel(k))
			}
			return b.String()
		}
		if few, many := kernels(1), kernels(100); few != many {
			t.Errorf("%s has other kernels for other processors:\n%s\n%s", file, few, many)
		}
	}
	if len(files) < 30 {
		t.Errorf("only %d programs are found", len(files))
	}
}
