// Figure 7 of HPCA'14: one warp makes the same strided loads twice. 128 lines fit a 16 KB cache, yet a stride of 4,096
// bytes reaches only half of its sets. Change the set index to modulo and see the set heat map collapse.
// launch: strided_loads<<<1, 32>>>(data: int[loads * stride] = iota, loads = 128, stride = 1024)

__global__ void strided_loads(volatile int *data, int loads, int stride)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < loads; i++)
            data[i * stride + threadIdx.x];
}
