package webgpu

import (
	_ "embed"
	"fmt"

	"skald/runtime/device"
)

// Note [Sharing in a workgroup]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// What WGSL promises of workgroup memory is not kept everywhere: through wgpu-native and Vulkan, NVIDIA's driver 580 loses what is stored
// in arrays of bools. Kernels of ours do without (Note [Bools in workgroup memory] of package wgsl), so nothing is wrong because
// of it; the probe says which devices are concerned. testsuite/deviations has more forms of it.

//go:embed kernels/flags.wgsl
var flagsSource string

// ProbeSharing finds out how threads of a workgroup share what they store, once, and completes the device's facts. What
// was found is kept in the cache. See Note [Sharing in a workgroup].
func (d *Device) ProbeSharing() (device.Sharing, error) {
	if d.facts.Sharing.Probed {
		return d.facts.Sharing, nil
	}
	s, err := probed(d, "sharing", func(s device.Sharing) bool { return s.Probed }, d.observeSharing, flagsSource)
	if err == nil {
		d.facts.Sharing = s
	}
	return s, err
}

func (d *Device) observeSharing() (device.Sharing, error) {
	s := device.Sharing{Probed: true, Bools: true}
	k, err := d.kernels.One(&d.facts, &device.KernelSpec{
		Name: "probe flags", Source: flagsSource, Entry: "main", Buffers: 1, Workgroup: [3]uint32{64, 1, 1},
	})
	if err != nil {
		return s, err
	}
	const threads, groups = 64, 2
	seen, err := d.runOnWords(wordsRun{k, groups, threads * groups})
	if err != nil {
		return s, err
	}
	for i, x := range seen[0] {
		want := i < threads || i%threads%3 == 0
		if got := x == 2; got != want && s.Bools {
			s.Bools = false
			s.Excuses = append(s.Excuses, device.Excuse{
				What: "lost stores", Op: "arrays of bools in workgroup memory",
				Seen: fmt.Sprintf("thread %d stored %v and loaded %v", i%threads, want, got),
			})
		}
	}
	return s, nil
}
