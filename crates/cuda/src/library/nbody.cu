// N-body: all threads of a block read the same bodies from a shared tile; a body is one 16-byte load.
// launch: nbody<<<n / THREADS, THREADS>>>(body: float4[n] = random(1), force: float4[n] = zero, n = 512)

#define THREADS 128
#define SOFTENING 0.01f

__global__ void nbody(const float4 *body, float4 *force, int n)
{
    __shared__ float4 tile[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    float4 me = body[i];
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;

    for (int start = 0; start < n; start += THREADS) {
        tile[threadIdx.x] = body[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < THREADS; k++) {
            float4 other = tile[k];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float s = other.w * inverse * inverse * inverse;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        __syncthreads();
    }
    force[i] = make_float4(fx, fy, fz, 0.0f);
}
