package limits

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
)

// cgroupFiles makes a tree of files.
func cgroupFiles(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return out
}

func TestLimitsOfCgroupsAreRead(t *testing.T) {
	const mib = 1 << 20
	for what, c := range map[string]struct {
		files map[string]string
		left  []int64
	}{
		"version 2": {map[string]string{
			"proc/self/cgroup":                   "0::/user/job",
			"sys/fs/cgroup/user/job/memory.max":  "max",
			"sys/fs/cgroup/user/memory.max":      "1073741824",
			"sys/fs/cgroup/user/memory.current":  "536870912",
			"sys/fs/cgroup/user/memory.stat":     "anon 1\ninactive_file 104857600",
			"sys/fs/cgroup/other/memory.max":     "1",
			"sys/fs/cgroup/other/memory.current": "1",
		}, []int64{512 * mib}},
		"version 2, full of cached files": {map[string]string{
			"proc/self/cgroup":                  "0::/user",
			"sys/fs/cgroup/user/memory.max":     "1073741824",
			"sys/fs/cgroup/user/memory.current": "1073741824",
			"sys/fs/cgroup/user/memory.stat":    "anon 1\ninactive_file 104857600",
		}, []int64{100 * mib}},
		"version 1, in a container": {map[string]string{
			"proc/self/cgroup":                           "5:cpu:/docker/1\n4:memory:/docker/1",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "524288000",
		}, []int64{524 * mib}},
		"version 1, nested": {map[string]string{
			"proc/self/cgroup":                               "4:memory:/a/b",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes":   "1073741824",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes":   "0",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "536870912",
			"sys/fs/cgroup/memory/a/b/memory.usage_in_bytes": "0",
		}, []int64{512 * mib, 1024 * mib}},
		"none":   {map[string]string{"proc/self/cgroup": "0::/"}, nil},
		"absent": {nil, nil},
	} {
		got := cgroups(cgroupFiles(c.files))
		if len(got) != len(c.left) {
			t.Errorf("%s: limits %+v", what, got)
			continue
		}
		for i, l := range got {
			if l.left != c.left[i] {
				t.Errorf("%s: of limit %d %d MiB are left, not %d", what, i, l.left/mib, c.left[i]/mib)
			}
		}
	}
}

func TestArraysBeyondEveryMachineDoNotFit(t *testing.T) {
	if err := Check(1 << 50); err == nil {
		t.Error("a petabyte fits")
	}
	if err := Check(1 << 20); err != nil {
		t.Errorf("a mebibyte: %v", err)
	}
}

// TestAProcessEndsWithASentenceBeforeItsCgroupIsFull fills the memory of a process in a cgroup of its own.
func TestAProcessEndsWithASentenceBeforeItsCgroupIsFull(t *testing.T) {
	if procs := os.Getenv("SKALD_TEST_CGROUP"); procs != "" {
		fill(procs)
	}
	dir := fmt.Sprintf("/sys/fs/cgroup/memory/skald-test-%d", os.Getpid())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skipf("SKIPPED: cgroups cannot be made here: %v", err)
	}
	defer func() {
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	}()
	if err := os.WriteFile(dir+"/memory.limit_in_bytes", []byte("300000000"), 0o600); err != nil {
		t.Skipf("SKIPPED: the cgroup takes no limit: %v", err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "SKALD_TEST_CGROUP="+dir+"/cgroup.procs")
	out, err := cmd.CombinedOutput()
	const want = "ended: out of memory: the cgroup's limit of 286 MiB is reached"
	if err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("the process ended with %v and said %q, not %q", err, out, want)
	}
}

// fill is the child: it enters the cgroup and takes memory until it is ended, by Watch or by the kernel.
func fill(procs string) {
	if err := os.WriteFile(procs, []byte("0"), 0o600); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	err := Watch(func(err error) {
		fmt.Println("ended:", err)
		os.Exit(0)
	})
	var kept [][]byte
	for err == nil && len(kept) < 1000 {
		kept = append(kept, bytes.Repeat([]byte{1}, 1<<20))
	}
	fmt.Println("not ended:", err, len(kept))
	os.Exit(1)
}
