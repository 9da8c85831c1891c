package server

import (
	"fmt"
	"slices"

	"skald/runtime/host"
	"skald/runtime/manifest"
	"skald/runtime/prim"
	"skald/runtime/value"
)

func (s *Server) fields(args []string) error {
	t, err := s.typeNamed(args[0])
	if err != nil {
		return err
	}
	if t.Kind != manifest.Record && zippable(t) != nil {
		return ofKind(t, manifest.Record)
	}
	for _, f := range t.Fields {
		s.line(f.Name + " " + f.Type)
	}
	return nil
}

func (s *Server) newRecord(args []string) error {
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	t, err := s.typeOfKind(args[1], manifest.Record)
	if err != nil {
		return err
	}
	xs, err := s.lookupAll(args[2:], fieldTypes(t), "field")
	if err != nil {
		return err
	}
	made := s.join(t, xs)
	if len(made.parts) == 0 { // of type ()
		made.parts = []host.Held{host.HoldScalar(prim.Zero(prim.Bool))}
	}
	s.vars[args[0]] = made
	return nil
}

func (s *Server) project(args []string) error {
	from, err := s.lookup(args[1])
	if err != nil {
		return err
	}
	if zippable(from.typ) != nil {
		if err := ofKind(from.typ, manifest.Record); err != nil {
			return err
		}
	}
	f := from.typ.Field(args[2])
	if f == nil {
		return fmt.Errorf("no such field: %s", args[2])
	}
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	s.vars[args[0]] = s.field(from, *f)
	return nil
}

func (s *Server) variants(args []string) error {
	t, err := s.typeOfKind(args[0], manifest.Sum)
	if err != nil {
		return err
	}
	for _, v := range t.Variants {
		s.line(v.Name)
		for _, p := range v.Payload {
			s.line("- " + p)
		}
	}
	return nil
}

// current returns the constructor that made a sum.
func (v *variable) current() (*manifest.Variant, error) {
	tag := v.parts[0].Scalar().Int()
	if tag < 0 || tag >= int64(len(v.typ.Variants)) {
		return nil, fmt.Errorf("the value is no %s: its tag is %d", v.typ.Name, tag)
	}
	return &v.typ.Variants[tag], nil
}

func (s *Server) variant(args []string) error {
	v, err := s.lookupKind(args[0], manifest.Sum)
	if err != nil {
		return err
	}
	c, err := v.current()
	if err != nil {
		return err
	}
	s.line(c.Name)
	return nil
}

// construct makes a sum. What other constructors hold is zero; arrays have the sizes that the payload determines, and 0 elsewhere.
func (s *Server) construct(args []string) error {
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	t, err := s.typeOfKind(args[1], manifest.Sum)
	if err != nil {
		return err
	}
	c := t.Variant(args[2])
	if c == nil {
		return fmt.Errorf("no such variant: %s", args[2])
	}
	xs, err := s.lookupAll(args[3:], c.Payload, "value")
	if err != nil {
		return err
	}
	var payload []host.Held
	for _, x := range xs {
		payload = append(payload, x.parts...)
	}
	known, err := payloadSizes(t, c, payload)
	if err != nil {
		return err
	}
	tag := prim.FromWord(t.Parts[0].Elem, uint64(slices.IndexFunc(t.Variants, func(v manifest.Variant) bool { return v.Name == c.Name })))
	made := &variable{typ: t, parts: []host.Held{host.HoldScalar(tag)}}
	for i, part := range t.Parts[1:] {
		var h host.Held
		if at := slices.Index(c.Parts, i+1); at >= 0 {
			h = s.p.HoldMore(payload[at])
		} else if h, err = s.blank(part, known); err != nil {
			s.drop(made.parts)
			return err
		}
		made.parts = append(made.parts, h)
	}
	s.vars[args[0]] = made
	return nil
}

// payloadSizes returns the sizes that a payload determines, by their numbers.
func payloadSizes(t *manifest.Type, c *manifest.Variant, payload []host.Held) (map[int]int, error) {
	known := map[int]int{}
	for i, h := range payload {
		for j, n := range h.Type().Dims {
			size := t.Parts[c.Parts[i]].Sizes[j]
			if size >= 0 {
				known[size] = size
			} else if _, ok := known[size]; !ok {
				known[size] = n
			}
			if known[size] != n {
				return nil, errShape
			}
		}
	}
	return known, nil
}

// blank makes a part that no payload has.
func (s *Server) blank(part manifest.Part, known map[int]int) (host.Held, error) {
	dims := make([]int, part.Rank())
	for i, size := range part.Sizes {
		dims[i] = known[size]
		if size >= 0 {
			dims[i] = size
		}
	}
	return s.p.Hold(value.New(part.Elem, dims...).Stream())
}

func (s *Server) destruct(args []string) error {
	from, err := s.lookupKind(args[0], manifest.Sum)
	if err != nil {
		return err
	}
	c, err := from.current()
	if err != nil {
		return err
	}
	if len(args)-1 != len(c.Payload) {
		return fmt.Errorf("%s has %d values, but %d variables are given", c.Name, len(c.Payload), len(args)-1)
	}
	if err := s.vacant(args[1:]...); err != nil {
		return err
	}
	slots := c.Parts
	for i, name := range c.Payload {
		made := &variable{typ: s.m.Type(name)}
		for range made.typ.Parts {
			made.parts = append(made.parts, s.p.HoldMore(from.parts[slots[0]]))
			slots = slots[1:]
		}
		s.vars[args[1+i]] = made
	}
	return nil
}
