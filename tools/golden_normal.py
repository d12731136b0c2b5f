#!/usr/bin/env python3
"""Golden values of normal.h and bvn.h in 50 digits: tools/golden_normal.py > tests/golden/normal_golden.h"""
import mpmath as mp

mp.mp.dps = 50


def Q(u):
    return mp.erfc(u / mp.sqrt(2)) / 2


def tail_integral(n, u):
    """I_{-1} = phi, I_0 = Q, n I_n = I_{n-2} - u I_{n-1}; cancels, hence the extra digits."""
    if n == -1:
        return mp.exp(-u * u / 2) / mp.sqrt(2 * mp.pi)
    if n == 0:
        return Q(u)
    return (tail_integral(n - 2, u) - u * tail_integral(n - 1, u)) / n


def text(x):
    return mp.nstr(x, 20, strip_zeros=False, min_fixed=-1, max_fixed=1)


def log_forms(u):
    mp.mp.dps = 60 + int(8 * mp.log10(1 + abs(u)))
    u = mp.mpf(u)
    row = [mp.log(tail_integral(n, u)) for n in (0, 1, 2)]
    return ", ".join(text(x) for x in row)


def orthant(h, k, r):
    mp.mp.dps = 30
    h, k, r = mp.mpf(h), mp.mpf(k), mp.mpf(r)
    rr = mp.sqrt((1 - r) * (1 + r))
    step, width = k / r, rr / abs(r)
    cuts = [step + j * width for j in (-12, -3, 0, 3, 12)] + [h + j for j in (1, 3, 6, 16)]
    cuts = [h] + sorted(c for c in cuts if h < c < h + 16.5)
    return mp.quad(lambda z: tail_integral(-1, z) * Q((k - r * z) / rr), cuts)


def isf(p):
    mp.mp.dps = 40
    p = mp.mpf(p)
    guess = mp.sqrt(-2 * mp.log(p)) if p < 0.1 else mp.mpf(0)
    return mp.findroot(lambda x: mp.log(Q(x)) - mp.log(p), guess)


print("/* normal_golden.h - made by: tools/golden_normal.py > tests/golden/normal_golden.h */")
print("/* u, log Q(u), log G(u), log H(u) */")
print("static const double golden_logs[][4] = {")
for u in (-1e8, -40, -8, -2.5, -1, -0.125, 0, 0.125, 0.75, 1.5, 2.9375, 3, 3.0625, 4.96875, 5,
          9.5, 10, 15, 30, 99, 100, 1e3, 1e5, 1e8):
    print("    {%r, %s}," % (float(u), log_forms(u)))
print("};")
print("/* p, Q^{-1}(p) */")
print("static const double golden_isf[][2] = {")
for p in (1e-300, 1e-100, 1e-16, 1e-8, 1e-3, 0.02425, 0.1, 0.2499, 0.25, 0.3, 0.499, 0.5 - 2**-30,
          0.6, 0.75, 0.9, 0.999):
    print("    {%r, %s}," % (p, text(isf(p))))
print("};")
print("/* h, k, r, P(Z > h, W > k) */")
print("static const double golden_bvn[][4] = {")
for h, k, r in ((0, 0, 0.5), (1, -0.5, 0.25), (0.5, 2, -0.625), (-1.5, 1, 0.875), (1, 1.0625, 0.9375),
                (1, 1.015625, 1 - 2**-20), (-1, 1.0078125, -1 + 2**-16), (2, -2.5, -0.984375),
                (-2, 1.75, -0.96875), (3, 3, 0.75), (-3, -4, 0.5), (4, -4.25, -0.9990234375)):
    print("    {%r, %r, %r, %s}," % (float(h), float(k), float(r), text(orthant(h, k, r))))
print("};")
