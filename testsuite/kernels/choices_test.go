package kernels

import (
	"runtime"
	"sync"
	"testing"

	"skald/compiler"
	"skald/testsuite/depth"
)

// chosenFor are the profiles whose choices are read back, of one program after the other.
var chosenFor = []string{"sm_90", "cpu", "portable"}

// What devices choose is in the text of a program, all of it: `skald dev --from choose` reads what `--after choose` printed, and prints the
// same. Quick tests try a sample of the programs, others all.
func TestChoicesOfProgramsReadBack(t *testing.T) {
	every, read := depth.Choose(16, 1, 1), 0
	var mu sync.Mutex
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, file := range programs(t, []string{"../programs"}) {
		if i%every != 0 {
			continue
		}
		m := compiler.DeviceProfile(chosenFor[i/every%len(chosenFor)])
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if readsBack(t, file, compiler.CompileOptions{Model: m, DumpDir: t.TempDir()}) {
				mu.Lock()
				defer mu.Unlock()
				read++
			}
		})
	}
	wg.Wait()
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
