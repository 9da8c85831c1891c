package host

import (
	"fmt"
	"io"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/describe"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// TraceTo has values with the attribute #[trace] printed to w, a line each, in place of standard error.
func (p *Program) TraceTo(w io.Writer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traces = w
}

// Trace waits for the device, reads what is traced and prints it.
func (s *session) Trace(t *imp.Trace, parts []eval.Traced) error {
	if err := s.Ended(); err != nil {
		return err
	}
	form, err := describe.Parse(t.Form)
	if err != nil {
		return err
	}
	components := make([]value.Value, len(parts))
	var regions []device.Region
	for i, part := range parts {
		elem := t.Parts[i].Elem
		if t.Parts[i].Block == 0 {
			components[i] = value.Scalar(prim.FromWord(elem, part.Word))
			continue
		}
		components[i] = value.New(elem, part.Shape...)
		if data := components[i].Bytes(); len(data) > 0 {
			regions = append(regions, s.p.blocks.region(part.Word, 0, data))
		}
	}
	if s.busy || len(regions) > 0 {
		if err := s.wait(regions...); err != nil || s.fail.Failed() {
			return err
		}
	}
	// A program goes on when nobody reads what it traces any more.
	_, _ = fmt.Fprintf(s.p.traces, "Trace at %s: %s\n", t.Text, form.Text(components...))
	return nil
}
