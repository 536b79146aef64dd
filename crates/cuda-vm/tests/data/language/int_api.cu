// launch: k<<<1, 32, 4096>>>(out: int[10] = zero, in: int[64] = iota, f: float[64] = iota)
// out: 1 1 10 19 5 1 1 49 17 -16711676
// accesses: store out+0 4x1; store out+4 4x1; store out+8 4x1; store out+12 4x1; store out+16 4x1; store out+20 4x1; store out+24 4x1; store out+28 4x1; store out+32 4x1; store out+36 4x1
__global__ void k(int *out, const int *in, const float *f)
{
  int t = threadIdx.x;
  if (t == 0) { out[0] = __vadd2(0x00010002, 0x00030004) == 0x00040006;
  out[1] = __vadd4(0x01020304, 0x01010101) == 0x02030405;
  out[2] = __vsadu4(0x01020304, 0);
  out[3] = __hadd(5, 8) + __rhadd(5, 8) + __uhadd(5u, 8u);
  out[4] = __fns(0xf0, 0, 2);
  out[5] = __funnelshift_rc(0x10u, 0u, 4u) + __funnelshift_lc(0u, 1u, 32u);
  out[6] = __vmaxs2(0x0001ffff, 0x00020001) == 0x00020001;
  out[7] = __usad(3u, 5u, 1u) + __uint2float_rn(5u) + __ll2float_rn(6ll) + __float2uint_rz(7.9f) + __double2int_rz(2.7) + __int2double_rn(3) + (int)__double2float_rn(4.5) + (int)__float2ll_rz(5.5f) + (int)__ull2double_rn(6ull) + (int)__double2ull_rz(7.5) + (int)__hiloint2double(0x3ff00000, 0);
  out[8] = max(3u, 4u) + min(3ll, 4ll) + (int)max(2.5f, 1.5f) + umin(3u, 2u) + llabs(-4ll) + (int)fmax(1.0, 2.0);
  out[9] = __vimax3_s32(1, 5, 3) + __vcmpeq4(0x01020304, 0x01030304) ; }
}
