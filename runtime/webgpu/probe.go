package webgpu

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sync/errgroup"

	"skald/runtime/cache"
)

// probeAtOpen completes the facts that kernels rely on. Nothing can be compiled for the device before, so a device's first start waits for
// it: the probes run at once, as most of their time is that of compiling their kernels.
func (d *Device) probeAtOpen() error {
	var g errgroup.Group
	g.Go(d.probeSubgroups)
	if d.facts.Kind.IsGPU() {
		g.Go(d.probeFma) // Kernels for GPUs rely on an fma that rounds once.
	}
	return g.Wait()
}

// probed returns what a probe finds out about the device: what the cache has of it, if that is complete, else what observe sees, which is
// kept. It depends on the device and on the kernels, whose texts are the sources.
func probed[T any](d *Device, probe string, complete func(T) bool, observe func() (T, error), sources ...string) (T, error) {
	name := d.probeName(probe, sources...)
	var found T
	if data := cache.Read("probes", name); data != nil && json.Unmarshal(data, &found) == nil && complete(found) {
		return found, nil
	}
	found, err := observe()
	if err != nil {
		return found, err
	}
	if data, err := json.Marshal(found); err == nil {
		_ = cache.Write(data, "probes", name) // Without it the next start probes again.
	}
	return found, nil
}

// probeName is the name in the cache of what a probe with the given kernels found on this device.
func (d *Device) probeName(probe string, sources ...string) string {
	f := &d.facts
	text := fmt.Sprintf("%s\n%s\n%s\n%s\n%v\n%v", f.API, f.Library, f.Name, f.Driver, f.Kernels, f.Unchecked)
	if file, err := os.Stat(f.Library); err == nil {
		text += fmt.Sprintf("\n%d %v", file.Size(), file.ModTime())
	}
	text += "\n" + strings.Join(sources, "\n")
	return probe + "-" + fmt.Sprintf("%x.json", sha256.Sum256([]byte(text)))[8:]
}
