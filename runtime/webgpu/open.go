package webgpu

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"skald/runtime/cache"
	"skald/runtime/device"
)

// Options say which device to open, and how. The zero value is the best adapter
// of the first library found, in its own dialect.
type Options struct {
	Library string // Path, or "wgpu-native" or "dawn"; empty for the first found.
	Bundle  []byte // A library that travels inside the executable.
	Adapter int    // Which adapter, in the order of List.
	// Driver is a Vulkan driver to use instead of the system's: "lavapipe" or
	// "swiftshader" from the cache, or the path of a manifest.
	Driver string

	Portable bool          // Use nothing beyond standard WebGPU.
	Checked  bool          // Keep the library's own bounds checks in kernels.
	Profile  bool          // Measure each launch.
	Timeout  time.Duration // How long a wait may take; 0 for ever.
}

// Open opens a device. If the system has no adapter and the cache has lavapipe,
// that is used, unless o or the environment names a driver.
func Open(o Options) (*Device, error) {
	l, err := loadFirst(o)
	if err != nil {
		return nil, err
	}
	d, err := openWith(l, o)
	if !errors.Is(err, device.NoAdapter) || !mayFallBack(o) {
		return d, err
	}
	o.Driver = "lavapipe"
	if d, e := openWith(l, o); e == nil {
		return d, nil
	}
	return nil, err
}

// mayFallBack reports whether nobody has said which driver to use.
func mayFallBack(o Options) bool {
	return o.Driver == "" && o.Adapter == 0 && runtime.GOOS == "linux" &&
		os.Getenv("VK_DRIVER_FILES") == "" && os.Getenv("VK_ICD_FILENAMES") == ""
}

// List describes every adapter of every library found, or says why a library has
// none. It opens no device, so probed facts are missing.
func List(o Options) []Listing {
	var out []Listing
	for _, path := range FindLibraries(o) {
		l, err := loadFound(path, o)
		if err != nil {
			out = append(out, Listing{Library: path, Err: err})
			continue
		}
		drivers := []string{o.Driver}
		if o.Driver == "" && runtime.GOOS == "linux" {
			drivers = []string{"", "lavapipe", "swiftshader"}
		}
		for _, driver := range drivers {
			out = append(out, listWith(l, o, driver)...)
		}
	}
	return out
}

// Listing is an adapter that Open can open with the same Library, Driver and
// Adapter, or a library or driver and why it cannot be used.
type Listing struct {
	Library string
	Driver  string
	Adapter int
	Facts   device.Facts
	Err     error
}

func listWith(l *library, o Options, driver string) (out []Listing) {
	err := withDriver(driver, func() error {
		conn, adapters, err := adapters(l)
		if err != nil {
			return err
		}
		defer call(l.sym.InstanceRelease, conn.instance)
		for i, a := range adapters {
			out = append(out, Listing{Library: l.path, Driver: driver, Adapter: i, Facts: conn.adapterFacts(a, o)})
			call(l.sym.AdapterRelease, uintptr(a))
		}
		return nil
	})
	if err != nil {
		return []Listing{{Library: l.path, Driver: driver, Err: err}}
	}
	return out
}

// openWith makes an instance, chooses an adapter and opens its device.
func openWith(l *library, o Options) (d *Device, err error) {
	err = withDriver(o.Driver, func() error {
		conn, list, err := adapters(l)
		if err != nil {
			return err
		}
		if o.Adapter < 0 || o.Adapter >= len(list) {
			return &device.Error{
				Fault: device.NoAdapter, Op: fmt.Sprintf("open adapter %d", o.Adapter),
				Detail: fmt.Sprintf("%s offers %d", l.title, len(list)), Hint: "`skald devices` lists them",
			}
		}
		d, err = conn.openAdapter(list[o.Adapter], o)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err = d.probeAtOpen(); err == nil {
		err = d.startProfile()
	}
	if err != nil {
		_ = d.Close() // The first error is the one to report.
		return nil, err
	}
	return d, nil
}

// systemBackend is the graphics API to use: its number as an adapter option and
// as a bit of wgpu-native's set.
func systemBackend() (number uint32, bit uint64) {
	switch runtime.GOOS {
	case "darwin":
		return backendMetal, 1 << 2
	case "windows":
		return backendD3D12, 1 << 3
	}
	return backendVulkan, 1
}

// adapters makes an instance and lists its adapters, GPUs with memory of their
// own first.
func adapters(l *library) (*connection, []adapterHandle, error) {
	conn := &connection{lib: l, instance: createInstance(l)}
	if conn.instance == 0 {
		return nil, nil, &device.Error{Fault: device.Internal, Op: "create an instance of " + l.title}
	}
	texts := map[adapterHandle]adapterText{}
	var list []adapterHandle
	for _, a := range conn.enumerate() {
		if texts[a] = conn.info(a); !faulty(texts[a]) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		call(l.sym.InstanceRelease, conn.instance)
		return nil, nil, &device.Error{
			Fault: device.NoAdapter, Op: "ask " + l.title + " for an adapter",
			Hint: "install the GPU's driver, or run scripts/fetch-drivers.sh for one that runs on the CPU",
		}
	}
	rank := [...]int{device.Discrete: 0, device.Integrated: 1, device.Unknown: 2, device.CPU: 3, device.Null: 4}
	slices.SortStableFunc(list, func(a, b adapterHandle) int { return rank[texts[a].kind] - rank[texts[b].kind] })
	return conn, list, nil
}

var mesaVersion = regexp.MustCompile(`Mesa (\d+)\.`)

// faulty reports adapters that compute wrongly: lavapipe before Mesa 24 ends every
// loop after 65,535 rounds, without a word.
func faulty(t adapterText) bool {
	m := mesaVersion.FindStringSubmatch(t.driver)
	return m != nil && t.kind == device.CPU && number(m[1]) < 24
}

func createInstance(l *library) uintptr {
	if l.native {
		_, bit := systemBackend()
		x := &instanceExtras{chain: chainedStruct{sType: sTypeInstanceExtras}, backends: bit}
		d := &instanceDescriptor{next: unsafe.Pointer(x)}
		return call(l.sym.CreateInstance, uintptr(unsafe.Pointer(d)))
	}
	t := toggles(dawnInstanceToggles, nil)
	d := &dawnInstanceDescriptor{next: unsafe.Pointer(t), timedWaitAny: 1, timedWaitCount: 64}
	return call(l.sym.CreateInstance, uintptr(unsafe.Pointer(d)))
}

// toggles makes Dawn's list of switches, in memory that lives as long as it.
func toggles(on, off []string) *dawnTogglesDescriptor {
	list := func(names []string) (**byte, uintptr) {
		ps := make([]*byte, len(names))
		for i, n := range names {
			ps[i] = &append([]byte(n), 0)[0]
		}
		return unsafe.SliceData(ps), uintptr(len(ps))
	}
	t := &dawnTogglesDescriptor{chain: chainedStruct{sType: sTypeDawnToggles}}
	t.enabled, t.enabledCount = list(on)
	t.disabled, t.disabledCount = list(off)
	return t
}

// enumerate lists the adapters of the system's graphics API: all with wgpu-native,
// the preferred one with Dawn.
func (c *connection) enumerate() []adapterHandle {
	number, bit := systemBackend()
	if fn := c.lib.sym.InstanceEnumerateAdapters; fn != 0 {
		o := &instanceEnumerateAdapterOptions{backends: bit}
		n := call(fn, c.instance, uintptr(unsafe.Pointer(o)), 0)
		if n == 0 {
			return nil
		}
		list := make([]adapterHandle, n)
		n = call(fn, c.instance, uintptr(unsafe.Pointer(o)), uintptr(unsafe.Pointer(&list[0])))
		return list[:min(n, uintptr(len(list)))]
	}
	o := &requestAdapterOptions{featureLevel: featureLevelCore, powerPreference: powerHigh, backendType: number}
	r, ok := c.await(request(c.lib.sym.InstanceRequestAdapter, callbackTable().object,
		c.instance, uintptr(unsafe.Pointer(o))), time.Minute)
	runtime.KeepAlive(o)
	if !ok || r.status != statusSuccess {
		return nil
	}
	return []adapterHandle{adapterHandle(r.object)}
}

// openAdapter asks for the adapter's device with all its limits and those of its
// features that we can use.
func (c *connection) openAdapter(a adapterHandle, o Options) (*Device, error) {
	defer call(c.lib.sym.AdapterRelease, uintptr(a))
	lim := c.adapterLimits(a)
	has := c.features(a)
	var ask []uint32
	for _, f := range c.lib.wanted(o.Portable) {
		if f != 0 && has[f] {
			ask = append(ask, f)
		}
	}
	if sync := c.lib.deviceSync; sync != 0 && !has[sync] {
		return nil, &device.Error{
			Fault: device.Missing, Op: "open the device", Detail: c.lib.title + " cannot be used from several threads here",
			Hint: "use wgpu-native, or the Dawn that scripts/fetch-webgpu.sh fetches",
		}
	}
	d := newDevice(c, o)
	desc := &deviceDescriptor{
		requiredFeatureCount: uintptr(len(ask)), requiredFeatures: unsafe.SliceData(ask), requiredLimits: &lim,
		deviceLostCallbackInfo:      callbackInfo{mode: modeAllowSpontaneous, callback: callbackTable().lost, user1: d.id},
		uncapturedErrorCallbackInfo: uncapturedErrorCallbackInfo{callback: callbackTable().uncaptured, user1: d.id},
	}
	if !c.lib.native {
		on := dawnDeviceToggles
		if o.Checked {
			on = nil
		}
		switches := toggles(on, dawnDeviceOff)
		if d.blobs = blobStore(c.lib.path); cache.Present() {
			switches.chain.next = unsafe.Pointer(blobDescriptor(d.id))
		}
		desc.next = unsafe.Pointer(switches)
	}
	r, ok := c.await(request(c.lib.sym.AdapterRequestDevice, callbackTable().object,
		uintptr(a), uintptr(unsafe.Pointer(desc))), time.Minute)
	runtime.KeepAlive(desc)
	if !ok || r.status != statusSuccess {
		owners.Delete(d.id)
		return nil, &device.Error{
			Fault: device.Missing, Op: "open the device", Detail: r.text,
			Hint: "another process may hold it, or the driver be at fault; `skald devices` lists others",
		}
	}
	d.insidePasses = slices.Contains(ask, c.lib.timestampInside) && c.lib.sym.ComputePassEncoderWriteTimestamp != 0
	c.device = r.object
	c.queue = call(c.lib.sym.DeviceGetQueue, c.device)
	d.facts = c.adapterFacts(a, o)
	c.software = d.facts.Kind == device.CPU
	return d, nil
}
