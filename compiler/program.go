package compiler

import (
	"errors"
	"fmt"

	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/core/wire"
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/bundle"
	"skald/runtime/host"
)

// Program is a compiled program before it is known which device will run it: core IR with memory.
type Program struct {
	ir *core.Prog
}

// sectionGPU is the section of a bundle that holds the program as the gpu pipeline leaves it.
const sectionGPU = "gpu"

// Compile compiles a checked program.
func Compile(prog *types.Prog, opts CompileOptions) (*Program, *diag.Diagnostic) {
	ir, d := Core(prog, "", opts)
	if d != nil {
		return nil, d
	}
	return &Program{ir}, nil
}

// Bundle gives the program as an executable carries it, with sections of targets: what they need where it runs.
func (p *Program) Bundle(carried ...bundle.Section) bundle.Bundle {
	return append(bundle.Bundle{{Name: sectionGPU, Data: wire.Encode(p.ir)}}, carried...)
}

// Load reads a program from a bundle.
func Load(b bundle.Bundle) (*Program, error) {
	data, ok := b.Section(sectionGPU)
	if !ok {
		return nil, errors.New("the bundle has no program for this version of skald")
	}
	ir, err := wire.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("the bundled program cannot be read: %w", err)
	}
	return &Program{ir}, nil
}

// Lower makes the low-level program for a device.
func (p *Program) Lower(m *Model) (*imp.Prog, error) {
	low, d := lowered(&pass.Context{}, p.ir, m)
	if d != nil {
		return nil, d // not low: a nil pointer in an interface is not nil
	}
	return low, nil
}

// LowText prints the low-level program for a device.
func (p *Program) LowText(m *Model) (string, error) {
	low, err := p.Lower(m)
	if err != nil {
		return "", err
	}
	return imp.Print(low), nil
}

// On prepares the program to run on a device: lowering and printing happen here, where the device is known.
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

// Kernels prints the kernels of the program for a device, in order.
func (p *Program) Kernels(m *Model) ([]*imp.Code, error) {
	low, err := p.Lower(m)
	if err != nil {
		return nil, err
	}
	codes := make([]*imp.Code, len(low.Kernels))
	for i, k := range low.Kernels {
		if codes[i], err = m.Print(host.Packed(k, m.Facts)); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// FromCore makes a program of core IR with memory, as `skald dev` reads it.
func FromCore(ir *core.Prog) *Program { return &Program{ir} }
