package webgpu

import "testing"

func TestOnlyListedDevicesLetWaitingWorkgroupsProgress(t *testing.T) {
	for _, p := range progressing {
		if p.seen == "" {
			t.Errorf("%s: it is not said how it is known", p.name)
		}
	}
	for _, c := range []struct {
		adapter adapterText
		want    bool
	}{
		{adapterText{vendorID: 0x10DE, name: "NVIDIA H200", backend: backendVulkan}, true},
		{adapterText{vendorID: 0x10DE, name: "NVIDIA H200", backend: backendD3D12}, false},
		{adapterText{vendorID: 0x1002, name: "H200", backend: backendVulkan}, false},
		{adapterText{vendorID: 0x10DE, name: "NVIDIA GeForce GTX 970", backend: backendVulkan}, false},
		{adapterText{vendorID: 0x10005, name: "llvmpipe (LLVM 15.0.6, 256 bits)", backend: backendVulkan}, false},
		{adapterText{}, false},
	} {
		if got := progresses(c.adapter); got != c.want {
			t.Errorf("%q: %v", c.adapter.name, got)
		}
	}
}
