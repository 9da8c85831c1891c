package server

import (
	"encoding/json"

	"skald/runtime/device"
)

// profile collects what the device measured.
type profile struct {
	dev    device.Device
	paused bool
	events []event
}

// event is a kernel that ran, in the report.
type event struct {
	Name       string         `json:"name"`
	Duration   float64        `json:"duration"` // microseconds
	Provenance string         `json:"provenance"`
	Details    map[string]any `json:"details"`
}

// collect takes over what the device has measured since the last time.
func (p *profile) collect() {
	for _, t := range p.dev.Timings() {
		if !p.paused {
			p.events = append(p.events, event{t.Kernel, float64(t.Time.Nanoseconds()) / 1000, "", map[string]any{"kernel": t.Kernel}})
		}
	}
}

func (p *profile) clear() {
	p.collect()
	p.events = nil
}

func (s *Server) pauseProfiling([]string) error {
	s.prof.collect()
	s.prof.paused = true
	return nil
}

func (s *Server) unpauseProfiling([]string) error {
	s.prof.collect()
	s.prof.paused = false
	return nil
}

// report returns what was measured as JSON, on one line. Without profiling there are no events.
func (s *Server) report([]string) error {
	s.prof.collect()
	text, err := json.Marshal(struct {
		Events []event          `json:"events"`
		Memory map[string]int64 `json:"memory"`
	}{append([]event{}, s.prof.events...), map[string]int64{"device": s.p.Device().Stats().Peak}})
	if err != nil {
		return err
	}
	s.line(string(text))
	return nil
}
