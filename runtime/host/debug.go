package host

import (
	"fmt"
	"time"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Launched is what is reported of a launch while debugging.
type Launched struct {
	Kernel    string
	Groups    int64 // workgroups
	GroupSize int   // threads of each
	Time      time.Duration
}

// Debug makes the program's runs slow and careful: after each launch they wait for the device and look for a failure, so that an error
// names the kernel at fault and nothing runs after it. report is called for each launch that worked. Debug itself verifies
// the low-level program.
func (p *Program) Debug(report func(Launched)) error {
	whole, err := p.withFunctions()
	if err != nil {
		return err
	}
	whole.Kernels = nil
	for _, name := range p.parts.Names() {
		k, err := p.parts.Kernel(name)
		if err != nil {
			return err
		}
		whole.Kernels = append(whole.Kernels, k)
	}
	if err := imp.Verify(whole); err != nil {
		return fmt.Errorf("the low-level program is wrong: %w", err)
	}
	p.mu.Lock()
	p.debug = report
	p.mu.Unlock()
	return nil
}

// launch launches, and while debugging waits and reports.
func (s *session) launch(k *kernel, l device.Launch, groups int64) error {
	if s.p.debug == nil {
		return s.p.dev.Launch(l)
	}
	start := time.Now()
	err := s.p.dev.Launch(l)
	if err == nil {
		err = s.wait()
	}
	if err != nil {
		return fmt.Errorf("kernel %s: %w", k.decl.Name, err)
	}
	if site, values, ok := s.fail.Get(); ok {
		failed := errorAt(s.p.prog, site, values)
		failed.Kernel = k.decl.Name
		return failed
	}
	s.p.debug(Launched{k.decl.Name, groups, k.decl.GroupSize, time.Since(start)})
	return nil
}
