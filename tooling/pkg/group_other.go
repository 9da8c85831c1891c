//go:build !unix

package pkg

import "os/exec"

// group leaves the process as it is: it is killed when it is cancelled.
func group(*exec.Cmd) {}
