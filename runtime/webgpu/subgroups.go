package webgpu

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"skald/runtime/device"
)

// Note [Subgroup layout]
// ~~~~~~~~~~~~~~~~~~~~~~
// WGSL relates neither the subgroup size of a kernel to anything known before it
// runs, nor a thread's place in its subgroup to its index in the workgroup. Both
// are observed once a device, in workgroups of several sizes: where every kernel
// saw one size, and threads in order, the facts say so. What was seen is kept in
// the cache by library, adapter and driver.

//go:embed kernels/subgroups.wgsl
var subgroupSource string

// subgroupLayout is what the probe finds: see Note [Subgroup layout].
type subgroupLayout struct {
	Size   int
	Linear bool
}

// probeSubgroups completes the facts of a device that has subgroups: see Note [Subgroup layout].
func (d *Device) probeSubgroups() error {
	if !d.facts.Subgroups {
		return nil
	}
	l, err := probed(d, "subgroups", func(subgroupLayout) bool { return true }, d.observeSubgroups, subgroupSource)
	if err != nil {
		return err
	}
	d.facts.SubgroupSize, d.facts.SubgroupLinear = l.Size, l.Linear
	if l.Size > 0 {
		d.facts.SubgroupMin, d.facts.SubgroupMax = l.Size, l.Size
	}
	return nil
}

// observeSubgroups runs the probing kernel in workgroups of several sizes.
func (d *Device) observeSubgroups() (subgroupLayout, error) {
	sizes := []int{32, 64, 256}
	if d.facts.MaxThreads > 256 {
		sizes = append(sizes, d.facts.MaxThreads)
	}
	var specs []device.KernelSpec
	enable := ""
	for _, e := range d.facts.Enables {
		enable += "enable " + e + ";\n"
	}
	for _, n := range sizes {
		specs = append(specs, device.KernelSpec{
			Name: "subgroups", Entry: "main", Buffers: 1, Workgroup: [3]uint32{uint32(n), 1, 1},
			Source: enable + strings.ReplaceAll(subgroupSource, "THREADS", fmt.Sprint(n)),
		})
	}
	kernels, err := d.Compile(specs)
	if err != nil {
		return subgroupLayout{}, err
	}
	const groups = 4
	var runs []wordsRun
	for i, k := range kernels {
		runs = append(runs, wordsRun{k, groups, 4 * groups * sizes[i]})
	}
	seen, err := d.runOnWords(runs...)
	if err != nil {
		return subgroupLayout{}, err
	}
	return layoutOf(slices.Concat(seen...)), nil
}

// layoutOf is what threads saw, four words each, if all saw one size.
func layoutOf(seen []uint32) subgroupLayout {
	out := subgroupLayout{Linear: true}
	for t := 0; t < len(seen); t += 4 {
		size, lane, first, local := seen[t], seen[t+1], seen[t+2], seen[t+3]
		if out.Size == 0 {
			out.Size = int(size)
		}
		if size == 0 || int(size) != out.Size {
			return subgroupLayout{}
		}
		out.Linear = out.Linear && lane == local%size && first == local-local%size
	}
	return out
}

// wordsRun is a launch of a kernel of one buffer on so many zero words.
type wordsRun struct {
	kernel device.Kernel
	groups uint32
	words  int
}

// runOnWords launches kernels, each on words of its own, and returns these.
func (d *Device) runOnWords(runs ...wordsRun) ([][]uint32, error) {
	var regions []device.Region
	for _, r := range runs {
		b, err := d.Alloc(int64(4 * r.words))
		if err != nil {
			return nil, err
		}
		defer d.Free(b)
		if err := d.Fill(b, 0, int64(4*r.words), 0); err != nil {
			return nil, err
		}
		l := device.Launch{Kernel: r.kernel, Groups: [3]uint32{r.groups, 1, 1}, Buffers: []device.Binding{{Buffer: b}}}
		if err := d.Launch(l); err != nil {
			return nil, err
		}
		regions = append(regions, device.Region{Buffer: b, Data: make([]byte, 4*r.words)})
	}
	if err := d.Download(regions...); err != nil {
		return nil, err
	}
	out := make([][]uint32, len(runs))
	for i, r := range regions {
		for at := 0; at < len(r.Data); at += 4 {
			out[i] = append(out[i], binary.LittleEndian.Uint32(r.Data[at:]))
		}
	}
	return out, nil
}
