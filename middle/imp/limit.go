package imp

import (
	"strings"

	"skald/frontend/diag"
)

// Limit is the limitation that a kernel needs what a device has not, with the place that the kernel comes from.
func (k *Kernel) Limit(lacks error) *diag.Diagnostic {
	return diag.Limit(k.place(), "kernel %s: %v", k.Name, lacks)
}

// place is the innermost place in the user's files, or in the prelude when there is no other; "" when nothing is known.
func (k *Kernel) place() string {
	lines := strings.Split(k.Where, "\n")
	for _, at := range lines {
		if !strings.HasPrefix(at, "/prelude/") {
			return at
		}
	}
	return lines[0]
}
