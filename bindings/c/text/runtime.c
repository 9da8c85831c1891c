// What every library has: starting the program as a process of its own, and talking to it.
//
// The program is a server: it reads commands from a socket and answers there. Arrays go through one file without a name, which the process
// inherits as number 3. So nothing is left when either of the two ends, however it does.

#define SKALD_FILE "/dev/fd/3"
#define SKALD_USED __attribute__((unused)) // not by every program

enum { SKALD_FILE_NUMBER = 3, SKALD_EXE_NUMBER = 4 };

struct skald_value {
  uint64_t id;
  int rank;
  int shaped;
  int64_t shape[];
};

// A value that a command takes: a scalar, if it has a type, or else a variable.
struct skald_in {
  const char *scalar;
  const void *place;
};

// A value that a command makes.
struct skald_out {
  const char *scalar;
  int rank;
  void *place;
};

struct skald_text {
  char *at;
  size_t used, size;
};

struct skald_param {
  char *name;
  size_t value;
  struct skald_param *next;
};

struct futhark_context_config {
  int debugging, profiling, logging, threads;
  char *device, *cache_file;
  struct skald_param *params;
};

struct futhark_context {
  struct futhark_context_config *cfg;
  pthread_mutex_t lock;
  pid_t pid;
  int socket, file;
  uint64_t made;
  char *error;
  struct skald_text command, answer, unused;
  char received[4096];
  size_t received_used, received_size;
};

// Texts.

static int skald_add_bytes(struct skald_text *t, const char *s, size_t n) {
  if (t->used + n + 1 > t->size) {
    size_t size = 2 * (t->used + n + 64);
    char *at = realloc(t->at, size);
    if (at == NULL) {
      return 1;
    }
    t->at = at;
    t->size = size;
  }
  memcpy(t->at + t->used, s, n);
  t->used += n;
  t->at[t->used] = 0;
  return 0;
}

static int skald_add(struct skald_text *t, const char *s) {
  return skald_add_bytes(t, s, strlen(s));
}

static int skald_add_int(struct skald_text *t, int64_t n) {
  char digits[32];
  snprintf(digits, sizeof digits, " %lld", (long long)n);
  return skald_add(t, digits);
}

static int skald_add_variable(struct skald_text *t, uint64_t id) {
  char name[32];
  snprintf(name, sizeof name, " v%llu", (unsigned long long)id);
  return skald_add(t, name);
}

// Errors. The one that came first stays until it is asked for.

static int skald_fail(struct futhark_context *ctx, int code, const char *text) {
  if (ctx->error == NULL) {
    ctx->error = strdup(text);
  }
  return code;
}

static int skald_fail_errno(struct futhark_context *ctx, const char *what) {
  char text[512];
  snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
  return skald_fail(ctx, 1, text);
}

// Inflate: what the program is compressed with, as RFC 1951 has it.

struct skald_inflate {
  const char *in; // base64
  uint32_t bits;
  int count;
  unsigned char *out;
  size_t used, size;
  uint32_t quad;
  int quads;
};

static int skald_base64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

static int skald_byte(struct skald_inflate *s) {
  if (s->quads == 0) {
    s->quad = 0;
    for (int i = 0; i < 4; i++) {
      int digit = *s->in == 0 ? -1 : skald_base64(*s->in++);
      s->quad = s->quad << 6 | (digit < 0 ? 0 : (uint32_t)digit);
    }
    s->quads = 3;
  }
  s->quads--;
  return s->quad >> 8 * s->quads & 255;
}

static uint32_t skald_bits(struct skald_inflate *s, int n) {
  while (s->count < n) {
    s->bits |= (uint32_t)skald_byte(s) << s->count;
    s->count += 8;
  }
  uint32_t v = s->bits & ((1u << n) - 1);
  s->bits >>= n;
  s->count -= n;
  return v;
}

struct skald_code {
  short count[16], symbol[288];
};

static void skald_make_code(struct skald_code *c, const unsigned char *lengths, int n) {
  short next[16] = {0};
  memset(c->count, 0, sizeof c->count);
  for (int i = 0; i < n; i++) c->count[lengths[i]]++;
  c->count[0] = 0;
  for (int i = 1; i < 15; i++) next[i + 1] = next[i] + c->count[i];
  for (int i = 0; i < n; i++) {
    if (lengths[i] != 0) c->symbol[next[lengths[i]]++] = (short)i;
  }
}

static int skald_symbol(struct skald_inflate *s, const struct skald_code *c) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length < 16; length++) {
    code |= (int)skald_bits(s, 1);
    if (code - first < c->count[length]) return c->symbol[index + code - first];
    index += c->count[length];
    first = (first + c->count[length]) << 1;
    code <<= 1;
  }
  return -1;
}

static int skald_block(struct skald_inflate *s, const struct skald_code *lengths, const struct skald_code *distances) {
  static const short base[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const short more[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const short far[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  static const short farther[] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
  for (;;) {
    int symbol = skald_symbol(s, lengths);
    if (symbol < 0 || symbol > 285) return 1;
    if (symbol == 256) return 0;
    if (symbol < 256) {
      if (s->used == s->size) return 1;
      s->out[s->used++] = (unsigned char)symbol;
      continue;
    }
    size_t n = (size_t)base[symbol - 257] + skald_bits(s, more[symbol - 257]);
    int d = skald_symbol(s, distances);
    if (d < 0 || d > 29) return 1;
    size_t back = (size_t)far[d] + skald_bits(s, farther[d]);
    if (back > s->used || n > s->size - s->used) return 1;
    for (; n > 0; n--, s->used++) s->out[s->used] = s->out[s->used - back];
  }
}

static int skald_dynamic(struct skald_inflate *s) {
  static const unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned char all[320] = {0};
  struct skald_code lengths, distances;
  int literals = (int)skald_bits(s, 5) + 257, fars = (int)skald_bits(s, 5) + 1, codes = (int)skald_bits(s, 4) + 4;
  for (int i = 0; i < codes; i++) all[order[i]] = (unsigned char)skald_bits(s, 3);
  skald_make_code(&lengths, all, 19);
  for (int i = 0; i < literals + fars;) {
    int symbol = skald_symbol(s, &lengths), times = 1, length = symbol;
    if (symbol < 0) return 1;
    if (symbol == 16) {
      if (i == 0) return 1;
      length = all[i - 1];
      times = 3 + (int)skald_bits(s, 2);
    } else if (symbol >= 17) {
      length = 0;
      times = symbol == 17 ? 3 + (int)skald_bits(s, 3) : 11 + (int)skald_bits(s, 7);
    }
    if (i + times > literals + fars) return 1;
    for (; times > 0; times--) all[i++] = (unsigned char)length;
  }
  skald_make_code(&distances, all + literals, fars);
  skald_make_code(&lengths, all, literals);
  return skald_block(s, &lengths, &distances);
}

static int skald_fixed(struct skald_inflate *s) {
  unsigned char all[288];
  struct skald_code lengths, distances;
  for (int i = 0; i < 288; i++) all[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  skald_make_code(&lengths, all, 288);
  memset(all, 5, 30);
  skald_make_code(&distances, all, 30);
  return skald_block(s, &lengths, &distances);
}

static int skald_stored(struct skald_inflate *s) {
  s->bits = 0;
  s->count = 0;
  uint32_t n = skald_bits(s, 16);
  skald_bits(s, 16);
  if (n > s->size - s->used) return 1;
  for (; n > 0; n--) s->out[s->used++] = (unsigned char)skald_bits(s, 8);
  return 0;
}

// skald_unpack returns the program's executable, which the caller frees; NULL if memory does not suffice.
static unsigned char *skald_unpack(void) {
  struct skald_inflate s = {.in = skald_program, .size = SKALD_PROGRAM_SIZE};
  s.out = malloc(s.size);
  int last = s.out == NULL, bad = last;
  while (!last && !bad) {
    last = (int)skald_bits(&s, 1);
    switch (skald_bits(&s, 2)) {
    case 0: bad = skald_stored(&s); break;
    case 1: bad = skald_fixed(&s); break;
    case 2: bad = skald_dynamic(&s); break;
    default: bad = 1;
    }
  }
  if (bad || s.used != s.size) {
    free(s.out);
    return NULL;
  }
  return s.out;
}

// Files.

static int skald_write_all(int fd, const unsigned char *data, size_t n) {
  while (n > 0) {
    ssize_t m = write(fd, data, n);
    if (m < 0 && errno == EINTR) continue;
    if (m <= 0) return 1;
    data += m;
    n -= (size_t)m;
  }
  return 0;
}

// skald_temporary makes a file in a folder for such.
static int skald_temporary(char *path, size_t size) {
  const char *folders[] = {getenv("TMPDIR"), "/dev/shm", "/tmp", "."};
  for (int i = 0; i < 4; i++) {
    if (folders[i] == NULL || folders[i][0] == 0) continue;
    snprintf(path, size, "%s/skald-XXXXXX", folders[i]);
    int fd = mkstemp(path);
    if (fd >= 0) {
      fcntl(fd, F_SETFD, FD_CLOEXEC);
      return fd;
    }
  }
  return -1;
}

// skald_nameless makes a file without a name, in memory if that can be.
static int skald_nameless(void) {
#ifdef SYS_memfd_create
  int made = (int)syscall(SYS_memfd_create, "skald", 1u);
  if (made >= 0) return made;
#endif
  char path[4096];
  int fd = skald_temporary(path, sizeof path);
  if (fd >= 0) unlink(path);
  return fd;
}

// The process.

static void skald_exec(struct futhark_context *ctx, int socket, int exe, const char *path, char **argv, char **env) {
  // Between fork and exec nothing may allocate. Numbers are moved out of the way first.
  (void)exe;
  int to = fcntl(socket, F_DUPFD, 10), file = fcntl(ctx->file, F_DUPFD, 10);
  if (to < 0 || file < 0) _exit(126);
#ifdef SYS_memfd_create
  int program = exe < 0 ? -1 : fcntl(exe, F_DUPFD, 10);
  if (exe >= 0 && program < 0) _exit(126);
#endif
  setpgid(0, 0); // ^C is for the caller; when that ends, the socket is closed.
  signal(SIGPIPE, SIG_DFL);
  dup2(to, 0);
  dup2(to, 1);
  dup2(file, SKALD_FILE_NUMBER);
#ifdef SYS_memfd_create
  if (program >= 0) {
    dup2(program, SKALD_EXE_NUMBER);
    fcntl(SKALD_EXE_NUMBER, F_SETFD, FD_CLOEXEC);
  }
#endif
  long most = sysconf(_SC_OPEN_MAX);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 5u, ~0u, 0u) == 0) most = 0;
#endif
  for (int fd = 5; fd < most && fd < 65536; fd++) close(fd);
#ifdef SYS_memfd_create
  if (program >= 0) fexecve(SKALD_EXE_NUMBER, argv, env);
#endif
  if (path[0] != 0) execve(path, argv, env);
  _exit(126);
}

// skald_receive waits for more of an answer.
static int skald_receive(struct futhark_context *ctx) {
  for (;;) {
    ssize_t n = recv(ctx->socket, ctx->received, sizeof ctx->received, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 1;
    ctx->received_used = 0;
    ctx->received_size = (size_t)n;
    return 0;
  }
}

// skald_line reads a line of an answer to the end of text.
static int skald_line(struct futhark_context *ctx, struct skald_text *text) {
  for (;;) {
    if (ctx->received_used == ctx->received_size && skald_receive(ctx) != 0) return 1;
    char *from = ctx->received + ctx->received_used;
    size_t n = ctx->received_size - ctx->received_used;
    char *end = memchr(from, '\n', n);
    if (end != NULL) n = (size_t)(end - from) + 1;
    ctx->received_used += n;
    if (skald_add_bytes(text, from, n) != 0) return 1;
    if (end != NULL) return 0;
  }
}

// skald_answer reads an answer. It returns 0 if the command succeeded, 1 if it failed, when the text is the message, and 2 if the process is gone.
static int skald_answer(struct futhark_context *ctx) {
  int failed = 0;
  ctx->answer.used = 0;
  for (;;) {
    size_t start = ctx->answer.used;
    if (skald_line(ctx, &ctx->answer) != 0) return 2;
    const char *line = ctx->answer.at + start;
    if (strcmp(line, "%%% OK\n") == 0) {
      ctx->answer.used = start;
      ctx->answer.at[start] = 0;
      return failed;
    }
    if (strcmp(line, "%%% FAILURE\n") == 0) {
      failed = 1;
      ctx->answer.used = 0;
    } else if (strncmp(line, "runtime: ", 9) == 0) {
      ctx->answer.used = start;
    }
  }
}

// skald_start_message makes what the process said last, if it said anything, the error: why it could not start.
static void skald_start_message(struct futhark_context *ctx) {
  while (ctx->answer.used > 0 && ctx->answer.at[ctx->answer.used - 1] == '\n') ctx->answer.at[--ctx->answer.used] = 0;
  if (ctx->answer.used > 0) skald_fail(ctx, 1, ctx->answer.at);
  ctx->answer.used = 0;
}

// skald_gone says why the process ended.
static int skald_gone(struct futhark_context *ctx) {
  char text[256];
  int status = 0;
  skald_start_message(ctx);
  if (ctx->pid > 0 && waitpid(ctx->pid, &status, 0) == ctx->pid) {
    ctx->pid = 0;
    if (WIFSIGNALED(status)) {
      snprintf(text, sizeof text, "the process of the program was ended by signal %d", WTERMSIG(status));
    } else {
      snprintf(text, sizeof text, "the process of the program ended with exit code %d; standard error says why", WEXITSTATUS(status));
    }
    return skald_fail(ctx, 1, text);
  }
  return skald_fail(ctx, 1, "the process of the program has ended");
}

static int skald_send(struct futhark_context *ctx, const char *text, size_t n) {
#ifdef MSG_NOSIGNAL
  int flags = MSG_NOSIGNAL;
#else
  int flags = 0;
#endif
  while (n > 0) {
    ssize_t m = send(ctx->socket, text, n, flags);
    if (m < 0 && errno == EINTR) continue;
    if (m <= 0) return 1;
    text += m;
    n -= (size_t)m;
  }
  return 0;
}

// skald_command sends a command and waits for the answer. code is the status of its failure.
static int skald_command(struct futhark_context *ctx, struct skald_text *command, int code) {
  if (ctx->pid <= 0) return skald_fail(ctx, 1, "the process of the program has ended");
  if (skald_add(command, "\n") != 0) return skald_fail(ctx, FUTHARK_OUT_OF_MEMORY, "out of memory");
  if (skald_send(ctx, command->at, command->used) != 0) return skald_gone(ctx);
  switch (skald_answer(ctx)) {
  case 0: return 0;
  case 2: return skald_gone(ctx);
  }
  while (ctx->answer.used > 0 && ctx->answer.at[ctx->answer.used - 1] == '\n') ctx->answer.at[--ctx->answer.used] = 0;
  if (strstr(ctx->answer.at, "out of memory") != NULL) code = FUTHARK_OUT_OF_MEMORY;
  return skald_fail(ctx, code, ctx->answer.at);
}

// skald_free_unused frees the variables that are not needed any more: with the next command, so that none is sent for each.
static int skald_free_unused(struct futhark_context *ctx) {
  if (ctx->unused.used == 0) return 0;
  int err = skald_command(ctx, &ctx->unused, 1);
  ctx->unused.used = 0;
  return err;
}

static void skald_unuse(struct futhark_context *ctx, uint64_t id) {
  int bad = ctx->unused.used == 0 && skald_add(&ctx->unused, "free") != 0;
  if (bad || skald_add_variable(&ctx->unused, id) != 0) skald_fail(ctx, 1, "out of memory");
}

// skald_begin begins a command.
static struct skald_text *skald_begin(struct futhark_context *ctx, const char *head) {
  ctx->command.used = 0;
  skald_add(&ctx->command, head);
  return &ctx->command;
}

// Values in the binary format.

static int64_t skald_size(const char *elem) {
  if (strcmp(elem, "bool") == 0 || elem[1] == '8') return 1;
  return elem[1] == '1' ? 2 : elem[1] == '3' ? 4 : 8;
}

static size_t skald_header(unsigned char *to, const char *elem, int rank, const int64_t *shape) {
  to[0] = 'b';
  to[1] = 2;
  to[2] = (unsigned char)rank;
  memset(to + 3, ' ', 4);
  memcpy(to + 7 - strlen(elem), elem, strlen(elem));
  for (int i = 0; i < rank; i++) {
    for (int j = 0; j < 8; j++) to[7 + 8 * i + j] = (unsigned char)((uint64_t)shape[i] >> 8 * j);
  }
  return (size_t)(7 + 8 * rank);
}

// skald_map maps the file. With a size it gets that first.
static unsigned char *skald_map(struct futhark_context *ctx, size_t *size, int resize) {
  struct stat info;
  if (resize && ftruncate(ctx->file, (off_t)*size) != 0) {
    skald_fail_errno(ctx, "cannot make room for values");
    return NULL;
  }
  if (!resize) {
    if (fstat(ctx->file, &info) != 0) {
      skald_fail_errno(ctx, "cannot read values");
      return NULL;
    }
    *size = (size_t)info.st_size;
  }
  void *at = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, ctx->file, 0);
  if (at == MAP_FAILED) {
    skald_fail_errno(ctx, "cannot map values");
    return NULL;
  }
  return at;
}

// skald_pass_scalars makes variables of the scalars among values, and adds the names of all to a command.
static int skald_pass(struct futhark_context *ctx, struct skald_text *command, const struct skald_in *ins, int n) {
  size_t size = 0;
  for (int i = 0; i < n; i++) {
    if (ins[i].scalar != NULL) size += 7 + (size_t)skald_size(ins[i].scalar);
  }
  uint64_t first = ctx->made;
  if (size > 0) {
    unsigned char *at = skald_map(ctx, &size, 1), *to = at;
    if (at == NULL) return 1;
    struct skald_text restore = {0};
    skald_add(&restore, "restore " SKALD_FILE);
    for (int i = 0; i < n; i++) {
      if (ins[i].scalar == NULL) continue;
      to += skald_header(to, ins[i].scalar, 0, NULL);
      memcpy(to, ins[i].place, (size_t)skald_size(ins[i].scalar));
      to += skald_size(ins[i].scalar);
      skald_add_variable(&restore, ctx->made++);
      skald_add(&restore, " ");
      skald_add(&restore, ins[i].scalar);
    }
    munmap(at, size);
    int err = skald_command(ctx, &restore, 1);
    free(restore.at);
    if (err != 0) return err;
  }
  for (int i = 0; i < n; i++) {
    if (ins[i].scalar == NULL) {
      skald_add_variable(command, ((const struct skald_value *)ins[i].place)->id);
    } else {
      skald_unuse(ctx, first);
      skald_add_variable(command, first++);
    }
  }
  return 0;
}

// skald_take hands a result to the caller.
static int skald_take(struct futhark_context *ctx, uint64_t id, struct skald_out out) {
  if (out.scalar == NULL) {
    struct skald_value *v = calloc(1, sizeof *v + (size_t)out.rank * sizeof(int64_t));
    if (v == NULL) {
      skald_unuse(ctx, id);
      return skald_fail(ctx, FUTHARK_OUT_OF_MEMORY, "out of memory");
    }
    v->id = id;
    v->rank = out.rank;
    memcpy(out.place, &v, sizeof v);
    return 0;
  }
  struct skald_text *c = skald_begin(ctx, "store " SKALD_FILE);
  skald_add_variable(c, id);
  int err = skald_command(ctx, c, 1);
  skald_unuse(ctx, id);
  if (err != 0) return err;
  size_t size;
  unsigned char *at = skald_map(ctx, &size, 0);
  if (at == NULL) return 1;
  memcpy(out.place, at + 7, (size_t)skald_size(out.scalar));
  munmap(at, size);
  return 0;
}

// skald_do carries out a command that takes and makes values: head, the names of the new variables, middle, the names of ins, the numbers, tail. With last
// set the new variables come last. code is the status of a failure.
struct skald_do {
  int code;
  const char *head, *middle, *tail;
  int last;
  struct skald_out *outs;
  int num_outs;
  const struct skald_in *ins;
  int num_ins;
  const int64_t *numbers; // behind middle for new arrays, behind ins for indices
  int num_numbers, numbers_first;
};

static int skald_do_locked(struct futhark_context *ctx, struct skald_do d) {
  int err = skald_free_unused(ctx);
  if (err != 0) return err;
  struct skald_text passed = {0};
  err = skald_pass(ctx, &passed, d.ins, d.num_ins);
  uint64_t first = ctx->made;
  ctx->made += (uint64_t)d.num_outs;
  struct skald_text *c = skald_begin(ctx, d.head);
  for (int i = 0; i < d.num_outs && !d.last; i++) skald_add_variable(c, first + (uint64_t)i);
  skald_add(c, d.middle);
  for (int i = 0; i < d.num_numbers && d.numbers_first; i++) skald_add_int(c, d.numbers[i]);
  if (passed.used > 0) skald_add(c, passed.at);
  for (int i = 0; i < d.num_numbers && !d.numbers_first; i++) skald_add_int(c, d.numbers[i]);
  skald_add(c, d.tail);
  for (int i = 0; i < d.num_outs && d.last; i++) skald_add_variable(c, first + (uint64_t)i);
  free(passed.at);
  if (err == 0) err = skald_command(ctx, c, d.code);
  for (int i = 0; i < d.num_outs && err == 0; i++) err = skald_take(ctx, first + (uint64_t)i, d.outs[i]);
  return err;
}

SKALD_USED static int skald_do(struct futhark_context *ctx, struct skald_do d) {
  pthread_mutex_lock(&ctx->lock);
  int err = skald_do_locked(ctx, d);
  pthread_mutex_unlock(&ctx->lock);
  return err;
}

// skald_new makes a variable of what is in a file of so many bytes, which is mapped.
static int skald_restore(struct futhark_context *ctx, const char *type, int rank, void *place) {
  struct skald_out out = {NULL, rank, place};
  uint64_t id = ctx->made++;
  struct skald_text *c = skald_begin(ctx, "restore " SKALD_FILE);
  skald_add_variable(c, id);
  skald_add(c, " \"");
  skald_add(c, type);
  skald_add(c, "\"");
  int err = skald_command(ctx, c, 1);
  return err != 0 ? err : skald_take(ctx, id, out);
}

SKALD_USED static void *skald_new_array(struct futhark_context *ctx, const char *type, const char *elem, int rank, const int64_t *shape, const void *data) {
  struct skald_value *made = NULL;
  size_t bytes = (size_t)skald_size(elem);
  for (int i = 0; i < rank; i++) {
    if (shape[i] < 0 || (shape[i] > 0 && bytes > SIZE_MAX / 4 / (size_t)shape[i])) {
      skald_fail(ctx, 1, "an array cannot have this shape");
      return NULL;
    }
    bytes *= (size_t)shape[i];
  }
  pthread_mutex_lock(&ctx->lock);
  size_t size = bytes + 7 + 8 * (size_t)rank;
  unsigned char *at = skald_free_unused(ctx) != 0 ? NULL : skald_map(ctx, &size, 1);
  if (at != NULL) {
    size_t n = skald_header(at, elem, rank, shape);
    if (bytes > 0) memcpy(at + n, data, bytes);
    munmap(at, size);
    if (skald_restore(ctx, type, rank, &made) == 0) {
      memcpy(made->shape, shape, (size_t)rank * sizeof *shape);
      made->shaped = 1;
    }
  }
  pthread_mutex_unlock(&ctx->lock);
  return made;
}

// skald_store puts a variable into the file, and maps that.
static unsigned char *skald_store(struct futhark_context *ctx, const struct skald_value *v, size_t *size) {
  if (skald_free_unused(ctx) != 0) return NULL;
  struct skald_text *c = skald_begin(ctx, "store " SKALD_FILE);
  skald_add_variable(c, v->id);
  return skald_command(ctx, c, 1) != 0 ? NULL : skald_map(ctx, size, 0);
}

SKALD_USED static int skald_values(struct futhark_context *ctx, const void *arr, void *data) {
  const struct skald_value *v = arr;
  size_t size, header = 7 + 8 * (size_t)v->rank;
  pthread_mutex_lock(&ctx->lock);
  unsigned char *at = skald_store(ctx, v, &size);
  if (at != NULL) {
    memcpy(data, at + header, size - header);
    munmap(at, size);
  }
  pthread_mutex_unlock(&ctx->lock);
  return at == NULL;
}

SKALD_USED static const int64_t *skald_shape(struct futhark_context *ctx, const void *arr) {
  struct skald_value *v = (struct skald_value *)arr;
  pthread_mutex_lock(&ctx->lock);
  if (!v->shaped) {
    struct skald_text *c = skald_begin(ctx, "shape");
    skald_add_variable(c, v->id);
    if (skald_command(ctx, c, 1) == 0) {
      char *at = ctx->answer.at;
      for (int i = 0; i < v->rank; i++) v->shape[i] = strtoll(at, &at, 10);
      v->shaped = 1;
    }
  }
  pthread_mutex_unlock(&ctx->lock);
  return v->shape;
}

SKALD_USED static int skald_free(struct futhark_context *ctx, void *value) {
  struct skald_value *v = value;
  pthread_mutex_lock(&ctx->lock);
  skald_unuse(ctx, v->id);
  pthread_mutex_unlock(&ctx->lock);
  free(v);
  return 0;
}

SKALD_USED static int skald_variant(struct futhark_context *ctx, const void *value, const char *const *names) {
  const struct skald_value *v = value;
  int found = -1;
  pthread_mutex_lock(&ctx->lock);
  struct skald_text *c = skald_begin(ctx, "variant");
  skald_add_variable(c, v->id);
  if (skald_command(ctx, c, 1) == 0) {
    ctx->answer.at[strcspn(ctx->answer.at, "\n")] = 0;
    for (int i = 0; names[i] != NULL && found < 0; i++) {
      if (strcmp(names[i], ctx->answer.at) == 0) found = i;
    }
  }
  pthread_mutex_unlock(&ctx->lock);
  return found;
}

SKALD_USED static int skald_store_opaque(struct futhark_context *ctx, const void *value, void **p, size_t *n) {
  int err = 1;
  pthread_mutex_lock(&ctx->lock);
  unsigned char *at = skald_store(ctx, value, n);
  if (at != NULL) {
    if (p != NULL && *p == NULL) *p = malloc(*n);
    if (p != NULL && *p != NULL) memcpy(*p, at, *n);
    err = p != NULL && *p == NULL ? skald_fail(ctx, FUTHARK_OUT_OF_MEMORY, "out of memory") : 0;
    munmap(at, *n);
  }
  pthread_mutex_unlock(&ctx->lock);
  return err;
}

// skald_extent is how many bytes so many values have, 0 if they are none.
static size_t skald_extent(const unsigned char *p, int parts) {
  size_t total = 0;
  for (; parts > 0; parts--) {
    const unsigned char *h = p + total;
    char elem[5] = {0};
    if (h[0] != 'b' || h[1] != 2) return 0;
    for (int i = 3, j = 0; i < 7; i++) {
      if (h[i] != ' ') elem[j++] = (char)h[i];
    }
    if (elem[0] == 0 || elem[1] == 0) return 0;
    size_t bytes = (size_t)skald_size(elem);
    for (int i = 0; i < h[2]; i++) {
      uint64_t n = 0;
      for (int j = 0; j < 8; j++) n |= (uint64_t)h[7 + 8 * i + j] << 8 * j;
      if (n > 0 && bytes > SIZE_MAX / 4 / n) return 0;
      bytes *= n;
    }
    total += 7 + 8 * (size_t)h[2] + bytes;
  }
  return total;
}

SKALD_USED static void *skald_restore_opaque(struct futhark_context *ctx, const void *p, const char *type, int rank, int parts) {
  void *made = NULL;
  size_t size = skald_extent(p, parts);
  pthread_mutex_lock(&ctx->lock);
  if (size == 0) {
    skald_fail(ctx, 1, "the bytes are no stored value");
  } else if (skald_free_unused(ctx) == 0) {
    unsigned char *at = skald_map(ctx, &size, 1);
    if (at != NULL) {
      memcpy(at, p, size);
      munmap(at, size);
      skald_restore(ctx, type, rank, &made);
    }
  }
  pthread_mutex_unlock(&ctx->lock);
  return made;
}

SKALD_USED static void *skald_no_raw(struct futhark_context *ctx) {
  skald_fail(ctx, 1, "raw arrays are not supported: the program runs in a process of its own");
  return NULL;
}

// The configuration.

struct futhark_context_config *futhark_context_config_new(void) {
  return calloc(1, sizeof(struct futhark_context_config));
}

void futhark_context_config_free(struct futhark_context_config *cfg) {
  while (cfg->params != NULL) {
    struct skald_param *p = cfg->params;
    cfg->params = p->next;
    free(p->name);
    free(p);
  }
  free(cfg->device);
  free(cfg->cache_file);
  free(cfg);
}

void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag) { cfg->debugging = flag; }

void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag) { cfg->profiling = flag; }

void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag) { cfg->logging = flag; }

void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n) { cfg->threads = n; }

static void skald_set(char **to, const char *text) {
  free(*to);
  *to = text == NULL ? NULL : strdup(text);
}

void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname) { skald_set(&cfg->cache_file, fname); }

void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s) { skald_set(&cfg->device, s); }

int futhark_get_tuning_param_count(void) {
  int n = 0;
  while (skald_param_names[n] != NULL) n++;
  return n;
}

const char *futhark_get_tuning_param_name(int i) { return skald_param_names[i]; }

const char *futhark_get_tuning_param_class(int i) { return skald_param_classes[i]; }

// skald_is_one_of says whether a list of names has one.
static int skald_is_one_of(const char *const *names, const char *name) {
  for (; *names != NULL; names++) {
    if (strcmp(*names, name) == 0) return 1;
  }
  return 0;
}

int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value) {
  struct skald_param *p;
  if (!skald_is_one_of(skald_param_names, param_name) && !skald_is_one_of(skald_size_names, param_name)) return 1;
  p = malloc(sizeof *p);
  if (p == NULL) return FUTHARK_OUT_OF_MEMORY;
  p->name = strdup(param_name);
  p->value = new_value;
  p->next = cfg->params;
  cfg->params = p;
  return p->name == NULL ? FUTHARK_OUT_OF_MEMORY : 0;
}

// The context.

// skald_arguments makes the command line of the program, which the caller frees.
static char **skald_arguments(struct futhark_context_config *cfg) {
  int n = 0, params = 0;
  for (struct skald_param *p = cfg->params; p != NULL; p = p->next) params++;
  char **argv = calloc((size_t)(16 + 2 * params), sizeof *argv);
  if (argv == NULL) return NULL;
  argv[n++] = strdup("program");
  if (cfg->debugging) argv[n++] = strdup("-D");
  if (cfg->profiling) argv[n++] = strdup("-P");
  if (cfg->logging) argv[n++] = strdup("-L");
  if (cfg->device != NULL) {
    argv[n++] = strdup("-d");
    argv[n++] = strdup(cfg->device);
  }
  if (cfg->cache_file != NULL) {
    argv[n++] = strdup("--cache-file");
    argv[n++] = strdup(cfg->cache_file);
  }
  for (struct skald_param *p = cfg->params; p != NULL; p = p->next) { // the last one set comes first
    size_t size = strlen(p->name) + 32;
    char *text = malloc(size);
    if (text != NULL) snprintf(text, size, "%s=%zu", p->name, p->value);
    for (struct skald_param *q = cfg->params; q != p && text != NULL; q = q->next) {
      if (strcmp(p->name, q->name) == 0) {
        free(text);
        text = NULL;
      }
    }
    if (text == NULL) continue;
    argv[n++] = strdup("--param");
    argv[n++] = text;
  }
  return argv;
}

static int skald_start_from(struct futhark_context *ctx, const unsigned char *program, int in_memory, char **argv, char **env) {
  char path[4096] = "";
  int sockets[2], exe = -1;
  if (in_memory) {
#ifdef SYS_memfd_create
    exe = (int)syscall(SYS_memfd_create, "skald", 1u);
#endif
    if (exe < 0) return 1;
  }
  int to = in_memory ? exe : skald_temporary(path, sizeof path);
  if (to < 0) return skald_fail_errno(ctx, "cannot make a file for the program");
  int err = skald_write_all(to, program, SKALD_PROGRAM_SIZE);
  if (!in_memory) {
    err |= fchmod(to, 0700);
    close(to);
  }
  if (err != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
    skald_fail_errno(ctx, "cannot start the program");
    if (in_memory) close(exe);
    if (path[0] != 0) unlink(path);
    return 1;
  }
  fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
  fcntl(sockets[1], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  int on = 1;
  setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  ctx->pid = fork();
  if (ctx->pid == 0) skald_exec(ctx, sockets[1], exe, path, argv, env);
  close(sockets[1]);
  ctx->socket = sockets[0];
  err = ctx->pid < 0 ? skald_fail_errno(ctx, "cannot start the program") : skald_answer(ctx);
  if (in_memory) close(exe);
  if (path[0] != 0) unlink(path);
  if (err == 2 && in_memory) { // perhaps programs in memory cannot be run here
    int status = 0;
    waitpid(ctx->pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 126) {
      close(ctx->socket);
      ctx->socket = -1;
      ctx->pid = 0;
      return 1;
    }
    ctx->pid = 0;
    skald_start_message(ctx);
    char text[256];
    snprintf(text, sizeof text, "the program could not be started (exit code %d): standard error says why", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return skald_fail(ctx, 2, text);
  }
  return err == 2 ? skald_gone(ctx) : err;
}

// skald_environment makes the environment of the program, which the caller frees; setting is its first entry. Entries are not copied.
static char **skald_environment(char *setting) {
  extern char **environ;
  size_t n = 0;
  while (environ != NULL && environ[n] != NULL) n++;
  char **env = calloc(n + 2, sizeof *env);
  if (env == NULL) return NULL;
  size_t used = 0;
  if (setting[0] != 0) env[used++] = setting;
  for (size_t i = 0; i < n; i++) {
    if (setting[0] == 0 || strncmp(environ[i], "GOMAXPROCS=", 11) != 0) env[used++] = environ[i];
  }
  return env;
}

static void skald_start(struct futhark_context *ctx) {
  char threads[32] = "";
  if (ctx->cfg->threads > 0) snprintf(threads, sizeof threads, "GOMAXPROCS=%d", ctx->cfg->threads);
  ctx->file = skald_nameless();
  if (ctx->file < 0) {
    skald_fail_errno(ctx, "cannot make a file for values");
    return;
  }
  unsigned char *program = skald_unpack();
  char **argv = skald_arguments(ctx->cfg), **env = skald_environment(threads);
  if (program == NULL || argv == NULL || env == NULL) {
    skald_fail(ctx, FUTHARK_OUT_OF_MEMORY, "out of memory");
  } else if (skald_start_from(ctx, program, 1, argv, env) == 1 && ctx->error == NULL) {
    skald_start_from(ctx, program, 0, argv, env);
  }
  for (int i = 0; argv != NULL && argv[i] != NULL; i++) free(argv[i]);
  free(argv);
  free(env);
  free(program);
}

struct futhark_context *futhark_context_new(struct futhark_context_config *cfg) {
  struct futhark_context *ctx = calloc(1, sizeof *ctx);
  if (ctx == NULL) return NULL;
  ctx->cfg = cfg;
  ctx->socket = ctx->file = -1;
  pthread_mutex_init(&ctx->lock, NULL);
  skald_start(ctx);
  return ctx;
}

void futhark_context_free(struct futhark_context *ctx) {
  if (ctx->socket >= 0) close(ctx->socket); // which ends the process
  if (ctx->file >= 0) close(ctx->file);
  if (ctx->pid > 0) waitpid(ctx->pid, NULL, 0);
  pthread_mutex_destroy(&ctx->lock);
  free(ctx->error);
  free(ctx->command.at);
  free(ctx->answer.at);
  free(ctx->unused.at);
  free(ctx);
}

int futhark_context_sync(struct futhark_context *ctx) {
  if (ctx->pid <= 0) return skald_fail(ctx, 1, "the process of the program has ended");
  return 0; // everything is done when a function returns
}

char *futhark_context_get_error(struct futhark_context *ctx) {
  char *error = ctx->error;
  ctx->error = NULL;
  return error;
}

void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f) {
  (void)ctx; // the process writes to the standard error that it got
  (void)f;
}

static int skald_simple(struct futhark_context *ctx, const char *command) {
  pthread_mutex_lock(&ctx->lock);
  int err = skald_command(ctx, skald_begin(ctx, command), 1);
  pthread_mutex_unlock(&ctx->lock);
  return err;
}

void futhark_context_pause_profiling(struct futhark_context *ctx) { skald_simple(ctx, "pause_profiling"); }

void futhark_context_unpause_profiling(struct futhark_context *ctx) { skald_simple(ctx, "unpause_profiling"); }

char *futhark_context_report(struct futhark_context *ctx) {
  return skald_simple(ctx, "report") == 0 ? strdup(ctx->answer.at) : NULL;
}

int futhark_context_clear_caches(struct futhark_context *ctx) {
  pthread_mutex_lock(&ctx->lock);
  int err = skald_free_unused(ctx);
  pthread_mutex_unlock(&ctx->lock);
  return err;
}
