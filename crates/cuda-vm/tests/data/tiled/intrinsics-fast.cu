// Waves of fast intrinsics, each of a value of its own: a few instructions around one of the special function unit.
// launch: waves<<<1, 64>>>(a: float[64 * 8] = random(1, 1, 2), o: float[64 * 4])
__global__ void waves(const float *__restrict__ a, float *__restrict__ o)
{
    int i = threadIdx.x;
    float s = __sinf(a[i]) + __cosf(a[64 + i]);
    float e = __expf(a[128 + i]) * __logf(a[192 + i]);
    float p = __powf(a[256 + i], s) - __fdividef(a[320 + i], e);
    float t = __tanf(a[384 + i]) * rsqrtf(a[448 + i]);
    o[i] = s;
    o[64 + i] = e;
    o[128 + i] = p;
    o[192 + i] = t;
}
