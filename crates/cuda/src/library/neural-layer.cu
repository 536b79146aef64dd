// A fully connected layer with a rectifier: one block per sample keeps its inputs in shared memory, and all blocks read
// the same weights.
// launch: neural_layer<<<batch, outputs, inputs * 4>>>(
//     input: float[batch * inputs] = random(1), weight: float[inputs * outputs] = random(2),
//     bias: float[outputs] = random(3), output: float[batch * outputs] = zero, inputs = 128, outputs = 64,
//     batch = 16)

__global__ void neural_layer(const float *input, const float *weight, const float *bias, float *output, int inputs,
                             int outputs)
{
    extern __shared__ float sample[];
    for (int i = threadIdx.x; i < inputs; i += blockDim.x)
        sample[i] = input[blockIdx.x * inputs + i];
    __syncthreads();

    int o = threadIdx.x;
    float sum = bias[o];
    for (int i = 0; i < inputs; i++)
        sum += sample[i] * weight[i * outputs + o];
    output[blockIdx.x * outputs + o] = fmaxf(sum, 0.0f);
}
