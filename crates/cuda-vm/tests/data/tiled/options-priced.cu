// Prices of options by the formula of Black and Scholes: a logarithm, a root, two exponentials and divisions per option.
// launch: price<<<1, 64>>>(spot: float[64] = random(1, 5, 30), strike: float[64] = random(2, 1, 100), years: float[64] = random(3, 0.25, 10), call: float[64], put: float[64], rate = 0.02f, sigma = 0.3f)
__device__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212559f + k * 1.3302744f)))));
    return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(const float *__restrict__ spot, const float *__restrict__ strike, const float *__restrict__ years,
                      float *__restrict__ call, float *__restrict__ put, float rate, float sigma)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = spot[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * sigma * sigma) * t) / (sigma * root);
    float d2 = d1 - sigma * root;
    float n1 = normal(d1), n2 = normal(d2);
    float later = x * expf(-rate * t);
    call[i] = s * n1 - later * n2;
    put[i] = later * (1.0f - n2) - s * (1.0f - n1);
}
