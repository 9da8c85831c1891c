package imp

// Stm is a statement. Its methods are the questions that every statement answers: Note [Three forms] in package core. Statements
// are common to host code and kernels (SharedStm), of kernels only (KernelStm), or of host code only (HostStm).
//
//sumtype:decl
type Stm interface {
	// exps lists the expressions that stand directly in the statement.
	exps() []Exp
	// bodies lists the statement sequences directly inside.
	bodies() [][]Stm
	// binds lists the variables that the statement binds, in its bodies or behind it; zeros are none.
	binds() []Var
	// parts rebuilds the statement with its direct parts mapped.
	parts(m Mapper) Stm
}

// SharedStm is a statement that host code and kernels have.
//
//sumtype:decl
type SharedStm interface {
	Stm
	isShared()
}

// KernelStm is a statement of kernels and device functions.
//
//sumtype:decl
type KernelStm interface {
	Stm
	isKernel()
}

// AccessStm is a statement of kernels that reads or writes memory.
//
//sumtype:decl
type AccessStm interface {
	KernelStm
	isAccess()
}

// CollectiveStm is a statement at which all threads of a workgroup, or of a subgroup, must arrive together.
//
//sumtype:decl
type CollectiveStm interface {
	KernelStm
	isCollective()
}

// HostStm is a statement of host code.
//
//sumtype:decl
type HostStm interface {
	Stm
	isHost()
	// blocks lists the variables of blocks that the statement uses, those in its expressions and those that it binds apart.
	blocks() []Var
}

// StmPattern is a statement as rules see it.
type StmPattern interface{ exps() []Exp }

// MatchStm passes a statement to a rule, which says what it does with some and leaves the others as they are.
func MatchStm(s Stm) StmPattern { return s }

// Let declares a variable and sets it to a value; Set may change it later.
type Let struct {
	Var Var
	Exp Exp
}

func (*Let) isShared()       {}
func (s *Let) exps() []Exp   { return []Exp{s.Exp} }
func (*Let) bodies() [][]Stm { return nil }
func (s *Let) binds() []Var  { return []Var{s.Var} }
func (s *Let) parts(m Mapper) Stm {
	if v, e := m.variable(s.Var), m.exp(s.Exp); v != s.Var || e != s.Exp {
		return &Let{v, e}
	}
	return s
}

// Set changes a variable.
type Set struct {
	Var Var
	Exp Exp
}

func (*Set) isShared()       {}
func (s *Set) exps() []Exp   { return []Exp{s.Exp} }
func (*Set) bodies() [][]Stm { return nil }
func (*Set) binds() []Var    { return nil }
func (s *Set) parts(m Mapper) Stm {
	if v, e := m.variable(s.Var), m.exp(s.Exp); v != s.Var || e != s.Exp {
		return &Set{v, e}
	}
	return s
}

// If runs one of two bodies.
type If struct {
	Cond       Exp
	Then, Else []Stm
}

func (*If) isShared()            {}
func (s *If) exps() []Exp        { return []Exp{s.Cond} }
func (s *If) bodies() [][]Stm    { return [][]Stm{s.Then, s.Else} }
func (*If) binds() []Var         { return nil }
func (s *If) parts(m Mapper) Stm { return &If{m.exp(s.Cond), m.body(s.Then), m.body(s.Else)} }

// For counts Var from 0 below Bound, which is evaluated once.
type For struct {
	Var   Var
	Bound Exp
	Body  []Stm
	// Parallel says, in a kernel, that the iterations may run in any order and at the same time: what one stores no other one loads or
	// stores, none sets a variable that is bound outside, and private arrays that Body mentions are each iteration's own.
	Parallel bool
}

func (*For) isShared()         {}
func (s *For) exps() []Exp     { return []Exp{s.Bound} }
func (s *For) bodies() [][]Stm { return [][]Stm{s.Body} }
func (s *For) binds() []Var    { return []Var{s.Var} }

func (s *For) parts(m Mapper) Stm {
	return &For{m.variable(s.Var), m.exp(s.Bound), m.body(s.Body), s.Parallel}
}

// While runs Body as long as Cond, which may mention variables that Body sets. In host code the first Ahead statements of Body may run
// before it is known whether Cond holds: see Note [Rounds ahead]. Ends says of a loop that it comes to an end whatever arrays hold.
type While struct {
	Cond  Exp
	Body  []Stm
	Ahead int
	Ends  bool
}

func (*While) isShared()            {}
func (s *While) exps() []Exp        { return []Exp{s.Cond} }
func (s *While) bodies() [][]Stm    { return [][]Stm{s.Body} }
func (*While) binds() []Var         { return nil }
func (s *While) parts(m Mapper) Stm { return &While{m.exp(s.Cond), m.body(s.Body), s.Ahead, s.Ends} }

// Assert fails the program with the message of a site when Cond is false.
// Values, of primitive types or Idx, fill the message's holes.
//
// In a kernel the first failure of a batch is kept and later kernels of the
// batch do nothing. The failing thread does nothing more; when barriers
// follow, its workgroup leaves at the next one.
type Assert struct {
	Cond   Exp
	Site   SiteID
	Values []Exp
}

func (*Assert) isShared()            {}
func (s *Assert) exps() []Exp        { return append([]Exp{s.Cond}, s.Values...) }
func (*Assert) bodies() [][]Stm      { return nil }
func (*Assert) binds() []Var         { return nil }
func (s *Assert) parts(m Mapper) Stm { return &Assert{m.exp(s.Cond), s.Site, m.exps(s.Values)} }

// Comment is a remark for the reader of generated code.
type Comment struct{ Text string }

func (*Comment) isShared()          {}
func (*Comment) exps() []Exp        { return nil }
func (*Comment) bodies() [][]Stm    { return nil }
func (*Comment) binds() []Var       { return nil }
func (s *Comment) parts(Mapper) Stm { return s }
