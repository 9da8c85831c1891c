// Times calls of calls.fut on the device that is named: medians in microseconds, a line each.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib.h"

enum { runs = 201, elements = 1000000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name, double *times) {
  qsort(times, runs, sizeof *times, compare);
  printf("%s %.1f\n", name, times[runs / 2]);
}

static void check(struct futhark_context *ctx, int failed) {
  if (failed != 0) {
    char *text = futhark_context_get_error(ctx);
    fprintf(stderr, "calls: %s\n", text != NULL ? text : "failed");
    exit(1);
  }
}

int main(int argc, char **argv) {
  double times[runs];
  struct futhark_context_config *cfg = futhark_context_config_new();
  if (argc > 1) {
    futhark_context_config_set_device(cfg, argv[1]);
  }
  double begin = now();
  struct futhark_context *ctx = futhark_context_new(cfg);
  char *text = futhark_context_get_error(ctx);
  if (text != NULL) {
    fprintf(stderr, "calls: %s\n", text);
    return 1;
  }
  printf("context %.1f\n", now() - begin);

  for (int i = 0; i < runs; i++) {
    int32_t out;
    begin = now();
    check(ctx, futhark_entry_inc(ctx, &out, i));
    times[i] = now() - begin;
  }
  report("inc", times);

  int32_t *small = calloc(1000, sizeof *small);
  struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, small, 1000);
  for (int i = 0; i < runs; i++) {
    int32_t out;
    begin = now();
    check(ctx, futhark_entry_sum(ctx, &out, xs));
    times[i] = now() - begin;
  }
  report("sum", times);

  float *data = calloc(elements, sizeof *data);
  for (int i = 0; i < runs; i++) {
    struct futhark_f32_1d *result;
    begin = now();
    struct futhark_f32_1d *ys = futhark_new_f32_1d(ctx, data, elements);
    check(ctx, futhark_entry_next(ctx, &result, ys));
    check(ctx, futhark_values_f32_1d(ctx, result, data));
    check(ctx, futhark_context_sync(ctx));
    times[i] = now() - begin;
    check(ctx, futhark_free_f32_1d(ctx, ys));
    check(ctx, futhark_free_f32_1d(ctx, result));
  }
  report("next", times);
  if (data[0] != runs) {
    fprintf(stderr, "calls: %g is wrong\n", data[0]);
    return 1;
  }

  check(ctx, futhark_free_i32_1d(ctx, xs));
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
