// launch: k<<<1, 32>>>(out: int[32] = zero)
// out: 31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// accesses: 2 store shared 4x32; load shared 4x32; store out+0 4x32
#include <type_traits>
struct Entry { int key; int count; __device__ Entry(int k, int c) : key(k), count(c) {} };
__global__ void k(int *out)
{
  // A class with a constructor cannot be an array in shared memory, so the memory for it is.
  __shared__ typename std::aligned_storage<sizeof(Entry), alignof(Entry)>::type room[32];
  Entry *all = reinterpret_cast<Entry *>(room);
  all[threadIdx.x] = Entry(threadIdx.x, 1);
  __syncthreads();
  out[threadIdx.x] = all[31 - threadIdx.x].key;
}
