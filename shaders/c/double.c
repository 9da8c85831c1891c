// DD is the number hi + lo, where |lo| is at most half an ulp of hi: about 106 bits. Dekker, A Floating-Point Technique
// for Extending the Available Precision, Numer. Math. 18, 1971; Hida, Li and Bailey, Algorithms for Quad-Double
// Precision Floating Point Arithmetic, ARITH-15, 2001. It needs a compiler that neither fuses nor reassociates.
struct DD {
  f64 hi, lo;
};

// dd_fast(a, b) is a + b, exactly, where |a| is not less than |b| or a is 0.
SKALD_FN struct DD dd_fast(f64 a, f64 b) {
  struct DD r;
  r.hi = a + b;
  r.lo = b - (r.hi - a);
  return r;
}

// dd_sum(a, b) is a + b, exactly.
SKALD_FN struct DD dd_sum(f64 a, f64 b) {
  struct DD r;
  r.hi = a + b;
  f64 t = r.hi - a;
  r.lo = (a - (r.hi - t)) + (b - t);
  return r;
}

// dd_add(a, b) is a + b.
SKALD_FN struct DD dd_add(struct DD a, struct DD b) {
  struct DD s = dd_sum(a.hi, b.hi), t = dd_sum(a.lo, b.lo);
  s = dd_fast(s.hi, s.lo + t.hi);
  return dd_fast(s.hi, s.lo + t.lo);
}

// dd_neg(a) is -a.
SKALD_FN struct DD dd_neg(struct DD a) {
  a.hi = -a.hi;
  a.lo = -a.lo;
  return a;
}

// dd_mul(a, b) is a · b.
SKALD_FN struct DD dd_mul(struct DD a, struct DD b) {
  f64 p = a.hi * b.hi;
  return dd_fast(p, fma(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi));
}

// dd_div(a, b) is a / b.
SKALD_FN struct DD dd_div(struct DD a, struct DD b) {
  f64 q = a.hi / b.hi;
  struct DD r = dd_add(a, dd_neg(dd_mul(dd_fast(q, 0), b)));
  return dd_fast(q, r.hi / b.hi);
}

// dd_over(a, n) is a / n for a small integer n.
SKALD_FN struct DD dd_over(struct DD a, f64 n) {
  f64 inverse = 1 / n, q = a.hi * inverse;
  return dd_fast(q, (fma(-q, n, a.hi) + a.lo) * inverse);
}

// dd_pi() is pi.
SKALD_FN struct DD dd_pi(void) { return dd_fast(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53); }

// dd_over_pi(a) is a / pi.
SKALD_FN struct DD dd_over_pi(struct DD a) { return dd_mul(a, dd_fast(0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56)); }

// dd_series(z, n, odd) is the sum of (-z)^k / (2k)! for k up to n, or of (-z)^k / (2k + 1)! where odd is 1, for z up to
// (pi / 2)^2, within 2^-80; the terms after the seventh are too small to need more than f64.
SKALD_FN struct DD dd_series(struct DD z, i32 n, i32 odd) {
  f64 tail = 1;
  i32 m = 2 * n + odd;
  for (; m > 15; m -= 2) {
    tail = 1 - z.hi * tail / ((f64)m * (m - 1));
  }
  struct DD s = dd_fast(tail, 0);
  for (; m > 1; m -= 2) {
    s = dd_add(dd_fast(1, 0), dd_neg(dd_over(dd_mul(z, s), (f64)m * (m - 1))));
  }
  return s;
}

// dd_sin(a) is the sine for |a| up to pi / 2, by Taylor's series.
SKALD_FN struct DD dd_sin(struct DD a) { return dd_mul(a, dd_series(dd_mul(a, a), 16, 1)); }

// dd_cos(a) is the cosine for |a| up to pi / 4, by Taylor's series.
SKALD_FN struct DD dd_cos(struct DD a) { return dd_series(dd_mul(a, a), 13, 0); }

// dd_asin(x) is the arc sine for |x| up to a half: C's asin and one step of Newton's method.
SKALD_FN struct DD dd_asin(struct DD x) {
  f64 y = asin(x.hi);
  struct DD s = dd_sin(dd_fast(y, 0));
  return dd_fast(y, ((x.hi - s.hi) - s.lo + x.lo) / cos(y));
}

// dd_acospi(a) is acos a / pi for a in [1/2, 1): 2 asin(sqrt((1 - a) / 2)) / pi.
SKALD_FN struct DD dd_acospi(f64 a) {
  f64 h = (1 - a) / 2, r = sqrt(h);
  struct DD t = dd_over_pi(dd_asin(dd_fast(r, fma(-r, r, h) / (2 * r))));
  return dd_add(t, t);
}

// dd_scale(a) is the power of two next to e^a, as the exponent of it.
SKALD_FN f64 dd_scale(struct DD a) { return rint(a.hi * 1.4426950408889634074); }

// dd_exp(a, k) is e^a / 2^k for k from dd_scale: Taylor's series for a 32nd of the rest, whose terms after the sixth
// are too small to need more than f64, squared five times.
SKALD_FN struct DD dd_exp(struct DD a, f64 k) {
  struct DD r = dd_add(a, dd_mul(dd_fast(-k, 0), dd_fast(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56)));
  r.hi /= 32;
  r.lo /= 32;
  f64 tail = 1;
  for (i32 i = 12; i > 6; i--) {
    tail = 1 + r.hi * tail / i;
  }
  struct DD s = dd_fast(tail, 0);
  for (i32 i = 6; i > 0; i--) {
    s = dd_add(dd_fast(1, 0), dd_over(dd_mul(r, s), i));
  }
  for (i32 i = 0; i < 5; i++) {
    s = dd_mul(s, s);
  }
  return s;
}

// dd_log(x) is the natural logarithm of a positive normal number, absolutely near 1: C's log and one step of Newton's
// method.
SKALD_FN struct DD dd_log(struct DD x) {
  struct DD y = dd_fast(log(x.hi), 0);
  f64 k = dd_scale(dd_neg(y));
  struct DD e = dd_mul(dd_exp(dd_neg(y), k), dd_fast(ldexp(x.hi, (i32)k), ldexp(x.lo, (i32)k)));
  return dd_add(y, dd_add(e, dd_fast(-1, 0)));
}

// dd_stirling(x) is the logarithm of gamma x for x >= 16, absolutely within 2^-58, by Stirling's series (Abramowitz and
// Stegun, 6.1.41).
SKALD_FN struct DD dd_stirling(struct DD x) {
  f64 z = 1 / (x.hi * x.hi), s = 43867.0 / 244188;
  s = -3617.0 / 122400 + z * s;
  s = 1.0 / 156 + z * s;
  s = -691.0 / 360360 + z * s;
  s = 1.0 / 1188 + z * s;
  s = -1.0 / 1680 + z * s;
  s = 1.0 / 1260 + z * s;
  s = -1.0 / 360 + z * s;
  s = 1.0 / 12 + z * s;
  struct DD l = dd_mul(dd_add(x, dd_fast(-0.5, 0)), dd_log(x));
  struct DD c = dd_add(dd_fast(0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55), dd_fast(s / x.hi, 0));
  return dd_add(dd_add(l, dd_neg(x)), c);
}

// dd_sinpi(a) is |sin(pi a)| for a that is no integer.
SKALD_FN struct DD dd_sinpi(f64 a) { return dd_sin(dd_mul(dd_pi(), dd_fast(fabs(a - rint(a)), 0))); }

// Rising is a number y >= 16 and the product of numbers 1 apart below it: gamma a · a · product = gamma y, or, where
// a is at least 16 itself, y is a and the product is 1.
struct Rising {
  struct DD y, product;
};

// dd_rising(a) brings a positive number to 16 and more, by the recurrence of the gamma function.
SKALD_FN struct Rising dd_rising(f64 a) {
  struct Rising r;
  r.product = dd_fast(1, 0);
  r.y = a < 16 ? dd_sum(a, 1) : dd_fast(a, 0);
  while (r.y.hi < 16) {
    r.product = dd_mul(r.product, r.y);
    r.y = dd_add(r.y, dd_fast(1, 0));
  }
  return r;
}

// over_pi(y) is y / pi with the sign of y, within 0.51 ulp.
SKALD_FN f64 over_pi(f64 y) {
  return copysign(fma(y, 0x1.45f306dc9c883p-2, y * -0x1.6b01ec5417056p-56), y);
}
