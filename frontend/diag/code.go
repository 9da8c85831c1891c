package diag

import (
	"fmt"
	"sort"
	"sync"
)

// A Severity says whose fault a diagnostic is and whether compilation stops.
type Severity uint8

// The severities.
const (
	// UserError: the program is wrong; its author must change it.
	UserError Severity = iota
	// Warning: the program is accepted but looks wrong.
	Warning
	// Limitation: the program is right but we do not support it yet.
	Limitation
	// Internal: the compiler is wrong.
	Internal
	// Remark: nothing is wrong, but the author may want to know it.
	Remark
)

// String is the word that messages begin with.
func (s Severity) String() string {
	switch s {
	case UserError:
		return "error"
	case Warning:
		return "warning"
	case Limitation:
		return "limitation"
	case Internal:
		return "internal error"
	case Remark:
		return "note"
	default:
		panic(fmt.Sprintf("diag: severity %d", uint8(s)))
	}
}

// A Code documents one kind of diagnostic.
type Code struct {
	// ID is the stable name, of lower-case words joined by hyphens.
	ID string
	// Severity is what a diagnostic with this code has unless it says otherwise.
	Severity Severity
	// Doc says in a sentence or more what is wrong and why it is not accepted.
	Doc string
	// Hint says how such programs are fixed, as a rule: for diagnostics that have no better hint.
	Hint string
	// Example is a small program that gets this diagnostic; empty only for
	// codes that no program text can provoke (say, a missing file).
	Example string
}

// String is the code's ID.
func (c *Code) String() string {
	if c == nil {
		return ""
	}
	return c.ID
}

var registry struct {
	sync.Mutex
	codes map[string]*Code
}

// Declare registers a code. It is called from package variables only, and
// panics when the ID is taken, which any test of the package shows.
func Declare(c Code) *Code {
	registry.Lock()
	defer registry.Unlock()
	if c.ID == "" || c.Doc == "" {
		panic("diag: a code needs an ID and a Doc: " + c.ID)
	}
	if registry.codes == nil {
		registry.codes = map[string]*Code{}
	}
	if registry.codes[c.ID] != nil {
		panic("diag: code declared twice: " + c.ID)
	}
	registry.codes[c.ID] = &c
	return &c
}

// Codes returns every declared code, ordered by ID.
func Codes() []*Code {
	registry.Lock()
	defer registry.Unlock()
	all := make([]*Code, 0, len(registry.codes))
	for _, c := range registry.codes {
		all = append(all, c)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all
}

// Lookup returns the code with that ID, or nil.
func Lookup(id string) *Code {
	registry.Lock()
	defer registry.Unlock()
	return registry.codes[id]
}
