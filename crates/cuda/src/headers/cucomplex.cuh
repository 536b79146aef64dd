#define D inline __device__
#define KIND(V, T, F, N) \
D T cuCreal##F(V a) { return a.x; } \
D T cuCimag##F(V a) { return a.y; } \
D V cuConj##F(V a) { return make_##V(a.x, -a.y); } \
D V cuCadd##F(V a, V b) { return make_##V(a.x + b.x, a.y + b.y); } \
D V cuCsub##F(V a, V b) { return make_##V(a.x - b.x, a.y - b.y); } \
D V cuCmul##F(V a, V b) { return make_##V(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
D V cuCdiv##F(V a, V b) { T n = b.x * b.x + b.y * b.y; return make_##V((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n); } \
D V cuCfma##F(V a, V b, V c) { return make_##V(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y); } \
D T cuCabs##F(V a) { return hypot(a.x, a.y); }
KIND(float2, float, f, ) KIND(double2, double, , )
D double2 cuComplexFloatToDouble(float2 a) { return make_double2(a.x, a.y); }
D float2 cuComplexDoubleToFloat(double2 a) { return make_float2(a.x, a.y); }
