package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"skald/runtime/host"
	"skald/runtime/manifest"
)

// Server serves one client.
type Server struct {
	p    *host.Program
	m    *manifest.Program
	ctx  context.Context
	out  *bufio.Writer
	vars map[string]*variable
	prof profile
}

// variable is a value with its type.
type variable struct {
	typ      *manifest.Type
	parts    []host.Held
	consumed bool // nothing is held any more
}

// New makes a server of a program that is ready to run.
func New(p *host.Program, m *manifest.Program) *Server {
	return &Server{p: p, m: m, vars: map[string]*variable{}, prof: profile{dev: p.Device()}}
}

// ErrGone says that nobody reads the answers any more.
var ErrGone = errors.New("the client has gone away")

// maxLine is how long a command may be, in bytes.
const maxLine = 64 << 20

// Serve answers commands until in ends, out cannot be written or ctx ends, whose error it returns then. A call that is under way when ctx
// ends
// ends at its next launch.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if f, ok := out.(*os.File); ok {
		stop := make(chan struct{})
		defer close(stop)
		go gone(f, stop, func() { cancel(ErrGone) })
	}
	s.ctx, s.out = ctx, bufio.NewWriter(out)
	defer s.freeAll()
	lines := make(chan string)
	ended := make(chan error, 1)
	go func() { ended <- readLines(ctx, in, lines) }()
	for {
		s.line("%%% OK")
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("cannot answer: %w", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case err := <-ended:
			return err
		case line := <-lines:
			err := s.command(line)
			if err != nil {
				s.line("%%% FAILURE")
				s.line(strings.TrimPrefix(err.Error(), "Error: "))
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
}

// readLines sends the lines of a stream. A last one without its end is sent, too.
func readLines(ctx context.Context, in io.Reader, lines chan<- string) error {
	r := bufio.NewScanner(in)
	r.Buffer(nil, maxLine)
	for r.Scan() {
		select {
		case lines <- r.Text():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if errors.Is(r.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a command has more than %d bytes", maxLine)
	}
	return r.Err()
}

// line writes a line of an answer. A failure to write shows when it is flushed.
func (s *Server) line(text string) {
	_, _ = s.out.WriteString(text + "\n")
}

// words splits a command: words are separated by white space, or quoted.
func words(line string) ([]string, error) {
	var out []string
	for {
		line = strings.TrimLeft(line, " \t\r\v\f")
		if line == "" {
			return out, nil
		}
		if line[0] != '"' {
			n := strings.IndexAny(line, " \t\r\v\f")
			if n < 0 {
				n = len(line)
			}
			out, line = append(out, line[:n]), line[n:]
			continue
		}
		word, rest, ok := strings.Cut(line[1:], `"`)
		if !ok {
			return nil, fmt.Errorf("a word begins with a quote and does not end with one: %s", line)
		}
		out, line = append(out, word), rest
	}
}

// command is what the server knows of a command.
type command struct {
	usage string // its arguments; the last one may be repeated, any number of times, if it ends with "..."
	run   func(s *Server, args []string) error
}

// commands are those of the protocol.
var commands map[string]command

func init() { // for help in messages refers to the table
	commands = map[string]command{
		"types":              {"", (*Server).types},
		"entry_points":       {"", (*Server).entryPoints},
		"call":               {"entry output input...", (*Server).call},
		"restore":            {"file variable-and-type...", (*Server).restore},
		"store":              {"file variable...", (*Server).store},
		"free":               {"variable...", (*Server).free},
		"rename":             {"old new", (*Server).rename},
		"inputs":             {"entry", (*Server).inputs},
		"output":             {"entry", (*Server).output},
		"clear":              {"", (*Server).clear},
		"pause_profiling":    {"", (*Server).pauseProfiling},
		"unpause_profiling":  {"", (*Server).unpauseProfiling},
		"report":             {"", (*Server).report},
		"set_tuning_param":   {"parameter value", (*Server).setTuningParam},
		"tuning_params":      {"entry", (*Server).tuningParams},
		"tuning_param_class": {"parameter", (*Server).tuningParamClass},
		"attributes":         {"entry", (*Server).attributes},
		"kind":               {"type", (*Server).kind},
		"type":               {"variable", (*Server).typeOf},
		"rank":               {"type", (*Server).rank},
		"elemtype":           {"type", (*Server).elemType},
		"new_array":          {"variable type size-or-value...", (*Server).newArray},
		"set":                {"array value index...", (*Server).set},
		"shape":              {"variable", (*Server).shape},
		"index":              {"variable array index...", (*Server).index},
		"zip":                {"variable type array...", (*Server).zip},
		"unzip":              {"array variable...", (*Server).unzip},
		"fields":             {"type", (*Server).fields},
		"new":                {"variable type value...", (*Server).newRecord},
		"project":            {"variable record field", (*Server).project},
		"variants":           {"type", (*Server).variants},
		"construct":          {"variable type variant value...", (*Server).construct},
		"destruct":           {"sum variable...", (*Server).destruct},
		"variant":            {"sum", (*Server).variant},
	}
}

// command carries out one command.
func (s *Server) command(line string) error {
	ws, err := words(line)
	if err != nil {
		return err
	}
	if len(ws) == 0 {
		return errors.New("the line is empty")
	}
	c, ok := commands[ws[0]]
	if !ok {
		return fmt.Errorf("unknown command: %s", ws[0])
	}
	args := ws[1:]
	params := strings.Fields(c.usage)
	least, more := len(params), false
	if least > 0 && strings.HasSuffix(params[least-1], "...") {
		least, more = least-1, true
	}
	if len(args) < least || len(args) > least && !more {
		return fmt.Errorf("%s takes other arguments: %s %s", ws[0], ws[0], c.usage)
	}
	return c.run(s, args)
}

// lookup finds a variable that has a value.
func (s *Server) lookup(name string) (*variable, error) {
	v := s.vars[name]
	switch {
	case v == nil:
		return nil, fmt.Errorf("unknown variable: %s", name)
	case v.consumed:
		return nil, fmt.Errorf("variable %s was consumed by a call; it can only be freed", name)
	}
	return v, nil
}

// lookupAll finds variables that have values of these types. what names them in messages.
func (s *Server) lookupAll(names, types []string, what string) ([]*variable, error) {
	if len(names) != len(types) {
		return nil, fmt.Errorf("%d %ss are expected, but %d are given", len(types), what, len(names))
	}
	out := make([]*variable, len(names))
	for i, name := range names {
		var err error
		if out[i], err = s.lookup(name); err != nil {
			return nil, err
		}
		if out[i].typ.Name != types[i] {
			return nil, fmt.Errorf("%s %d has the wrong type: expected %s, got %s", what, i, types[i], out[i].typ.Name)
		}
	}
	return out, nil
}

// vacant says what is wrong with names that are to be those of new variables.
func (s *Server) vacant(names ...string) error {
	for i, name := range names {
		if s.vars[name] != nil || slices.Contains(names[:i], name) {
			return fmt.Errorf("variable already exists: %s", name)
		}
	}
	return nil
}

// typeNamed finds a type.
func (s *Server) typeNamed(name string) (*manifest.Type, error) {
	if t := s.m.Type(name); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("unknown type: %s", name)
}

// typeOfKind finds a type of a kind.
func (s *Server) typeOfKind(name string, k manifest.Kind) (*manifest.Type, error) {
	t, err := s.typeNamed(name)
	if err != nil {
		return nil, err
	}
	return t, ofKind(t, k)
}

// ofKind says that a type is not of a kind.
func ofKind(t *manifest.Type, k manifest.Kind) error {
	switch {
	case t.Kind == k:
		return nil
	case k == manifest.Array:
		return fmt.Errorf("not an array type: %s", t.Name)
	}
	return fmt.Errorf("not a %s type: %s", k, t.Name)
}

// lookupKind finds a variable whose type is of a kind.
func (s *Server) lookupKind(name string, k manifest.Kind) (*variable, error) {
	v, err := s.lookup(name)
	if err != nil {
		return nil, err
	}
	return v, ofKind(v.typ, k)
}

// entry finds an entry point.
func (s *Server) entry(name string) (*manifest.Entry, error) {
	if e := s.m.Entry(name); e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("unknown entry point: %s", name)
}

// share adds a variable that holds parts.
func (s *Server) share(parts []host.Held) []host.Held {
	out := make([]host.Held, len(parts))
	for i, h := range parts {
		out[i] = s.p.HoldMore(h)
	}
	return out
}

// drop ends a variable's hold of parts.
func (s *Server) drop(parts []host.Held) {
	for _, h := range parts {
		s.p.Drop(h)
	}
}

func (s *Server) freeAll() {
	for name := range s.vars {
		s.remove(name)
	}
}

func (s *Server) remove(name string) {
	if v := s.vars[name]; !v.consumed {
		s.drop(v.parts)
	}
	delete(s.vars, name)
}
