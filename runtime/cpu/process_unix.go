//go:build !windows

package cpu

import (
	"os/exec"
	"syscall"
)

// endTogether lets the processes that a compiler starts end with it.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
