// One step of a body around two others, in double precision: roots, divisions and an exponential.
// launch: orbit<<<1, 64>>>(x: double[64] = random(1, 2, 3), y: double[64] = random(2, 2, 3), o: double[64 * 2], t = 0.5)
__global__ void orbit(const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ o, double t)
{
    int i = threadIdx.x;
    double px = x[i], py = y[i];
    double inverse = rsqrt(px * px + py * py + 0.01);
    double distance = sqrt((px - 1.0) * (px - 1.0) + py * py);
    double drag = exp(-0.1 * distance);
    double phase = (px + t) / distance;
    o[i] = px - inverse * drag + phase;
    o[64 + i] = py / (1.0 + drag);
}
