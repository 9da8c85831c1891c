// Times NVIDIA's CUB on the inputs of the lab and prints a result a line, as JSON, named as the lab names its cases.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_90 -o cub cub.cu
// Run:   go -C testsuite/lab run . -device webgpu,cuda -cub ./cub
#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static void must(cudaError_t e) {
  if (e != cudaSuccess) {
    fprintf(stderr, "cub: %s\n", cudaGetErrorString(e));
    exit(1);
  }
}

// measure prints the times of 30 runs after 3 to warm up. Each run is told whether it only asks for temporary memory.
static void measure(const std::string &name, const std::function<cudaError_t(void *, size_t &)> &f) {
  size_t bytes = 0;
  must(f(nullptr, bytes));
  void *temporary;
  must(cudaMalloc(&temporary, bytes + 16));
  cudaEvent_t from, to;
  must(cudaEventCreate(&from));
  must(cudaEventCreate(&to));
  printf("{\"case\": \"%s\", \"us\": [", name.c_str());
  for (int i = 0; i < 33; i++) {
    must(cudaEventRecord(from));
    must(f(temporary, bytes));
    must(cudaEventRecord(to));
    must(cudaEventSynchronize(to));
    float ms;
    must(cudaEventElapsedTime(&ms, from, to));
    if (i >= 3) printf("%s%.3f", i > 3 ? ", " : "", ms * 1000);
  }
  printf("]}\n");
  fflush(stdout);
  must(cudaFree(temporary));
}

__host__ __device__ inline uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void small(int *x, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] = (int)(mix((uint32_t)i) & 1023) - 512;
}

__global__ void any(uint32_t *x, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] = mix((uint32_t)i);
}

// keys are those of the lab's counts, in two words: uniform, or all the same.
__global__ void keys(int64_t *x, size_t n, uint32_t bins, bool one) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] = one ? bins / 2 : mix((uint32_t)i) % bins;
}

__global__ void steps(int *x, int n, int each) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = i * each;
}

struct Positive {
  __device__ bool operator()(int x) const { return x > 0; }
};

template <class T> static T *alloc(size_t n) {
  T *p;
  must(cudaMalloc(&p, n * sizeof(T)));
  return p;
}

int main() {
  const int n = 100000000, count = 20000000, sorted = 1 << 26, rows = 131072, length = 1024;
  const size_t most = (size_t)rows * length;
  int *x = alloc<int>(most), *y = alloc<int>(most), *few = alloc<int>(1 << 18);
  small<<<1056, 256>>>(x, most);
  measure("copy/100000000", [&](void *t, size_t &b) {
    b = 0;
    return t ? cudaMemcpyAsync(y, x, 4 * (size_t)n, cudaMemcpyDeviceToDevice) : cudaSuccess;
  });
  measure("reduce/add/100000000", [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, x, few, n); });
  measure("scan/once/add/100000000", [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, x, y, n); });
  measure("compact/100000000", [&](void *t, size_t &b) {
    return cub::DeviceSelect::If(t, b, x, y, few, n, Positive{});
  });
  measure("partition/twice/100000000", [&](void *t, size_t &b) {
    return cub::DevicePartition::If(t, b, x, y, few, n, Positive{});
  });
  steps<<<512, 256>>>(few, rows + 1, length);
  measure("rows/reduce/131072x1024", [&](void *t, size_t &b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, x, y, rows, few, few + 1);
  });
  uint32_t *k = alloc<uint32_t>(sorted), *k2 = alloc<uint32_t>(sorted);
  any<<<1056, 256>>>(k, sorted);
  measure("sort/keys/67108864", [&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, k, k2, sorted); });
  measure("sort/pairs/67108864", [&](void *t, size_t &b) {
    return cub::DeviceRadixSort::SortPairs(t, b, k, k2, (uint32_t *)x, (uint32_t *)y, sorted);
  });
  int64_t *wide = alloc<int64_t>(sorted), *wide2 = alloc<int64_t>(sorted);
  any<<<1056, 256>>>((uint32_t *)wide, 2 * (size_t)sorted);
  measure("sort/i64/67108864", [&](void *t, size_t &b) {
    return cub::DeviceRadixSort::SortKeys(t, b, wide, wide2, sorted);
  });
  const uint32_t bins[] = {16, 256, 4096, 65536};
  for (uint32_t m : bins) {
    for (int one = 0; one < 2; one++) {
      keys<<<1056, 256>>>(wide, count, m, one);
      measure("count/" + std::to_string(m) + (one ? "/one/" : "/uniform/") + std::to_string(count),
              [&](void *t, size_t &b) {
                return cub::DeviceHistogram::HistogramEven(t, b, wide, few, (int)m + 1, (int64_t)0, (int64_t)m, count);
              });
    }
  }
  must(cudaDeviceSynchronize());
  return 0;
}
