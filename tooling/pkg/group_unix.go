//go:build unix

package pkg

import (
	"os/exec"
	"syscall"
)

// group makes a process and its children end together when they are cancelled.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
