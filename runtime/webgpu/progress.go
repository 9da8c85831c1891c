package webgpu

import "strings"

// Note [Forward progress]
// ~~~~~~~~~~~~~~~~~~~~~~~
// Neither WebGPU nor Vulkan promises that a workgroup runs on while another one
// spins, so a scan that looks back at its predecessors may wait for ever. Many GPUs
// do keep a workgroup going once it has started (Sorensen and others, "Specifying
// and Testing GPU Workgroup Progress Models", OOPSLA 2021), and on these a scan is
// right whose workgroups number themselves as they start. The table holds those on
// which such scans were run here; a device that is not listed is taken not to.

// progressing lists what an adapter's name must contain, by PCI vendor, and how it
// is known.
var progressing = []struct {
	vendorID uint32
	name     string
	seen     string
}{
	{0x10DE, "H200", "scans and sorts of 10^8 words with look-back, driver 580.159, wgpu-native and Dawn, November 2026"},
}

// progresses reports whether waiting workgroups are known not to keep others of
// the same launch from running. See Note [Forward progress].
func progresses(t adapterText) bool {
	for _, p := range progressing {
		if t.vendorID == p.vendorID && t.backend == backendVulkan && strings.Contains(t.name, p.name) {
			return true
		}
	}
	return false
}
