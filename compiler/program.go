package compiler

import (
	"errors"
	"fmt"
	"slices"

	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/core/wire"
	"skald/middle/imp"
	"skald/middle/pipeline"
	"skald/runtime/bundle"
	"skald/runtime/host"
)

// Program is a compiled program before it is known which device will run it: SOACs, fused and differentiated. Where a device is known,
// its pipeline makes a low-level program of it.
type Program struct {
	ir      *core.Prog
	opts    CompileOptions
	devices devicePrograms
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
	p := &Program{ir: ir, opts: opts}
	if _, d, asked := p.forDevice(opts.model()); d != nil && !asked {
		return nil, d
	}
	return p, nil
}

// Bundle gives the program as an executable carries it, with sections of targets: what they need where it runs.
func (p *Program) Bundle(carried ...bundle.Section) bundle.Bundle {
	return append(bundle.Bundle{{Name: sectionCore, Data: wire.Encode(p.ir)}}, carried...)
}

// Load reads a program from a bundle.
func Load(b bundle.Bundle) (*Program, error) {
	data, ok := b.Section(sectionCore)
	if !ok {
		return nil, errors.New("the bundle has no program for this version of skald")
	}
	ir, err := wire.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("the bundled program cannot be read: %w", err)
	}
	return &Program{ir: ir}, nil
}

// LeaveOut leaves passes of the devices' pipelines out from now on. The error says which cannot be.
func (p *Program) LeaveOut(names []string) error {
	for _, s := range pipeline.Front {
		if slices.Contains(names, s.Name) {
			return fmt.Errorf("pass %s ran when the program was built; `skald dev --without %s` leaves it out", s.Name, s.Name)
		}
	}
	if _, err := pipeline.Without(pipeline.GPU, names); err != nil {
		return err
	}
	p.opts.Without = names
	p.devices = devicePrograms{}
	return nil
}

// Lower makes the low-level program for a device.
func (p *Program) Lower(m *Model) (*imp.Prog, error) {
	low, d := p.low(m)
	if d != nil {
		return nil, d // not low: a nil pointer in an interface is not nil
	}
	return low, nil
}

func (p *Program) low(m *Model) (*imp.Prog, *diag.Diagnostic) {
	ir, d, _ := p.forDevice(m)
	if d != nil {
		return nil, d
	}
	return lowered(p.opts.context(), ir, m)
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
	low, err := p.Lower(dev.Model)
	if err != nil {
		return nil, err
	}
	return LoadLow(low, dev)
}

// LoadLow prepares a low-level program, made for a device like this one, to run on it.
func LoadLow(low *imp.Prog, dev *Device) (*host.Program, error) {
	return host.Load(low, dev.Device, dev.Model.Print)
}

// Kernels prints the kernels of the program for a device, in order, for people to read.
func (p *Program) Kernels(m *Model) ([]*imp.Code, error) {
	low, err := p.Lower(m)
	if err != nil {
		return nil, err
	}
	codes := make([]*imp.Code, len(low.Kernels))
	for i, k := range low.Kernels {
		if codes[i], err = m.Emit(host.Packed(k, m.Facts)); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// FromCore makes a program of core IR, as `skald dev` reads it, at any stage.
func FromCore(ir *core.Prog) *Program { return &Program{ir: ir} }
