package cuda

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/backends/cfamily"
	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
	"skald/shaders"
)

// Print prints a kernel that imp.Verify accepts. An error is a limit of CUDA that the kernel exceeds.
func Print(k *imp.Kernel) (*imp.Code, error) { return cfamily.Print(k, &language) }

// Text prints kernels as one module, for people. An error is a limit that one exceeds.
func Text(ks []*imp.Kernel) (string, error) {
	m := cfamily.NewModule(&language)
	for i, k := range ks {
		if _, err := m.Add(k, text.Entry(k, i)); err != nil {
			return "", err
		}
	}
	return m.Text()
}

var language = cfamily.Language{
	Dialect:   shaders.Dialect{Language: shaders.CUDA},
	Idx:       prim.I32,
	HalfBits:  true,
	Reserved:  text.Words("threadIdx blockIdx blockDim gridDim warpSize dim3 shared_memory shared_array float2 float4 int2 int4 uint4 half"),
	Inline:    "static __device__ __forceinline__",
	Function:  "static __device__ __noinline__",
	Align:     "__align__(%d)",
	Once:      "load_once",
	SinePair:  "float2",
	Helpers:   helpers,
	Atomic:    atomicFunction,
	Rolled:    "#pragma unroll 1",
	Held:      held,
	Barrier:   "__syncthreads();",
	AnyFailed: anyFailed,
	Subgroup:  subgroup,
	Frame:     frame,
}

// anyFailed waits for the workgroup and tells whether a condition holds of any of its threads.
func anyFailed(condition string) string { return "__syncthreads_or(" + condition + ")" }

// helpers are functions of the printer's own. NVRTC has no compare-and-swap of a byte, and on old GPUs none of two.
var helpers = []cfamily.Helper{
	{Name: "claim_failure", Text: `// Whether this is the first failure: then the caller notes the values.
static __device__ __forceinline__ bool claim_failure(u32 *failure, u32 site) { return atomicCAS(failure, 0u, site) == 0u; }
`},
	{Name: "note_value", Text: `static __device__ __forceinline__ void note_value(u32 *failure, i32 at, u64 x) {
  failure[at] = (u32)x;
  failure[at + 1] = (u32)(x >> 32);
}
`},
	{Name: "cas_part", Text: `// Compares and swaps the bits under a mask of the word that p lies in, and returns what was there.
static __device__ __forceinline__ u32 cas_part(void *p, u32 mask, u32 old, u32 next) {
  u32 *word = (u32 *)((u64)p & ~3ull);
  const u32 shift = (u32)((u64)p & 3ull) * 8u;
  u32 bits = *(volatile u32 *)word;
  for (;;) {
    const u32 part = bits >> shift & mask;
    if (part != old) { return part; }
    const u32 seen = atomicCAS(word, bits, (bits & ~(mask << shift)) | next << shift);
    if (seen == bits) { return old; }
    bits = seen;
  }
}
`},
	{Name: "cas_8", Uses: []string{"cas_part"}, Text: `static __device__ __forceinline__
unsigned char cas_8(unsigned char *p, unsigned char old, unsigned char next) {
  return (unsigned char)cas_part(p, 0xffu, old, next);
}
`},
	{Name: "cas_16", Uses: []string{"cas_part"}, Text: `static __device__ __forceinline__
unsigned short cas_16(unsigned short *p, unsigned short old, unsigned short next) {
  return (unsigned short)cas_part(p, 0xffffu, old, next);
}
`},
	{Name: "cas_32", Text: "static __device__ __forceinline__ u32 cas_32(u32 *p, u32 old, u32 next) { return atomicCAS(p, old, next); }\n"},
	{Name: "cas_64", Text: "static __device__ __forceinline__ u64 cas_64(u64 *p, u64 old, u64 next) { return atomicCAS(p, old, next); }\n"},
	{Name: "warp_update", Text: warpUpdate},
	{Name: "load_once", Text: loadOnce},
}

// atomicFunctions are CUDA's; those on floats are in the table below.
var atomicFunctions = [...]string{
	imp.AtomicAdd: "atomicAdd", imp.AtomicMin: "atomicMin", imp.AtomicMax: "atomicMax", imp.AtomicAnd: "atomicAnd",
	imp.AtomicOr: "atomicOr", imp.AtomicXor: "atomicXor", imp.AtomicExchange: "atomicExch",
}

// atomicFunction returns CUDA's function for an operation on elements of a type, and the type that it takes a pointer to. Additions of i64
// are those of u64: both wrap around.
func atomicFunction(op imp.AtomicOp, elem prim.Type) (name, of string) {
	ordered := op == imp.AtomicMin || op == imp.AtomicMax
	switch elem {
	case prim.I32, prim.U32, prim.U64:
		return atomicFunctions[op], elem.String()
	case prim.I64:
		if ordered {
			return atomicFunctions[op], "i64"
		}
		return atomicFunctions[op], "u64"
	case prim.F32, prim.F64:
		if op == imp.AtomicAdd {
			return atomicFunctions[op], elem.String()
		}
	default:
	}
	return "", ""
}

var shuffles = map[imp.SubgroupOp]string{
	imp.Shuffle: "__shfl_sync", imp.ShuffleUp: "__shfl_up_sync", imp.ShuffleDown: "__shfl_down_sync", imp.ShuffleXor: "__shfl_xor_sync",
}

// subgroup prints an operation of a warp: a shuffle, or a function that combines by shuffles.
func subgroup(p *cfamily.Printer, s *imp.Subgroup, x, lane string) string {
	t := p.TypeOf(s.X)
	if name := shuffles[s.Op]; name != "" {
		call := fmt.Sprintf("%s(~0u, %s, %s)", name, x, lane)
		if t == imp.Bool {
			return fmt.Sprintf("%s(~0u, (i32)(%s), %s) != 0", name, x, lane)
		}
		return call
	}
	op, _ := s.Op.Operator(t.Prim())
	fn, typ := fmt.Sprintf("warp_%s_%s", s.Op, t), p.RegType(t)
	combined := p.Combine(op, t, "x", "y")
	if s.Op == imp.SubgroupScanAdd {
		combined = p.Combine(op, t, "y", "x")
		p.DeclareOnce(fn, fmt.Sprintf(`static __device__ __forceinline__ %[1]s %[2]s(%[1]s x) {
  for (u32 d = 1; d < 32; d <<= 1) {
    const %[1]s y = __shfl_up_sync(~0u, x, d);
    if ((threadIdx.x & 31) >= d) { x = %[3]s; }
  }
  return x;
}
`, typ, fn, combined))
		return fn + "(" + x + ")"
	}
	p.DeclareOnce(fn, fmt.Sprintf(`static __device__ __forceinline__ %[1]s %[2]s(%[1]s x) {
  for (u32 d = 16; d != 0; d >>= 1) {
    const %[1]s y = __shfl_xor_sync(~0u, x, d);
    x = %[3]s;
  }
  return x;
}
`, typ, fn, combined))
	return fn + "(" + x + ")"
}

// threadNumbers are the numbers of a thread. Grids may have two dimensions: group_index is counted over both.
func threadNumbers(groupSize int) (ids [imp.SubgroupSize + 1]string) {
	ids[imp.GroupID] = "(i32)group_index"
	ids[imp.LocalID] = "(i32)threadIdx.x"
	ids[imp.ThreadID] = fmt.Sprintf("group_id * %d + local_id", groupSize)
	ids[imp.NumGroups] = "(i32)params.num_groups"
	ids[imp.Lane] = "(i32)(threadIdx.x & 31)"
	ids[imp.SubgroupSize] = "32"
	ids[imp.SubgroupID] = "(i32)(threadIdx.x >> 5)"
	return ids
}

// Note [Resident threads]
//
// CUDA's compiler takes up to 255 registers for a thread, of which a multiprocessor has 65,536: 256 threads are resident then. Kernels
// whose threads have arrays in private memory that are too large for registers wait for that memory, and are compiled so that
// residentThreads are there to hide it, with 128 registers each. myocyte of futhark-benchmarks took 12.7 ms so on an H200 and 18.1 without
// (2026-11-23); without such arrays kernels with as many registers gain nothing, or lose 4 %.
//
// Kernels whose subgroups update bins wait for workgroup memory. Where several workgroups of them share a multiprocessor, they are compiled
// so that all threads that it can have are resident.
const (
	residentThreads = 512
	registerArray   = 64 // elements of arrays that may be in registers
	allThreads      = 2048
	sharingThreads  = 512 // threads of a workgroup that shares its multiprocessor with others
)

// launchBounds are the arguments of __launch_bounds__: the size of a workgroup and, where that is bounded, how many of them are resident
// (Note [Resident threads]).
func launchBounds(k *imp.Kernel) string {
	updates := imp.Any(k.Body, func(s imp.Stm) bool {
		_, ok := s.(*imp.SubgroupUpdate)
		return ok
	})
	if updates && k.GroupSize == sharingThreads {
		return fmt.Sprintf("%d, %d", k.GroupSize, allThreads/k.GroupSize)
	}
	waits := slices.ContainsFunc(k.Mems, func(m imp.MemDecl) bool { return m.Space == imp.Private && m.Count > registerArray })
	shared := slices.ContainsFunc(k.Mems, func(m imp.MemDecl) bool { return m.Space == imp.Shared })
	if !waits || shared || k.GroupSize >= residentThreads {
		return strconv.Itoa(k.GroupSize)
	}
	return fmt.Sprintf("%d, %d", k.GroupSize, residentThreads/k.GroupSize)
}

// loadOnce loads a vector that leaves the caches first: histograms of 256 and 2,048 bins took 75 and 78 us and take 73 and 77, argmax of
// 4,096 129 and 122 (20M points, an H200).
const loadOnce = `template <class T> static __device__ __forceinline__ T load_once(const void *p) {
  union { int4 words; T vector; } x;
  x.words = __ldcs((const int4 *)p);
  return x.vector;
}
`

// staticShared is how much workgroup memory a kernel may declare; what is larger is asked for at launch, as one array that those of the
// kernel lie in.
const staticShared = 48 << 10

// frame prints a kernel around its body.
func frame(p *cfamily.Printer, b *strings.Builder) {
	k := p.Kernel
	b.WriteString(p.ParamsText())
	var args []string
	for i, m := range k.Mems[:k.Globals()] {
		readOnly := ""
		if m.Access == imp.Read {
			readOnly = "const "
		}
		args = append(args, fmt.Sprintf("%s%s *__restrict__ %s", readOnly, cfamily.MemType(m.Elem), p.MemName(imp.Mem(i))))
	}
	if p.Code.Failure {
		args = append(args, "u32 *failure")
	}
	args = append(args, "const "+p.Params+" params")
	fmt.Fprintf(b, "extern \"C\" __global__ __launch_bounds__(%s) void %s(\n    %s) {\n",
		launchBounds(k), p.Entry, strings.Join(args, ",\n    "))
	b.WriteString("  const u32 group_index = blockIdx.y * gridDim.x + blockIdx.x;\n")
	b.WriteString("  if (group_index >= params.num_groups) { return; }\n")
	sharedText(p, b)
	guard(p, b)
	b.WriteString(p.PrologueText(threadNumbers(k.GroupSize)))
	body := p.Body()
	b.Grow(len(body))
	b.WriteString(body)
	b.WriteString("}\n")
}

// guard lets the whole workgroup leave when an earlier kernel failed, and declares the flag of the threads that fail.
func guard(p *cfamily.Printer, b *strings.Builder) {
	const failed = "*(volatile u32 *)failure != 0"
	switch {
	case p.Kernel.Guarded && p.Waits:
		b.WriteString("  if (" + anyFailed(failed) + ") { return; }\n")
	case p.Kernel.Guarded:
		b.WriteString("  if (" + failed + ") { return; }\n")
	}
	if p.Waits && p.Kernel.HasAssert() {
		b.WriteString("  bool alive = true;\n")
	}
}

// sharedText declares workgroup memory: arrays of its own, or, where that is more than kernels may declare or launches give the sizes of
// some, all in the one array that launches ask for.
func sharedText(p *cfamily.Printer, b *strings.Builder) {
	var offsets map[int]int
	_, total := placeShared(p, declared)
	dynamic := total > staticShared || p.Kernel.Room > 0
	if dynamic {
		offsets, total = placeShared(p, placed)
		p.Code.Shared = total
		b.WriteString(dynamicText(p))
	} else {
		p.Code.Declared = total
	}
	for i, m := range p.Kernel.Mems {
		switch name, typ := p.MemName(imp.Mem(i)), cfamily.MemType(m.Elem); {
		case m.Space != imp.Shared || m.Sized:
		case dynamic:
			fmt.Fprintf(b, "  %s *%s = (%s *)(shared_memory + %d);\n", typ, name, typ, offsets[i])
		default:
			align, bytes := declared(p, imp.Mem(i))
			fmt.Fprintf(b, "  __shared__ __align__(%d) %s %s[%d];\n", align, typ, name, bytes/m.Elem.Size())
		}
	}
	sizedText(p, b, total)
}

// Note [Where workgroup memory begins]
//
// From compute capability 9.0 on workgroup memory begins at an address that depends on the workgroup's place in its cluster, which a thread
// reads from a special register. The compiler takes this address for one that is cheap to compute, and does so in each branch that needs
// it: a thread that adds eight points to bins, each in a branch since a point may have none, read the special register eight times a round,
// and waited for it. So kernels that update tables of bins, arrays of sizes that launches give, by atomic operations compute the address
// once, by an instruction that the compiler does not repeat. A round of counts, four loads of 16 bytes, has 72 instructions of SASS, and
// had 97; registers are 32 for 29, with which two workgroups of 1,024 threads still are resident. Kernels that exchange, read and write
// between barriers have few such branches, and some would take more registers.

// dynamicText declares the array that launches ask for.
func dynamicText(p *cfamily.Printer) string {
	const array = "  extern __shared__ __align__(16) unsigned char %s[];\n"
	updates := imp.Any(p.Kernel.Body, func(s imp.Stm) bool {
		a, ok := s.(*imp.Atomic)
		return ok && a.Op != imp.AtomicExchange && p.Kernel.Mems[a.Mem].Sized
	})
	if !updates {
		return fmt.Sprintf(array, "shared_memory")
	}
	p.DeclareOnce("computed_once", computedOnce)
	return fmt.Sprintf(array, "shared_array") + "  unsigned char *const shared_memory = computed_once(shared_array);\n"
}

// computedOnce returns an address of workgroup memory, which the compiler does not compute again where it is used.
const computedOnce = `static __device__ __forceinline__ unsigned char *computed_once(unsigned char *shared) {
  u32 address;
  asm volatile("mov.u32 %0, %1;" : "=r"(address) : "r"((u32)__cvta_generic_to_shared(shared)));
  return (unsigned char *)__cvta_shared_to_generic(address);
}
`

// Note [Words around small elements]
//
// CUDA compares and swaps words, so that an atomic operation on a smaller element accesses the word that the element lies in
// (cas_part). All of that word must be workgroup memory. An array that is declared by itself and is updated so is aligned to words
// and has whole ones. Those in the one array of a launch need none of their own, since that begins at a word and launches ask for
// whole words (imp.Code.Dynamic); what else lies in the word keeps its bits.

const wordBytes = 4

// placed is the alignment and size, in bytes, of an array in the one that launches ask for.
func placed(p *cfamily.Printer, m imp.Mem) (align, bytes int) {
	d := p.Kernel.Mems[m]
	return p.Alignment(m), max(d.Count, 1) * d.Elem.Size()
}

// declared is the same of an array that is declared by itself: see Note [Words around small elements].
func declared(p *cfamily.Printer, m imp.Mem) (align, bytes int) {
	align, bytes = placed(p, m)
	if p.Kernel.Mems[m].Elem.Size() < wordBytes && p.Atomic(m) {
		return max(align, wordBytes), alignUp(bytes, wordBytes)
	}
	return align, bytes
}

// placeShared places the arrays of constant sizes so that no byte is lost between them, those of larger elements first: lowering may have
// counted on all that there is. It returns where each begins and how many bytes they have.
func placeShared(p *cfamily.Printer, of func(*cfamily.Printer, imp.Mem) (align, bytes int)) (offsets map[int]int, total int) {
	offsets = map[int]int{}
	for next := 16; next > 0; next /= 2 {
		for i, m := range p.Kernel.Mems {
			if m.Space != imp.Shared || m.Sized {
				continue
			}
			if align, bytes := of(p, imp.Mem(i)); align == next {
				total = alignUp(total, align)
				offsets[i] = total
				total += bytes
			}
		}
	}
	return offsets, total
}

func alignUp(n, align int) int { return (n + align - 1) / align * align }

// sizedText declares the arrays whose sizes launches give, behind the first bytes of workgroup memory, one behind the other.
func sizedText(p *cfamily.Printer, b *strings.Builder, bytes int) {
	at := fmt.Sprint(alignUp(bytes, imp.RoomAlign))
	for i, m := range p.Kernel.Sized() {
		name, d := p.MemName(m), p.Kernel.Mems[m]
		typ := cfamily.MemType(d.Elem)
		if i > 0 {
			begin := p.BeginName(m)
			fmt.Fprintf(b, "  const u32 %s = (%s + %du) & ~%du;\n", begin, at, imp.RoomAlign-1, imp.RoomAlign-1)
			at = begin
		}
		fmt.Fprintf(b, "  %s *%s = (%s *)(shared_memory + %s);\n", typ, name, typ, at)
		at += fmt.Sprintf(" + params.%s * %du", p.CountName(m), d.Elem.Size())
	}
}

// held is an empty instruction with variables as operands.
func held(vars []imp.VarDecl) string {
	operands := make([]string, len(vars))
	for i, v := range vars {
		operands[i] = fmt.Sprintf("\"%s\"(%s)", constraint(v.Type.Prim()), v.Name)
	}
	return fmt.Sprintf("asm volatile(\"\" :: %s);", strings.Join(operands, ", "))
}

// constraint is the kind of register that holds a value of 32 or 64 bits as an operand of an instruction.
func constraint(t prim.Type) string {
	switch {
	case t == prim.F64:
		return "d"
	case t == prim.F32:
		return "f"
	case t.Bits() == 64:
		return "l"
	}
	return "r"
}
