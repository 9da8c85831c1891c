// What CUDA C has beyond C++, for one thread of an emulated workgroup. Atomic operations are plain: one thread runs at a time.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

struct Dim3 {
  unsigned x, y, z;
};

extern "C" {
extern Dim3 emulated_thread, emulated_block, emulated_threads, emulated_blocks;
extern unsigned char *emulated_shared;
void emulated_barrier();
void emulated_step();
int emulated_any(int condition);
uint64_t *emulated_slots();
}

#define threadIdx emulated_thread
#define blockIdx emulated_block
#define blockDim emulated_threads
#define gridDim emulated_blocks
#define __syncthreads emulated_barrier
#define __syncthreads_or emulated_any

static inline unsigned lane_of() { return emulated_thread.x & 31; }
// exchange(v, from) is what the thread in lane `from` of the warp passes as v; the lanes of a warp are in step.
template <class T> static T exchange(T v, unsigned from) {
  uint64_t word = 0;
  memcpy(&word, &v, sizeof v);
  unsigned me = emulated_thread.x;
  emulated_slots()[me] = word;
  emulated_step();
  word = emulated_slots()[(me & ~31u) + from];
  emulated_step();
  memcpy(&v, &word, sizeof v);
  return v;
}
// among(v, f) is the lanes of the warp for whose v f holds; workgroups of the kernels that ask have whole warps.
template <class T, class F> static unsigned among(T v, F f) {
  unsigned me = emulated_thread.x, lanes = 0;
  emulated_slots()[me] = v;
  emulated_step();
  for (unsigned l = 0; l < 32; l++) lanes |= (unsigned)f((T)emulated_slots()[(me & ~31u) + l]) << l;
  emulated_step();
  return lanes;
}

static inline void __syncwarp() { emulated_step(); }

struct __align__(16) int4 {
  int x, y, z, w;
};
static inline int4 __ldcs(const int4 *p) { return *p; }
static inline unsigned __ballot_sync(unsigned, bool c) { return among(c, [](bool x) { return x; }); }
static inline bool __any_sync(unsigned all, bool c) { return __ballot_sync(all, c) != 0; }
static inline bool __all_sync(unsigned all, bool c) { return __ballot_sync(all, c) == ~0u; }
static inline unsigned __match_any_sync(unsigned, unsigned v) { return among(v, [=](unsigned x) { return x == v; }); }
template <class T> static T __shfl_sync(unsigned, T v, unsigned l) { return exchange(v, l & 31); }
template <class T> static T __shfl_xor_sync(unsigned, T v, unsigned d) { return exchange(v, lane_of() ^ d); }
template <class T> static T __shfl_up_sync(unsigned, T v, unsigned d) {
  return exchange(v, lane_of() >= d ? lane_of() - d : lane_of());
}
template <class T> static T __shfl_down_sync(unsigned, T v, unsigned d) {
  return exchange(v, lane_of() + d < 32 ? lane_of() + d : lane_of());
}

template <class T, class F> static T change(T *p, F f) {
  T old = *p;
  *p = f(old);
  return old;
}
template <class T> static T atomicAdd(T *p, T x) { return change(p, [=](T o) { return (T)(o + x); }); }
template <class T> static T atomicMin(T *p, T x) { return change(p, [=](T o) { return x < o ? x : o; }); }
template <class T> static T atomicMax(T *p, T x) { return change(p, [=](T o) { return x > o ? x : o; }); }
template <class T> static T atomicAnd(T *p, T x) { return change(p, [=](T o) { return o & x; }); }
template <class T> static T atomicOr(T *p, T x) { return change(p, [=](T o) { return o | x; }); }
template <class T> static T atomicXor(T *p, T x) { return change(p, [=](T o) { return o ^ x; }); }
template <class T> static T atomicExch(T *p, T x) { return change(p, [=](T) { return x; }); }
template <class T> static T atomicCAS(T *p, T old, T x) { return change(p, [=](T o) { return o == old ? x : o; }); }

template <class To, class From> static To bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "");
  To y;
  memcpy(&y, &x, sizeof y);
  return y;
}
static inline unsigned __float_as_uint(float x) { return bits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return bits<float>(x); }
static inline long long __double_as_longlong(double x) { return bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits<double>(x); }
// The GPU's conversions between f16, as its bits, and f32. NaNs are all one.
static inline float emulated_single(unsigned h) {
  int exponent = h >> 10 & 31;
  float a = exponent == 0    ? ldexpf(h & 0x3ff, -24)
            : exponent == 31 ? ((h & 0x3ff) ? NAN : INFINITY)
                             : ldexpf((h & 0x3ff) | 0x400, exponent - 25);
  return copysignf(a, h & 0x8000 ? -1.0f : 1.0f);
}
static inline unsigned short emulated_half(long double x) {
  unsigned sign = signbit(x) ? 0x8000 : 0;
  long double a = fabsl(x);
  if (x != x) return 0x7fff;
  if (a >= 65520) return sign | 0x7c00;
  int exponent = a < 0x1p-14 ? -14 : ilogbl(a);
  unsigned units = (unsigned)nearbyintl(ldexpl(a, 10 - exponent)); // ties to even
  return sign | (units + ((unsigned)(exponent + 14) << 10));     // A carry moves into the exponent.
}
// The GPU's arithmetic on f16: exact sums and products, rounded once. The 64 bits of a long double hold what a product and a sum need.
static_assert(LDBL_MANT_DIG >= 64, "the exact sum of an f16 and a product of two would be rounded");
static inline unsigned short emulated_add_half(unsigned a, unsigned b) { return emulated_half((long double)emulated_single(a) + emulated_single(b)); }
static inline unsigned short emulated_sub_half(unsigned a, unsigned b) { return emulated_half((long double)emulated_single(a) - emulated_single(b)); }
static inline unsigned short emulated_mul_half(unsigned a, unsigned b) { return emulated_half((long double)emulated_single(a) * emulated_single(b)); }
static inline unsigned short emulated_fma_half(unsigned a, unsigned b, unsigned c) {
  return emulated_half((long double)emulated_single(a) * emulated_single(b) + emulated_single(c));
}
static inline int __clz(unsigned a) { return a ? __builtin_clz(a) : 32; }
static inline int __ffs(unsigned a) { return __builtin_ffs(a); }
static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __clzll(unsigned long long a) { return a ? __builtin_clzll(a) : 64; }
static inline int __ffsll(unsigned long long a) { return __builtin_ffsll(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
static inline double cuda_exp10(double x) { return pow(10, x); }
static inline double cuda_sinpi(double x) {
  double r = fmod(x, 2), a = fabs(r);
  return a == 0 || a == 1 ? copysign(0, x) : sin(M_PI * r);
}
static inline double cuda_cospi(double x) {
  double r = fabs(fmod(x, 2));
  return r == 0.5 || r == 1.5 ? 0 : cos(M_PI * r);
}
#define exp10 cuda_exp10
#define sinpi cuda_sinpi
#define cospi cuda_cospi
#define sinpif(x) ((float)cuda_sinpi(x))
#define cospif(x) ((float)cuda_cospi(x))
