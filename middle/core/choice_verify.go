package core

import "slices"

// chosen is an operation as the verifier of choices sees it.
type chosen struct {
	kind      node
	level     Level
	spaces    segments
	operators int // lists of Merge, if there are any
}

func chosenOf(kind node, l Level, s Space, operators int) chosen {
	c := chosen{kind, l, manySegments, operators}
	if len(s.Ids) == 1 {
		c.spaces = oneSegment
	}
	return c
}

// choice checks that an operation has a choice if the stage is that of choices, and else none, and that its forms are of the operation's
// kind and complete.
func (v *verifier) choice(c *Choice, e chosen) {
	switch {
	case v.prog.Stage != StageChosen && c != nil:
		v.fail("a choice before the stage of choices")
	case v.prog.Stage != StageChosen:
		return
	case c == nil:
		v.fail("no choice says how a device runs it")
	}
	v.forms(c.Forms, e)
	lists := 0
	for _, f := range c.Forms {
		v.form(&f, e)
		if ways[f.Way].leaves&e.kind != 0 {
			lists = e.operators
		}
	}
	if len(c.Merge) != lists {
		v.fail("%d ways to combine partial results of %d operators", len(c.Merge), lists)
	}
	for _, fs := range c.Merge {
		v.forms(fs, e)
		for _, f := range fs {
			v.mergeForm(&f, e)
		}
	}
}

// forms checks alternatives: each but the last has conditions, or may give way to the next.
func (v *verifier) forms(fs []Form, e chosen) {
	if len(fs) == 0 {
		v.fail("a choice without forms")
	}
	for i, f := range fs {
		yields := ways[f.Way].yields && e.kind == nodeHist
		switch last := i == len(fs)-1; {
		case last && (len(f.When) > 0 || yields):
			v.fail("nothing runs where the form `%s` does not", f)
		case !last && len(f.When) == 0 && !yields:
			v.fail("nothing behind the form `%s` ever runs", f)
		}
	}
}

// form checks a form of an operation.
func (v *verifier) form(f *Form, e chosen) {
	w := ways[f.Way]
	segmented := e.kind == nodeRed || e.kind == nodeScan
	if w.nodes&e.kind == 0 || !slices.Contains(w.levels, e.level) || segmented && w.spaces&e.spaces == 0 {
		v.fail("the form `%s` is none of this operation", f)
	}
	v.numbers(f, e)
}

// mergeForm checks a form that combines partial results.
func (v *verifier) mergeForm(f *Form, e chosen) {
	if f.Way != WayWorkgroup && (e.kind != nodeHist || f.Way != WayThread && f.Way != WayTask) {
		v.fail("the form `%s` combines no partial results", f)
	}
	v.numbers(f, e)
}

// numbers checks that a form has the numbers and flags of its way, and conditions on measures of the operation.
func (v *verifier) numbers(f *Form, e chosen) {
	w := ways[f.Way]
	for _, x := range f.numbers() {
		switch {
		case *x.at < 0:
			v.fail("the form `%s` has a negative number", f)
		case *x.at == 0 && slices.Contains(w.needs, x.name):
			v.fail("the form `%s` lacks its number of %s", f, x.name)
		case *x.at != 0 && !slices.Contains(w.needs, x.name) && !slices.Contains(w.may, x.name):
			v.fail("the form `%s` has a number of %s, which it has no use for", f, x.name)
		}
	}
	for _, x := range f.flags() {
		if *x.at && !slices.Contains(w.flags, x.name) {
			v.fail("the form `%s` is %s, which it cannot be", f, x.name)
		}
	}
	for _, all := range f.When {
		if len(all) == 0 {
			v.fail("the form `%s` has an empty condition", f)
		}
		for _, b := range all {
			if measures[b.X].nodes&e.kind == 0 || b.Y != MeasureOne && measures[b.Y].nodes&e.kind == 0 || b.Times <= 0 || b.By < 0 {
				v.fail("`%s` is no condition of this operation", b)
			}
		}
	}
}
