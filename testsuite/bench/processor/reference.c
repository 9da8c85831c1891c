// What processor.fut computes, by hand, on some threads: what compiled code of ours is compared with.
//
//	gcc -O3 -march=native -ffp-contract=off -fno-math-errno -pthread -o reference reference.c -lm && ./reference THREADS RUNS [cpu]
//
// prints, for each benchmark, the shortest time of a run in microseconds, how much it does of what bounds it (bytes of memory, with those of
// lines that are read before they are written; operations), what that is, how much of it the same threads do in a microsecond in a loop
// that does nothing else, and a checksum of the result. Inputs are as testsuite/cmd/processor makes them.
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef SHRINK
#define SHRINK 1 // tests run on less data
#endif
enum { N = 10000000 / SHRINK, MAT = 512, BODIES = 2000, SIDE = 1024, MOST_THREADS = 256, ROWS = 8, COLS = 32 };

static int threads;
static uint8_t *bytes, *cells, *next_cells;
static int32_t *ints, *prefixes;
static float *fs, *gs, *out, *a, *b, *c, *x, *y, *z, *mass, *ax, *ay, *az;

// The pool: each worker waits for a job and runs its share, number 0 in the caller.
typedef void (*job_fn)(int64_t first, int64_t end, int worker);
static job_fn job;
static int64_t job_n;
static pthread_barrier_t begin_job, end_job;

static void share(int w) { job(job_n * w / threads, job_n * (w + 1) / threads, w); }

static void *worker(void *arg) {
  for (;;) {
    pthread_barrier_wait(&begin_job);
    share((int)(intptr_t)arg);
    pthread_barrier_wait(&end_job);
  }
  return NULL;
}

static void parallel(job_fn f, int64_t n) {
  job = f;
  job_n = n;
  if (threads > 1) pthread_barrier_wait(&begin_job);
  share(0);
  if (threads > 1) pthread_barrier_wait(&end_job);
}

static int32_t bins[MOST_THREADS][256 + 16], counts[256];
static void count(int64_t first, int64_t end, int w) {
  int32_t own[4][256] = {{0}}; // four, so that a byte need not wait for the one before it
  const uint8_t *restrict from = bytes;
  int64_t i = first;
  for (; i + 8 <= end; i += 8)
    for (int k = 0; k < 8; k++) own[k & 3][from[i + k]]++;
  for (; i < end; i++) own[0][from[i]]++;
  for (int k = 0; k < 256; k++) bins[w][k] = own[0][k] + own[1][k] + own[2][k] + own[3][k];
}
static double histogram(void) {
  parallel(count, N);
  memset(counts, 0, sizeof counts);
  for (int w = 0; w < threads; w++)
    for (int k = 0; k < 256; k++) counts[k] += bins[w][k];
  double sum = 0;
  for (int k = 0; k < 256; k++) sum += (double)k * counts[k];
  return sum;
}

static inline int32_t max32(int32_t p, int32_t q) { return p > q ? p : q; }
typedef struct { int32_t best, left, right, total; char apart[48]; } best_sum;
static best_sum bests[MOST_THREADS];
static best_sum join(best_sum p, best_sum q) {
  best_sum r = {max32(p.best, max32(q.best, p.right + q.left)), max32(p.left, p.total + q.left), max32(q.right, p.right + q.total),
                p.total + q.total, {0}};
  return r;
}
// Some runs of at most RUN elements each are gone through together: else each element waits for the one before it. SIDE elements of each run are
// copied at a time, of which the compiler makes moves of 16 bytes and permutations.
enum { LANES_OF_RUNS = 16, SIDE_OF_RUNS = 4, RUN = 772 };
static void best_of(int64_t first, int64_t end, int w) {
  enum { L = LANES_OF_RUNS, S = SIDE_OF_RUNS };
  best_sum r = {0};
  int64_t i = first, blocks = (end - first) / (L * RUN) + 1, run = (end - first) / (blocks * L * S) * S; // blocks are equal
  for (int64_t b = 0; b < blocks; b++, i += L * run) {
    int32_t best[L] = {0}, left[L] = {0}, right[L] = {0}, total[L] = {0};
    for (int64_t k = 0; k < run; k += S) {
      int32_t x[L * S];
      for (int l = 0; l < L; l++)
        for (int q = 0; q < S; q++) x[l * S + q] = ints[i + l * run + k + q];
      for (int l = 0; l < L; l++)
        for (int q = 0; q < S; q++) {
          int32_t y = x[l * S + q];
          total[l] += y;
          left[l] = max32(left[l], total[l]);
          right[l] = max32(right[l] + y, 0);
          best[l] = max32(best[l], right[l]);
        }
    }
    for (int l = 0; l < L; l++) r = join(r, (best_sum){best[l], left[l], right[l], total[l], {0}});
  }
  for (; i < end; i++) {
    int32_t x = ints[i], y = max32(x, 0);
    r = join(r, (best_sum){y, y, y, x, {0}});
  }
  bests[w] = r;
}
static double mss(void) {
  parallel(best_of, N);
  best_sum r = bests[0];
  for (int w = 1; w < threads; w++) r = join(r, bests[w]);
  return r.best;
}

static double sums[MOST_THREADS][8];
static void dot_share(int64_t first, int64_t end, int w) {
  float lanes[64] = {0}; // C must not reorder sums by itself
  int64_t i = first;
  for (; i + 64 <= end; i += 64)
    for (int l = 0; l < 64; l++) lanes[l] += fs[i + l] * gs[i + l];
  for (; i < end; i++) lanes[0] += fs[i] * gs[i];
  float s = 0;
  for (int l = 0; l < 64; l++) s += lanes[l];
  sums[w][0] = s;
}
static double dot(void) {
  parallel(dot_share, N);
  double s = 0;
  for (int w = 0; w < threads; w++) s += sums[w][0];
  return s;
}

static void saxpy_share(int64_t first, int64_t end, int w) {
  (void)w;
  float *restrict o = out;
  for (int64_t i = first; i < end; i++) o[i] = 2.5f * fs[i] + gs[i];
}
static double saxpy(void) { parallel(saxpy_share, N); return out[N - 1]; }

static int32_t parts[MOST_THREADS][16];
static void sum_share(int64_t first, int64_t end, int w) {
  int32_t s = 0;
  for (int64_t i = first; i < end; i++) s += ints[i];
  parts[w][0] = s;
}
// The elements of a vector are added up in three steps; the sum of those before it is all that the next vector waits for.
enum { LANE = 8 };
typedef int32_t ints_v __attribute__((vector_size(4 * LANE)));
static void scan_share(int64_t first, int64_t end, int w) {
  const ints_v none = {0}, by1 = {8, 0, 1, 2, 3, 4, 5, 6}, by2 = {8, 8, 0, 1, 2, 3, 4, 5}, by4 = {8, 8, 8, 8, 0, 1, 2, 3}, last = {7, 7, 7, 7, 7, 7, 7, 7};
  int32_t s = 0, *restrict to = prefixes;
  const int32_t *restrict from = ints;
  for (int v = 0; v < w; v++) s += parts[v][0];
  ints_v before = none + s;
  int64_t i = first;
  for (; i + LANE <= end; i += LANE) {
    ints_v x;
    memcpy(&x, from + i, sizeof x);
    x += __builtin_shuffle(x, none, by1);
    x += __builtin_shuffle(x, none, by2);
    x += __builtin_shuffle(x, none, by4);
    ints_v sums = x + before;
    memcpy(to + i, &sums, sizeof sums);
    before += __builtin_shuffle(x, last);
  }
  for (s = before[0]; i < end; i++) to[i] = s += from[i];
}
static double scan(void) {
  if (threads > 1) parallel(sum_share, N);
  parallel(scan_share, N);
  return prefixes[N - 1];
}

// Blocks of ROWS x COLS results stay in registers.
static void matmul_share(int64_t first, int64_t end, int w) {
  (void)w;
  for (int64_t j = 0; j < MAT; j += COLS)
    for (int64_t i = first * ROWS; i < end * ROWS; i += ROWS) {
      float acc[ROWS][COLS] = {{0}};
      for (int64_t k = 0; k < MAT; k++)
        for (int r = 0; r < ROWS; r++)
          for (int l = 0; l < COLS; l++) acc[r][l] += a[(i + r) * MAT + k] * b[k * MAT + j + l];
      for (int r = 0; r < ROWS; r++) memcpy(&c[(i + r) * MAT + j], acc[r], sizeof acc[r]);
    }
}
static double matmul(void) { parallel(matmul_share, MAT / ROWS); return c[MAT * MAT - 1]; }

// Bodies are taken by sixteens, which the compiler may vectorise.
enum { GROUP = 16 };
static void nbody_share(int64_t first, int64_t end, int w) {
  (void)w;
  for (int64_t g = first; g < end; g++) {
    float sx[GROUP] = {0}, sy[GROUP] = {0}, sz[GROUP] = {0};
    for (int64_t j = 0; j < BODIES; j++)
      for (int l = 0; l < GROUP; l++) {
        int64_t i = g * GROUP + l;
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i], d = dx * dx + dy * dy + dz * dz + 0.01f;
        float s = mass[j] / (d * sqrtf(d));
        sx[l] += dx * s;
        sy[l] += dy * s;
        sz[l] += dz * s;
      }
    memcpy(ax + g * GROUP, sx, sizeof sx);
    memcpy(ay + g * GROUP, sy, sizeof sy);
    memcpy(az + g * GROUP, sz, sizeof sz);
  }
}
static double nbody(void) { parallel(nbody_share, BODIES / GROUP); return ax[0]; }

static void life_share(int64_t first, int64_t end, int w) {
  (void)w;
  for (int64_t i = first; i < end; i++) {
    const uint8_t *restrict up = cells + (i + SIDE - 1) % SIDE * SIDE, *restrict own = cells + i * SIDE,
                  *restrict down = cells + (i + 1) % SIDE * SIDE;
    uint8_t *restrict to = next_cells + i * SIDE;
#define CELL(j, l, r)                                                                                 \
  do {                                                                                                \
    uint8_t n = up[l] + up[j] + up[r] + own[l] + own[r] + down[l] + down[j] + down[r];                \
    to[j] = (n == 3) | ((n == 2) & (own[j] == 1));                                                    \
  } while (0)
    CELL(0, SIDE - 1, 1);
    for (int64_t j = 1; j < SIDE - 1; j++) CELL(j, j - 1, j + 1);
    CELL(SIDE - 1, SIDE - 2, 0);
  }
}
static double life(void) {
  parallel(life_share, SIDE);
  double n = 0;
  for (int i = 0; i < SIDE; i++) n += next_cells[i];
  return n;
}

// What bounds the benchmarks, by itself. What is computed is kept in sink, or the compiler leaves it out.
static volatile float sink;
enum { REPEAT = 200000 / SHRINK, LANES = 256 };
static float seeds[LANES];
static void read_share(int64_t first, int64_t end, int w) {
  uint32_t s[64] = {0};
  const uint32_t *p = (const uint32_t *)fs, *q = (const uint32_t *)gs;
  for (int64_t i = first; i + 64 <= end; i += 64)
    for (int l = 0; l < 64; l++) s[l] |= p[i + l] ^ q[i + l];
  for (int l = 1; l < 64; l++) s[0] |= s[l];
  parts[w][1] = (int32_t)s[0];
}
static double read_memory(void) { parallel(read_share, N); return 8.0 * N; }
static void copy_share(int64_t first, int64_t end, int w) {
  (void)w;
  float *restrict o = out;
  for (int64_t i = first; i < end; i++) o[i] = fs[i] + 1.0f;
}
static double copy_memory(void) { parallel(copy_share, N); return 12.0 * N; }
static void add_share(int64_t first, int64_t end, int w) {
  (void)first, (void)end, (void)w;
  float acc[LANES];
  memcpy(acc, seeds, sizeof acc);
  for (int k = 0; k < REPEAT / 8; k++)
    for (int l = 0; l < LANES; l++) acc[l] = acc[l] * 0.999f + 0.001f;
  for (int l = 1; l < LANES; l++) acc[0] += acc[l];
  sink = acc[0];
}
static double multiply_adds(void) { parallel(add_share, threads); return 2.0 * LANES * (REPEAT / 8) * threads; }
static void root_share(int64_t first, int64_t end, int w) {
  (void)first, (void)end, (void)w;
  float acc[LANES];
  memcpy(acc, seeds, sizeof acc);
  for (int k = 0; k < REPEAT / 64; k++)
    for (int l = 0; l < LANES; l++) acc[l] = 1.5f / sqrtf(acc[l]);
  for (int l = 1; l < LANES; l++) acc[0] += acc[l];
  sink = acc[0];
}
static double roots(void) { parallel(root_share, threads); return (double)LANES * (REPEAT / 64) * threads; }
static void neighbour_share(int64_t first, int64_t end, int w) {
  (void)w;
  for (int64_t i = first; i < end; i++) {
    const uint8_t *restrict up = cells + (i + SIDE - 1) % SIDE * SIDE, *restrict own = cells + i * SIDE,
                  *restrict down = cells + (i + 1) % SIDE * SIDE;
    uint8_t *restrict to = next_cells + i * SIDE;
    for (int64_t j = 1; j < SIDE - 1; j++)
      to[j] = up[j - 1] ^ up[j] ^ up[j + 1] ^ own[j - 1] ^ own[j] ^ own[j + 1] ^ down[j - 1] ^ down[j] ^ down[j + 1];
  }
}
static double neighbours(void) { parallel(neighbour_share, SIDE); return 1.0 * SIDE * SIDE; }
static volatile uint8_t places[8] = {0, 29, 58, 87, 116, 145, 174, 203};
static void update_share(int64_t first, int64_t end, int w) {
  volatile int32_t t[4][256] = {{0}};
  for (int64_t i = first; i + 8 <= end; i += 8)
    for (int k = 0; k < 8; k++) t[k & 3][places[k]]++;
  parts[w][1] = t[0][0];
}
static double updates(void) { parallel(update_share, N); return N; }

static int cpu_time; // time of the processor, for one thread on a machine that others use

static double now(void) {
  struct timespec t;
  clock_gettime(cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void *mem(size_t n) {
  void *p = aligned_alloc(64, (n + 63) / 64 * 64);
  if (!p) exit(1);
  memset(p, 0, n);
  return p;
}

int main(int argc, char **argv) {
  threads = argc > 1 ? atoi(argv[1]) : 1;
  int runs = argc > 2 ? atoi(argv[2]) : 20;
  cpu_time = argc > 3 && strcmp(argv[3], "cpu") == 0;
  if (threads < 1 || threads > MOST_THREADS || runs < 1) return 1;
  bytes = mem(N), ints = mem(4 * N), prefixes = mem(4 * N), fs = mem(4 * N), gs = mem(4 * N), out = mem(4 * N);
  a = mem(4 * MAT * MAT), b = mem(4 * MAT * MAT), c = mem(4 * MAT * MAT);
  cells = mem(SIDE * SIDE), next_cells = mem(SIDE * SIDE);
  x = mem(4 * BODIES), y = mem(4 * BODIES), z = mem(4 * BODIES), mass = mem(4 * BODIES);
  ax = mem(4 * BODIES), ay = mem(4 * BODIES), az = mem(4 * BODIES);
  for (int64_t i = 0; i < N; i++) {
    uint32_t h = (uint32_t)i * 2654435761u;
    bytes[i] = (uint8_t)(h >> 24), ints[i] = (int32_t)(h >> 16) % 201 - 100;
    fs[i] = (float)(h >> 20) / 4096, gs[i] = (float)(h & 4095) / 4096;
  }
  for (int64_t i = 0; i < MAT * MAT; i++) a[i] = fs[i], b[i] = gs[i];
  for (int64_t i = 0; i < BODIES; i++) x[i] = fs[i], y[i] = gs[i], z[i] = fs[i + BODIES], mass[i] = gs[i + BODIES];
  for (int64_t i = 0; i < SIDE * SIDE; i++) cells[i] = bytes[i % N] & 1;
  pthread_barrier_init(&begin_job, NULL, (unsigned)threads);
  pthread_barrier_init(&end_job, NULL, (unsigned)threads);
  for (int w = 1; w < threads; w++) {
    pthread_t t;
    if (pthread_create(&t, NULL, worker, (void *)(intptr_t)w)) return 1;
  }
  for (int l = 0; l < LANES; l++) seeds[l] = 1 + fs[l] / 4096;
  struct { const char *name; double (*run)(void); } bounds[] = {
    {"memory read", read_memory}, {"memory copied", copy_memory}, {"multiplications and additions", multiply_adds}, {"divisions by roots", roots},
    {"neighbours read", neighbours}, {"updates of places read", updates},
  };
  enum { READ, COPIED, FLOPS, ROOTS, NEIGHBOURS, UPDATES };
  double rates[sizeof bounds / sizeof *bounds];
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; k++) {
    double best = 1e30, amount = 0;
    for (int r = 0; r <= runs; r++) {
      double start = now();
      amount = bounds[k].run();
      double took = now() - start;
      if (took < best) best = took;
    }
    rates[k] = amount / best;
  }
  struct { const char *name; double (*run)(void), amount; int bound; } all[] = {
    {"histogram", histogram, N, UPDATES},
    {"mss", mss, 4.0 * N, READ},
    {"dot", dot, 8.0 * N, READ},
    {"saxpy", saxpy, 16.0 * N, COPIED},
    {"prefixes", scan, 12.0 * N, COPIED},
    {"matmul", matmul, 2.0 * MAT * MAT * MAT, FLOPS},
    {"nbody", nbody, 1.0 * BODIES * BODIES, ROOTS},
    {"life", life, 1.0 * SIDE * SIDE, NEIGHBOURS},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    double best = 1e30, sum = 0;
    for (int r = 0; r <= runs; r++) {
      double start = now();
      sum = all[k].run();
      double took = now() - start;
      if (r > 0 && took < best) best = took;
    }
    printf("%s,%.1f,%.0f,%s,%.1f,%.9g\n", all[k].name, best, all[k].amount, bounds[all[k].bound].name, rates[all[k].bound], sum);
  }
  return 0;
}
