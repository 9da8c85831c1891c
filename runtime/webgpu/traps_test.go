package webgpu

import (
	"reflect"
	"slices"
	"testing"
)

// TestCallsThatEndTheProcessAreNotBound names the calls in which a library ends the
// process whatever it is given.
func TestCallsThatEndTheProcessAreNotBound(t *testing.T) {
	typ := reflect.TypeFor[symbols]()
	for _, name := range []string{
		"GetWGSLLanguageFeatures", "InstanceGetWGSLLanguageFeatures", "InstanceHasWGSLLanguageFeature",
		"DeviceCreateComputePipelineAsync", "ShaderModuleGetCompilationInfo",
	} {
		if _, ok := typ.FieldByName(name); ok {
			t.Errorf("wgpu%s is bound", name)
		}
	}
	const internal = filterInternal
	if slices.Contains(wgpuNative.filters, internal) {
		t.Error("wgpu-native is asked to catch errors of a kind that it does not know")
	}
}

// TestErrorsOutsideOfScopesReachTheDevice has a library meet an error that nobody
// waits for, which ends the process where there is no handler.
func TestErrorsOutsideOfScopesReachTheDevice(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		d.conn.createBuffer(usageStorage, 1<<41) // More than a buffer may have.
		if err := d.Sync(); err == nil {
			t.Error("the error did not arrive")
		}
		if err := work(d, 0, 1); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}
