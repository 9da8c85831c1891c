package server

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"skald/runtime/host"
	"skald/runtime/manifest"
	"skald/runtime/prim"
)

func (s *Server) types([]string) error {
	for i := range prim.NumTypes {
		s.line(prim.Type(i).String())
	}
	for _, t := range s.m.Types {
		s.line(t.Name)
	}
	return nil
}

func (s *Server) entryPoints([]string) error {
	for _, e := range s.m.Entries {
		s.line(e.Name)
	}
	return nil
}

// call runs an entry point. Its time is a line of the answer.
func (s *Server) call(args []string) error {
	e, err := s.entry(args[0])
	if err != nil {
		return err
	}
	if err := s.vacant(args[1]); err != nil {
		return err
	}
	var types []string
	for _, in := range e.Inputs {
		types = append(types, in.Type)
	}
	inputs, err := s.lookupAll(args[2:], types, "argument")
	if err != nil {
		return err
	}
	var parts []host.Held
	for i, v := range inputs {
		twice := func(j int) bool { return inputs[j] == v && j != i }
		if e.Inputs[i].Unique && slices.ContainsFunc(indices(inputs), twice) {
			return fmt.Errorf("argument %d is consumed, but variable %s is another argument, too", i, args[2+i])
		}
		parts = append(parts, v.parts...)
	}
	start := time.Now()
	results, begun, err := s.p.CallHeld(s.ctx, e.Name, parts)
	took := time.Since(start)
	for i, v := range inputs {
		if begun && e.Inputs[i].Unique {
			v.consume()
		}
	}
	if err != nil {
		return err
	}
	t := s.m.Type(e.Output.Type)
	if len(results) == 0 { // of type ()
		results = append(results, host.HoldScalar(prim.Zero(prim.Bool)))
	}
	s.vars[args[1]] = &variable{typ: t, parts: results}
	s.line("runtime: " + strconv.FormatInt(took.Microseconds(), 10))
	return nil
}

func indices[T any](xs []T) []int {
	out := make([]int, len(xs))
	for i := range out {
		out[i] = i
	}
	return out
}

// consume notes that nothing is held any more. Scalars alone are not consumed.
func (v *variable) consume() {
	for _, h := range v.parts {
		v.consumed = v.consumed || len(h.Type().Dims) > 0
	}
	if v.consumed {
		v.parts = nil
	}
}

func (s *Server) free(args []string) error {
	for _, name := range args {
		if s.vars[name] == nil {
			return fmt.Errorf("unknown variable: %s", name)
		}
		s.remove(name)
	}
	return nil
}

func (s *Server) rename(args []string) error {
	v := s.vars[args[0]]
	if v == nil {
		return fmt.Errorf("unknown variable: %s", args[0])
	}
	if err := s.vacant(args[1]); err != nil {
		return err
	}
	delete(s.vars, args[0])
	s.vars[args[1]] = v
	return nil
}

func (s *Server) inputs(args []string) error {
	e, err := s.entry(args[0])
	if err != nil {
		return err
	}
	for _, in := range e.Inputs {
		s.line(starred(in))
	}
	return nil
}

func (s *Server) output(args []string) error {
	e, err := s.entry(args[0])
	if err != nil {
		return err
	}
	s.line(starred(e.Output))
	return nil
}

func starred(v manifest.Value) string {
	if v.Unique {
		return "*" + v.Type
	}
	return v.Type
}

// clear frees all variables, as Futhark's servers do, and what was measured.
func (s *Server) clear([]string) error {
	s.freeAll()
	s.prof.clear()
	return nil
}

func (s *Server) setTuningParam(args []string) error {
	n, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no value of a tuning parameter: it has to be an integer", args[1])
	}
	return s.p.SetTune(args[0], n)
}

// tuningParams lists names alone: tools take a line for a name.
func (s *Server) tuningParams(args []string) error {
	if _, err := s.entry(args[0]); err != nil {
		return err
	}
	tunes, err := s.p.TunesOf(args[0])
	if err != nil {
		return err
	}
	for _, t := range tunes {
		s.line(t.Name)
	}
	return nil
}

func (s *Server) tuningParamClass(args []string) error {
	for _, t := range s.p.Tunes() {
		if t.Name == args[0] {
			s.line(t.Class)
			return nil
		}
	}
	return fmt.Errorf("unknown tuning parameter: %s", args[0])
}

func (s *Server) attributes(args []string) error {
	e, err := s.entry(args[0])
	if err != nil {
		return err
	}
	for _, a := range e.Attrs {
		s.line(a)
	}
	return nil
}

func (s *Server) kind(args []string) error {
	t, err := s.typeNamed(args[0])
	if err != nil {
		return err
	}
	s.line(t.Kind.String())
	return nil
}

// typeOf knows the types of consumed variables, too.
func (s *Server) typeOf(args []string) error {
	v := s.vars[args[0]]
	if v == nil {
		return fmt.Errorf("unknown variable: %s", args[0])
	}
	s.line(v.typ.Name)
	return nil
}

// errShape says that arrays do not have the shapes that they must have.
var errShape = errors.New("the arrays do not have compatible shapes")
