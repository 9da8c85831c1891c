package c

import (
	"errors"
	"fmt"
	"strings"

	"skald/backends/cfamily"
	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
	"skald/shaders"
)

// StopName is the variable that a device sets to end the kernels of a module.
const StopName = "skald_stop"

// Print prints one kernel as a module. An error is a limit of the language that the kernel exceeds.
func Print(k *imp.Kernel) (*imp.Code, error) {
	m := cfamily.NewModule(&language)
	code, err := m.Add(k, text.Entry(k, 0))
	if err != nil {
		return nil, err
	}
	code.Source, err = m.Text()
	return code, err
}

// Module prints kernels as one module. Of each the entry is what its function is called, or its error a limit that it exceeds.
func Module(ks []*imp.Kernel) (source string, entries []string, errs []error, err error) {
	m := cfamily.NewModule(&language)
	entries, errs = make([]string, len(ks)), make([]error, len(ks))
	for i, k := range ks {
		var code *imp.Code
		if code, errs[i] = m.Add(k, text.Entry(k, i)); errs[i] == nil {
			entries[i] = code.Entry
		}
	}
	source, err = m.Text()
	return source, entries, errs, err
}

// Text prints kernels as one module, for people. An error is a limit that one exceeds.
func Text(ks []*imp.Kernel) (string, error) {
	source, _, errs, err := Module(ks)
	return source, errors.Join(append(errs, err)...)
}

// mostLanes is how many iterations run together: enough that the next operation on a variable does not wait for the last, few
// enough that some variables of all lanes fit the nearest cache.
const mostLanes = 128

var language = cfamily.Language{
	Dialect:   shaders.Dialect{Language: shaders.C},
	Idx:       prim.I64,
	Reserved:  text.Words("arrays first end SKALD_FN SKALD_PARALLEL SKALD_PRAGMA " + StopName + " asm typeof linux unix"),
	Wraps:     true,
	Inline:    "static inline",
	Function:  "static __attribute__((noinline))",
	Align:     "__attribute__((packed, aligned(%d), may_alias))",
	Serial:    true,
	Lanes:     mostLanes,
	Parallel:  "SKALD_PARALLEL",
	Pragma:    "SKALD_PRAGMA",
	Stop:      StopName,
	Prelude:   prelude,
	Helpers:   helpers,
	Atomic:    atomicFunction,
	AnyFailed: func(condition string) string { return condition },
	Subgroup:  func(*cfamily.Printer, *imp.Subgroup, string, string) string { return "" }, // no kernel with any is printed
	Frame:     frame,
}

const prelude = `#ifdef __clang__
#define SKALD_PARALLEL _Pragma("clang loop vectorize(assume_safety)")
#else
#define SKALD_PARALLEL _Pragma("GCC ivdep")
#endif
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#define SKALD_PRAGMA(x) _Pragma(#x)
#else
#define SKALD_PRAGMA(x)
#endif
#define SKALD_ADD(p, x) __atomic_fetch_add(p, x, __ATOMIC_RELAXED)
#define SKALD_AND(p, x) __atomic_fetch_and(p, x, __ATOMIC_RELAXED)
#define SKALD_OR(p, x) __atomic_fetch_or(p, x, __ATOMIC_RELAXED)
#define SKALD_XOR(p, x) __atomic_fetch_xor(p, x, __ATOMIC_RELAXED)
volatile i32 skald_stop;
`

var helpers = []cfamily.Helper{
	{Name: "claim_failure", Text: `// Whether this is the first failure: then the caller notes the values.
static __attribute__((noinline, cold)) bool claim_failure(u32 *failure, u32 site) {
  u32 none = 0;
  return __atomic_compare_exchange_n(failure, &none, site, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
`},
	{Name: "note_value", Text: `static __attribute__((noinline, cold)) void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
`},
	{Name: "cas_8", Text: cas("cas_8", "unsigned char")},
	{Name: "cas_16", Text: cas("cas_16", "unsigned short")},
	{Name: "cas_32", Text: cas("cas_32", "u32")},
	{Name: "cas_64", Text: cas("cas_64", "u64")},
}

// cas is the function that compares and swaps, and returns what was there.
func cas(name, t string) string {
	return fmt.Sprintf(`static inline %[2]s %[1]s(%[2]s *p, %[2]s old, %[2]s next) {
  __atomic_compare_exchange_n(p, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return old;
}
`, name, t)
}

// atomics are the operations that compilers have; the others are loops.
var atomics = map[imp.AtomicOp]string{
	imp.AtomicAdd: "SKALD_ADD", imp.AtomicAnd: "SKALD_AND", imp.AtomicOr: "SKALD_OR", imp.AtomicXor: "SKALD_XOR",
}

func atomicFunction(op imp.AtomicOp, elem prim.Type) (name, of string) {
	if !elem.IsInt() || atomics[op] == "" {
		return "", ""
	}
	return atomics[op], cfamily.MemType(elem)
}

// threadNumbers are the numbers of a thread: one runs after the other.
func threadNumbers(groupSize int) (ids [imp.SubgroupSize + 1]string) {
	ids[imp.GroupID] = "group_index"
	ids[imp.LocalID] = "local_index"
	ids[imp.ThreadID] = fmt.Sprintf("group_id * %d + local_id", groupSize)
	ids[imp.NumGroups] = "(i64)params.num_groups"
	return ids
}

// frame prints a kernel: a function that runs a range of workgroups, whose arrays do not overlap, and one that devices call.
func frame(p *cfamily.Printer, b *strings.Builder) {
	k := p.Kernel
	b.WriteString(p.ParamsText())
	var params, args []string
	for i, m := range k.Mems[:k.Globals()] {
		typ := cfamily.MemType(m.Elem)
		if m.Access == imp.Read {
			typ = "const " + typ
		}
		params = append(params, fmt.Sprintf("%s *restrict %s", typ, p.MemName(imp.Mem(i))))
		args = append(args, fmt.Sprintf("(%s *)arrays[%d]", typ, i))
	}
	params = append(params, "u32 *failure", "const struct "+p.Params+" params", "i64 first", "i64 end")
	args = append(args, "failure", "*params", "first", "end")
	fmt.Fprintf(b, "static __attribute__((noinline)) void %s_range(\n    %s) {\n", p.Entry, strings.Join(params, ",\n    "))
	fmt.Fprintf(b, "  for (i64 group_index = first; group_index < end; group_index++) {\n  if (%s) { return; }\n", StopName)
	if k.GroupSize > 1 {
		fmt.Fprintf(b, "  for (i64 local_index = 0; local_index < %d; local_index++) {\n", k.GroupSize)
	} else {
		b.WriteString("  const i64 local_index = 0;\n")
	}
	for i, m := range k.Mems {
		if m.Space == imp.Shared {
			fmt.Fprintf(b, "  %s %s[%d];\n", cfamily.MemType(m.Elem), p.MemName(imp.Mem(i)), max(m.Count, 1))
		}
	}
	b.WriteString(p.PrologueText(threadNumbers(k.GroupSize)))
	b.WriteString(p.Body())
	if k.GroupSize > 1 {
		b.WriteString("  }\n")
	}
	b.WriteString("  }\n}\n")
	fmt.Fprintf(b, "void %s(void *const *arrays, const struct %s *params, u32 *failure, i64 first, i64 end) {\n", p.Entry, p.Params)
	if k.Guarded {
		b.WriteString("  if (__atomic_load_n(failure, __ATOMIC_RELAXED) != 0) { return; }\n")
	}
	fmt.Fprintf(b, "  %s_range(%s);\n}\n", p.Entry, strings.Join(args, ", "))
}
