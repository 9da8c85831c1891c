//go:build !linux

package cpu

import "os/exec"

// runCompiler runs a compiler. The processes that it starts end with it where it takes too long.
func runCompiler(cmd *exec.Cmd) error {
	endTogether(cmd)
	return cmd.Run()
}
