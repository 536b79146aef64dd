// Fluxes between the cells of an unstructured grid, as cuda_compute_flux of Table IV (SHOC cfd): each cell reads five
// values of itself and of four neighbours.
// launch: cfd_flux<<<n / 128, 128>>>(
//     neighbour: int[n * 4] = neighbours(n, 4, 3), normal: float[n * 8] = random(1), variables: float[n * 5] = random(2),
//     flux: float[n * 5] = zero, n = 4096)

__global__ void cfd_flux(const int *neighbour, const float *normal, const float *variables, float *flux, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float density = variables[i] + 1.0f;
    float mx = variables[i + n], my = variables[i + 2 * n], mz = variables[i + 3 * n], energy = variables[i + 4 * n];
    float speed = (mx * mx + my * my + mz * mz) / density;
    float pressure = 0.4f * (energy - 0.5f * speed);
    float sound = sqrtf(1.4f * fabsf(pressure) / density);
    float f0 = 0.0f, f1 = 0.0f, f2 = 0.0f, f3 = 0.0f, f4 = 0.0f;
    for (int j = 0; j < 4; j++) {
        int other = neighbour[i + j * n];
        float nx = normal[i + 2 * j * n], ny = normal[i + (2 * j + 1) * n];
        float area = sqrtf(nx * nx + ny * ny);
        float odensity = variables[other] + 1.0f;
        float ox = variables[other + n], oy = variables[other + 2 * n], oz = variables[other + 3 * n];
        float oenergy = variables[other + 4 * n];
        float factor = 0.2f * area * (sound + sqrtf(fabsf(oenergy) / odensity));
        f0 += factor * (density - odensity) + nx * (ox + mx);
        f1 += factor * (mx - ox) + nx * (ox * ox / odensity + pressure);
        f2 += factor * (my - oy) + ny * (oy * oy / odensity + pressure);
        f3 += factor * (mz - oz) + nx * oz;
        f4 += factor * (energy - oenergy) + ny * oy;
    }
    flux[i] = f0;
    flux[i + n] = f1;
    flux[i + 2 * n] = f2;
    flux[i + 3 * n] = f3;
    flux[i + 4 * n] = f4;
}
