// Reaction rates of a flame, as gr_base of Table IV (SHOC S3D): pressure and mass fractions of each point go through
// special functions.
// launch: s3d_rates<<<n / 128, 128>>>(
//     gpu_p: float[n] = random(1), gpu_t: float[n] = random(2), gpu_y: float[n * 22] = random(3), c: float[n * 22] = zero,
//     n = 4096)

__global__ void s3d_rates(const float *gpu_p, const float *gpu_t, const float *gpu_y, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float p = gpu_p[i] + 1.0f;
    float t = gpu_t[i] + 1.0f;
    float sum = 0.0f;
    for (int k = 0; k < 22; k++)
        sum += gpu_y[i + k * n] * (1.0f / (k + 2.0f));
    float scale = p / (sum * t * 8.3f) * expf(-1.0f / t);
    for (int k = 0; k < 22; k++)
        c[i + k * n] = fmaxf(scale * gpu_y[i + k * n], 1e-30f) * expf(-0.1f * k / t);
}
