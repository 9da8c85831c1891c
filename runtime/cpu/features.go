package cpu

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// features says what tells this processor from others that code could be made for.
var features = sync.OnceValue(func() string {
	known := fmt.Sprintf("%s/%s %v %v", runtime.GOOS, runtime.GOARCH, cpu.X86, cpu.ARM64)
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return known
	}
	defer f.Close()             //nolint:errcheck // it is only read
	text := make([]byte, 8<<10) // The first processor's part: the whole file takes long to make where there are many.
	n, _ := io.ReadFull(f, text)
	first, _, _ := strings.Cut(string(text[:n]), "\n\n")
	for line := range strings.Lines(first) {
		name, value, _ := strings.Cut(line, ":")
		switch strings.TrimSpace(name) {
		case "vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU implementer", "CPU part", "CPU variant":
			known += value
		}
	}
	return known
})
