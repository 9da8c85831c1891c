package check

import (
	"slices"
	"strconv"
	"strings"

	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Note [Attributes]
//
// The language lets a compiler ignore attributes that it does not know, so that a misspelt one costs speed in silence. Each is looked at
// twice; none makes a program wrong:
//
//   - While its declaration is checked (unknown-attribute): whether there is such an attribute, with such arguments, and whether it may be
//     in such a place at all.
//   - When the program is complete, by what it is on: see Note [What attributes reach].
//
// Some are known and ask for nothing, in silence: `break` is for the interpreter; compiled code needs neither `opaque` nor `inline`; and
// `bound`, `stripmine` and `true_dep` are advice for the tapes of Futhark's reverse mode, which ours has otherwise. Futhark's
// `flattening(sequentialise_nonuniform)` asks for a version that we do not make, and a warning says so.

// attribute is what there is to know of the attributes of one name.
type attribute struct {
	// on is what it belongs on; def says that it may be on a definition.
	on  target
	def bool
	// choices are the arguments of which it takes one.
	choices []string
	// takes is asked instead about the arguments, if it is set, and with describes them.
	takes func(args []types.Attr) bool
	with  string
}

// nonuniform is the argument of `flattening` that is Futhark's alone.
const nonuniform = "sequentialise_nonuniform"

var flattenings = []string{"no_outer", "no_intra", "only_intra", "only_inner", nonuniform}

// An argument of unused.
const noHint = ""

// nonuniformText is what is said of it.
const nonuniformText = "#[%s] has no effect: rows of different lengths are flattened where that costs less. " +
	"#[sequential_inner] runs all of the body sequentially in each point."

var attributes = map[string]attribute{
	"blank":                  {on: anything},
	"bound":                  {on: anything, takes: oneNumber, with: "one number"},
	"break":                  {on: anything},
	"opaque":                 {on: anything},
	"stripmine":              {on: anything, takes: oneNumber, with: "one number"},
	"true_dep":               {on: patterns},
	"unsafe":                 {on: anything},
	"trace":                  {on: anything, takes: func(args []types.Attr) bool { return len(args) <= 1 }, with: "nothing or one name"},
	"warn":                   {on: anything, choices: []string{"safety_checks"}},
	"param":                  {on: i64s, takes: func(args []types.Attr) bool { return len(args) == 1 }, with: "one name"},
	"scratch":                {on: arrays},
	"unroll":                 {on: loops},
	"sequential":             {on: work},
	"sequential_inner":       {on: parallel},
	"sequential_outer":       {on: parallel},
	"flattening":             {on: parallel, choices: flattenings},
	"incremental_flattening": {on: parallel, choices: flattenings},
	"seq_factor":             {on: parallel, takes: oneNumber, with: "one number"},
	"noinline":               {on: calls, def: true},
	"inline":                 {on: functions, def: true},
	"prop":                   {on: entries, def: true, takes: func([]types.Attr) bool { return true }}, // `skald test` looks at them.
}

func oneNumber(args []types.Attr) bool {
	if len(args) != 1 {
		return false
	}
	_, err := strconv.Atoi(args[0].Name)
	return err == nil
}

// accepts reports whether an attribute of this name may have these arguments.
func (k attribute) accepts(args []types.Attr) bool {
	switch {
	case k.takes != nil:
		return k.takes(args)
	case k.choices != nil:
		return len(args) == 1 && len(args[0].Args) == 0 && slices.Contains(k.choices, args[0].Name)
	default:
		return len(args) == 0
	}
}

// arguments describes those that an attribute of this name may have.
func (k attribute) arguments() string {
	switch {
	case k.takes != nil:
		return k.with
	case len(k.choices) == 1:
		return k.choices[0]
	case k.choices != nil:
		return "one of " + strings.Join(k.choices, ", ")
	default:
		return "nothing"
	}
}

// kindOf is what there is to know of an attribute; ok is false if it is not understood.
func kindOf(a types.Attr) (k attribute, ok bool) {
	k, ok = attributes[a.Name]
	return k, ok && k.accepts(a.Args)
}

// understood reports whether a is an attribute, and warns if it is not: see Note [Attributes].
func (c *checker) understood(a types.Attr) bool {
	k, named := attributes[a.Name]
	if !named {
		c.notUnderstood(a, "there is no such attribute", a, sortedNames(attributes))
		return false
	}
	if k.accepts(a.Args) {
		if len(a.Args) == 1 && a.Args[0].Name == nonuniform {
			c.warn(a.At, "unused-attribute", nonuniformText, a)
		}
		return true
	}
	wrong := a
	if len(a.Args) == 1 {
		wrong = a.Args[0]
	}
	c.notUnderstood(a, "in parentheses it takes "+k.arguments(), wrong, k.choices)
	return false
}

// notUnderstood warns of an attribute and says why it is none; perhaps wrong, which is it or a part of it, should be one of some names.
func (c *checker) notUnderstood(a types.Attr, why string, wrong types.Attr, names []string) {
	d := c.warn(a.At, "unknown-attribute", "#[%s] is ignored: %s.", a, why)
	if d == nil {
		return
	}
	if near := nearest(wrong.Name, names); near != "" {
		at := wrong.At
		if text := at.Text(); wrong.Name == a.Name {
			at.Start += int32(strings.Index(text, wrong.Name))
		}
		at.End = at.Start + int32(len(wrong.Name))
		d.Hintf("Did you mean \"%s\"?", near).Replace(at, near)
	}
}

// expAttr is the attribute of an expression.
func (in *infer) expAttr(a *syntax.Attr) types.Attr {
	in.attributed = true
	out := attr(a)
	in.understood(out)
	return out
}

// defAttrs are the attributes of the definition of a value or function.
func (c *checker) defAttrs(d *syntax.ValDec) []types.Attr {
	var out []types.Attr
	for _, a := range d.Attrs {
		a := attr(a)
		out = append(out, a)
		switch k := attributes[a.Name]; {
		case !c.understood(a):
		case !k.def:
			c.unused(a, "a definition", noHint)
		case k.on == entries && d.Keyword != syntax.KeywordEntry:
			c.unused(a, "a definition that is no entry point", noHint)
		}
	}
	return out
}

// patAttr is the attribute of a pattern.
func (c *checker) patAttr(a *syntax.Attr) types.Attr {
	out := attr(a)
	if c.understood(out) && attributes[out.Name].on != patterns {
		c.unused(out, "a pattern", noHint)
	}
	return out
}

// ignored warns of attributes in a place where none has an effect.
func (c *checker) ignored(attrs []*syntax.Attr, place string) {
	for _, a := range attrs {
		if a := attr(a); c.understood(a) {
			c.unused(a, place, noHint)
		}
	}
}

// unused warns of an attribute that has no effect where it is, and says what to do if that is known.
func (c *checker) unused(a types.Attr, place, hint string) {
	d := c.warn(a.At, "unused-attribute", "#[%s] has no effect on %s: it belongs on %s.", a, place, attributes[a.Name].on)
	if d != nil && hint != "" {
		d.Hintf("%s", hint)
	}
}

func attr(a *syntax.Attr) types.Attr {
	out := types.Attr{Name: a.Name.Text, At: a.At}
	if a.Int != nil {
		out.Name = a.Int.Text
	}
	for _, arg := range a.Args {
		out.Args = append(out.Args, attr(arg))
	}
	return out
}
