#define D inline __device__
template <class T> struct __align__(2 * sizeof(T)) complex {
  T re, im;
  typedef T value_type;
  D complex() : re(0), im(0) {}
  D complex(T a) : re(a), im(0) {}
  D complex(T a, T b) : re(a), im(b) {}
  template <class U> D complex(const complex<U> &a) : re(a.re), im(a.im) {}
  D T real() const { return re; }
  D T imag() const { return im; }
  D void real(T a) { re = a; }
  D void imag(T a) { im = a; }
  D complex<T> &operator+=(complex<T> b) { re += b.re; im += b.im; return *this; }
  D complex<T> &operator-=(complex<T> b) { re -= b.re; im -= b.im; return *this; }
  D complex<T> &operator*=(complex<T> b) { *this = *this * b; return *this; }
  D complex<T> &operator/=(complex<T> b) { *this = *this / b; return *this; }
};
template <class T> D complex<T> operator+(complex<T> a, complex<T> b) { return complex<T>(a.re + b.re, a.im + b.im); }
template <class T> D complex<T> operator-(complex<T> a, complex<T> b) { return complex<T>(a.re - b.re, a.im - b.im); }
template <class T> D complex<T> operator*(complex<T> a, complex<T> b) { return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }
template <class T> D complex<T> operator/(complex<T> a, complex<T> b) { T n = b.re * b.re + b.im * b.im; return complex<T>((a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n); }
template <class T> D complex<T> operator-(complex<T> a) { return complex<T>(-a.re, -a.im); }
template <class T> D bool operator==(complex<T> a, complex<T> b) { return a.re == b.re && a.im == b.im; }
template <class T> D bool operator!=(complex<T> a, complex<T> b) { return a.re != b.re || a.im != b.im; }
#define MIX(O) \
template <class T, class U> D complex<T> operator O(complex<T> a, U b) { return a O complex<T>((T)b); } \
template <class T, class U> D complex<T> operator O(U a, complex<T> b) { return complex<T>((T)a) O b; }
MIX(+) MIX(-) MIX(*) MIX(/)
template <class T> D T real(complex<T> a) { return a.re; }
template <class T> D T imag(complex<T> a) { return a.im; }
template <class T> D T norm(complex<T> a) { return a.re * a.re + a.im * a.im; }
template <class T> D T abs(complex<T> a) { return hypot(a.re, a.im); }
template <class T> D T arg(complex<T> a) { return atan2(a.im, a.re); }
template <class T> D complex<T> conj(complex<T> a) { return complex<T>(a.re, -a.im); }
template <class T> D complex<T> polar(T r, T t) { return complex<T>(r * cos(t), r * sin(t)); }
template <class T> D complex<T> exp(complex<T> a) { return polar(exp(a.re), a.im); }
template <class T> D complex<T> log(complex<T> a) { return complex<T>(log(abs(a)), arg(a)); }
template <class T> D complex<T> sqrt(complex<T> a) { return polar(sqrt(abs(a)), arg(a) / 2); }
template <class T> D complex<T> pow(complex<T> a, complex<T> b) { return exp(b * log(a)); }
template <class T, class U> D complex<T> pow(complex<T> a, U b) { return exp(log(a) * (T)b); }
template <class T> D complex<T> sin(complex<T> a) { return complex<T>(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im)); }
template <class T> D complex<T> cos(complex<T> a) { return complex<T>(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im)); }
