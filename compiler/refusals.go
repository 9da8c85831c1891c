package compiler

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/imp"
	"skald/middle/imp/wire"
	"skald/middle/pass"
	"skald/runtime/host"
	"skald/targets"
)

var codeRefusal = diag.Declare(diag.Code{
	ID: "device-limit", Severity: diag.Remark,
	Doc: "Some devices cannot run the program, or not all of its entry points, because a kernel needs what they have not. The message " +
		"names the profiles of devices for which this is known (docs/limitations.md); others run it.",
})

// Refusals compiles the program for each profile of devices, and notes which cannot run it, or not all of it, and why. If none can, it
// returns the limitation instead, which is an error: then no target can run the program.
func (p *Program) Refusals(names []string) []*diag.Diagnostic {
	found, told := make([][]*diag.Diagnostic, len(names)), make([][]*diag.Diagnostic, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() { found[i], told[i] = p.refusals(targets.FindProfile(name)) })
	}
	wait.Wait()
	return append(named(told, names), named(found, names)...)
}

// named joins what was found for profiles: a limitation of all of them is an error, one of some a note that names them. Notes name them,
// too.
func named(found [][]*diag.Diagnostic, names []string) []*diag.Diagnostic {
	all := !slices.ContainsFunc(found, func(ds []*diag.Diagnostic) bool { return len(ds) == 0 })
	var kinds []*diag.Diagnostic // in order of first occurrence, with the profiles that each is of
	of := map[string][]string{}
	for i, ds := range found {
		for _, d := range ds {
			if of[d.Error()] == nil {
				kinds = append(kinds, d)
			}
			if ns := of[d.Error()]; !slices.Contains(ns, names[i]) {
				of[d.Error()] = append(ns, names[i])
			}
		}
	}
	for i, d := range kinds {
		profiles := targets.Listed(of[d.Error()])
		switch {
		case d.Severity == diag.Remark:
			kinds[i] = diag.New(d.Code, d.Span, "on devices like %s, %s", profiles, d.Message)
			kinds[i].Place = d.Place
		case d.Severity != diag.Limitation: // a fault of ours
		case all:
			kinds[i] = d.Note(d.Span, "this is so on %s", profiles)
		default:
			kinds[i] = diag.New(codeRefusal, d.Span, "devices like %s cannot run all of this: %s", profiles, d.Message)
			kinds[i].Place = d.Place
		}
	}
	return kinds
}

// refusals are the reasons why a device cannot run the program, and what passes told. Of kernels with the same code, of which versions of
// nests have many, one is printed; where that is refused the others are, too: each says its name and place.
func (p *Program) refusals(m *Model) (out, told []*diag.Diagnostic) {
	low, told, d := p.low(m)
	if d != nil {
		return []*diag.Diagnostic{d}, told
	}
	ctx := p.opts.context()
	var firsts []*imp.Kernel
	first := make([]int, len(low.Kernels)) // by kernel, the number among firsts of the one that has its code
	numbers := map[string]int{}
	for i, shape := range pass.Each(low.Kernels, wire.ShapesOf(low.Kernels).Of) {
		n, ok := numbers[shape]
		if !ok {
			n = len(firsts)
			firsts, numbers[shape] = append(firsts, low.Kernels[i]), n
		}
		first[i] = n
	}
	refusals := pass.Each(firsts, func(k *imp.Kernel) *diag.Diagnostic { return refusal(ctx, m, k) })
	for i, k := range low.Kernels {
		switch n := first[i]; {
		case refusals[n] == nil:
		case firsts[n] == k:
			out = append(out, refusals[n])
		default:
			out = append(out, refusal(ctx, m, k))
		}
	}
	return out, told
}

// refusal is the reason why a device cannot run a kernel; nil if it can.
func refusal(ctx *pass.Context, m *Model, k *imp.Kernel) (d *diag.Diagnostic) {
	code, err := m.Print(host.Packed(k, m.Facts))
	switch most := ctx.KernelText(); {
	case err == nil && len(code.Source) > most:
		return k.Limit(fmt.Errorf("its text has %d bytes, at most %d are compiled", len(code.Source), most))
	case err == nil:
		return nil
	case errors.As(err, &d):
		return d
	}
	return diag.New(pass.CodeBug, source.Span{}, "kernel %s: %v", k.Name, err)
}
