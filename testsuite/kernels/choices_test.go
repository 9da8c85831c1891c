package kernels

import (
	"testing"

	"skald/compiler"
	"skald/middle/pass"
	"skald/testsuite/depth"
)

// chosenFor are the profiles whose choices are read back, of one program after the other.
var chosenFor = []string{"sm_90", "cpu", "portable"}

// What devices choose is in the text of a program, all of it: `skald dev --from choose` reads what `--after choose` printed, and prints the
// same. All but deep tests try a sample of the programs.
func TestChoicesOfProgramsReadBack(t *testing.T) {
	every, read := depth.Choose(16, 4, 1), 0
	type choice struct{ file, profile string }
	var all []choice
	for i, file := range oneIn(every, programs(t, []string{"../programs"})) {
		all = append(all, choice{file, chosenFor[i%len(chosenFor)]})
	}
	for _, ok := range pass.Each(all, func(c choice) bool {
		return readsBack(t, c.file, compiler.CompileOptions{Model: compiler.DeviceProfile(c.profile), DumpDir: t.TempDir()})
	}) {
		if ok {
			read++
		}
	}
	if least := 300 / every * 3 / 4; read < least {
		t.Errorf("choices of %d programs, at least %d are asked for", read, least)
	}
}

// readsBack compares a program with its choices with what is read of its text; false of programs that are to be rejected.
func readsBack(t *testing.T, file string, opts compiler.CompileOptions) bool {
	prog, _, ok := compiler.Check(file, compiler.CheckOptions{})
	if !ok {
		return false
	}
	text, d, err := compiler.Dump(prog, "choose", opts)
	if d != nil || err != nil {
		return false
	}
	again, d, err := compiler.DumpCore(text, "choose", "choose", opts)
	if d != nil || err != nil || again != text {
		t.Errorf("%s, as it is printed with choices, reads back as another program: %v %v", file, d, err)
	}
	return true
}
