package server

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"skald/runtime/host"
	"skald/runtime/manifest"
	"skald/runtime/value"
)

func (s *Server) rank(args []string) error {
	t, err := s.typeOfKind(args[0], manifest.Array)
	if err != nil {
		return err
	}
	s.line(strconv.Itoa(t.Rank))
	return nil
}

func (s *Server) elemType(args []string) error {
	t, err := s.typeOfKind(args[0], manifest.Array)
	if err != nil {
		return err
	}
	s.line(t.Elem)
	return nil
}

func (s *Server) shape(args []string) error {
	v, err := s.lookupKind(args[0], manifest.Array)
	if err != nil {
		return err
	}
	for _, n := range v.outer() {
		s.line(strconv.Itoa(n))
	}
	return nil
}

// outer returns the extents of an array.
func (v *variable) outer() []int { return v.parts[0].Type().Dims[:v.typ.Rank] }

// place reads indices of an array and returns the number of the element in row-major order.
func (v *variable) place(args []string) (int64, error) {
	if len(args) != v.typ.Rank {
		return 0, fmt.Errorf("%d indices are expected, but %d are given", v.typ.Rank, len(args))
	}
	at := int64(0)
	for i, n := range v.outer() {
		k, err := strconv.ParseInt(args[i], 10, 64)
		if err != nil || k < 0 || k >= int64(n) {
			return 0, fmt.Errorf("index %s is out of bounds for dimension %d of size %d", args[i], i, n)
		}
		at = at*int64(n) + k
	}
	return at, nil
}

func (s *Server) index(args []string) error {
	from, err := s.lookupKind(args[1], manifest.Array)
	if err != nil {
		return err
	}
	at, err := from.place(args[2:])
	if err != nil {
		return err
	}
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	to := &variable{typ: s.m.Type(from.typ.Elem)}
	for _, h := range from.parts {
		dims := slices.Clone(h.Type().Dims[from.typ.Rank:])
		part, err := s.p.Part(h, at*product(dims), dims...)
		if err != nil {
			s.drop(to.parts)
			return err
		}
		to.parts = append(to.parts, part)
	}
	s.vars[args[0]] = to
	return nil
}

func product(dims []int) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= int64(d)
	}
	return n
}

// set replaces an element. Other variables that share the array's memory keep theirs.
func (s *Server) set(args []string) error {
	to, err := s.lookupKind(args[0], manifest.Array)
	if err != nil {
		return err
	}
	xs, err := s.lookupAll(args[1:2], []string{to.typ.Elem}, "value")
	if err != nil {
		return err
	}
	at, err := to.place(args[2:])
	if err != nil {
		return err
	}
	for i, h := range to.parts {
		if !slices.Equal(h.Type().Dims[to.typ.Rank:], xs[0].parts[i].Type().Dims) {
			return errShape
		}
	}
	for i, h := range to.parts {
		x := xs[0].parts[i]
		if to.parts[i], err = s.p.Replace(h, at*product(x.Type().Dims), x); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) newArray(args []string) error {
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	t, err := s.typeOfKind(args[1], manifest.Array)
	if err != nil {
		return err
	}
	dims, count, err := sizes(args[2:], t.Rank)
	if err != nil {
		return err
	}
	names := args[2+t.Rank:]
	if int64(len(names)) != count {
		return fmt.Errorf("%d values are expected, but %d are given", count, len(names))
	}
	xs, err := s.lookupAll(names, slices.Repeat([]string{t.Elem}, len(names)), "value")
	if err != nil {
		return err
	}
	made := &variable{typ: t}
	for i := range t.Parts {
		h, err := s.assemble(t, i, dims, xs)
		if err != nil {
			s.drop(made.parts)
			return err
		}
		made.parts = append(made.parts, h)
	}
	s.vars[args[0]] = made
	return nil
}

// sizes reads the extents of an array that is to be made.
func sizes(args []string, rank int) (dims []int, count int64, err error) {
	if len(args) < rank {
		return nil, 0, fmt.Errorf("%d dimensions are expected, but %d are given", rank, len(args))
	}
	count = 1
	for i := range rank {
		n, err := strconv.ParseInt(args[i], 10, 64)
		if err != nil || n < 0 || n > maxLine {
			return nil, 0, fmt.Errorf("invalid size %s of dimension %d", args[i], i)
		}
		dims = append(dims, int(n))
		if count *= n; count > maxLine { // there cannot be as many values
			return nil, 0, errors.New("the array has more elements than are given")
		}
	}
	return dims, count, nil
}

// assemble makes part i of an array of xs.
func (s *Server) assemble(t *manifest.Type, i int, dims []int, xs []*variable) (host.Held, error) {
	part := t.Parts[i]
	inner := make([]int, part.Rank()-t.Rank)
	for j := range inner { // of no elements, as far as they are known
		inner[j] = max(part.Sizes[t.Rank+j], 0)
	}
	if len(xs) > 0 {
		inner = xs[0].parts[i].Type().Dims
	}
	for _, x := range xs {
		if !slices.Equal(x.parts[i].Type().Dims, inner) {
			return host.Held{}, errShape
		}
	}
	typ := value.Type{Elem: part.Elem, Dims: slices.Concat(dims, inner)}
	if len(inner) == 0 {
		v := value.New(typ.Elem, typ.Dims...)
		for j, x := range xs {
			v.Set(j, x.parts[i].Scalar())
		}
		return s.p.Hold(v.Stream())
	}
	h, err := s.p.New(typ)
	for j, x := range xs {
		if err == nil {
			h, err = s.p.Replace(h, int64(j)*product(inner), x.parts[i])
		}
	}
	return h, err
}

// zippable finds a type of arrays of records.
func zippable(t *manifest.Type) error {
	if t.Kind != manifest.Array || t.IsTransparent() || len(t.Fields) == 0 {
		return fmt.Errorf("not a type of arrays of records: %s", t.Name)
	}
	return nil
}

func (s *Server) zip(args []string) error {
	if err := s.vacant(args[0]); err != nil {
		return err
	}
	t, err := s.typeNamed(args[1])
	if err != nil {
		return err
	}
	if err := zippable(t); err != nil {
		return err
	}
	xs, err := s.lookupAll(args[2:], fieldTypes(t), "array")
	if err != nil {
		return err
	}
	for _, x := range xs {
		if !slices.Equal(x.parts[0].Type().Dims[:t.Rank], xs[0].parts[0].Type().Dims[:t.Rank]) {
			return errShape
		}
	}
	s.vars[args[0]] = s.join(t, xs)
	return nil
}

// join makes a value of the parts of others.
func (s *Server) join(t *manifest.Type, xs []*variable) *variable {
	made := &variable{typ: t}
	for _, x := range xs {
		made.parts = append(made.parts, s.share(x.parts)...)
	}
	return made
}

func fieldTypes(t *manifest.Type) []string {
	var out []string
	for _, f := range t.Fields {
		out = append(out, f.Type)
	}
	return out
}

func (s *Server) unzip(args []string) error {
	from, err := s.lookup(args[0])
	if err != nil {
		return err
	}
	if err := zippable(from.typ); err != nil {
		return err
	}
	if len(args)-1 != len(from.typ.Fields) {
		return fmt.Errorf("%d arrays are expected, but %d are given", len(from.typ.Fields), len(args)-1)
	}
	if err := s.vacant(args[1:]...); err != nil {
		return err
	}
	for i, f := range from.typ.Fields {
		s.vars[args[1+i]] = s.field(from, f)
	}
	return nil
}

// field returns a field of a record, or of an array of records.
func (s *Server) field(from *variable, f manifest.Field) *variable {
	return &variable{typ: s.m.Type(f.Type), parts: s.share(from.parts[f.First : f.First+f.Count])}
}
