// Calls every kind of function of the library of library.fut, with right and wrong use. Ends with code 0 if all is as it should be.
#include "library.h"
#include <stdlib.h>
#include <string.h>

static int wrong = 0;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      char *error = futhark_context_get_error(ctx);                         \
      printf("line %d: %s: %s\n", __LINE__, #condition, error ? error : ""); \
      free(error);                                                          \
      wrong = 1;                                                            \
    }                                                                       \
  } while (0)

// failed takes the error of a failed operation, which has to have a text in it.
static int failed(struct futhark_context *ctx, const char *text) {
  char *error = futhark_context_get_error(ctx);
  int ok = error != NULL && strstr(error, text) != NULL;
  if (!ok) printf("the error is %s, and not %s\n", error == NULL ? "none" : error, text);
  free(error);
  return ok;
}

static void scalars(struct futhark_context *ctx) {
  int32_t sum = 0;
  CHECK(futhark_entry_add(ctx, &sum, 40, 2) == FUTHARK_SUCCESS && sum == 42);
  struct futhark_opaque_tup2_bool_f16 *both;
  bool b = true;
  uint16_t h = 0;
  CHECK(futhark_entry_primedzq(ctx, &both, true, 0x3c00) == 0);
  CHECK(futhark_project_opaque_tup2_bool_f16_0(ctx, &b, both) == 0 && !b);
  CHECK(futhark_project_opaque_tup2_bool_f16_1(ctx, &h, both) == 0 && h == 0x3c00);
  CHECK(futhark_free_opaque_tup2_bool_f16(ctx, both) == 0);
  struct futhark_opaque_unit *nothing;
  CHECK(futhark_entry_unit(ctx, &nothing, 1) == 0 && futhark_free_opaque_unit(ctx, nothing) == 0);
}

static void arrays(struct futhark_context *ctx) {
  float data[] = {1, 2, 3, 4, 5, 6}, got[6], one = 0;
  struct futhark_f32_2d *m = futhark_new_f32_2d(ctx, data, 2, 3), *scaled;
  CHECK(m != NULL);
  CHECK(futhark_entry_scale(ctx, &scaled, 2, m) == 0);
  CHECK(futhark_context_sync(ctx) == 0);
  const int64_t *shape = futhark_shape_f32_2d(ctx, scaled);
  CHECK(shape[0] == 2 && shape[1] == 3);
  CHECK(futhark_values_f32_2d(ctx, scaled, got) == 0);
  for (int i = 0; i < 6; i++) CHECK(got[i] == 2 * data[i]);
  CHECK(futhark_index_f32_2d(ctx, &one, scaled, 1, 2) == 0 && one == 12);
  CHECK(futhark_index_f32_2d(ctx, &one, scaled, 2, 0) != 0 && failed(ctx, "out of bounds"));
  CHECK(futhark_free_f32_2d(ctx, m) == 0 && futhark_free_f32_2d(ctx, scaled) == 0);
  struct futhark_f32_2d *none = futhark_new_f32_2d(ctx, data, 0, 3);
  CHECK(none != NULL && futhark_entry_scale(ctx, &scaled, 2, none) == 0);
  CHECK(futhark_shape_f32_2d(ctx, scaled)[0] == 0 && futhark_shape_f32_2d(ctx, scaled)[1] == 3);
  CHECK(futhark_values_f32_2d(ctx, scaled, got) == 0);
  CHECK(futhark_free_f32_2d(ctx, none) == 0 && futhark_free_f32_2d(ctx, scaled) == 0);
  CHECK(futhark_new_f32_2d(ctx, data, -1, 3) == NULL && failed(ctx, "shape"));
  CHECK(futhark_new_raw_f32_2d(ctx, (unsigned char *)data, 2, 3) == NULL && failed(ctx, "raw"));
}

static void failures(struct futhark_context *ctx) {
  int32_t data[] = {1, 2, 3}, got[3], x = 0;
  struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, data, 3), *same, *eaten, *more;
  CHECK(futhark_entry_at(ctx, &x, xs, 7) == FUTHARK_PROGRAM_ERROR && failed(ctx, "Index [7] out of bounds"));
  CHECK(futhark_context_get_error(ctx) == NULL);
  CHECK(futhark_entry_at(ctx, &x, xs, 2) == 0 && x == 3);
  CHECK(futhark_values_raw_i32_1d(ctx, xs) == NULL && failed(ctx, "raw"));
  CHECK(futhark_entry_same(ctx, &same, xs) == 0);
  CHECK(futhark_entry_eat(ctx, &eaten, xs) == 0);
  CHECK(futhark_entry_same(ctx, &more, xs) != 0 && failed(ctx, "consumed"));
  CHECK(futhark_free_i32_1d(ctx, xs) == 0);
  CHECK(futhark_values_i32_1d(ctx, same, got) == 0 && memcmp(got, data, sizeof data) == 0);
  CHECK(futhark_values_i32_1d(ctx, eaten, got) == 0 && got[0] == 9 && got[1] == 2);
  CHECK(futhark_free_i32_1d(ctx, same) == 0 && futhark_free_i32_1d(ctx, eaten) == 0);
}

static struct futhark_opaque_point *point(struct futhark_context *ctx, float x, float y) {
  struct futhark_opaque_point *p = NULL;
  CHECK(futhark_new_opaque_point(ctx, &p, x, y) == 0);
  return p;
}

static void records(struct futhark_context *ctx) {
  struct futhark_opaque_point *ps[] = {point(ctx, 1, 2), point(ctx, 3, 4)}, *c, *first;
  struct futhark_opaque_arr1d_point *arr, *zipped;
  float x = 0, y = 0, data[] = {1, 3}, got[2];
  CHECK(futhark_new_opaque_arr1d_point(ctx, &arr, ps, 2) == 0);
  CHECK(futhark_shape_opaque_arr1d_point(ctx, arr)[0] == 2);
  CHECK(futhark_entry_centre(ctx, &c, arr) == 0);
  CHECK(futhark_project_opaque_point_x(ctx, &x, c) == 0 && x == 2);
  CHECK(futhark_project_opaque_point_y(ctx, &y, c) == 0 && y == 3);
  CHECK(futhark_set_opaque_arr1d_point(ctx, arr, ps[1], 0) == 0);
  CHECK(futhark_set_opaque_arr1d_point(ctx, arr, ps[1], 2) != 0 && failed(ctx, "out of bounds"));
  CHECK(futhark_index_opaque_arr1d_point(ctx, &first, arr, 0) == 0);
  CHECK(futhark_project_opaque_point_x(ctx, &x, first) == 0 && x == 3);
  struct futhark_f32_1d *xs = futhark_new_f32_1d(ctx, data, 2), *back, *few = futhark_new_f32_1d(ctx, data, 1);
  CHECK(futhark_zip_opaque_arr1d_point(ctx, &zipped, xs, few) == 1 && failed(ctx, "shape"));
  CHECK(futhark_zip_opaque_arr1d_point(ctx, &zipped, xs, xs) == 0);
  CHECK(futhark_project_opaque_arr1d_point_y(ctx, &back, zipped) == 0);
  CHECK(futhark_values_f32_1d(ctx, back, got) == 0 && memcmp(got, data, sizeof data) == 0);

  void *bytes = NULL;
  size_t size, again;
  CHECK(futhark_store_opaque_arr1d_point(ctx, zipped, &bytes, &size) == 0);
  CHECK(futhark_store_opaque_arr1d_point(ctx, zipped, NULL, &again) == 0 && size == again);
  struct futhark_opaque_arr1d_point *restored = futhark_restore_opaque_arr1d_point(ctx, bytes);
  CHECK(restored != NULL && futhark_shape_opaque_arr1d_point(ctx, restored)[0] == 2);
  memset(bytes, 0, size);
  CHECK(futhark_restore_opaque_arr1d_point(ctx, bytes) == NULL && failed(ctx, "no stored value"));
  free(bytes);

  futhark_free_opaque_point(ctx, ps[0]);
  futhark_free_opaque_point(ctx, ps[1]);
  futhark_free_opaque_point(ctx, c);
  futhark_free_opaque_point(ctx, first);
  futhark_free_opaque_arr1d_point(ctx, arr);
  futhark_free_opaque_arr1d_point(ctx, zipped);
  futhark_free_opaque_arr1d_point(ctx, restored);
  futhark_free_f32_1d(ctx, xs);
  futhark_free_f32_1d(ctx, few);
  futhark_free_f32_1d(ctx, back);
}

static void sums(struct futhark_context *ctx) {
  struct futhark_opaque_point *p = point(ctx, 0, 0), *q;
  struct futhark_opaque_shape *s;
  float area = 0, r = 0;
  CHECK(futhark_new_opaque_shape_circle(ctx, &s, p, 2) == 0);
  CHECK(futhark_variant_opaque_shape(ctx, s) == 0);
  CHECK(futhark_entry_area(ctx, &area, s) == 0 && area == 12);
  CHECK(futhark_destruct_opaque_shape_circle(ctx, &q, &r, s) == 0 && r == 2);
  futhark_free_opaque_point(ctx, p);
  futhark_free_opaque_point(ctx, q);
  futhark_free_opaque_shape(ctx, s);
}

int main(int argc, char **argv) {
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = NULL;
  CHECK(futhark_get_tuning_param_count() >= 1);
  CHECK(futhark_context_config_set_tuning_param(cfg, "nothing", 1) != 0);
  CHECK(futhark_context_config_set_tuning_param(cfg, "default_threshold", 100) == 0);
  CHECK(futhark_context_config_set_tuning_param(cfg, "k", 5) == 0);
  CHECK(futhark_context_config_set_tuning_param(cfg, "k", 6) == 0);
  futhark_context_config_set_profiling(cfg, 1);
  futhark_context_config_set_device(cfg, "cpu");
  ctx = futhark_context_new(cfg);
  CHECK(futhark_context_get_error(ctx) == NULL);
  if (argc > 1 && strcmp(argv[1], "crash") == 0) {
    abort();
  }
  int64_t k = 0;
  CHECK(futhark_entry_tuned(ctx, &k, 1) == 0 && k == 6);
  scalars(ctx);
  arrays(ctx);
  failures(ctx);
  records(ctx);
  sums(ctx);
  futhark_context_pause_profiling(ctx);
  futhark_context_unpause_profiling(ctx);
  CHECK(futhark_context_clear_caches(ctx) == 0);
  char *report = futhark_context_report(ctx);
  CHECK(report != NULL && report[0] == '{');
  free(report);
  CHECK(futhark_context_sync(ctx) == 0);
  futhark_context_free(ctx);

  // A device that there is none of is an error of the context.
  futhark_context_config_set_device(cfg, "nothing");
  ctx = futhark_context_new(cfg);
  CHECK(failed(ctx, "no device is called"));
  int32_t sum;
  CHECK(futhark_entry_add(ctx, &sum, 1, 2) != 0);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return wrong;
}
