package limits

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// The margins: what other threads may take before Watch looks again, and what Go reserves at a time.
const (
	addressMargin = 320 << 20
	cgroupMargin  = 32 << 20 // And a sixteenth of the limit.
)

// current returns the limits of this process as they are now.
func current() []limit {
	root := os.DirFS("/")
	out := append([]limit{}, cgroups(root)...)
	if kib, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		out = append(out, limit{name: "this machine's memory", bytes: none, left: kib << 10})
	}
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &r) == nil && r.Cur < 1<<62 {
		out = append(out, limit{
			name: "the limit of " + size(int64(r.Cur)) + " of address space (ulimit -v)", bytes: int64(r.Cur),
			left: int64(r.Cur) - addressSpace(root), margin: addressMargin,
		})
	}
	return out
}

// addressSpace is how much address space the process has reserved.
func addressSpace(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/self/statm")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, _ := strconv.ParseInt(first, 10, 64) // What is no number is nothing.
	return pages * int64(os.Getpagesize())
}

// version is how one version of cgroups names its files.
type version struct {
	controller, mount, limit, usage, cache string
}

var versions = []version{
	{"", "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
	{"", "sys/fs/cgroup/unified", "memory.max", "memory.current", "inactive_file"},
	{"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
}

// cgroups returns the limits of the process's cgroup and of those around it. Within a container paths may be those of the host, whose
// cgroups are not there: then the container's own is at the root.
func cgroups(root fs.FS) (out []limit) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		for _, v := range versions {
			if parts[1] != v.controller {
				continue
			}
			for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
				if l, ok := v.read(root, path.Join(v.mount, at)); ok {
					out = append(out, l)
				}
				if at == "/" {
					break
				}
			}
		}
	}
	return out
}

// read returns the limit of one cgroup, if it has one.
func (v version) read(root fs.FS, dir string) (limit, bool) {
	bytes, ok := number(root, path.Join(dir, v.limit))
	if !ok || bytes >= 1<<60 {
		return limit{}, false // "max", or what the first version says for it.
	}
	used, ok := number(root, path.Join(dir, v.usage))
	if !ok {
		return limit{}, false
	}
	l := limit{
		name: "the cgroup's limit of " + size(bytes), bytes: bytes, left: bytes - used, margin: min(cgroupMargin+bytes/16, bytes/4),
	}
	if l.left < l.margin { // The kernel drops its cache of files first.
		cached, _ := field(root, path.Join(dir, "memory.stat"), v.cache)
		l.left += cached
	}
	return l, true
}

// number reads a file that is one number.
func number(root fs.FS, name string) (int64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// field reads the number that follows a name in a file.
func field(root fs.FS, name, key string) (int64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == key {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
