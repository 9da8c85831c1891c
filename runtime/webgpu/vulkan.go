package webgpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// Note [Software drivers]
// ~~~~~~~~~~~~~~~~~~~~~~~
// The fetching script leaves drivers that run on the CPU in skald's cache, with
// the shared libraries that they need. The Vulkan loader takes the driver from
// VK_DRIVER_FILES whenever an instance is made, so the variable is set for that
// time, under a lock, and the libraries are loaded before: the system's linker
// then resolves them by name. Nothing outside the process is touched.

var (
	vulkanMu    sync.Mutex
	preloadOnce = sync.OnceValue(preload)
)

// driverManifest returns the manifest of a driver by name (lavapipe, swiftshader) or
// path; an error if it is not there. See Note [Software drivers].
func driverManifest(driver string) (string, error) {
	path, hint := driver, "run scripts/fetch-drivers.sh "+driver
	switch driver {
	case "lavapipe":
		path = filepath.Join(cache.Dir(), "drivers", "lavapipe", "lvp_icd.json")
	case "swiftshader":
		path = filepath.Join(cache.Dir(), "drivers", "swiftshader", "swiftshader_icd.json")
	default:
		hint = "a driver is lavapipe, swiftshader or the path of a Vulkan driver's manifest (…_icd.json)"
	}
	_, err := os.Stat(path)
	if err == nil && cache.Contains(path) {
		err = cache.VerifyFolder(filepath.Dir(path))
	}
	if err != nil {
		return "", &device.Error{Fault: device.NoAdapter, Op: "use the Vulkan driver " + driver, Err: err, Hint: hint}
	}
	return path, nil
}

// withDriver runs f, which makes an instance and asks for an adapter, with the
// Vulkan loader seeing the given driver only, or the system's if driver is empty. See Note [Software drivers].
func withDriver(driver string, f func() error) error {
	if runtime.GOOS != "linux" {
		return f()
	}
	vulkanMu.Lock()
	defer vulkanMu.Unlock()
	preloadErr := preloadOnce()
	if driver != "" {
		manifest, err := driverManifest(driver)
		if err == nil && cache.Contains(manifest) {
			err = preloadErr
		}
		if err != nil {
			return err
		}
		defer setEnv("VK_DRIVER_FILES", manifest)()
	} else if !systemHasDriver() {
		return &device.Error{
			Fault: device.NoAdapter, Op: "look for a Vulkan driver", Detail: "the system has none",
			Hint: "install the GPU's driver, or run scripts/fetch-drivers.sh for one that runs on the CPU",
		}
	}
	return f()
}

// systemHasDriver looks for manifests where the Vulkan loader does, and for the
// variables that name one. Without any there is no need to ask the libraries,
// which take their time and complain on standard error.
func systemHasDriver() bool {
	for _, name := range []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	dirs := []string{"/etc", "/usr/local/etc", "/etc/xdg", "/usr/share", "/usr/local/share"}
	dirs = append(dirs, filepath.SplitList(os.Getenv("XDG_DATA_DIRS"))...)
	dirs = append(dirs, filepath.SplitList(os.Getenv("XDG_CONFIG_DIRS"))...)
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".local", "share"), filepath.Join(home, ".config"))
	}
	for _, dir := range dirs {
		found, _ := filepath.Glob(filepath.Join(dir, "vulkan", "icd.d", "*.json")) // Only a bad pattern fails.
		if len(found) > 0 {
			return true
		}
	}
	return false
}

// setEnv sets an environment variable and returns what restores it.
func setEnv(name, value string) func() {
	old, had := os.LookupEnv(name)
	_ = os.Setenv(name, value) // It fails only for names that are not one.
	return func() {
		if had {
			_ = os.Setenv(name, old)
		} else {
			_ = os.Unsetenv(name)
		}
	}
}

// preload loads the shared libraries that came with the cached drivers. The error
// says why they must not be loaded; drivers of the system need none of them.
func preload() error {
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		_ = os.Setenv("XDG_RUNTIME_DIR", os.TempDir()) // Mesa complains on standard error otherwise.
	}
	paths := cache.Glob("drivers", "lib", "*.so*")
	if len(paths) == 0 {
		return nil
	}
	if err := cache.VerifyFolder(filepath.Dir(paths[0])); err != nil {
		return &device.Error{
			Fault: device.NoAdapter, Op: "load the cached drivers' libraries", Err: err,
			Hint: "remove " + filepath.Dir(filepath.Dir(paths[0])) + " and run scripts/fetch-drivers.sh",
		}
	}
	loadAll(paths)
	return nil
}

// loadAll loads libraries of which some need others: it goes round until nothing more loads.
func loadAll(paths []string) {
	for {
		var left []string
		for _, p := range paths {
			if name := filepath.Base(p); strings.HasPrefix(name, "libvulkan") {
				if _, err := dynlib.Open(name, dynlib.Shared); err == nil {
					continue // The system's own loader may know drivers that ours does not.
				}
			}
			if _, err := dynlib.Open(p, dynlib.Shared); err != nil {
				left = append(left, p)
			}
		}
		if len(left) == 0 || len(left) == len(paths) {
			return
		}
		paths = left
	}
}
