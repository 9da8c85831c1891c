package backends

import (
	"skald/backends/wgsl"
	"skald/middle/imp"
)

// Backend prints kernels for one target.
type Backend struct {
	// Name is what --emit calls it.
	Name string
	// Print prints a kernel that imp.Verify accepts. An error is a limit of the
	// target that the kernel exceeds.
	Print func(k *imp.Kernel, o Options) (*imp.Code, error)
}

// Options are the facts of a device that printed code depends on.
type Options = wgsl.Options

// All lists the back ends.
var All = []Backend{
	{Name: "wgsl", Print: wgsl.Print},
	{Name: "imp", Print: printImp},
}

// Find finds a back end by name, or nil.
func Find(name string) *Backend {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// printImp leaves a kernel as it is: devices that evaluate kernels take their
// text form. Such a device counts in 64 bits and keeps its own failures.
func printImp(k *imp.Kernel, _ Options) (*imp.Code, error) {
	c := &imp.Code{Source: imp.PrintKernel(k), Entry: k.Name, Wide: true, Failure: true}
	c.Layout(k)
	return c, nil
}
