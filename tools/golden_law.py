#!/usr/bin/env python3
"""EI of LAW_SET by nested quadrature in 30 digits: tools/golden_law.py > tests/golden/law_golden.h"""
import random

import mpmath as mp

mp.mp.dps = 30
PHI = lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)
Q = lambda x: mp.erfc(x / mp.sqrt(2)) / 2


def noise_integral(e0):
    """Integral of (e - e0) phi(e) over e > e0."""
    return mp.quad(lambda e: (e - e0) * PHI(e), [e0, e0 + 1, max(e0, 0) + 4, max(e0, 0) + 12])


def ei(mu, v, s2, tail_mass, ql, qu, best):
    mu, v, s2, t, ql, qu, best = map(mp.mpf, (mu, v, s2, tail_mass, ql, qu, best))
    sd, sy = mp.sqrt(v), mp.sqrt(v + s2)
    r, rr, h = sd / sy, mp.sqrt(s2) / sy, (best - mu) / sd
    inner = lambda z: sd * rr * noise_integral((h - r * z) / rr)
    kink = [h / r + j * rr / r for j in (-5, -1, 0, 1, 5)]

    def integrate(f, a, b):
        return mp.quad(f, sorted({a, b, *(c for c in kink if a < c < b)}), maxdegree=7)

    flat = integrate(inner, ql, qu) / (qu - ql)
    up = integrate(lambda z: PHI(z) * inner(z), qu, max(qu, h, 0) + 12)
    down = integrate(lambda z: PHI(z) * inner(z), min(ql, 0) - 12, ql)
    return (1 - t) * flat + t * (up + down) / (Q(qu) + Q(-ql))


random.seed(7)
print("/* law_golden.h - made by: tools/golden_law.py > tests/golden/law_golden.h */")
print("/* mu, v, s2, tail_mass, ql, qu, best, EI */")
print("static const double golden_ei[][8] = {")
for _ in range(12):
    v, s2 = round(random.uniform(0.1, 2), 3), round(10 ** random.uniform(-3, 0), 4)
    ql = -round(random.uniform(0.1, 3), 3)
    qu = round(random.uniform(0.1, 3), 3)
    mu, best = round(random.uniform(-1, 1), 3), round(random.uniform(-1.5, 3), 3)
    row = (mu, v, s2, round(random.uniform(0, 0.9), 3), ql, qu, best)
    print("    {%s, %s}," % (", ".join(map(repr, row)), mp.nstr(ei(*row), 18)))
print("};")
