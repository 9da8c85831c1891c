// Functions with the shapes of WebGPU's calls that pass structs by value, so that a test sees how this system passes them.
#include <stddef.h>
#include <stdint.h>

typedef struct { uintptr_t w[5]; } info;         // A callback's info.
typedef struct { uintptr_t w[12]; } description; // An adapter's info.
typedef struct { size_t count; const uint32_t *list; } set;
typedef struct { const char *data; size_t length; } view;

// digits writes words one after the other as decimal digits.
static uintptr_t digits(uintptr_t n, const uintptr_t *w, int count) {
	for (int i = 0; i < count; i++)
		n = 10 * n + w[i];
	return n;
}

uint64_t take_info(void *a, void *b, info s) { return digits(10 * (uintptr_t)a + (uintptr_t)b, s.w, 5); }

uint64_t take_info_last(void *a, uint64_t b, size_t c, size_t d, info s) {
	return digits(1000 * (uintptr_t)a + 100 * b + 10 * c + d, s.w, 5);
}

uintptr_t taken;

void take_description(description s) { taken = digits(0, s.w, 12); }

void take_set(set s) { taken = 1000 * s.count + s.list[s.count - 1]; }

void answer_object(void (*callback)(uint32_t, void *, view, void *, void *), void *user) {
	view v = {"made it", 4};
	callback(3, (void *)42, v, user, 0);
}

void answer_scope(void (*callback)(uint32_t, uint32_t, view, void *, void *), void *user) {
	view v = {"an error", SIZE_MAX};
	callback(1, 2, v, user, 0);
}
