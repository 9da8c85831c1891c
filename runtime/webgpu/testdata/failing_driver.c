// A Vulkan driver that passes every call on to the driver named by SKALD_TEST_DRIVER, and has some of them fail once
// the test has set failing_submit, failing_wait or failing_memory to a VkResult.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int failing_submit, failing_wait, failing_memory;

typedef void (*function)(void);
typedef function (*lookup)(void *object, const char *name);
typedef long word;
typedef int (*call)(word, word, word, word, word, word);

static void *driver(void) {
	static void *handle;
	if (!handle)
		handle = dlopen(getenv("SKALD_TEST_DRIVER"), RTLD_NOW | RTLD_LOCAL);
	return handle;
}

static void *last_device;
static lookup real_device_lookup;

// fail waits for what runs, since nothing runs on a lost device, and returns the result.
static int fail(int result) {
	int (*wait)(void *) = (int (*)(void *))real_device_lookup(last_device, "vkDeviceWaitIdle");
	wait(last_device);
	return result;
}

// The calls that may fail: one wrapper each, since C has no closures.
#define WRAP(name, failing)                                                     \
	static call real_##name;                                                \
	static int name(word a, word b, word c, word d, word e, word f) {       \
		return failing ? fail(failing) : real_##name(a, b, c, d, e, f); \
	}

WRAP(vkQueueSubmit, failing_submit)
WRAP(vkQueueSubmit2, failing_submit)
WRAP(vkWaitForFences, failing_wait)
WRAP(vkGetFenceStatus, failing_wait)
WRAP(vkWaitSemaphores, failing_wait)
WRAP(vkGetSemaphoreCounterValue, failing_wait)
WRAP(vkDeviceWaitIdle, failing_wait)
WRAP(vkAllocateMemory, failing_memory)

static struct {
	const char *name;
	call wrapper, *real;
} wraps[] = {
#define ENTRY(name) {#name, name, &real_##name}
	ENTRY(vkQueueSubmit), ENTRY(vkQueueSubmit2), ENTRY(vkWaitForFences), ENTRY(vkGetFenceStatus),
	ENTRY(vkWaitSemaphores), ENTRY(vkGetSemaphoreCounterValue), ENTRY(vkDeviceWaitIdle), ENTRY(vkAllocateMemory),
};

// wrapped returns the wrapper for a call, which may be known by its name with KHR, or what was found.
static function wrapped(const char *name, function found) {
	size_t n = strlen(name);
	if (n > 3 && !strcmp(name + n - 3, "KHR"))
		n -= 3;
	for (size_t i = 0; found && i < sizeof wraps / sizeof *wraps; i++)
		if (strlen(wraps[i].name) == n && !strncmp(wraps[i].name, name, n)) {
			*wraps[i].real = (call)found;
			return (function)wraps[i].wrapper;
		}
	return found;
}

static function device_lookup(void *device, const char *name) {
	last_device = device;
	return wrapped(name, real_device_lookup(device, name));
}

function vk_icdGetInstanceProcAddr(void *instance, const char *name) {
	lookup real = (lookup)dlsym(driver(), "vk_icdGetInstanceProcAddr");
	function found = real(instance, name);
	if (found && !strcmp(name, "vkGetDeviceProcAddr")) {
		real_device_lookup = (lookup)found;
		return (function)device_lookup;
	}
	return wrapped(name, found);
}

int vk_icdNegotiateLoaderICDInterfaceVersion(unsigned *version) {
	int (*real)(unsigned *) = (int (*)(unsigned *))dlsym(driver(), "vk_icdNegotiateLoaderICDInterfaceVersion");
	return real(version);
}

function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
	lookup real = (lookup)dlsym(driver(), "vk_icdGetPhysicalDeviceProcAddr");
	return real ? real(instance, name) : 0;
}
