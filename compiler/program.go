package compiler

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/core/wire"
	"skald/middle/imp"
	impwire "skald/middle/imp/wire"
	"skald/middle/pipeline"
	"skald/runtime/bundle"
	"skald/runtime/cache"
	"skald/runtime/host"
)

// Program is a compiled program before it is known which device will run it: SOACs, fused and differentiated. Where a device is known,
// its pipeline makes a low-level program of it.
type Program struct {
	ir      func() (*core.Prog, error)
	opts    CompileOptions
	devices devicePrograms
	// section is the program as a bundle has it, carried is the whole bundle, build the hash of the build of skald in it, and identity that
	// of all that results are kept by but the device. Programs that were not read from a bundle have none of these.
	section  []byte
	carried  bundle.Bundle
	build    []byte
	identity string
	keptIn   string
	notKept  error
}

// whole is what Program.ir is of a program that is not read when it is needed.
func whole(ir *core.Prog) func() (*core.Prog, error) {
	return func() (*core.Prog, error) { return ir, nil }
}

// sectionCore is the section of a bundle that holds the program as the front pipeline leaves it.
const sectionCore = "core"

// Compile compiles a checked program. A limit that no device lifts is known here; one of some devices where these are known: see Refusals.
func Compile(prog *types.Prog, opts CompileOptions) (*Program, *diag.Diagnostic) {
	ir, d := internalised(prog, opts)
	if d != nil {
		return nil, d
	}
	ir, d = pipeline.Run(opts.context(), opts.steps(pipeline.Front), ir, "")
	if d != nil {
		return nil, d
	}
	p := &Program{ir: whole(ir), opts: opts}
	if p.section = wire.Encode(ir); p.section == nil {
		return nil, tooDeep(ir)
	}
	if d := p.limit(opts.model()); d != nil {
		return nil, d
	}
	return p, nil
}

// tooDeep is the limitation that a program is nested too deeply, with the place of the statement of a function that has most inside.
func tooDeep(p *core.Prog) *diag.Diagnostic {
	place, most := "", -1
	for _, f := range p.Funs {
		for _, s := range f.Body.Stms {
			if n := core.CountStms(&core.Body{Stms: []*core.Stm{s}}); n > most {
				place, most = s.Aux.Where.Outermost().Place(), n
			}
		}
	}
	return diag.Limit(place, "branches, loops and functions are nested too deeply here to be kept in an executable; "+
		"shorten chains of `else if` and `match`")
}

// Bundle returns the program as an executable carries it, with sections of targets: what they need where it runs.
func (p *Program) Bundle(carried ...bundle.Section) bundle.Bundle {
	return append(bundle.Bundle{{Name: sectionCore, Data: p.section}}, carried...)
}

// Load reads a program from a bundle: whole only when it is needed, which it is not where a result is kept (Note [Kept results]).
func Load(b bundle.Bundle) (*Program, error) {
	data, ok := b.Section(sectionCore)
	if !ok {
		return nil, errors.New("the bundle has no program for this version of skald")
	}
	if err := wire.Check(data); err != nil {
		return nil, fmt.Errorf("the bundled program cannot be read: %w", err)
	}
	p := &Program{section: data, carried: b}
	p.build, _ = b.Section(sectionBuild)
	p.identity = p.identityIn(p.build)
	p.ir = sync.OnceValues(func() (*core.Prog, error) {
		ir, err := wire.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("the bundled program cannot be read: %w", err)
		}
		return ir, nil
	})
	return p, nil
}

// LeaveOut leaves passes of the devices' pipelines out from now on. The error says which cannot be.
func (p *Program) LeaveOut(names []string) error {
	for _, s := range pipeline.Front {
		if slices.Contains(names, s.Name) {
			return fmt.Errorf("pass %s ran when the program was built; `skald dev --without %s` leaves it out", s.Name, s.Name)
		}
	}
	if err := canLeaveOut(pipeline.GPU, names); err != nil {
		return err
	}
	p.opts.Without = names
	p.devices.mu.Lock()
	p.devices.made, p.devices.awaited = nil, nil
	p.devices.mu.Unlock()
	p.identity = p.identityIn(p.build)
	return nil
}

// Lower makes the low-level program for a device.
func (p *Program) Lower(m *Model) (*imp.Prog, error) {
	low, _, d := p.low(m)
	if d != nil {
		return nil, d // not low: a nil pointer in an interface is not nil
	}
	return low, nil
}

// low is Lower, with what passes for the device tell of the program.
func (p *Program) low(m *Model) (low *imp.Prog, told []*diag.Diagnostic, d *diag.Diagnostic) {
	ir, d := p.chosen(m)
	if d != nil {
		return nil, nil, d
	}
	ctx := p.opts.context()
	ctx.Resume(nil, p.made(m).ctx.Told())
	low, d = lowered(ctx, ir, m, p.opts.Without)
	return low, ctx.Told(), d
}

// KernelSources are the kernels for a device, in the form that it takes.
func (p *Program) KernelSources(m *Model) ([]string, error) {
	low, err := p.Lower(m)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, k := range low.Kernels {
		code, err := m.Print(host.Packed(k, m.Facts))
		if err != nil {
			return nil, err
		}
		out = append(out, code.Source)
	}
	return out, nil
}

// LowText prints the low-level program for a device.
func (p *Program) LowText(m *Model) (string, error) {
	low, err := p.Lower(m)
	if err != nil {
		return "", err
	}
	return imp.Print(low), nil
}

// On prepares the program to run on a device: its pipeline, lowering and printing happen here, where the device is known.
func (p *Program) On(dev *Device) (*host.Program, error) {
	name := keptName(p.identity, dev.Model)
	if name != "" {
		var kept *impwire.Program
		if kept, p.keptIn = p.kept(name, dev.Model); kept != nil {
			return host.LoadWith(kept.Host, kept, dev.Device, dev.Model.Print)
		}
	}
	low, err := p.Lower(dev.Model)
	if err != nil {
		return nil, err
	}
	on, err := LoadLow(low, dev)
	if err == nil && name != "" {
		p.notKept = cache.Refused(keptFolder)
		on.WhenPrinted(func(codes map[string]host.Printed) { p.keep(name, low, codes) })
	}
	return on, err
}

// LoadLow prepares a low-level program, made for a device like this one, to run on it.
func LoadLow(low *imp.Prog, dev *Device) (*host.Program, error) {
	return host.Load(low, dev.Device, dev.Model.Print)
}

// KernelText prints the kernels of the program for a device, in order, for people to read.
func (p *Program) KernelText(m *Model) (string, error) {
	low, err := p.Lower(m)
	if err != nil {
		return "", err
	}
	packed := make([]*imp.Kernel, len(low.Kernels))
	for i, k := range low.Kernels {
		packed[i] = host.Packed(k, m.Facts)
	}
	return m.Text(packed)
}

// FromCore makes a program of core IR, as `skald dev` reads it, at any stage.
func FromCore(ir *core.Prog) *Program { return &Program{ir: whole(ir)} }
