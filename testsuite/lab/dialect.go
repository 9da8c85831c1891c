package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skald/runtime/device"
)

// Note [One text for WGSL and CUDA]
//
// WGSL and C++ agree on more than it seems. A body uses `let x = e;` and `var x = e;` without types (macros for
// `const auto` and `auto` in CUDA), casts in call form (`u32(x)`), braces everywhere, `select`, WGSL's names of
// vectors, atomics, barriers and subgroup operations (templates in CUDA). What has no common form is declared
// outside the body: buffers, parameters, workgroup memory and functions, as fields of a Source. Constants are
// written `$NAME` and replaced before printing. Every body may use
//
//	tid         the thread within its workgroup       wid, ng   workgroup and number of workgroups, three parts
//	group       the workgroup, counted over all dimensions      groups    how many there are
//	params.p    a parameter, always u32

// Source is a kernel before it is printed for a device: see Note [One text for WGSL and CUDA].
type Source struct {
	Name    string
	Buffers []string // "name type", in binding order.
	Params  []string
	Shared  []string // "name type length".
	Structs []Struct
	Raw     Raw
	Funcs   []Func
	Consts  map[string]any
	Threads int
	Body    string

	// Waits: a workgroup waits without end for what others store.
	Waits bool

	// Resident is how many workgroups a unit shall hold at least, which bounds the registers of a thread in CUDA; 0 leaves
	// that to the compiler.
	Resident int
}

// Func is a function that a body calls.
type Func struct {
	Result, Name string
	Params       []string // "name type".
	Body         string
}

// Struct is a type of words.
type Struct struct {
	Name   string
	Fields []string // "name type".
}

// Raw is text that a language has in a form of its own: functions that stand before the kernel.
type Raw struct{ WGSL, CUDA string }

func (t *Struct) wgsl() string {
	var fields []string
	for _, f := range t.Fields {
		fields = append(fields, strings.Replace(f, " ", ": ", 1))
	}
	return fmt.Sprintf("struct %s { %s }\n", t.Name, strings.Join(fields, ", "))
}

func (t *Struct) cuda() string {
	var fields, params, inits []string
	for _, f := range t.Fields {
		name, typ, _ := strings.Cut(f, " ")
		fields = append(fields, fmt.Sprintf("%s %s;", typ, name))
		params = append(params, fmt.Sprintf("%s %s_", typ, name))
		inits = append(inits, fmt.Sprintf("%[1]s(%[1]s_)", name))
	}
	return fmt.Sprintf("struct %[1]s { %[2]s __device__ %[1]s() {} __device__ %[1]s(%[3]s) : %[4]s {} };\n",
		t.Name, strings.Join(fields, " "), strings.Join(params, ", "), strings.Join(inits, ", "))
}

// Spec prints a kernel in the language of a device.
func (s *Source) Spec(f *device.Facts) device.KernelSpec {
	spec := device.KernelSpec{
		Name: s.Name, Entry: "main_", Buffers: len(s.Buffers), Params: 4 * len(s.Params),
		Workgroup: [3]uint32{uint32(s.Threads), 1, 1},
	}
	if isCUDA(f) {
		spec.Source, spec.Shared = s.cuda()
	} else {
		spec.Source = s.wgsl(f)
	}
	return spec
}

// stream is a store of what the kernels of a run do not read again: in CUDA it leaves the cache first.
var stream = regexp.MustCompile(`(?m)^(\s*)stream (.*) = (.*);$`)

// expand replaces the constants of a text, longer names first.
func (s *Source) expand(text string) string {
	names := slices.SortedFunc(maps.Keys(s.Consts), func(a, b string) int { return len(b) - len(a) })
	for _, n := range names {
		text = strings.ReplaceAll(text, "$"+n, fmt.Sprint(s.Consts[n]))
	}
	return strings.ReplaceAll(text, "$W", fmt.Sprintf("%du", s.Threads))
}

// wgsl prints a kernel for either dialect of WGSL; they differ in what Enables names.
func (s *Source) wgsl(f *device.Facts) string {
	var b strings.Builder
	for _, e := range f.Enables {
		fmt.Fprintf(&b, "enable %s;\n", e)
	}
	if slices.Contains(f.Enables, "subgroups") {
		b.WriteString("diagnostic(off, subgroup_uniformity);\n")
	}
	for i, buf := range s.Buffers {
		name, typ, _ := strings.Cut(buf, " ")
		fmt.Fprintf(&b, "@group(0) @binding(%d) var<storage, read_write> %s: array<%s>;\n", i, name, typ)
	}
	if len(s.Params) > 0 {
		fmt.Fprintf(&b, "struct Params { %s: u32 }\n", strings.Join(s.Params, ": u32, "))
		fmt.Fprintf(&b, "@group(0) @binding(%d) var<uniform> params: Params;\n", len(s.Buffers))
	}
	for _, sh := range s.Shared {
		w := strings.Fields(sh)
		fmt.Fprintf(&b, "var<workgroup> %s: array<%s, %s>;\n", w[0], w[1], w[2])
	}
	for i := range s.Structs {
		b.WriteString(s.Structs[i].wgsl())
	}
	b.WriteString(s.Raw.WGSL)
	for _, fn := range s.Funcs {
		ps := make([]string, len(fn.Params))
		for i, p := range fn.Params {
			ps[i] = strings.Replace(p, " ", ": ", 1)
		}
		fmt.Fprintf(&b, "fn %s(%s) -> %s {%s}\n", fn.Name, strings.Join(ps, ", "), fn.Result, fn.Body)
	}
	fmt.Fprintf(&b, `@compute @workgroup_size($W)
fn main_(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) wid: vec3<u32>,
    @builtin(num_workgroups) ng: vec3<u32>) {
  let group = wid.y * ng.x + wid.x;
  let groups = ng.x * ng.y;
%s}
`, stream.ReplaceAllString(s.Body, "$1$2 = $3;"))
	text := s.expand(b.String())
	if size, _ := subgroup(f); size == 1 {
		text = single(text)
	}
	return text
}

// cudaPrelude defines in CUDA C++ the names of WGSL that bodies use.
const cudaPrelude = `typedef unsigned u32; typedef int i32; typedef float f32; typedef unsigned long long u64;
#define let const auto
#define var auto
template<class T> struct atomic_of { typedef T type; };
template<class T> using atomic = typename atomic_of<T>::type;
template<class T> struct vec3 { T x, y, z; };
template<class T> struct alignas(8) vec2 { T x, y; __device__ vec2() {} __device__ vec2(T a, T b) : x(a), y(b) {} };
template<class T> struct alignas(16) vec4 { T x, y, z, w;
  __device__ vec4() {} __device__ vec4(T a) : x(a), y(a), z(a), w(a) {}
  __device__ vec4(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  __device__ vec4 operator+(vec4 o) const { return vec4(x + o.x, y + o.y, z + o.z, w + o.w); }
  __device__ vec4 operator*(vec4 o) const { return vec4(x * o.x, y * o.y, z * o.z, w * o.w); } };
__device__ f32 fma_(f32 a, f32 b, f32 c) { return fmaf(a, b, c); }
__device__ vec4<f32> fma(vec4<f32> a, vec4<f32> b, vec4<f32> c) {
  return vec4<f32>(fma_(a.x, b.x, c.x), fma_(a.y, b.y, c.y), fma_(a.z, b.z, c.z), fma_(a.w, b.w, c.w)); }
template<class T> __device__ T select(T f, T t, bool c) { return c ? t : f; }
__device__ void workgroupBarrier() { __syncthreads(); }
__device__ void storageBarrier() { __syncthreads(); }
template<class T> __device__ T workgroupUniformLoad(T *p) { __syncthreads(); T v = *p; __syncthreads(); return v; }
template<class T> __device__ T atomicLoad(T *p) { return *(volatile T *)p; }
template<class T> __device__ void atomicStore(T *p, T v) { *(volatile T *)p = v; }
struct Exchanged { u32 old_value; bool exchanged; };
__device__ Exchanged atomicCompareExchangeWeak(u32 *p, u32 o, u32 n) { u32 r = atomicCAS(p, o, n); return {r, r == o}; }
template<class T, class S> __device__ T bitcast(S s) { T t; static_assert(sizeof(T) == sizeof(S), ""); memcpy(&t, &s, sizeof t); return t; }
template<class T> __device__ void streamed(vec4<T> *p, vec4<T> v) {
  __stcs((uint4 *)p, make_uint4(bitcast<u32>(v.x), bitcast<u32>(v.y), bitcast<u32>(v.z), bitcast<u32>(v.w))); }
__device__ void streamed(u32 *p, u32 v) { __stcs(p, v); }
template<class T> __device__ T subgroupShuffleUp(T v, u32 d) { return __shfl_up_sync(~0u, v, d); }
template<class T> __device__ T subgroupShuffleDown(T v, u32 d) { return __shfl_down_sync(~0u, v, d); }
template<class T> __device__ vec2<T> subgroupShuffleDown(vec2<T> v, u32 d) {
  return vec2<T>(subgroupShuffleDown(v.x, d), subgroupShuffleDown(v.y, d)); }
template<class T> __device__ vec4<T> subgroupShuffleDown(vec4<T> v, u32 d) {
  return vec4<T>(subgroupShuffleDown(v.x, d), subgroupShuffleDown(v.y, d), subgroupShuffleDown(v.z, d),
    subgroupShuffleDown(v.w, d)); }
template<class T> __device__ T subgroupShuffle(T v, u32 l) { return __shfl_sync(~0u, v, l); }
template<class T> __device__ T subgroupShuffleXor(T v, u32 m) { return __shfl_xor_sync(~0u, v, m); }
template<class T> __device__ vec2<T> subgroupShuffle(vec2<T> v, u32 l) {
  return vec2<T>(subgroupShuffle(v.x, l), subgroupShuffle(v.y, l)); }
template<class T> __device__ T subgroupAdd(T v) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  return v; }
template<class T> __device__ T subgroupMax(T v) {
  for (int d = 16; d; d >>= 1) { T o = __shfl_xor_sync(~0u, v, d); v = o > v ? o : v; }
  return v; }
template<class T> __device__ T subgroupInclusiveAdd(T v) {
  for (u32 d = 1; d < 32; d <<= 1) { T o = __shfl_up_sync(~0u, v, d); if (threadIdx.x % 32 >= d) v += o; }
  return v; }
template<class T> __device__ T subgroupExclusiveAdd(T v) { return subgroupInclusiveAdd(v) - v; }
__device__ bool subgroupAll(bool b) { return __all_sync(~0u, b); }
__device__ bool subgroupAny(bool b) { return __any_sync(~0u, b); }
__device__ vec4<u32> subgroupBallot(bool b) { return vec4<u32>(__ballot_sync(~0u, b), 0, 0, 0); }
__device__ u32 countOneBits(u32 x) { return __popc(x); }
__device__ u32 firstTrailingBit(u32 x) { return __ffs(x) - 1; }
__device__ u32 firstLeadingBit(u32 x) { return 31 - __clz(x); }
template<class T> __device__ T subgroupBroadcastFirst(T v) { return __shfl_sync(~0u, v, 0); }
`

// sharedBytes is how much workgroup memory a kernel declares.
func (s *Source) sharedBytes() int {
	total := 0
	for i := range s.Shared {
		_, _, n, size := s.sharedArray(i)
		total += aligned(n * size)
	}
	return total
}

// aligned rounds bytes up so that an array of any type may follow.
func aligned(bytes int) int { return (bytes + 15) / 16 * 16 }

// sharedArray is an array of workgroup memory: n elements of some bytes.
func (s *Source) sharedArray(i int) (name, typ string, n, size int) {
	w := strings.Fields(s.expand(s.Shared[i]))
	n, err := strconv.Atoi(strings.TrimSuffix(w[2], "u"))
	if err != nil {
		panic("lab: the size of shared memory " + s.Shared[i] + " is no number")
	}
	size = 4
	for lanes, prefix := range map[int]string{2: "vec2", 3: "vec3", 4: "vec4"} {
		if strings.HasPrefix(w[1], prefix) {
			size *= lanes
		}
	}
	return w[0], w[1], n, size
}

// staticShared is how much workgroup memory a CUDA kernel may declare; what is larger is asked for at launch, as one
// array that those of the kernel lie in.
const staticShared = 48 << 10

// cuda prints a kernel in CUDA C++ and returns the workgroup memory that its launch must ask for.
func (s *Source) cuda() (text string, dynamic int) {
	var b strings.Builder
	b.WriteString(cudaPrelude)
	if len(s.Params) > 0 {
		fmt.Fprintf(&b, "struct Params { u32 %s; };\n", strings.Join(s.Params, ", "))
	}
	for i := range s.Structs {
		b.WriteString(s.Structs[i].cuda())
	}
	b.WriteString(s.Raw.CUDA)
	for _, fn := range s.Funcs {
		ps := make([]string, len(fn.Params))
		for i, p := range fn.Params {
			name, typ, _ := strings.Cut(p, " ")
			ps[i] = typ + " " + name
		}
		fmt.Fprintf(&b, "__device__ %s %s(%s) {%s}\n", fn.Result, fn.Name, strings.Join(ps, ", "), fn.Body)
	}
	var args, shared []string
	for _, buf := range s.Buffers {
		name, typ, _ := strings.Cut(buf, " ")
		args = append(args, typ+" *__restrict__ "+name)
	}
	if len(s.Params) > 0 {
		args = append(args, "const Params params")
	}
	if total := s.sharedBytes(); total > staticShared {
		dynamic = total
		shared = append(shared, "  extern __shared__ vec4<u32> dynamic_[];\n")
	}
	offset := 0
	for i := range s.Shared {
		name, typ, n, size := s.sharedArray(i)
		if dynamic > 0 {
			shared = append(shared, fmt.Sprintf("  %[1]s *const %[2]s = (%[1]s *)((char *)dynamic_ + %[3]d);\n", typ, name, offset))
			offset += aligned(n * size)
			continue
		}
		shared = append(shared, fmt.Sprintf("  __shared__ %s %s[%d];\n", typ, name, n))
	}
	bounds := "$W"
	if s.Resident > 0 {
		bounds += fmt.Sprintf(", %d", s.Resident)
	}
	fmt.Fprintf(&b, `extern "C" __global__ void __launch_bounds__(%s) main_(%s) {
%s  const u32 tid = threadIdx.x;
  const vec3<u32> wid{blockIdx.x, blockIdx.y, blockIdx.z}, ng{gridDim.x, gridDim.y, gridDim.z};
  const u32 group = wid.y * ng.x + wid.x, groups = ng.x * ng.y;
%s}
`, bounds, strings.Join(args, ", "), strings.Join(shared, ""), stream.ReplaceAllString(s.Body, "${1}streamed(&$2, $3);"))
	return s.expand(b.String()), dynamic
}
