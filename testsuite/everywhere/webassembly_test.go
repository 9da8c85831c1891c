package everywhere

import (
	"path/filepath"
	"testing"

	"skald/compiler"
	"skald/testsuite/depth"
	"skald/tooling/conformance"
)

// TestProgramsPassAsWebAssembly runs some programs, or with SKALD_TEST_DEPTH=deep all of them, by WebAssembly, of which no kernel may be
// evaluated instead.
func TestProgramsPassAsWebAssembly(t *testing.T) {
	each := depth.Choose(60, 10, 1)
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{
		Name: "cpu", Flags: map[string]string{"cpu-compiler": "wasm"}, Warn: func(s string) { t.Error(s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := set{{"interpreter", conformance.Interpreter{}}, {"wasm", conformance.On("wasm", dev)}}
	defer func() {
		if err := s[1].Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, file := range programs(t) {
		if i%each != 0 {
			continue
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) { testProgram(t, file, s, nil) })
	}
}
