package imp

import (
	"errors"
	"fmt"
	"slices"
)

// Verify reports every way in which p breaks the invariants that the package
// comment lists, joined to one error.
func Verify(p *Prog) error {
	v := &verifier{prog: p, deviceFunctions: map[*DeviceFunction]bool{}}
	for _, k := range p.Kernels {
		v.kernel(k)
	}
	for _, f := range p.Funs {
		v.fun(f)
	}
	for _, e := range p.Entries {
		v.where = "entry " + e.Name
		if p.Fun(e.Fun) == nil {
			v.fail("no function %s", e.Fun)
		}
	}
	return errors.Join(v.errs...)
}

// VerifyKernel checks a kernel by itself; the program's sites are not known.
func VerifyKernel(k *Kernel) error {
	v := &verifier{deviceFunctions: map[*DeviceFunction]bool{}}
	v.kernel(k)
	return errors.Join(v.errs...)
}

type verifier struct {
	prog    *Prog // nil for a lone kernel
	where   string
	scope   Scope
	globals int
	host    bool
	bound   []bool
	errs    []error
	mapped  map[Var]bool // See Alloc.
	// deviceFunctions are those that have been checked.
	deviceFunctions map[*DeviceFunction]bool
}

func (v *verifier) fail(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("%s: %s", v.where, fmt.Sprintf(format, args...)))
}

func (v *verifier) kernel(k *Kernel) {
	for _, r := range DeviceFunctions(k.Body) {
		if !v.deviceFunctions[r] {
			v.deviceFunctions[r] = true
			v.deviceFunction(r)
		}
	}
	v.where, v.host, v.scope, v.globals = "kernel "+k.Name, false, k.Scope(), k.Globals()
	v.bound = make([]bool, len(k.Vars))
	for i, m := range k.Mems {
		if (m.Space == Global) != (i < v.globals) {
			v.fail("global arrays must come first")
		}
		v.count(k, m)
		if m.Chunks > 1 && (m.Space != Global || m.ChunkLog < 4 || m.ChunkLog > 30) {
			v.fail("array %s is in chunks of 2^%d elements", m.Name, m.ChunkLog)
		}
	}
	if k.GroupSize < 1 {
		v.fail("workgroups of %d threads", k.GroupSize)
	}
	for _, p := range k.Params {
		v.bind(p)
	}
	v.stms(k.Body)
	v.checkUniform(k)
}

// count checks how many elements an array of a kernel has.
func (v *verifier) count(k *Kernel, m MemDecl) {
	switch {
	case m.Space == Global:
	case m.Sized && (m.Space != Shared || m.Count != 0 || k.Room <= 0):
		v.fail("array %s cannot have the size that a launch says", m.Name)
	case !m.Sized && m.Count <= 0:
		v.fail("array %s has %d elements", m.Name, m.Count)
	}
}

// deviceFunction checks what Note [Device functions] promises.
func (v *verifier) deviceFunction(r *DeviceFunction) {
	v.where, v.host, v.scope = "device function "+r.Name, false, r.Scope()
	v.bound = make([]bool, len(r.Vars))
	for _, m := range r.Mems {
		if m.Space != Private || m.Count <= 0 {
			v.fail("array %s is not private, or has %d elements", m.Name, m.Count)
		}
	}
	for _, p := range r.Params {
		v.bind(p)
		if t := r.Vars[p].Type; !t.IsPrim() {
			v.fail("a parameter of type %s", t)
		}
	}
	v.stms(r.Body)
	for _, e := range r.Results {
		if t := v.exp(e); !t.IsPrim() {
			v.fail("a result of type %s", t)
		}
	}
	Walk(r.Body, func(s Stm) bool {
		if Collective(s) {
			v.fail("%T in a device function", s)
		}
		if set, ok := s.(*Set); ok && slices.Contains(r.Params, set.Var) {
			v.fail("a parameter is set")
		}
		WalkExps(s, func(e Exp) {
			if id, ok := e.(*Id); ok {
				v.fail("%s in a device function", id.Kind)
			}
		})
		return true
	})
	if r.Fails != Any(r.Body, MayFail) {
		v.fail("whether it may fail is not %v", r.Fails)
	}
}

func (v *verifier) invoke(s *Invoke) {
	r := s.DeviceFunction
	v.called("device function "+r.Name, s.Args, s.Dst, r.Params, r.Results, r.Scope())
}

// called checks the arguments of a call, and what its results are bound to, against what is called, whose scope is given.
func (v *verifier) called(what string, args []Exp, dst []Var, params []Var, results []Exp, s Scope) bool {
	if len(args) != len(params) || len(dst) != len(results) {
		v.fail("%s takes %d arguments and returns %d results", what, len(params), len(results))
		return false
	}
	for i, p := range params {
		v.want(args[i], s.Vars[p].Type)
	}
	for i, d := range dst {
		v.typed(d, s.TypeOf(results[i]))
	}
	return true
}

func (v *verifier) fun(f *Fun) {
	v.where, v.host, v.scope = "fun "+f.Name, true, f.Scope()
	v.bound, v.mapped = make([]bool, len(f.Vars)), map[Var]bool{}
	for _, p := range f.Params {
		v.bind(p)
	}
	v.stms(f.Body)
	for _, e := range f.Results {
		v.exp(e)
	}
}

// bind notes that x has a value from here on.
func (v *verifier) bind(x Var) {
	if x == 0 {
		return
	}
	if int(x) >= len(v.bound) {
		v.fail("variable %d is not declared", x)
		return
	}
	v.bound[x] = true
}

// typed binds x, which must have type t.
func (v *verifier) typed(x Var, t Type) {
	v.bind(x)
	if x != 0 && int(x) < len(v.bound) && v.scope.Vars[x].Type != t {
		v.fail("%s has type %s, not %s", v.name(x), v.scope.Vars[x].Type, t)
	}
}

func (v *verifier) name(x Var) string { return fmt.Sprintf("%s_%d", v.scope.Vars[x].Name, x) }

// use checks that x has a value and returns its type.
func (v *verifier) use(x Var) Type {
	if x <= 0 || int(x) >= len(v.bound) {
		v.fail("variable %d is not declared", x)
		return Bool
	}
	if !v.bound[x] {
		v.fail("%s is used before it is bound", v.name(x))
	}
	return v.scope.Vars[x].Type
}

// want checks that e has type t.
func (v *verifier) want(e Exp, t Type) {
	if got := v.exp(e); got != t {
		v.fail("%T has type %s, not %s", e, got, t)
	}
}

// index is the type of indices and loop counters here.
func (v *verifier) index() Type {
	if v.host {
		return I64
	}
	return Idx
}

// exp checks e and returns its type.
func (v *verifier) exp(e Exp) Type {
	switch e := e.(type) {
	case *Const:
		if e.Value.Type() != e.Type.Prim() {
			v.fail("constant of %s at %s", e.Value.Type(), e.Type)
		}
	case *VarExp:
		return v.use(e.Var)
	case *Un:
		v.operator(e.Op.Accepts(e.Type.Prim()), e.Op, e.Type)
		v.want(e.X, e.Type)
	case *Bin:
		v.operator(e.Op.Accepts(e.Type.Prim()), e.Op, e.Type)
		v.want(e.X, e.Type)
		v.want(e.Y, e.Type)
	case *Cmp:
		v.want(e.X, e.Type)
		v.want(e.Y, e.Type)
	case *Conv:
		v.want(e.X, e.From)
	case *CallFunc:
		params := e.Func.Params(e.Type)
		v.operator(len(params) == len(e.Args), e.Func, Of(e.Type))
		for i, a := range e.Args {
			if i < len(params) {
				v.want(a, Of(params[i]))
			}
		}
	case *Select:
		v.want(e.Cond, Bool)
		v.want(e.Then, e.Type)
		v.want(e.Else, e.Type)
	case *Load:
		v.element(e.Mem, e.Index)
		if v.host || int(e.Mem) >= len(v.scope.Mems) {
			return Bool
		}
		if d := v.scope.Mems[e.Mem]; e.Maybe && d.Space != Global {
			v.fail("array %s is never empty", d.Name)
		}
	case *Id:
		if v.host {
			v.fail("%s in host code", e.Kind)
		}
	}
	return v.scope.TypeOf(e)
}

func (v *verifier) operator(ok bool, op fmt.Stringer, t Type) {
	if !ok {
		v.fail("%s is not defined at %s", op, t)
	}
}

// element checks an access to an array of a kernel.
func (v *verifier) element(m Mem, index Exp) {
	if v.host || m < 0 || int(m) >= len(v.scope.Mems) {
		v.fail("no array %d here", m)
		return
	}
	v.want(index, Idx)
}

func (v *verifier) elem(m Mem) Type {
	if m < 0 || int(m) >= len(v.scope.Mems) {
		return Bool
	}
	return Of(v.scope.Mems[m].Elem)
}

// Arguments of verifier.writes.
const (
	atomically = true
	plainly    = false
)

// writes checks that m may be written, atomically or not.
func (v *verifier) writes(m Mem, atomic bool) {
	if v.host || m < 0 || int(m) >= len(v.scope.Mems) {
		return
	}
	d := v.scope.Mems[m]
	if d.Space == Global && (d.Access == Read || atomic && d.Access != AtomicAccess) || d.Space == Private && atomic {
		v.fail("array %s is not declared for such an access", d.Name)
	}
}

func (v *verifier) stms(body []Stm) {
	for _, s := range body {
		v.stm(s)
	}
}

func (v *verifier) stm(s Stm) {
	switch s := s.(type) {
	case SharedStm:
		v.sharedStm(s)
	case KernelStm:
		if v.host {
			v.fail("%T in host code", s)
		}
		v.kernelStm(s)
	case HostStm:
		if !v.host {
			v.fail("%T in a kernel", s)
		}
		v.hostStm(s)
	}
}

func (v *verifier) sharedStm(s SharedStm) {
	switch s := s.(type) {
	case *Let:
		v.typed(s.Var, v.exp(s.Exp))
	case *Set:
		v.want(s.Exp, v.use(s.Var))
	case *If:
		v.want(s.Cond, Bool)
		v.stms(s.Then)
		v.stms(s.Else)
	case *For:
		v.want(s.Bound, v.index())
		v.typed(s.Var, v.index())
		v.stms(s.Body)
		if s.Parallel {
			v.independent(s)
		}
	case *While:
		v.want(s.Cond, Bool)
		v.stms(s.Body)
		v.ahead(s)
	case *Assert:
		v.assert(s)
	case *Comment:
	}
}

// ahead reports a loop that says that more may be done ahead than is in front of what it reads at its end.
func (v *verifier) ahead(s *While) {
	if s.Ahead == 0 {
		return
	}
	if _, ok := s.Round(); !ok || !v.host {
		v.fail("a loop that cannot do %d statements ahead", s.Ahead)
	}
}

// independent reports the variables from outside of a parallel loop that its iterations set.
func (v *verifier) independent(loop *For) {
	own := map[Var]bool{}
	Walk(loop.Body, func(s Stm) bool {
		for _, x := range s.binds() {
			own[x] = true
		}
		return true
	})
	Walk(loop.Body, func(s Stm) bool {
		if s, ok := s.(*Set); ok && !own[s.Var] {
			v.fail("iterations of a parallel loop set variable %d", s.Var)
		}
		return true
	})
}

func (v *verifier) assert(s *Assert) {
	v.want(s.Cond, Bool)
	for _, e := range s.Values {
		v.exp(e)
	}
	if v.prog != nil {
		v.site(s.Site, len(s.Values))
	}
}

// site checks that there is a site, and that it reports so many values.
func (v *verifier) site(site SiteID, values int) {
	if int(site) >= len(v.prog.Sites) {
		v.fail("no site %d", site)
	} else if n := len(v.prog.Sites[site].Types); n != values {
		v.fail("site %d takes %d values, not %d", site, n, values)
	}
}

func (v *verifier) kernelStm(s KernelStm) {
	switch s := s.(type) {
	case *Store:
		v.element(s.Mem, s.Index)
		v.writes(s.Mem, plainly)
		v.want(s.Value, v.elem(s.Mem))
	case *LoadVec:
		v.element(s.Mem, s.Index)
		v.width(s.Mem, len(s.Vars))
		for _, x := range s.Vars {
			v.typed(x, v.elem(s.Mem))
		}
	case *StoreVec:
		v.element(s.Mem, s.Index)
		v.writes(s.Mem, plainly)
		v.width(s.Mem, len(s.Values))
		for _, e := range s.Values {
			v.want(e, v.elem(s.Mem))
		}
	case *Atomic:
		v.element(s.Mem, s.Index)
		v.writes(s.Mem, atomically)
		v.want(s.Value, v.elem(s.Mem))
		if s.Old != 0 {
			v.typed(s.Old, v.elem(s.Mem))
		}
	case *AtomicUpdate:
		v.element(s.Mem, s.Index)
		v.writes(s.Mem, atomically)
		v.typed(s.Old, v.elem(s.Mem))
		v.stms(s.Body)
		v.want(s.New, v.elem(s.Mem))
		if Any(s.Body, hasEffect) {
			v.fail("the body of an atomic update has effects")
		}
	case *SubgroupUpdate:
		v.subgroupUpdate(s)
	case *UniformLoad:
		v.element(s.Mem, s.Index)
		v.typed(s.Var, v.elem(s.Mem))
		if !v.host && int(s.Mem) < len(v.scope.Mems) && v.scope.Mems[s.Mem].Space != Shared {
			v.fail("a uniform load from array %s, which is not shared", v.scope.Mems[s.Mem].Name)
		}
	case *Subgroup:
		v.typed(s.Dst, v.exp(s.X))
		if (s.Lane != nil) != s.Op.HasLane() {
			v.fail("subgroup %s with a wrong number of operands", s.Op)
		}
		if s.Lane != nil {
			v.want(s.Lane, Idx)
		}
	case *Invoke:
		v.invoke(s)
	case *Barrier:
	}
}

// subgroupUpdate verifies the parts of a SubgroupUpdate.
func (v *verifier) subgroupUpdate(s *SubgroupUpdate) {
	if len(s.Keys) == 0 || len(s.Keys) != len(s.Values) {
		v.fail("an update by subgroups of %d bins with %d values", len(s.Keys), len(s.Values))
	}
	for _, e := range append(slices.Clone(s.Keys), s.Copies, s.Copy) {
		v.element(s.Mem, e)
	}
	if int(s.Mem) < len(v.scope.Mems) && v.scope.Mems[s.Mem].Space != Shared {
		v.fail("an update by subgroups of array %s, which is not shared", v.scope.Mems[s.Mem].Name)
	}
	v.writes(s.Mem, atomically)
	for _, e := range s.Values {
		v.want(e, v.elem(s.Mem))
	}
	v.typed(s.X, v.elem(s.Mem))
	v.typed(s.Y, v.elem(s.Mem))
	v.stms(s.Body)
	v.want(s.New, v.elem(s.Mem))
	if Any(s.Body, hasEffect) || Any(s.Body, MayFail) {
		v.fail("the body of an update by subgroups has effects, or may fail")
	}
}

func hasEffect(s Stm) bool {
	switch MatchStm(s).(type) {
	case *Let, *Set, *If, *For, *While, *Comment, *Store, *Assert, *Invoke:
		return false
	default:
	}
	return true
}

// width checks the size of a vector access: a power of two, 16 bytes at most.
func (v *verifier) width(m Mem, n int) {
	if n < 2 || n&(n-1) != 0 || n*v.elem(m).Prim().Size() > 16 {
		v.fail("vector access of %d elements", n)
	}
}

func (v *verifier) block(x Var) {
	if t := v.use(x); t != Block {
		v.fail("%s has type %s, not block", v.name(x), t)
	}
}

// ownBlock is block for one that is not mapped.
func (v *verifier) ownBlock(x Var) {
	v.block(x)
	if v.mapped[x] {
		v.fail("%s is mapped: kernels write it and host code reads it, and nothing else", v.name(x))
	}
}

func (v *verifier) hostStm(s HostStm) {
	switch s := s.(type) {
	case *Alloc:
		v.want(s.Count, I64)
		v.typed(s.Var, Block)
		v.mapped[s.Var] = s.Mapped
	case *Free:
		v.block(s.Var)
	case *Copy:
		v.ownBlock(s.Dst)
		v.ownBlock(s.Src)
		v.want(s.DstOff, I64)
		v.want(s.SrcOff, I64)
		v.want(s.Count, I64)
	case *Fill:
		v.ownBlock(s.Block)
		v.want(s.Off, I64)
		v.want(s.Count, I64)
		v.want(s.Value, Of(s.Elem))
	case *Data:
		v.typed(s.Var, Block)
		if len(s.Bytes)%s.Elem.Size() != 0 {
			v.fail("%d bytes of %s", len(s.Bytes), s.Elem)
		}
	case *ReadScalar:
		v.block(s.Block)
		v.want(s.Index, I64)
		v.typed(s.Var, Of(s.Elem))
	case *WriteScalar:
		v.ownBlock(s.Block)
		v.want(s.Index, I64)
		v.want(s.Value, Of(s.Elem))
	case *GetConst:
		v.bind(s.Var)
	case *GetTune:
		v.typed(s.Var, I64)
		if s.Index >= len(v.prog.Tunes) {
			v.fail("no tuning parameter %d", s.Index)
		}
	case *Launch:
		v.launch(s)
	case *Trace:
		v.trace(s)
	case *Call:
		v.call(s)
	}
}

func (v *verifier) launch(s *Launch) {
	v.want(s.Groups, I64)
	for _, e := range append(s.Room[:len(s.Room):len(s.Room)], s.Fits...) {
		v.want(e, I64)
	}
	for _, b := range s.Blocks {
		v.block(b)
	}
	k := v.prog.Kernel(s.Kernel)
	if k == nil {
		v.fail("no kernel %s", s.Kernel)
		return
	}
	if sized := len(k.Sized()); len(s.Blocks) != k.Globals() || len(s.Args) != len(k.Params) || len(s.Room) != sized {
		v.fail("kernel %s takes %d arguments, %d blocks and %d sizes", s.Kernel, len(k.Params), k.Globals(), sized)
		return
	}
	for i, p := range k.Params {
		v.want(s.Args[i], k.Vars[p].Type)
	}
	for i, b := range s.Blocks {
		if k.Mems[i].Access != Write {
			v.ownBlock(b)
		}
	}
}

func (v *verifier) call(s *Call) {
	f := v.prog.Fun(s.Fun)
	if f == nil {
		v.fail("no function %s", s.Fun)
		return
	}
	if v.called("function "+s.Fun, s.Args, s.Dst, f.Params, f.Results, f.Scope()) {
		v.site(s.Site, 1)
	}
}
