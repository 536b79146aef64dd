// Quality threshold clustering, the distances of Table IV's QTC_device (SHOC): each thread looks down a column of the
// distance matrix for the point that is nearest to a growing cluster.
// launch: qtc<<<n / 64, 64>>>(distance: float[n * n] = random(1), member: int[members] = neighbours(members, 1, 5),
//     nearest: float[n] = zero, n = 512, members = 64)

__global__ void qtc(const float *distance, const int *member, float *nearest, int n, int members)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float least = 1e30f;
    for (int k = 0; k < members; k++) {
        float d = distance[(member[k] * 7 + k) % n * n + i];
        least = d < least ? d : least;
    }
    nearest[i] = least;
}
