package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// gpuFaults are kernels that end a real device, by what they do.
var gpuFaults = []struct {
	name   string
	source string
	want   device.Fault
}{
	{"writes to nowhere", "*(unsigned *)8 = x[0];", device.Lost},
	{"traps", "asm(\"trap;\");", device.Lost},
	{"never ends", "while (atomicAdd(x, 0u) == 0u) { }", device.Timeout},
}

// TestKernelsThatFaultEndTheDevice runs each fault in a process of its own: NVIDIA's
// driver lets a process do nothing more afterwards.
func TestKernelsThatFaultEndTheDevice(t *testing.T) {
	if name := os.Getenv("SKALD_TEST_FAULT"); name != "" {
		for _, f := range gpuFaults {
			if f.name == name {
				fmt.Println("report: " + faultOutcome(f.source, f.want))
			}
		}
		os.Exit(0)
	}
	if _, err := Count(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range gpuFaults {
		t.Run(f.name, func(t *testing.T) {
			cmd := exec.Command(exe, "-test.run=^TestKernelsThatFaultEndTheDevice$")
			cmd.Env = append(os.Environ(), "SKALD_TEST_FAULT="+f.name)
			timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			out, err := cmd.CombinedOutput()
			if _, report, _ := strings.Cut(string(out), "report: "); err != nil || !strings.HasPrefix(report, "good") {
				t.Errorf("%v: %s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// faultOutcome runs a kernel with this body and says what came of it.
func faultOutcome(body string, want device.Fault) string {
	d, err := Open(Options{Timeout: 300 * time.Millisecond})
	if err != nil {
		return err.Error()
	}
	ks, err := d.Compile([]device.KernelSpec{{
		Name: "fault", Entry: "fault", Buffers: 1, Workgroup: [3]uint32{1, 1, 1},
		Source: "extern \"C\" __global__ void fault(unsigned *x) { " + body + " }",
	}})
	if err != nil {
		return err.Error()
	}
	b, err := d.Alloc(256)
	if err != nil {
		return err.Error()
	}
	first := errors.Join(
		d.Fill(b, 0, 256, 0),
		d.Launch(device.Launch{Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: b}}}),
		d.Sync())
	if !errors.Is(first, want) {
		return fmt.Sprintf("got %v, want %v", first, want)
	}
	if _, err := d.Alloc(1 << 20); !errors.Is(err, want) {
		return fmt.Sprintf("later calls do not fail: %v", err)
	}
	_ = d.Close() // It must return, whatever it returns.
	return "good: " + first.Error()
}

func TestKernelsThatAskTooMuchAreErrors(t *testing.T) {
	d := open(t, Options{})
	bad := scaleSpec
	bad.Source = strings.Replace(bad.Source, "data[i]", "data[j]", 1)
	_, err := d.Compile([]device.KernelSpec{bad})
	var e *device.Error
	if !errors.As(err, &e) || e.Fault != device.CompileFailed || e.Shader == nil || e.Shader.Line != 5 || e.Shader.Column == 0 {
		t.Errorf("kernel that does not compile: %+v", err)
	}
	nowhere := scaleSpec
	nowhere.Entry = "nowhere"
	_, err = d.Compile([]device.KernelSpec{nowhere})
	devicetest.WantFault(t, "no entry point", err, device.CompileFailed)
	for what, change := range map[string]func(*device.KernelSpec){
		"threads":          func(s *device.KernelSpec) { s.Workgroup[0] = 2048 },
		"workgroup memory": func(s *device.KernelSpec) { s.Shared = d.Facts().WorkgroupMemory + 4 },
		"buffers":          func(s *device.KernelSpec) { s.Buffers = 1 + d.Facts().MaxBindings },
	} {
		s := scaleSpec
		change(&s)
		_, err := d.Compile([]device.KernelSpec{s})
		devicetest.WantFault(t, what, err, device.Limit)
	}
}
