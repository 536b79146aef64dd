// a = b + s * c with vectors of two doubles.
// launch: triad<<<8, 128>>>(a: double2[1024], b: double2[1024], c: double2[1024], s = 3)
__global__ void triad(double2 *__restrict__ a, const double2 *__restrict__ b, const double2 *__restrict__ c, double s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double2 x = b[i], y = c[i];
    a[i] = make_double2(x.x + s * y.x, x.y + s * y.y);
}
