#define D inline __device__
struct tuple_end {};
template <class A = tuple_end, class B = tuple_end, class C = tuple_end, class E = tuple_end, class F = tuple_end, class G = tuple_end> struct tuple { A a; B b; C c; E e; F f; G g; D tuple() {} D tuple(A a_, B b_, C c_, E e_, F f_, G g_) : a(a_), b(b_), c(c_), e(e_), f(f_), g(g_) {} };
template <class A, class B, class C, class E, class F> struct tuple<A, B, C, E, F, tuple_end> { A a; B b; C c; E e; F f; D tuple() {} D tuple(A a_, B b_, C c_, E e_, F f_) : a(a_), b(b_), c(c_), e(e_), f(f_) {} };
template <class A, class B, class C, class E> struct tuple<A, B, C, E, tuple_end, tuple_end> { A a; B b; C c; E e; D tuple() {} D tuple(A a_, B b_, C c_, E e_) : a(a_), b(b_), c(c_), e(e_) {} };
template <class A, class B, class C> struct tuple<A, B, C, tuple_end, tuple_end, tuple_end> { A a; B b; C c; D tuple() {} D tuple(A a_, B b_, C c_) : a(a_), b(b_), c(c_) {} };
template <class A, class B> struct tuple<A, B, tuple_end, tuple_end, tuple_end, tuple_end> { A a; B b; D tuple() {} D tuple(A a_, B b_) : a(a_), b(b_) {} };
template <class A> struct tuple<A, tuple_end, tuple_end, tuple_end, tuple_end, tuple_end> { A a; D tuple() {} D tuple(A a_) : a(a_) {} };
template <class A> D tuple<A> make_tuple(A a) { return tuple<A>(a); }
template <class A, class B> D tuple<A, B> make_tuple(A a, B b) { return tuple<A, B>(a, b); }
template <class A, class B, class C> D tuple<A, B, C> make_tuple(A a, B b, C c) { return tuple<A, B, C>(a, b, c); }
template <class A, class B, class C, class E> D tuple<A, B, C, E> make_tuple(A a, B b, C c, E e) { return tuple<A, B, C, E>(a, b, c, e); }
template <class A, class B, class C, class E, class F> D tuple<A, B, C, E, F> make_tuple(A a, B b, C c, E e, F f) { return tuple<A, B, C, E, F>(a, b, c, e, f); }
template <class A, class B, class C, class E, class F, class G> D tuple<A, B, C, E, F, G> make_tuple(A a, B b, C c, E e, F f, G g) { return tuple<A, B, C, E, F, G>(a, b, c, e, f, g); }
