package compiler

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Session evaluates declarations and expressions one after the other, as `skald repl` and `skald eval` do. It is not safe for use by
// several goroutines at once.
type Session struct {
	env    *check.Env
	in     *interp.Interpreter
	loader check.Loader
	opts   interp.Options
	// inputs counts them, for their names.
	inputs *int
	// stop is where the program has stopped, if this is a session within another (see At).
	stop *interp.Stop
}

// Answer is what there is to say to an input.
type Answer struct {
	// Text is the answer itself; a declaration that is accepted has none.
	Text string
	// Messages are the errors and warnings about the input.
	Messages []*diag.Diagnostic
	// Err is set if the input was accepted, but failed when it ran.
	Err error
}

// OK says that the input was accepted and ran.
func (a *Answer) OK() bool {
	return a.Err == nil && !slices.ContainsFunc(a.Messages, (*diag.Diagnostic).IsError)
}

// NewSession makes a session that knows the prelude. Imports are relative to the current folder. A nil loader means the file system.
func NewSession(loader check.Loader, opts interp.Options) *Session {
	if loader == nil {
		loader = check.OS{}
	}
	env := check.NewEnv(loader, "")
	return &Session{env: env, in: interp.New(env.Prog(), opts), loader: loader, opts: opts, inputs: new(int)}
}

// LoadSession makes a session that knows what a file defines. After an error there is none; the sink says what is wrong.
func LoadSession(path string, loader check.Loader, opts interp.Options) (s *Session, sink *diag.Sink, ok bool) {
	if loader == nil {
		loader = check.OS{}
	}
	sink = &diag.Sink{}
	env, ok := check.Load(loader, path, sink, check.Options{})
	if !ok {
		return nil, sink, false
	}
	return &Session{env: env, in: interp.New(env.Prog(), opts), loader: loader, opts: opts, inputs: new(int)}, sink, true
}

// At makes a session within this one, for inputs about the place where the program has stopped: its variables are in
// scope. It ends when the program goes on.
func (s *Session) At(stop *interp.Stop) *Session {
	inner := *s
	inner.stop = stop
	vars := make([]*types.Symbol, 0, len(stop.Vars))
	for _, v := range slices.Backward(stop.Vars) {
		vars = append(vars, v.Sym)
	}
	inner.env = s.env.With(vars)
	return &inner
}

// file makes a source file of an input; its name numbers it.
func (s *Session) file(text string) *source.File {
	*s.inputs++
	return source.NewFile(fmt.Sprintf("<input %d>", *s.inputs), text)
}

// Enter takes declarations or an expression. What can be either is taken for declarations.
func (s *Session) Enter(ctx context.Context, text string) *Answer {
	f := s.file(text)
	if decs, sink := declarations(f); decs != nil {
		return s.declare(decs, sink)
	}
	a, v, t := s.evaluate(ctx, f)
	if a.OK() && t != nil {
		a.Text = s.in.Describe(s.stop, v, t)
	}
	return a
}

// declarations parses an input as declarations if it looks like some. `let` begins both declarations and expressions.
func declarations(f *source.File) ([]syntax.Dec, *diag.Sink) {
	tokens, _ := syntax.Lex(f)
	first := tokens[0].Kind.String()
	var sink diag.Sink
	switch first {
	case "def", "entry", "type", "module", "open", "import", "local":
		tree := syntax.Parse(f, &sink)
		if sink.HasErrors() {
			return []syntax.Dec{}, &sink
		}
		return tree.Decs, &sink
	default:
		if tree := syntax.Parse(f, &sink); !sink.HasErrors() && len(tree.Decs) > 0 {
			return tree.Decs, &sink
		}
		return nil, nil
	}
}

// Incomplete reports whether an input could be right if more lines followed: what is wrong with it is only that it ends.
func Incomplete(text string) bool {
	f := source.NewFile("input", text)
	decs, sink := declarations(f)
	if decs == nil {
		sink = &diag.Sink{}
		syntax.ParseExp(f, sink)
	}
	end := int32(len(strings.TrimRight(text, " \t\r\n")))
	for _, d := range sink.Sorted() {
		if d.IsError() {
			return d.Span.Start >= end
		}
	}
	return false
}

func (s *Session) declare(decs []syntax.Dec, sink *diag.Sink) *Answer {
	for _, d := range decs {
		if !s.env.Dec(d, sink) {
			break
		}
	}
	s.in.Extend(s.env.Prog())
	return &Answer{Messages: sink.Sorted()}
}

// expression checks an expression.
func (s *Session) expression(f *source.File) (*types.Def, *Answer) {
	var sink diag.Sink
	x := syntax.ParseExp(f, &sink)
	if x == nil || sink.HasErrors() {
		return nil, &Answer{Messages: sink.Sorted()}
	}
	def, ok := s.env.Exp(x, "it", &sink)
	// The answer shows which type a literal has.
	a := &Answer{Messages: slices.DeleteFunc(sink.Sorted(), func(d *diag.Diagnostic) bool {
		return !d.IsError() && d.Code.ID == "defaulted-type"
	})}
	if !ok {
		return nil, a
	}
	s.in.Extend(s.env.Prog())
	return def, a
}

// evaluate evaluates an expression. t is nil if there is no value; for one that could have several types the answer says so.
func (s *Session) evaluate(ctx context.Context, f *source.File) (a *Answer, v interp.Value, t types.Type) {
	def, a := s.expression(f)
	if def == nil {
		return a, v, nil
	}
	if len(def.TypeParams) > 0 {
		a.Text = "a polymorphic value of type " + typeText(def)
		return a, v, nil
	}
	v, a.Err = s.in.EvalAt(ctx, s.stop, def.Body)
	return a, v, def.Body.Base().Type
}

// typeText prints the type of a definition, its type parameters first.
func typeText(def *types.Def) string {
	if ps := paramsText(def.TypeParams); ps != "" {
		return ps[1:] + " -> " + def.Sym.Type.String()
	}
	return def.Sym.Type.String()
}

// specText prints what follows the name in a specification of a definition.
func specText(def *types.Def) string {
	return paramsText(def.TypeParams) + " : " + def.Sym.Type.String()
}

// paramsText prints type parameters, each after a space.
func paramsText(ps []*types.TypeParam) string {
	var out strings.Builder
	for _, p := range ps {
		if p.IsSize() {
			out.WriteString(" [" + p.Name + "]")
			continue
		}
		out.WriteString(" '" + [...]string{"", "~", "^"}[p.Lifted] + p.Name)
	}
	return out.String()
}

// Type tells the type of an expression.
func (s *Session) Type(text string) *Answer {
	def, a := s.expression(s.file(text))
	if def != nil {
		a.Text = strings.TrimSpace(text) + " : " + typeText(def)
	}
	return a
}

// Text evaluates an expression that is an array of bytes, and returns it as text.
func (s *Session) Text(ctx context.Context, text string) *Answer {
	a, v, t := s.evaluate(ctx, s.file(text))
	if !a.OK() || t == nil {
		return a
	}
	out, ok := interp.Export(v, t)
	if !ok || out.Elem() != prim.U8 || out.Rank() != 1 {
		a.Err = fmt.Errorf("a text is a []u8, but this has type %s", t)
		return a
	}
	a.Text = string(value.Slice[uint8](out))
	return a
}

// Module tells what a module exports.
func (s *Session) Module(text string) *Answer {
	var sink diag.Sink
	m := syntax.ParseModExp(s.file(text), &sink)
	a := &Answer{}
	if m != nil && !sink.HasErrors() {
		a.Text, _ = s.env.Module(m, &sink)
	}
	a.Messages = sink.Sorted()
	return a
}

// Complete lists the names that begin with what is at the end of text, and says how much of it that is. A name in a module
// is completed after the module's name and a dot.
func (s *Session) Complete(text string) (names []string, length int) {
	start := len(text)
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	word := text[start:]
	module, prefix := "", word
	if dot := strings.LastIndexByte(word, '.'); dot >= 0 {
		module, prefix = word[:dot], word[dot+1:]
	}
	for _, name := range s.env.Names(module) {
		if strings.HasPrefix(name, prefix) && isNameByte(name[0]) {
			names = append(names, name)
		}
	}
	return names, len(prefix)
}

func isNameByte(c byte) bool {
	return c == '_' || c == '\'' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
