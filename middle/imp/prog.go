package imp

import "skald/runtime/prim"

// Prog is a whole low-level program.
type Prog struct {
	Kernels []*Kernel
	Funs    []*Fun
	Entries []Entry
	Sites   []Site
	// Init is the function that computes the program's constants, which runs
	// once before anything else; GetConst binds its results. Empty when there
	// are none.
	Init string
	// Opaques are the source types that are no arrays of scalars.
	Opaques []string
	// Tunes are the tuning parameters.
	Tunes []Tune
}

// Tune is a number that the user may set; Class says what it bounds.
type Tune struct {
	Name, Class string
	Default     int64
}

// SiteID is an index into Prog.Sites.
type SiteID int32

// Site is a place where the program may fail.
type Site struct {
	// Where is the place in the source, innermost first, as "file:line:col"
	// lines; Text is the message, in which each "%" byte stands for the next
	// value of the failed Assert, and "%%" for a percent sign.
	Where string
	Text  string
	// Types are the types of the values.
	Types []prim.Type
}

// Kernel is code that a grid of threads runs. Its name is unique.
type Kernel struct {
	Name string
	// Where is the source place the kernel comes from, for the reader.
	Where  string
	Params []Var
	// Vars holds name and type of each variable; Vars[0] is unused.
	Vars []VarDecl
	// Mems are the arrays; the global ones come first, in the order of
	// Launch.Blocks.
	Mems []MemDecl
	// GroupSize is the number of threads of a workgroup.
	GroupSize int
	// Room is how many bytes of workgroup memory there are for the arrays whose sizes launches give: see Note [Rooms].
	Room int
	// Guarded kernels do nothing once an assertion of the batch has failed.
	Guarded bool
	Body    []Stm
}

// Fun is a host function.
type Fun struct {
	Name   string
	Params []Var
	Vars   []VarDecl
	Body   []Stm
	// Results are evaluated at the end.
	Results []Exp
}

// Entry is an entry point as its caller sees it.
type Entry struct {
	Name, Fun, Doc  string
	Params, Results []EntryValue
}

// EntryValue is one source-level parameter or result, made of Parts.
type EntryValue struct {
	Name   string // of a parameter
	Type   string // in source text
	Unique bool
	// Opaque is an index into Prog.Opaques, or -1 for a scalar or an array of
	// scalars, which has one part.
	Opaque int
	Parts  []EntryPart
}

// EntryPart is a scalar (without Shape) or a row-major array from the start
// of its block. At is the index, among the function's parameters or results,
// of the scalar or block.
type EntryPart struct {
	Elem  prim.Type
	Shape []Dim
	At    int
}

// Dim is a size: a constant, or a parameter or result of the function.
type Dim struct {
	Kind DimKind
	N    int64 // value or index
}

// DimKind says what a Dim refers to.
type DimKind uint8

// What a Dim may refer to.
const (
	DimConst DimKind = iota
	DimParam
	DimResult
)

// Kernel finds a kernel by name, or nil.
func (p *Prog) Kernel(name string) *Kernel {
	for _, k := range p.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Fun finds a host function by name, or nil.
func (p *Prog) Fun(name string) *Fun {
	for _, f := range p.Funs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Fresh makes a variable of f.
func (f *Fun) Fresh(name string, t Type) Var { return fresh(&f.Vars, name, t) }

// Fresh makes a variable of k.
func (k *Kernel) Fresh(name string, t Type) Var { return fresh(&k.Vars, name, t) }

func fresh(vars *[]VarDecl, name string, t Type) Var {
	if len(*vars) == 0 {
		*vars = append(*vars, VarDecl{})
	}
	*vars = append(*vars, VarDecl{name, t})
	return Var(len(*vars) - 1)
}

// Globals is the number of global arrays of k.
func (k *Kernel) Globals() int {
	n := 0
	for _, m := range k.Mems {
		if m.Space == Global {
			n++
		}
	}
	return n
}

// Buffers is the number of buffers that the global arrays of k are bound as.
func (k *Kernel) Buffers() int {
	n := 0
	for _, m := range k.Mems[:k.Globals()] {
		n += max(m.Chunks, 1)
	}
	return n
}
