package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"skald/frontend/source"
	"skald/runtime/value"
	"skald/tooling/script"
)

// A Program is what the test blocks of a program say.
type Program struct {
	// Tags classify the program: "disable", "no_cuda", …
	Tags []string
	// Rejected says that the compiler must reject the program; it is nil for
	// a program that must be accepted. Nothing below is set then.
	Rejected *Error
	// Groups are the cases by entry point, in the order written. A block that
	// names several entry points becomes a group for each, of the same cases.
	Groups []Group
	// Structures are what a compiled program must look like.
	Structures []Structure
	// Warnings are what the compiler must warn of.
	Warnings []*Error
	// Properties are entry points that must hold for all values.
	Properties []string
}

// An Error is an expectation of a message.
type Error struct {
	// At is the pattern in the source.
	At source.Span
	// Pattern is a POSIX regular expression; empty for any message.
	Pattern string
	// Regexp matches messages; newlines are like other characters.
	Regexp *regexp.Regexp
}

// Matches reports whether a message is as expected.
func (e *Error) Matches(message string) bool { return e.Pattern == "" || e.Regexp.MatchString(message) }

// A Group is cases for one entry point.
type Group struct {
	Entry string
	Cases []*Case
}

// A Case is an input and what is expected of the program for it.
type Case struct {
	// At is the case from its name or tags to its end.
	At source.Span
	// Index counts the cases of a block from zero.
	Index int
	// Label is the name written before the case, or empty; see Name.
	Label string
	// Tags classify the case: "compiled", "nobench", …; "random" and "script"
	// are among them.
	Tags  []string
	Input Values
	// Want is what is expected.
	Want Want
}

// HasTag reports whether the case has a tag.
func (c *Case) HasTag(tag string) bool { return slices.Contains(c.Tags, tag) }

// maxShown is how many characters of the values a generated name shows.
const maxShown = 50

// Name is the case's name in reports: the one written, else one made of the
// input. Names made of literal values differ by the case's number.
func (c *Case) Name() string {
	if c.Label != "" {
		return c.Label
	}
	switch c.Input.Kind {
	case InFile, InScriptFile:
		return strings.TrimSuffix(c.Input.Path, ".gz")
	case InRandom:
		var parts []string
		for _, r := range c.Input.Random {
			parts = append(parts, r.String())
		}
		return strings.Join(parts, " ")
	case InScript:
		return script.Format(c.Input.Script)
	default:
		shown := []rune(canonical(c.Input.Text))
		if len(shown) > maxShown {
			shown = append(shown[:maxShown], []rune("...")...)
		}
		return fmt.Sprintf("#%d (\"%s\")", c.Index, string(shown))
	}
}

// canonical is a text of values as values are printed, if it can be read.
func canonical(text string) string {
	values, err := value.ParseAll(text)
	if err != nil {
		return strings.Join(strings.Fields(text), " ")
	}
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = strings.ReplaceAll(v.String(), "\n", " ")
	}
	return strings.Join(parts, " ")
}

// ValuesKind says where values come from.
type ValuesKind uint8

// The sources of values.
const (
	// InText: Text holds values in text form.
	InText ValuesKind = iota
	// InFile: Path names a file of values, relative to the program; a file
	// that ends in .gz is compressed.
	InFile
	// InRandom: Random says what to generate.
	InRandom
	// InScript: Script has the values.
	InScript
	// InScriptFile: Path names a file with a script.
	InScriptFile
)

// Values are some values, or where they come from.
type Values struct {
	Kind   ValuesKind
	At     source.Span
	Text   string
	Path   string
	Random []Random
	Script script.Exp
}

// Read returns the values of an InText.
func (v *Values) Read() ([]value.Value, error) { return value.ParseAll(v.Text) }

// Random is one value to generate, or a constant.
type Random struct {
	// Const is a constant as text, or empty.
	Const string
	// Shape and Elem are the type of a value to generate.
	Shape []int64
	Elem  string
}

// String is the type, or the constant as values are printed.
func (r Random) String() string {
	if r.Const != "" {
		return canonical(r.Const)
	}
	var b strings.Builder
	for _, n := range r.Shape {
		fmt.Fprintf(&b, "[%d]", n)
	}
	return b.String() + r.Elem
}

// WantKind says what is expected of a case.
type WantKind uint8

// The expectations.
const (
	// WantAny: the program ends without an error.
	WantAny WantKind = iota
	// WantValues: the result is Values.
	WantValues
	// WantAuto: the result is that of a reference.
	WantAuto
	// WantError: the program fails, with a message that Error matches.
	WantError
)

// Want is what is expected of a case.
type Want struct {
	Kind   WantKind
	Values Values
	Error  *Error
}

// A Structure is how many constructs of certain kinds a compiled program has.
type Structure struct {
	At source.Span
	// Pipeline is "gpu", "gpu-mem", "mc", "mc-mem", "seq-mem", "internalised",
	// or empty for what is common to all.
	Pipeline string
	Counts   []Count
}

// A Count is how many constructs of a kind there are; the kind may be a path,
// "SegMap/Screma", for constructs within others.
type Count struct {
	Construct string
	N         int
}
