// Each thread scans 8 elements in registers, then adds the sum of the lanes before it.
// launch: scan<<<1, 32>>>(in: int4[64], out: int4[64])
__global__ void scan(const int4 *__restrict__ in, int4 *__restrict__ out)
{
    int lane = threadIdx.x;
    int4 a = in[2 * lane], b = in[2 * lane + 1];
    int v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int i = 1; i < 8; ++i)
        v[i] += v[i - 1];
    int sum = v[7];
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d)
            sum += other;
    }
    sum -= v[7];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        v[i] += sum;
    out[2 * lane] = make_int4(v[0], v[1], v[2], v[3]);
    out[2 * lane + 1] = make_int4(v[4], v[5], v[6], v[7]);
}
