// Package targets is the one table of what programs can run on. A target joins
// what belongs together: a device of runtime, the facts that passes take from
// it, the printer of backends that writes its kernels, the flags that only it has,
// and the profiles that code can be made for where no such device is.
//
// # Place
//
// It is above backends and runtime and below the root package. Nothing else in
// the compiler knows a target's name: help texts, --device, --emit, --bundle and
// --profile are made from [All]. The tests of devices and the lab know theirs.
//
// # How to add a target
//
// One file here with a *Target, one line in All, and what it joins: a printer under backends and a device under runtime. One that runs
// kernels in another way than in workgroups or tasks has forms of its own in middle/choose and middle/lower, too, as docs/add-a-target.md
// says.
//
// # Example
//
//	dev, _, err := targets.Open(targets.Options{Name: "cpu"})
//	low, diagnostic := pass.Apply(&pass.Context{}, lower.Pass(dev.Model.Lowering, nil), program, core.Print)
//	p, err := host.Load(low, dev, dev.Model.Print)
package targets
