package cpu

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// processor is what the system says of the first processor: names and values, on Linux.
var processor = sync.OnceValue(func() [][2]string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	defer f.Close()             //nolint:errcheck // it is only read
	text := make([]byte, 8<<10) // The first processor's part: the whole file takes long to make where there are many.
	n, _ := io.ReadFull(f, text)
	first, _, _ := strings.Cut(string(text[:n]), "\n\n")
	var out [][2]string
	for line := range strings.Lines(first) {
		name, value, _ := strings.Cut(line, ":")
		out = append(out, [2]string{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	return out
})

// features says what tells this processor from others that code could be made for.
func features() string {
	known := fmt.Sprintf("%s/%s %v %v", runtime.GOOS, runtime.GOARCH, cpu.X86, cpu.ARM64)
	for _, line := range processor() {
		switch line[0] {
		case "vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU implementer", "CPU part", "CPU variant":
			known += " " + line[1]
		}
	}
	return known
}

// hasFlags reports whether a processor has all of some features by Linux's names, of which others are a bound where the
// system does not say.
func hasFlags(others bool, names string) bool {
	for _, line := range processor() {
		if line[0] != "flags" && line[0] != "Features" {
			continue
		}
		has := strings.Fields(line[1])
		return !slices.ContainsFunc(strings.Fields(names), func(n string) bool { return !slices.Contains(has, n) })
	}
	return others
}
