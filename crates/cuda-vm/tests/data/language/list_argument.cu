// launch: k<<<1, 32>>>(out: int[32] = zero, in: float[64] = iota)
// out: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43 45 47 49 51 53 55 57 59 61 63
// accesses: load in+0 4x32; load in+4 4x32; store out+0 4x32
// A list as an argument names variables of the caller, also where the function has parameters of the same names.
struct Pair { float a, b; };
__device__ Pair add(Pair x, Pair i) { Pair r; r.a = x.a + i.a; r.b = x.b + i.b; return r; }
__global__ void k(int *out, const float *in)
{
  int i = threadIdx.x;
  const float *x = in + i;
  Pair s = add({ x[0], 0.0f }, { x[1], 1.0f });
  out[i] = s.a;
}
