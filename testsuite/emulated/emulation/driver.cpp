// An emulation of NVIDIA's driver, whose GPUs' memory is the process's. Commands are done when they are asked for. $SKALD_EMULATED_GPUS is the
// number of GPUs, one unless set; $SKALD_EMULATED_FAILURES lists calls that fail, as "Init=100 MemAlloc=2"; with $SKALD_EMULATED_BUSY
// set, work does not come to an end; with $SKALD_EMULATED_REPORT set, each launch of a graph is a line on standard error.
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

struct Dim3 {
  unsigned x, y, z;
};

const unsigned mostThreads = 1024;
const size_t stackSize = 512 << 10;

// A thread of the workgroup that runs. Its context begins it; from then on it goes on where it jumped from: swapcontext calls the kernel
// of the system twice, for the mask of signals.
struct Thread {
  ucontext_t context;
  jmp_buf at;
  bool begun, done, waits; // at a barrier of the workgroup
};

// A loaded kernel; meets says that it has barriers.
struct Module {
  void *library;
  void (*launch)(void **);
  const size_t *sizes; // Of the arguments, up to a zero.
  bool meets;
};

extern "C" {
Dim3 emulated_thread, emulated_block, emulated_threads, emulated_blocks;
unsigned char *emulated_shared;
}

static Thread threads[mostThreads];
static jmp_buf scheduler;
static unsigned current;          // The thread that runs.
static uint64_t slots[mostThreads]; // What the lanes of warps exchange.
static unsigned round_;           // How often all threads have met.
static int any[3];                // The disjunctions of this round, the one before, and the next.
static Module *running;
static void **arguments;

static void threadBody() {
  running->launch(arguments);
  threads[current].done = true;
  _longjmp(scheduler, 1);
}

extern "C" {
void emulated_step() {
  if (!_setjmp(threads[current].at)) _longjmp(scheduler, 1);
}

void emulated_barrier() {
  threads[current].waits = true;
  emulated_step();
}

int emulated_any(int condition) {
  unsigned at = round_ % 3;
  any[at] |= condition != 0;
  emulated_barrier();
  return any[at];
}

uint64_t *emulated_slots() { return slots; }
}

// runBlock runs one workgroup whose threads meet: each up to where it waits next in turn, until all are done. Barriers of the workgroup open
// when all have come there.
static void runBlock(unsigned count) {
  static char *stacks = (char *)malloc(stackSize * mostThreads);
  for (unsigned t = 0; t < count; t++) {
    ucontext_t *c = &threads[t].context;
    getcontext(c);
    c->uc_stack.ss_sp = stacks + stackSize * t;
    c->uc_stack.ss_size = stackSize;
    c->uc_link = nullptr;
    makecontext(c, threadBody, 0);
    threads[t].begun = threads[t].done = threads[t].waits = false;
  }
  round_ = 0;
  any[0] = 0;
  static unsigned alive, waiting, t; // Jumps keep no variables in registers.
  for (alive = count, waiting = 0; alive > 0;) {
    if (waiting == alive) {
      round_++;
      any[round_ % 3] = 0;
      for (t = 0; t < count; t++) threads[t].waits = false;
    }
    waiting = 0;
    for (t = 0; t < count; t++) {
      if (threads[t].done) continue;
      if (threads[t].waits) {
        waiting++;
        continue;
      }
      current = t;
      emulated_thread = {t, 0, 0};
      if (!_setjmp(scheduler)) {
        if (threads[t].begun) _longjmp(threads[t].at, 1);
        threads[t].begun = true;
        setcontext(&threads[t].context);
      }
      alive -= threads[t].done;
      waiting += threads[t].waits && !threads[t].done;
    }
  }
}

static void runGrid(Module *m, Dim3 blocks, unsigned count, unsigned shared, void **args) {
  std::vector<unsigned char> memory(shared + 64, 0xab);
  emulated_shared = (unsigned char *)(((uintptr_t)memory.data() + 63) & ~(uintptr_t)63);
  emulated_blocks = blocks, emulated_threads = {count, 1, 1};
  running = m, arguments = args;
  for (unsigned y = 0; y < blocks.y; y++) {
    for (unsigned x = 0; x < blocks.x; x++) {
      emulated_block = {x, y, 0};
      for (unsigned t = 0; t < count && !m->meets; t++) {
        emulated_thread = {t, 0, 0};
        m->launch(args);
      }
      if (m->meets) runBlock(count);
    }
  }
}

// onWorker runs work on a thread of its own, without signals: the caller's stack is not one to leave.
static void onWorker(const std::function<void()> &work) {
  static std::mutex callers, lock;
  static std::condition_variable changed;
  static const std::function<void()> *job;
  static bool started;
  std::lock_guard<std::mutex> one(callers);
  std::unique_lock<std::mutex> held(lock);
  if (!started) {
    started = true;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 20);
    pthread_t thread;
    pthread_create(&thread, &attributes, [](void *) -> void * {
      std::unique_lock<std::mutex> held(lock);
      for (;;) {
        changed.wait(held, [] { return job != nullptr; });
        (*job)();
        job = nullptr;
        changed.notify_all();
      }
    }, nullptr);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  job = &work;
  changed.notify_all();
  changed.wait(held, [] { return job == nullptr; });
}

// Numbers of CUdevice_attribute, with what a GPU like many has.
static int attribute(int number) {
  switch (number) {
  case 1: case 2: case 3: return mostThreads; // threads of a workgroup
  case 4: return 64;
  case 5: return 0x7fffffff; // workgroups
  case 6: case 7: return 65535;
  case 8: return 48 << 10; // workgroup memory
  case 97: return 227 << 10;
  case 16: return 4; // multiprocessors
  case 75: return 9; // compute capability
  default: return 0;
  }
}

// allocate returns memory that is full of nonsense.
static void *allocate(size_t size) {
  void *p = aligned_alloc(256, (size + 255) & ~(size_t)255);
  if (p) memset(p, 0xcd, size);
  return p;
}

#define CALL(name, ...) extern "C" int cu##name(__VA_ARGS__)
const int invalidValue = 1, outOfMemory = 2, invalidImage = 200, noBinary = 209, notReady = 600;

// failing is the status that a call is to give.
static int failing(const char *call) {
  const char *list = getenv("SKALD_EMULATED_FAILURES");
  const char *at = list ? strstr(list, call) : nullptr;
  return at && at[strlen(call)] == '=' ? atoi(at + strlen(call) + 1) : 0;
}

static bool busy() { return getenv("SKALD_EMULATED_BUSY") != nullptr; }

// wait waits for the work.
static int wait() {
  while (busy()) sleep(1);
  return 0;
}

CALL(Init, unsigned) { return failing("Init"); }
CALL(DriverGetVersion, int *v) { return *v = 12090, 0; }
CALL(DeviceGetCount, int *n) {
  const char *gpus = getenv("SKALD_EMULATED_GPUS");
  return *n = gpus ? atoi(gpus) : 1, 0;
}
CALL(DeviceGet, int *d, int number) { return *d = number, 0; }
CALL(DeviceGetName, char *to, int n, int number) { return snprintf(to, n, "emulated GPU %d", number), 0; }
CALL(DeviceGetAttribute, int *v, int number, int) { return *v = attribute(number), 0; }
CALL(DeviceTotalMem_v2, size_t *n, int) { return *n = (size_t)32 << 30, 0; }
CALL(GetErrorName, int, const char **s) { return *s = "EMULATED", 0; }
CALL(GetErrorString, int, const char **s) { return *s = "the emulated driver failed", 0; }
CALL(DevicePrimaryCtxRetain, uintptr_t *c, int number) { return *c = number + 1, failing("DevicePrimaryCtxRetain"); }
CALL(DevicePrimaryCtxRelease_v2, int) { return 0; }
CALL(CtxSetCurrent, uintptr_t) { return 0; }
CALL(StreamCreate, uintptr_t *s, unsigned) { return *s = 1, 0; }
CALL(StreamSynchronize, uintptr_t) { return wait(); }
CALL(StreamQuery, uintptr_t) { return busy() ? notReady : 0; }
CALL(StreamDestroy_v2, uintptr_t) { return 0; }
CALL(EventCreate, uintptr_t *e, unsigned) { return *e = 1, 0; }
CALL(EventRecord, uintptr_t, uintptr_t) { return 0; }
CALL(EventQuery, uintptr_t) { return busy() ? notReady : 0; }
CALL(EventSynchronize, uintptr_t) { return wait(); }
CALL(EventElapsedTime, float *ms, uintptr_t, uintptr_t) { return *ms = 0, 0; }
CALL(EventDestroy_v2, uintptr_t) { return 0; }
CALL(MemAlloc_v2, void **p, size_t n) {
  if (int status = failing("MemAlloc")) return status;
  return (*p = allocate(n)) ? 0 : outOfMemory;
}
CALL(MemFree_v2, void *p) { return free(p), 0; }
CALL(MemAllocHost_v2, void **p, size_t n) { return (*p = allocate(n)) ? 0 : outOfMemory; }
CALL(MemFreeHost, void *p) { return free(p), 0; }
CALL(MemcpyHtoDAsync_v2, void *to, void *from, size_t n, uintptr_t) { return memmove(to, from, n), 0; }
CALL(MemcpyDtoHAsync_v2, void *to, void *from, size_t n, uintptr_t) { return memmove(to, from, n), 0; }
CALL(MemcpyDtoDAsync_v2, void *to, void *from, size_t n, uintptr_t) { return memmove(to, from, n), 0; }
CALL(MemsetD32Async, uint32_t *to, uint32_t word, size_t n, uintptr_t) {
  for (size_t i = 0; i < n; i++) to[i] = word;
  return 0;
}
CALL(ModuleLoadData, Module **m, const char *image) {
  if (int status = failing("ModuleLoadData")) return status;
  const char mark[] = "emulated:sm_90:"; // as nvrtcCompileProgram writes it
  char *path = nullptr;
  bool known = strncmp(image, mark, sizeof mark - 1) == 0, foreign = !known || strtol(image + sizeof mark - 1, &path, 10) != getpid();
  if (foreign) {
    if (int status = failing("ForeignModule")) return status; // made by another process
  }
  if (strncmp(image, mark, 9) != 0) return invalidImage;
  if (!known || *path != ':') return noBinary;
  void *library = dlopen(path + 1, RTLD_NOW);
  if (!library) return invalidImage;
  *m = new Module{library, (void (*)(void **))dlsym(library, "emulated_launch"),
                  ((const size_t *(*)())dlsym(library, "emulated_sizes"))(), *(int *)dlsym(library, "emulated_meets") != 0};
  return 0;
}
CALL(ModuleGetFunction, Module **f, Module *m, const char *) { return *f = m, 0; }
CALL(ModuleUnload, Module *m) { return dlclose(m->library), delete m, 0; }
CALL(FuncSetAttribute, Module *, int, int) { return 0; }
CALL(LaunchKernel, Module *m, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned, unsigned, unsigned shared, uintptr_t,
     void **args, void **) {
  onWorker([&] { runGrid(m, {gx, gy, gz}, bx, shared, args); });
  return 0;
}

// A node of a graph, as CUDA_KERNEL_NODE_PARAMS, with a copy of its arguments.
struct NodeParams {
  Module *kernel;
  Dim3 blocks, threads;
  unsigned shared;
  void **args, **extra;
};
struct Node {
  NodeParams params;
  std::vector<std::vector<char>> values;

  void set(const NodeParams *p) {
    params = *p;
    values.clear();
    for (size_t i = 0; p->kernel->sizes[i]; i++) values.emplace_back((char *)p->args[i], (char *)p->args[i] + p->kernel->sizes[i]);
  }
};
typedef std::vector<Node *> Graph; // A chain, which is its own executable.

CALL(GraphCreate, Graph **g, unsigned) {
  if (int status = failing("GraphCreate")) return status;
  return *g = new Graph, 0;
}
CALL(GraphAddKernelNode, Node **n, Graph *g, Node **before, size_t count, const NodeParams *p) {
  if (count != (g->empty() ? 0 : 1) || (count && *before != g->back())) return invalidValue;
  g->push_back(*n = new Node);
  return (*n)->set(p), 0;
}
CALL(GraphInstantiateWithFlags, Graph **to, Graph *g, unsigned long long) { return *to = g, failing("GraphInstantiate"); }
CALL(GraphExecKernelNodeSetParams, Graph *, Node *n, const NodeParams *p) {
  if (int status = failing("GraphExecKernelNodeSetParams")) return status;
  return n->set(p), 0;
}
CALL(GraphLaunch, Graph *g, uintptr_t) {
  if (int status = failing("GraphLaunch")) return status;
  if (getenv("SKALD_EMULATED_REPORT")) fprintf(stderr, "a graph of %zu launches\n", g->size());
  for (Node *n : *g) {
    std::vector<void *> args;
    for (auto &v : n->values) args.push_back(v.data());
    onWorker([&] { runGrid(n->params.kernel, n->params.blocks, n->params.threads.x, n->params.shared, args.data()); });
  }
  return 0;
}
CALL(GraphExecDestroy, Graph *) { return 0; }
CALL(GraphDestroy, Graph *g) {
  for (Node *n : *g) delete n;
  return delete g, 0;
}
