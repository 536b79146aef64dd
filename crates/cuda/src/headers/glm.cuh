#define D inline __device__
template <int L, class T> struct vec { T x; };
template <class T> struct vec<2, T> {
  T x, y;
  D vec() {}
  D explicit vec(T s) : x(s), y(s) {}
  template <class A, class B> D vec(A a, B b) : x(a), y(b) {}
  template <int N, class U> D vec(vec<N, U> v) : x(v.x), y(v.y) {}
  D T &operator[](int i) { return (&x)[i]; }
};
template <class T> struct vec<3, T> {
  T x, y, z;
  D vec() {}
  D explicit vec(T s) : x(s), y(s), z(s) {}
  template <class A, class B, class C> D vec(A a, B b, C c) : x(a), y(b), z(c) {}
  template <class U, class C> D vec(vec<2, U> v, C c) : x(v.x), y(v.y), z(c) {}
  template <int N, class U> D vec(vec<N, U> v) : x(v.x), y(v.y), z(v.z) {}
  D T &operator[](int i) { return (&x)[i]; }
};
template <class T> struct vec<4, T> {
  T x, y, z, w;
  D vec() {}
  D explicit vec(T s) : x(s), y(s), z(s), w(s) {}
  template <class A, class B, class C, class E> D vec(A a, B b, C c, E e) : x(a), y(b), z(c), w(e) {}
  template <class U, class E> D vec(vec<3, U> v, E e) : x(v.x), y(v.y), z(v.z), w(e) {}
  template <class U> D vec(vec<4, U> v) : x(v.x), y(v.y), z(v.z), w(v.w) {}
  D T &operator[](int i) { return (&x)[i]; }
};
#define L template <int N, class T> D
#define E for (int i = 0; i < N; i++)
#define BIN(O) \
L vec<N, T> operator O(vec<N, T> a, vec<N, T> b) { vec<N, T> r; E r[i] = a[i] O b[i]; return r; } \
L vec<N, T> operator O(vec<N, T> a, T s) { vec<N, T> r; E r[i] = a[i] O s; return r; } \
L vec<N, T> operator O(T s, vec<N, T> a) { vec<N, T> r; E r[i] = s O a[i]; return r; } \
L vec<N, T> &operator O##=(vec<N, T> &a, T s) { a = a O s; return a; } \
L vec<N, T> &operator O##=(vec<N, T> &a, vec<N, T> b) { a = a O b; return a; }
BIN(+) BIN(-) BIN(*) BIN(/)
L vec<N, T> operator-(vec<N, T> a) { E a[i] = -a[i]; return a; }
L bool operator==(vec<N, T> a, vec<N, T> b) { bool r = true; E r = r && a[i] == b[i]; return r; }
L bool operator!=(vec<N, T> a, vec<N, T> b) { return !(a == b); }
L T dot(vec<N, T> a, vec<N, T> b) { T r = a[0] * b[0]; for (int i = 1; i < N; i++) r += a[i] * b[i]; return r; }
L T length(vec<N, T> a) { return sqrt(dot(a, a)); }
L T length2(vec<N, T> a) { return dot(a, a); }
L T distance(vec<N, T> a, vec<N, T> b) { return length(a - b); }
L vec<N, T> normalize(vec<N, T> a) { return a * rsqrt(dot(a, a)); }
#define TWO(F) \
L vec<N, T> F(vec<N, T> a, vec<N, T> b) { vec<N, T> r; E r[i] = F(a[i], b[i]); return r; } \
L vec<N, T> F(vec<N, T> a, T s) { vec<N, T> r; E r[i] = F(a[i], s); return r; }
TWO(min) TWO(max)
#define ONE(F) L vec<N, T> F(vec<N, T> a) { E a[i] = F(a[i]); return a; }
ONE(abs) ONE(floor) ONE(exp) ONE(sqrt)
template <class T> D T clamp(T v, T a, T b) { return min(max(v, a), b); }
template <class T> D T atan(T y, T x) { return atan2(y, x); }
template <class T> D vec<3, T> cross(vec<3, T> a, vec<3, T> b) { return vec<3, T>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
template <int C, int R, class T> struct mat {
  vec<R, T> c[C];
  D mat() {}
  D explicit mat(T s) { for (int i = 0; i < C; i++) for (int j = 0; j < R; j++) c[i][j] = i == j ? s : T(0); }
  D mat(T a, T b, T e, T f) { c[0] = vec<R, T>(a, b); c[1] = vec<R, T>(e, f); }
  D mat(T a, T b, T e, T f, T g, T h) { c[0][0] = a; c[0][1] = b; if (R == 2) { c[1][0] = e; c[1][1] = f; c[2][0] = g; c[2][1] = h; } else { c[0][2] = e; c[1][0] = f; c[1][1] = g; c[1][2] = h; } }
  D mat(T a, T b, T e, T f, T g, T h, T i, T j, T k) { c[0] = vec<R, T>(a, b, e); c[1] = vec<R, T>(f, g, h); c[2] = vec<R, T>(i, j, k); }
  D mat(T a, T b, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p, T q, T r) { c[0] = vec<R, T>(a, b, e, f); c[1] = vec<R, T>(g, h, i, j); c[2] = vec<R, T>(k, l, m, n); c[3] = vec<R, T>(o, p, q, r); }
  D mat(vec<R, T> a, vec<R, T> b) { c[0] = a; c[1] = b; }
  D mat(vec<R, T> a, vec<R, T> b, vec<R, T> d) { c[0] = a; c[1] = b; c[2] = d; }
  D mat(vec<R, T> a, vec<R, T> b, vec<R, T> d, vec<R, T> e) { c[0] = a; c[1] = b; c[2] = d; c[3] = e; }
  template <int A, int B> D mat(mat<A, B, T> m) { for (int i = 0; i < C; i++) for (int j = 0; j < R; j++) c[i][j] = i < A && j < B ? m.c[i][j] : T(i == j); }
  D vec<R, T> &operator[](int i) { return c[i]; }
};
#define M template <int C, int R, class T> D
#define EACH for (int i = 0; i < C; i++)
M vec<R, T> operator*(mat<C, R, T> m, vec<C, T> v) { vec<R, T> r = m.c[0] * v[0]; for (int i = 1; i < C; i++) r += m.c[i] * v[i]; return r; }
M vec<C, T> operator*(vec<R, T> v, mat<C, R, T> m) { vec<C, T> r; EACH r[i] = dot(v, m.c[i]); return r; }
template <int C, int K, int R, class T> D mat<C, R, T> operator*(mat<K, R, T> a, mat<C, K, T> b) { mat<C, R, T> r; EACH r.c[i] = a * b.c[i]; return r; }
M mat<C, R, T> operator*(mat<C, R, T> m, T s) { EACH m.c[i] *= s; return m; }
M mat<C, R, T> operator*(T s, mat<C, R, T> m) { EACH m.c[i] *= s; return m; }
M mat<C, R, T> operator/(mat<C, R, T> m, T s) { EACH m.c[i] /= s; return m; }
M mat<C, R, T> operator+(mat<C, R, T> a, mat<C, R, T> b) { EACH a.c[i] += b.c[i]; return a; }
M mat<C, R, T> operator-(mat<C, R, T> a, mat<C, R, T> b) { EACH a.c[i] -= b.c[i]; return a; }
M mat<C, R, T> operator-(mat<C, R, T> m) { EACH m.c[i] = -m.c[i]; return m; }
M void operator+=(mat<C, R, T> &a, mat<C, R, T> b) { a = a + b; }
M void operator-=(mat<C, R, T> &a, mat<C, R, T> b) { a = a - b; }
M void operator*=(mat<C, R, T> &a, T s) { a = a * s; }
M mat<R, C, T> transpose(mat<C, R, T> m) { mat<R, C, T> t; EACH for (int j = 0; j < R; j++) t.c[j][i] = m.c[i][j]; return t; }
M mat<R, C, T> outerProduct(vec<C, T> a, vec<R, T> b) { mat<R, C, T> m; for (int i = 0; i < R; i++) m.c[i] = a * b[i]; return m; }
template <class T> D T determinant(mat<2, 2, T> m) { return m.c[0].x * m.c[1].y - m.c[1].x * m.c[0].y; }
template <class T> D T determinant(mat<3, 3, T> m) { return dot(m.c[0], cross(m.c[1], m.c[2])); }
template <class T> D mat<2, 2, T> inverse(mat<2, 2, T> m) { return mat<2, 2, T>(m.c[1].y, -m.c[0].y, -m.c[1].x, m.c[0].x) / determinant(m); }
template <class T> D mat<3, 3, T> inverse(mat<3, 3, T> m) { return transpose(mat<3, 3, T>(cross(m.c[1], m.c[2]), cross(m.c[2], m.c[0]), cross(m.c[0], m.c[1]))) / determinant(m); }
#define NAMES(P, T) typedef vec<2, T> P##vec2; typedef vec<3, T> P##vec3; typedef vec<4, T> P##vec4;
NAMES(, float) NAMES(f, float) NAMES(d, double) NAMES(i, int) NAMES(u, unsigned)
typedef mat<2, 2, float> mat2; typedef mat<3, 3, float> mat3; typedef mat<4, 4, float> mat4;
typedef mat<2, 2, float> fmat2; typedef mat<3, 3, float> fmat3; typedef mat<4, 4, float> fmat4;
typedef mat<2, 3, float> mat2x3; typedef mat<3, 2, float> mat3x2; typedef mat<3, 4, float> mat3x4; typedef mat<4, 3, float> mat4x3;
#define MAKE(N) template <class T> D vec<N, T> make_vec##N(const T *p) { vec<N, T> r; for (int i = 0; i < N; i++) r[i] = p[i]; return r; } \
template <class T> D mat<N, N, T> make_mat##N(const T *p) { mat<N, N, T> m; for (int i = 0; i < N; i++) m.c[i] = make_vec##N(p + N * i); return m; } \
template <class T> D T *value_ptr(vec<N, T> &v) { return &v.x; }
MAKE(2) MAKE(3) MAKE(4)
