package core

import (
	"slices"
	"strconv"
	"strings"

	"skald/runtime/prim"
)

// Stage says which constructs a program may contain.
type Stage uint8

const (
	// StageSOACS has second-order array combinators, and no kernels.
	StageSOACS Stage = iota
	// StageKernels has segmented operations instead of SOACs.
	StageKernels
	// StageMemory has memory blocks and layouts as well.
	StageMemory
	// StageChosen has a choice at each segmented operation as well, and is for one device: Note [Choices].
	StageChosen
)

// HasMemory reports whether arrays have memory blocks and layouts.
func (s Stage) HasMemory() bool { return s >= StageMemory }

// Prog is a whole program.
type Prog struct {
	Stage Stage
	Types []OpaqueType
	// Consts is the function whose results are the program's constants; nil when there are none. A function that it calls may
	// refer to constants computed before the call; after inlining it calls none that does.
	Consts  *Fun
	Funs    []*Fun
	Entries []Entry
}

// Fun is a function. Its parameters may be mentioned by later parameters'
// types and by results' types; result types may mention each other's names.
type Fun struct {
	Name    string
	Params  []Param
	Ret     []Param
	Globals []GlobalRef
	Body    *Body
	Attrs   []Attr
	// DeviceFunction says that kernels call the function, and nobody else: see Note [Device functions in core].
	DeviceFunction bool
	// Names holds a printable base for each variable, indexed by Var;
	// Names[0] is unused.
	Names []string
}

// Note [Device functions in core]
//
// A device function is a function that kernels call. It takes and returns scalars, refers to no constants of the program and does not
// call but
// device functions that stand before it among the program's functions, so none is recursive. The arrays inside of it have few elements,
// in a number
// that is constant, and so do the index spaces of its SOACs: its code is that of one thread, at every stage. A program of the SOACs
// stage calls device functions in lambdas and in device functions; later programs, which have kernels, in these and in device functions.

// Fresh makes a new variable with a printable base name.
func (f *Fun) Fresh(base string) Var {
	if len(f.Names) == 0 {
		f.Names = append(f.Names, "")
	}
	f.Names = append(f.Names, cleanBase(base))
	return Var(len(f.Names) - 1)
}

// cleanBase makes a base name one that the text form can read back.
func cleanBase(s string) string {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	b := []byte(s)
	for i, c := range b {
		if !letter(c) && c != '_' && (c < '0' || c > '9') {
			b[i] = '_'
		}
	}
	if len(b) == 0 || !letter(b[0]) {
		return "v" + string(b)
	}
	return string(b)
}

// Base is the printable base name of v.
func (f *Fun) Base(v Var) string {
	if int(v) >= len(f.Names) || f.Names[v] == "" {
		return "v"
	}
	return f.Names[v]
}

// Global is the variable of f for the constant that g, of function from, refers to: a new one if f does not refer to it yet.
func (f *Fun) Global(from *Fun, g GlobalRef) Var {
	for _, h := range f.Globals {
		if h.Index == g.Index {
			return h.Param.Var
		}
	}
	sizes := Subst{}
	for _, size := range g.Param.Type.Shape {
		for _, h := range from.Globals {
			if size.IsVar(h.Param.Var) {
				sizes[h.Param.Var] = V(f.Global(from, h))
			}
		}
	}
	p := Param{Var: f.Fresh(from.Base(g.Param.Var)), Type: sizes.Type(g.Param.Type)}
	f.Globals = append(f.Globals, GlobalRef{Param: p, Index: g.Index})
	return p.Var
}

// GlobalRef binds a variable of a function to a constant of the program:
// result number Index of Prog.Consts.
type GlobalRef struct {
	Param Param
	Index int
}

// Fun finds the function called name, or nil.
func (p *Prog) Fun(name string) *Fun {
	for _, f := range p.Funs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Param is a binding occurrence: a variable and its type.
type Param struct {
	Var  Var
	Type Type
	// Unique says that whoever passes or returns the value cannot use it afterwards: it may
	// be overwritten, and nothing else refers to it.
	Unique bool
}

// ParamVars lists the variables of ps.
func ParamVars(ps []Param) []Var {
	vs := make([]Var, len(ps))
	for i, p := range ps {
		vs[i] = p.Var
	}
	return vs
}

// OnlyScalars reports whether all of some types are those of scalars.
func OnlyScalars(ts []Type) bool {
	return !slices.ContainsFunc(ts, func(t Type) bool { return !t.IsScalar() })
}

// Zeros are zeros of the types of scalars.
func Zeros(ps []Param) []Operand {
	zeros := make([]Operand, len(ps))
	for i, p := range ps {
		zeros[i] = C(prim.Zero(p.Type.Elem))
	}
	return zeros
}

// ParamTypes lists the types of ps.
func ParamTypes(ps []Param) []Type {
	ts := make([]Type, len(ps))
	for i, p := range ps {
		ts[i] = p.Type
	}
	return ts
}

// Stm binds the results of an expression. The type of an element of Dst may
// mention other elements of the same Dst: the sizes that are born there.
type Stm struct {
	Dst []Param
	Exp Exp
	Aux Aux
}

// Aux is what a statement carries besides its meaning.
type Aux struct {
	Where *Site
	Attrs []Attr
	// Certs are the assertions that must have held before this runs.
	Certs []Var
}

// Attr is an attribute of the source, such as #[sequential] or #[unroll],
// printed as it was written, without "#[" and "]".
type Attr string

// SeqFactor is the q of #[seq_factor(q)], with which a map asks that the threads of its workgroups take q elements each of what is parallel
// inside; ok is false if this is another attribute, or q is no positive number that fits.
func (a Attr) SeqFactor() (q int, ok bool) {
	arg, is := strings.CutPrefix(string(a), SeqFactorName+"(")
	arg, closed := strings.CutSuffix(arg, ")")
	n, err := strconv.ParseUint(arg, 10, 16)
	return int(n), is && closed && err == nil && n > 0
}

// Interleaved is the attribute of a map at whose results the elements of rows that neighbouring points make lie side by side: package
// layout sets it.
const Interleaved Attr = "interleaved"

// Largest is the attribute of the minimum of a size that differs between the points of a kernel and another that does not, which is the
// largest that it is at any of them: flattening says so where it has had the largest computed.
const Largest Attr = "largest"

// SeqFactorName is the name of that attribute.
const SeqFactorName = "seq_factor"

// Site is a place in the source, as source.Span prints it (FILE:LINE:COL-COL), and the call that
// brought it there when a function was inlined: a chain, innermost first.
type Site struct {
	Loc    string
	Caller *Site
}

// Place is the innermost place in the user's files, or in the prelude when there is no other; "" when nothing is known.
func (s *Site) Place() string {
	if s == nil {
		return ""
	}
	for at := s; at != nil; at = at.Caller {
		if at.Loc != "" && !strings.HasPrefix(at.Loc, "/prelude/") {
			return at.Loc
		}
	}
	return s.Loc
}

// Outermost is the place of the call that brought s where it is, not seen through any: s itself if none did.
func (s *Site) Outermost() *Site {
	for s != nil && s.Caller != nil {
		s = s.Caller
	}
	return s
}

// Under is the place s seen through one more call, outside all of its own.
func (s *Site) Under(call *Site) *Site {
	if s == nil {
		return call
	}
	return &Site{Loc: s.Loc, Caller: s.Caller.Under(call)}
}

// Body is a sequence of statements and its results.
type Body struct {
	Stms []*Stm
	Res  []Operand
}

// Lambda is a function in place. Ret mentions only variables bound outside.
type Lambda struct {
	Params []Param
	Body   *Body
	Ret    []Type
}

// Entry describes an entry point to whoever calls it. Parameters of kind
// memory are not counted by the indices here, so that every stage keeps them.
type Entry struct {
	Name string // as the user calls it
	Fun  string // the function of the program
	Doc  string
	// Params tile the function's parameters after the implicit sizes; Results
	// tile its results likewise.
	Params  []EntryValue
	Results []EntryValue
	// Output is the result as a whole: what Results has the fields of if it is a tuple.
	Output EntryValue
	// Attrs are the attributes of the definition.
	Attrs []Attr
}

// EntryValue is one parameter or result of an entry point as the source has
// it. It is made of Count consecutive core values from First on. What comes
// before the first EntryValue are sizes: a caller reads them off the shapes.
type EntryValue struct {
	Name   string // of a parameter; empty for results
	Type   string // source text, abbreviations kept
	Unique bool
	// Opaque is an index into Prog.Types, or -1 when the value is a scalar or
	// an array of scalars and thus one core value.
	Opaque       int
	First, Count int
}

// OpaqueType is a source type that is no array of scalars: a record, a sum, an
// abstract type, or an array of one of those. It lets tools build and take apart its values.
// The types of its fields, payloads and elements that are opaque are in Prog.Types, too; each is found by its name.
type OpaqueType struct {
	Name string
	// Parts are the core values that it consists of.
	Parts []OpaquePart
	// Rank is that of an array type, and Elem the name of the type of its elements.
	Rank int
	Elem string
	// Fields are those of a record, or of an array of records the arrays that it zips.
	Fields   []OpaqueField
	Variants []OpaqueVariant
}

// OpaquePart is a scalar or an array. A size is constant or, if it is negative, one that the value knows: equal numbers in the parts
// of a type are equal sizes.
type OpaquePart struct {
	Elem  prim.Type
	Sizes []int
}

// OpaqueField is a field of a record type: Count components from First on.
type OpaqueField struct {
	Name         string
	Type         string
	First, Count int
}

// OpaqueVariant is a constructor of a sum type: where its payload is held.
type OpaqueVariant struct {
	Name    string
	Payload []string // source types
	Rep     []int    // components that hold the payload, in order
}
