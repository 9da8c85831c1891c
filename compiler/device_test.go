package compiler_test

import (
	"testing"

	"skald/compiler"
)

// devices are the configurations that every program is run on. Those whose library or driver is not there are skipped, which says
// why; `make test` fetches them first.
var devices = []struct {
	name string
	opts compiler.DeviceOptions
}{
	{"evaluator", compiler.DeviceOptions{Name: "cpu", Flags: map[string]string{"cpu-compiler": "none"}}},
	{"cpu", compiler.DeviceOptions{Name: "cpu"}},
	{"wgpu-native on lavapipe", webGPU("wgpu-native", "lavapipe", "false")},
	{"wgpu-native on SwiftShader", webGPU("wgpu-native", "swiftshader", "true")},
	{"Dawn on SwiftShader", webGPU("dawn", "swiftshader", "true")},
}

// webGPU are options for a library and a software driver.
func webGPU(library, driver, portable string) compiler.DeviceOptions {
	return compiler.DeviceOptions{Name: "webgpu", Flags: map[string]string{
		"webgpu-library": library, "webgpu-driver": driver, "webgpu-portable": portable,
	}}
}

func TestProgramsMeanTheSameOnEveryDevice(t *testing.T) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			dev, _, err := compiler.OpenDevice(d.opts)
			if err != nil {
				t.Skipf("skipped: %v", err)
			}
			defer func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			}()
			for _, c := range stageCases(t) {
				t.Run(c.name, func(t *testing.T) {
					p, diagnostic := compiler.Compile(checkText(t, c.source), compiler.CompileOptions{DumpDir: t.TempDir()})
					if diagnostic != nil {
						t.Fatal(diagnostic.Message)
					}
					loaded, err := compiler.Load(p.Bundle())
					if err != nil {
						t.Fatal(err)
					}
					prog, err := loaded.On(dev)
					if err != nil {
						t.Fatal(err)
					}
					got, err := prog.Call("main", c.input)
					if err != nil {
						t.Fatal(err)
					}
					compare(t, d.name, got, c.want)
				})
			}
		})
	}
}
