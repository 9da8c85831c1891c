package webgpu

import "strings"

// Note [Forward progress]
// ~~~~~~~~~~~~~~~~~~~~~~~
// Neither WebGPU nor Vulkan promises that a workgroup runs on while another one
// spins, so a scan that looks back at its predecessors may wait for ever. Some
// devices do keep a workgroup going once it has started, and start them in order;
// these are listed by name, and only those on which look-back scans were run. A
// device that is not listed is taken not to: CPU drivers, for one, run a workgroup
// to its end before the next on the same thread.

// progressing lists what an adapter's name must contain, by PCI vendor.
var progressing = []struct {
	vendorID uint32
	name     string
}{
	{0x10DE, "H200"},
}

// progresses reports whether waiting workgroups are known not to keep others of
// the same launch from running.
func progresses(t adapterText) bool {
	for _, p := range progressing {
		if t.vendorID == p.vendorID && t.backend == backendVulkan && strings.Contains(t.name, p.name) {
			return true
		}
	}
	return false
}
