package emulated

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestKeptCodeNeedsNoCompiler runs a program where NVRTC is found, and then where it is not.
func TestKeptCodeNeedsNoCompiler(t *testing.T) {
	p := newProgram(t)
	cuda := []string{"--device", "cuda"}
	wantError(t, p.run(t, []string{noNVRTC}, cuda), "load /nowhere/libnvrtc.so")
	p.run(t, nil, cuda).right(t, "with NVRTC")
	entries, err := filepath.Glob(filepath.Join(p.cache, "cubin", "*"))
	if err != nil || len(entries) == 0 {
		t.Fatal("nothing is kept", err)
	}
	p.run(t, []string{noNVRTC}, cuda).right(t, "without NVRTC")
	for _, e := range entries { // A damaged entry is not used.
		data, err := os.ReadFile(e)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-2] ^= 1
		if err := os.WriteFile(e, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantError(t, p.run(t, []string{noNVRTC}, cuda), "load /nowhere/libnvrtc.so")
	p.run(t, nil, cuda).right(t, "with NVRTC, after the damage")
}

// TestBundledCodeNeedsNoCompiler builds for a profile that the emulated GPU covers, and for one that it does not.
func TestBundledCodeNeedsNoCompiler(t *testing.T) {
	p := newProgram(t, "--bundle", "cuda:sm_90")
	for _, args := range [][]string{{"--device", "cuda", "-L"}, {"-L"}} {
		o := p.run(t, []string{noNVRTC}, args)
		o.right(t, "without NVRTC")
		if !matches(t, "took host code and kernels from the executable", o.err) || !matches(t, "device: emulated GPU 0", o.err) {
			t.Errorf("%v: what is bundled is not used: %s", args, o.err)
		}
	}
	other := newProgram(t, "--bundle", "cuda:sm_80")
	wantError(t, other.run(t, []string{noNVRTC}, []string{"--device", "cuda"}), "load /nowhere/libnvrtc.so")
	o := other.run(t, nil, []string{"--device", "cuda", "-L"})
	o.right(t, "code for another GPU, with NVRTC")
	if matches(t, "from the executable", o.err) {
		t.Errorf("code for another GPU is used: %s", o.err)
	}
}

// TestCodeThatTheDriverRefusesIsCompiledAgain has the driver refuse what is bundled, as one does that is older than the NVRTC that made it.
func TestCodeThatTheDriverRefusesIsCompiledAgain(t *testing.T) {
	p := newProgram(t, "--bundle", "cuda:sm_90")
	refusal := []string{"SKALD_EMULATED_FAILURES=ForeignModule=222"}
	p.run(t, refusal, []string{"--device", "cuda"}).right(t, "with NVRTC")
	p.cache = t.TempDir()
	wantError(t, p.run(t, append(refusal, noNVRTC), []string{"--device", "cuda"}), "load /nowhere/libnvrtc.so")
}

func TestUnknownProfilesAreRefused(t *testing.T) {
	e := emulate(t)
	source := filepath.Join(t.TempDir(), "sum.fut")
	if err := os.WriteFile(source, []byte(sumSource), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, profile := range []string{"cuda:sm_1", "webgpu:sm_90", "cuda:", "cuda"} {
		o := program{e: e, path: e.skald}.run(t, nil, []string{"build", source, "--bundle", profile})
		wantError(t, o, "--bundle takes")
	}
}

// wantError fails the test unless a run ended with an error of ours that matches a pattern.
func wantError(t *testing.T, o outcome, pattern string) {
	t.Helper()
	if o.code == 0 || !matches(t, pattern, o.err) || regexp.MustCompile(`(?m)^(panic|goroutine|SIG)`).MatchString(o.err) {
		t.Errorf("exit code %d, want an error like %q:\n%s", o.code, pattern, o.err)
	}
}

func matches(t *testing.T, pattern, text string) bool {
	t.Helper()
	return regexp.MustCompile("(?s)" + pattern).MatchString(text)
}
