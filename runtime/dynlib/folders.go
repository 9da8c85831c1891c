package dynlib

import (
	"path/filepath"
	"runtime"
)

// SystemFolders lists the folders for shared libraries that only the system's administrator writes: /usr/local/lib and /usr/lib on Unix,
// with those for this processor, and none on Windows, whose loader knows its own. The loader itself is not asked for a bare name: on
// macOS it would look into the current directory.
func SystemFolders() []string {
	var out []string
	if runtime.GOOS == "windows" {
		return nil
	}
	triple := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	for _, root := range []string{"/usr/local", "/usr"} {
		out = append(out, filepath.Join(root, "lib"))
		if runtime.GOOS == "linux" && triple != "" {
			out = append(out, filepath.Join(root, "lib", triple), filepath.Join(root, "lib64"))
		}
	}
	return out
}
