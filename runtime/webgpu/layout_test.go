package webgpu

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skald/runtime/cache"
)

// cStructs maps each C struct of wgpu-native's headers to our mirror of it. Dawn's
// package has no header: see dawnlayout_test.go.
var cStructs = map[string]any{
	"StringView": stringView{}, "ChainedStruct": chainedStruct{},
	"RequestAdapterCallbackInfo": callbackInfo{}, "RequestDeviceCallbackInfo": callbackInfo{},
	"BufferMapCallbackInfo": callbackInfo{}, "QueueWorkDoneCallbackInfo": callbackInfo{},
	"PopErrorScopeCallbackInfo": callbackInfo{}, "DeviceLostCallbackInfo": callbackInfo{},
	"UncapturedErrorCallbackInfo": uncapturedErrorCallbackInfo{},
	"RequestAdapterOptions":       requestAdapterOptions{}, "AdapterInfo": adapterInfo{}, "Limits": limits{},
	"SupportedFeatures": supportedFeatures{}, "QueueDescriptor": queueDescriptor{}, "DeviceDescriptor": deviceDescriptor{},
	"FutureWaitInfo": futureWaitInfo{}, "BufferDescriptor": bufferDescriptor{}, "ShaderSourceWGSL": shaderSourceWGSL{},
	"ShaderModuleDescriptor": shaderModuleDescriptor{}, "BufferBindingLayout": bufferBindingLayout{},
	"SamplerBindingLayout": samplerBindingLayout{}, "TextureBindingLayout": textureBindingLayout{},
	"StorageTextureBindingLayout": storageTextureBindingLayout{}, "BindGroupLayoutEntry": bindGroupLayoutEntry{},
	"BindGroupLayoutDescriptor": bindGroupLayoutDescriptor{}, "BindGroupEntry": bindGroupEntry{},
	"BindGroupDescriptor": bindGroupDescriptor{}, "PipelineLayoutDescriptor": pipelineLayoutDescriptor{},
	"ComputeState": computeState{}, "ComputePipelineDescriptor": computePipelineDescriptor{},
	"PassTimestampWrites": passTimestampWrites{}, "ComputePassDescriptor": computePassDescriptor{},
	"QuerySetDescriptor": querySetDescriptor{},
	"InstanceDescriptor": instanceDescriptor{}, "InstanceExtras": instanceExtras{},
	"InstanceEnumerateAdapterOptions": instanceEnumerateAdapterOptions{},
}

// cNames are the C names of fields whose Go names differ, for one struct or all.
var cNames = map[string]string{
	"next": "nextInChain", "kind": "type", "user1": "userdata1", "user2": "userdata2",
	"AdapterInfo.vendorID": "vendorID", "PipelineLayoutDescriptor.bindGroupLayouts": "bindGroupLayouts",
	"ChainedStruct.next":              "next",
	"InstanceDescriptor.featureCount": "requiredFeatureCount", "InstanceDescriptor.features": "requiredFeatures",
	"InstanceDescriptor.limits":   "requiredLimits",
	"InstanceExtras.dx12Compiler": "dx12ShaderCompiler", "InstanceExtras.glesMinor": "gles3MinorVersion",
	"InstanceExtras.glFence": "glFenceBehaviour", "InstanceExtras.dxcMaxModel": "dxcMaxShaderModel",
	"InstanceExtras.dx12Swapchain": "dx12PresentationSystem", "InstanceExtras.budgetCreation": "budgetForDeviceCreation",
	"InstanceExtras.budgetLoss": "budgetForDeviceLoss", "InstanceExtras.display": "displayHandle",
}

func TestStructsAreLaidOutAsInTheLibrarysHeader(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("SKIPPED: no C compiler")
	}
	dir := filepath.Join(cache.Dir(), "webgpu", "wgpu-native-29")
	if _, err := os.Stat(filepath.Join(dir, "wgpu.h")); err != nil {
		t.Skipf("SKIPPED: the library's header is not there: %v", err)
	}
	program, want := layoutProgram("wgpu.h", cStructs)
	got := compileAndRun(t, cc, dir, program)
	for name, line := range want {
		if got[name] != line {
			t.Errorf("WGPU%s: C has %q, we have %q", name, got[name], line)
		}
	}
}

// layoutProgram writes a C program that prints a line for each struct: its size
// and the offset of each field that we mirror; and our idea of the same lines.
func layoutProgram(include string, tables ...map[string]any) (program string, want map[string]string) {
	want = map[string]string{}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdio.h>\n#include <stddef.h>\n#include %q\nint main(void) {\n", include)
	for _, table := range tables {
		for name, value := range table {
			typ := reflect.TypeOf(value)
			line := fmt.Sprint(typ.Size())
			fmt.Fprintf(&b, "  printf(\"%s %%zu\", sizeof(WGPU%s));\n", name, name)
			for i := range typ.NumField() {
				f := typ.Field(i)
				if f.Name == "_" {
					continue
				}
				field := f.Name
				if c, ok := cNames[name+"."+f.Name]; ok {
					field = c
				} else if c, ok := cNames[f.Name]; ok {
					field = c
				}
				line += fmt.Sprintf(" %s@%d", field, f.Offset)
				fmt.Fprintf(&b, "  printf(\" %s@%%zu\", offsetof(WGPU%s, %s));\n", field, name, field)
			}
			b.WriteString("  printf(\"\\n\");\n")
			want[name] = line
		}
	}
	b.WriteString("  return 0;\n}\n")
	return b.String(), want
}

func compileAndRun(t *testing.T, cc, include, program string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "layout.c"), filepath.Join(dir, "layout")
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-I", include, "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, rest, _ := strings.Cut(l, " ")
		lines[name] = rest
	}
	return lines
}
