// Molecular dynamics, Lennard-Jones force over a neighbour list: the list is coalesced, the positions it points to are not.
// launch: md_lj<<<(n + 127) / 128, 128>>>(
//     position: float4[n] = random(1), neighbour: int[n * count] = neighbours(n, count, 2), force: float4[n] = zero,
//     cutoff = 0.25, n = 1024, count = 32)

__global__ void md_lj(const float4 *__restrict__ position, const int *__restrict__ neighbour, float4 *__restrict__ force,
                      float cutoff, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float4 me = position[i];
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int k = 0; k < count; k++) {
        float4 other = position[neighbour[k * n + i]];
        float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > 0.0f && r2 < cutoff) {
            float r2inv = 1.0f / r2;
            float r6inv = r2inv * r2inv * r2inv;
            float f = r2inv * r6inv * (1.5f * r6inv - 2.0f);
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0.0f);
}
