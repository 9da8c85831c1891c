package main

import (
	"slices"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func TestPartsCoverTheBinsWithinTheirRoom(t *testing.T) {
	f := device.Facts{MaxThreads: 1024, WorkgroupMemory: 48 << 10}
	for _, bins := range []int{1, 127, 128, 129, 4096, 65_537, 1 << 20, 1 << 24} {
		for _, most := range []int{16, 256, 1 << 14} {
			p := newParting(1_000_000, bins, most, 1<<15, &f)
			if p.room() > most {
				t.Errorf("%d bins: parts of %d, of which at most %d fit", bins, p.room(), most)
			}
			if p.parts*p.room() < bins || (p.parts-1)*p.room() >= bins {
				t.Errorf("%d bins: %d parts of %d", bins, p.parts, p.room())
			}
		}
	}
}

// TestPartsAreDealtOutToEnoughWorkgroups counts what the table needs for parts of any sizes: a workgroup for each, more for
// those over a chunk.
func TestPartsAreDealtOutToEnoughWorkgroups(t *testing.T) {
	f := device.Facts{MaxThreads: 1024, WorkgroupMemory: 48 << 10}
	const n, bins, chunk = 100_000, 4096, 1000
	p := newParting(n, bins, 256, chunk, &f)
	for _, share := range []int{1, 2, 7, 1001, n} { // Elements go to the parts in turn, so many at a time.
		sizes := make([]int, p.parts)
		for at := 0; at < n; at += share {
			sizes[at/share%p.parts] += min(share, n-at)
		}
		groups, slots := 0, 0
		for _, size := range sizes {
			shares := max(1, (size+chunk-1)/chunk)
			groups += shares
			if shares > 1 {
				slots += shares
			}
		}
		if groups > p.groups || slots > p.slots {
			t.Errorf("%d at a time: %d workgroups of %d, %d slots of %d", share, groups, p.groups, slots, p.slots)
		}
	}
}

func TestBinsThatAreSortedFitWorkgroupMemory(t *testing.T) {
	portable := device.Facts{Kernels: webgpu.PortableWGSL, MaxThreads: 256, WorkgroupMemory: 16 << 10}
	native := device.Facts{Kernels: webgpu.NativeWGSL, MaxThreads: 1024, WorkgroupMemory: 48 << 10}
	for _, f := range []*device.Facts{&portable, &native, &cudaFacts} {
		for _, o := range []*folding{foldSaturate, foldArgmaxRead, foldMinPlus} {
			s := newSortedShape(f)
			bins := s.capacity(o.op.width(), sortedMemory(f))
			if got := s.wholeSource(o, partingOfOne(bins, 1)).sharedBytes(); got > sortedMemory(f) {
				t.Errorf("%s: %d bins take %d bytes of %d", o.name, bins, got, sortedMemory(f))
			}
		}
	}
}

// TestBinsWhosePartsDoNotFitAreSorted looks at what a histogram of tuples becomes where workgroup memory does not hold the
// counters of its parts.
func TestBinsWhosePartsDoNotFitAreSorted(t *testing.T) {
	for bins, want := range map[int]string{1 << 12: "sorted-part", 1 << 22: "sorted-part", 1 << 24: "runs-fold"} {
		p, _ := sortedCase(foldArgmaxRead, "one", 10, bins).Plan(&vulkanFacts)
		if !slices.ContainsFunc(p.Kernels, func(k *Source) bool { return strings.HasPrefix(k.Name, want) }) {
			t.Errorf("%d bins have no kernel %s", bins, want)
		}
	}
}
