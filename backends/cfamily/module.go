package cfamily

import (
	"fmt"
	"slices"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/shaders"
)

// Module is a text of several kernels, which share what precedes them: functions of the support library, and the printer's own.
type Module struct {
	lang     *Language
	syntax   *text.Syntax
	need     map[string]bool // functions of the support library
	helpers  map[string]bool
	declared map[string]bool
	own      []string // declarations of the printer's own, in order of first use
	names    map[*imp.DeviceFunction]string
	titles   []string
	kernels  []string // each with its device functions before it
}

// NewModule is a module without kernels.
func NewModule(lang *Language) *Module {
	return &Module{
		lang: lang, syntax: syntaxOf(lang), need: map[string]bool{}, helpers: map[string]bool{}, declared: map[string]bool{},
		names: map[*imp.DeviceFunction]string{},
	}
}

// Add prints a kernel that imp.Verify accepts as a function called entry. An error is a limit of the language that the kernel
// exceeds; then the module is as it was. The Code has no text: that is the module's.
func (m *Module) Add(k *imp.Kernel, entry string) (*imp.Code, error) {
	text.NameDeviceFunctions(m.names, k)
	p := m.newPrinter(k, nil)
	p.Entry, p.Params, p.Waits = entry, "Params", k.HasCollective() && !m.alone(k)
	if entry != EntryName {
		p.Params += "_" + entry
	}
	p.Code = &imp.Code{Entry: entry, Failure: k.Guarded || k.HasAssert(), Wide: m.lang.Idx.Bits() == 64, LongIndices: true}
	p.Code.Layout(k)
	if err := p.check(); err != nil {
		return nil, k.Limit(err)
	}
	p.Depth = 1
	if p.lang.SinePair != "" {
		p.PairSines()
	}
	p.Statements(k.Body)
	var out strings.Builder
	for _, r := range imp.DeviceFunctions(k.Body) {
		out.WriteString(p.deviceFunction(r))
	}
	m.lang.Frame(p, &out)
	if p.Err != nil {
		return nil, k.Limit(p.Err)
	}
	m.titles, m.kernels = append(m.titles, text.Title(k)), append(m.kernels, out.String())
	return p.Code, nil
}

// check looks for what no kernel of the language has.
func (p *Printer) check() error {
	for _, d := range p.Kernel.Mems {
		if d.Chunks > 1 {
			return fmt.Errorf("array %s is larger than one buffer of the device", d.Name)
		}
		if d.Sized && p.lang.Serial {
			return fmt.Errorf("the size of array %s is known at each launch only", d.Name)
		}
	}
	if p.Waits && p.lang.Serial {
		return fmt.Errorf("its workgroups have %d threads that wait for each other", p.Kernel.GroupSize)
	}
	return nil
}

// alone reports whether the threads of a kernel have nobody to wait for.
func (m *Module) alone(k *imp.Kernel) bool {
	return m.lang.Serial && k.GroupSize == 1 && !imp.Any(k.Body, func(s imp.Stm) bool {
		_, ok := s.(*imp.Subgroup)
		return ok
	})
}

// Text puts the parts together.
func (m *Module) Text() (string, error) {
	var b strings.Builder
	if len(m.kernels) == 1 {
		b.WriteString(m.titles[0])
	}
	var needed []string
	for n := range m.need {
		needed = append(needed, n)
	}
	library, err := shaders.Library(m.lang.Dialect, needed) // in an order of its own
	if err != nil {
		return "", err
	}
	size := len(library) + len(m.lang.Prelude)
	for _, k := range m.kernels {
		size += len(k)
	}
	b.Grow(size)
	b.WriteString(library)
	b.WriteString(m.lang.Prelude)
	for _, h := range m.lang.Helpers {
		if m.helpers[h.Name] {
			b.WriteString(h.Text)
		}
	}
	for _, d := range m.own {
		b.WriteString(d)
	}
	for i, k := range m.kernels {
		if len(m.kernels) > 1 {
			b.WriteString("\n" + m.titles[i])
		}
		b.WriteString(k)
	}
	return b.String(), nil
}

// declareOnce adds a declaration of the printer's own, once.
func (m *Module) declareOnce(name, text string) {
	if !m.declared[name] {
		m.declared[name] = true
		m.own = append(m.own, text)
	}
}

// Need asks for a helper of the language.
func (m *Module) Need(name string) {
	i := slices.IndexFunc(m.lang.Helpers, func(h Helper) bool { return h.Name == name })
	if i < 0 {
		panic("cfamily: the language has no helper " + name)
	}
	if !m.helpers[name] {
		m.helpers[name] = true
		for _, u := range m.lang.Helpers[i].Uses {
			m.Need(u)
		}
	}
}
