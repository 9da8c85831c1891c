package format

import (
	"fmt"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

var codeFormat = diag.Declare(diag.Code{
	ID:       "format-failed",
	Severity: diag.Internal,
	Doc:      "The formatter would have changed the program; it leaves it as it is.",
})

// maxPasses bounds how often a text is formatted until nothing changes: how
// the parts of something broken come out may decide whether it counts as broken.
const maxPasses = 6

// Source formats a program. When the program has syntax errors they are
// reported, and ok is false.
func Source(f *source.File, sink *diag.Sink) (text string, ok bool) {
	text = f.Text()
	for range maxPasses {
		var found diag.Sink
		tree := syntax.Parse(source.NewFile(f.Name(), text), &found)
		if found.HasErrors() {
			sink.Append(&found)
			return f.Text(), false
		}
		next, err := once(tree)
		if err != nil {
			sink.Errorf(codeFormat, f.All(), "%v", err)
			return f.Text(), false
		}
		if next == text {
			break
		}
		text = next
	}
	return text, true
}

// A mismatch is an internal error of the formatter.
type mismatch struct{ msg string }

// once formats a tree, and checks that the tokens of the text are those that
// it wanted to write.
func once(tree *syntax.File) (text string, err error) {
	p := &printer{file: tree.Source, text: tree.Source.Text(), comments: tree.Comments}
	p.tokens, _ = syntax.Lex(tree.Source)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case mismatch:
			err = fmt.Errorf("format: %s", r.msg)
		default:
			panic(r)
		}
	}()
	p.program(tree)
	text = p.out.String()
	return text, p.check(text)
}

// check compares the tokens of the text with those that were written.
func (p *printer) check(text string) error {
	f := source.NewFile(p.file.Name(), text)
	tokens, comments := syntax.Lex(f)
	i := 0
	for _, t := range tokens {
		if t.Kind == syntax.EOF || t.Kind == syntax.DocComment {
			continue
		}
		if i >= len(p.written) || p.written[i] != text[t.Start:t.End] {
			return fmt.Errorf("format: token %d of the result is %q", i, text[t.Start:t.End])
		}
		i++
	}
	if i != len(p.written) || len(comments) != len(p.comments) {
		return fmt.Errorf("format: the result has %d tokens and %d comments instead of %d and %d",
			i, len(comments), len(p.written), len(p.comments))
	}
	return nil
}
