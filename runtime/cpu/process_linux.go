package cpu

import (
	"os/exec"
	"runtime"
	"syscall"
)

// runCompiler runs a compiler. The processes that it starts end with it where it takes too long. It is told to end when this process ends,
// however that does: by its --timeout, an interrupt or a signal that nobody can catch. Linux does so when the thread ends that started the
// compiler, so that the goroutine keeps its thread.
func runCompiler(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	endTogether(cmd)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	return cmd.Run()
}
