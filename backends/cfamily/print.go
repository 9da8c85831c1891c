package cfamily

import (
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Printer prints one kernel, or a device function of one. The body is printed first, which finds what must stand before it.
type Printer struct {
	text.Printer
	// Code is what becomes of the kernel.
	Code *imp.Code
	// Entry is the name of the kernel's function, and Params that of the struct of its parameters.
	Entry, Params string

	shared []bool // arrays that other threads change while this one reads
	align  []int  // bytes of the longest vectors that arrays are accessed by

	*Module // what the kernels of a module share
	lanes   // what is printed for several points at a time
}

// Print prints a kernel that imp.Verify accepts. An error is a limitation (imp.Kernel.Limit): what the language lacks.
func Print(k *imp.Kernel, lang *Language) (*imp.Code, error) {
	m := NewModule(lang)
	code, err := m.Add(k, EntryName)
	if err != nil {
		return nil, err
	}
	code.Source, err = m.Text()
	return code, err
}

// EntryName is what kernels are called that are a text of their own.
const EntryName = "kernel_main"

// newPrinter prepares a printer for a kernel, or for a device function of one.
func (m *Module) newPrinter(k *imp.Kernel, f *imp.DeviceFunction) *Printer {
	p := &Printer{Module: m, align: make([]int, len(k.Mems)), shared: make([]bool, len(k.Mems))}
	ofSized := map[string]bool{}
	for _, m := range k.Sized() {
		ofSized[p.CountName(m)], ofSized[p.BeginName(m)] = true, true
	}
	p.Printer = text.NewPrinter(k, p, m.syntax, m.names, m.need, nil, reserved, m.lang.Reserved, ofSized)
	p.Function = f
	for i, d := range k.Mems {
		p.shared[i] = d.Space == imp.Global && d.Access == imp.AtomicAccess
	}
	imp.Walk(k.Body, func(s imp.Stm) bool {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Atomic:
			p.shared[s.Mem] = true
		case *imp.AtomicUpdate:
			p.shared[s.Mem] = true
		case *imp.SubgroupUpdate:
			p.shared[s.Mem] = true
		default:
		}
		return true
	})
	p.lanes.init()
	return p
}

// deviceFunction prints a device function that the kernel calls.
func (p *Printer) deviceFunction(f *imp.DeviceFunction) string {
	in := p.newPrinter(f.Kernel(), f)
	in.Code = p.Code
	out := in.DeviceFunction(f, in.privateText)
	if in.Err != nil {
		p.Limit("device function %s: %w", f.Name, in.Err)
	}
	return out
}

// reserved are the words of C and C++, and names that the printer and the support library use.
var reserved = text.Words(`
	alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const
	consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else
	enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
	operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static
	static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using
	virtual void volatile wchar_t while xor xor_eq
	i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 F16 DD Rising Params params failure alive function_failed num_groups group_id local_id
	thread_id lane subgroup_id subgroup_size main kernel_main signed_char memcpy NULL NAN INFINITY
	abs acos acosf acosh asin asinf asinh atan atan2 atanf atanh cbrt ceil copysign cos cosf cosh div erf erfc exp exp10 exp2 expf
	expm1 fabs fabsf floor fma fmaf fmax fmin fmod frexp gamma hypot j0 j1 jn labs ldexp lgamma log log10 log1p log2 logb logf max
	min modf nan nearbyint nextafter norm pow remainder rint round rsqrt signbit sin sincos sinf sinh sinpi sqrt sqrtf tan tanf tanh
	tgamma trunc y0 y1 yn index remquo scalbn select time clock signal malloc free printf exit`)

// ParamsText declares the struct of parameters.
func (p *Printer) ParamsText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "struct %s {\n", p.Params)
	for _, v := range p.Kernel.Params {
		fmt.Fprintf(&b, "  %s %s;\n", p.paramType(p.Kernel.Vars[v].Type), p.Vars[v])
	}
	b.WriteString("  u32 num_groups;\n")
	for _, m := range p.Kernel.Sized() {
		fmt.Fprintf(&b, "  u32 %s;\n", p.CountName(m))
	}
	b.WriteString("};\n")
	return b.String()
}

// CountName is the parameter that counts the elements of a sized array: see imp's Note [Rooms].
func (p *Printer) CountName(m imp.Mem) string { return fmt.Sprintf("num_elements_%d", m) }

// BeginName is the variable that says where a sized array begins in workgroup memory.
func (p *Printer) BeginName(m imp.Mem) string { return fmt.Sprintf("begin_%d", m) }

// paramType is the type of a field of the block of parameters: see imp.Code.Pack.
func (p *Printer) paramType(t imp.Type) string {
	switch t {
	case imp.Bool:
		return "u32"
	case imp.Of(prim.F16):
		return "f32"
	default:
	}
	return p.RegType(t)
}

// PrologueText declares, at the start of a kernel, the numbers of the thread that the body mentions, the parameters, private arrays and
// the variables that outlive a region.
func (p *Printer) PrologueText(ids [imp.SubgroupSize + 1]string) string {
	var b strings.Builder
	for _, k := range []imp.IdKind{
		imp.GroupID, imp.LocalID, imp.ThreadID, imp.NumGroups, imp.Lane, imp.SubgroupSize, imp.SubgroupID,
	} {
		if p.IDs[k] {
			fmt.Fprintf(&b, "  const %s %s = %s;\n", p.lang.Idx, k, ids[k])
		}
	}
	for _, v := range p.Kernel.Params {
		t, value := p.Kernel.Vars[v].Type, "params."+p.Vars[v]
		if t == imp.Bool {
			value += " != 0"
		}
		fmt.Fprintf(&b, "  %s%s %s = %s;\n", p.constness(v), p.RegType(t), p.Vars[v], value)
	}
	p.privateText(&b)
	for v, h := range p.Hoisted {
		if h && !p.inLanes[imp.Var(v)] {
			fmt.Fprintf(&b, "  %s %s;\n", p.RegType(p.Kernel.Vars[v].Type), p.Vars[v])
		}
	}
	return b.String()
}

// privateText declares a thread's own arrays, but those that a parallel loop has for each of its iterations.
func (p *Printer) privateText(b *strings.Builder) {
	for i, m := range p.Kernel.Mems {
		if m.Space == imp.Private && !p.iteration[imp.Mem(i)] {
			fmt.Fprintf(b, "  %s %s[%d];\n", MemType(m.Elem), p.Mems[i], max(m.Count, 1))
		}
	}
}

// MemName is the name of an array.
func (p *Printer) MemName(m imp.Mem) string { return p.Mems[m] }

// constness precedes the type of a variable that is not set again.
func (p *Printer) constness(v imp.Var) string {
	if p.Mutable[v] {
		return ""
	}
	return "const "
}

// RegType is the type of a register that holds a value of t: see Note [Values and memory in C].
func (p *Printer) RegType(t imp.Type) string {
	switch pt := p.prim(t); pt {
	case prim.I8, prim.I16, prim.I32:
		return "i32"
	case prim.U8, prim.U16, prim.U32:
		return "u32"
	case prim.F16:
		if p.lang.HalfBits {
			p.Needed["from_bits_f16"] = true // With it the type is declared.
		}
		return "F16"
	default:
		return pt.String()
	}
}

// MemType is the type of an element of an array: see Note [Values and memory in C].
func MemType(t prim.Type) string {
	switch t {
	case prim.I8:
		return "signed char"
	case prim.U8, prim.Bool:
		return "unsigned char"
	case prim.I16:
		return "short"
	case prim.U16, prim.F16:
		return "unsigned short"
	default:
		return t.String()
	}
}
