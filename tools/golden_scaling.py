#!/usr/bin/env python3
"""Box-Cox scales of losses in 500 digits: tools/golden_scaling.py > tests/golden/scaling_golden.h

The unit of c is that of the losses, c = loss - offset, which src/base/warp.c avoids; the scale is the same."""
import random

import mpmath as mp

mp.mp.dps = 500  # c^power - 1 with c = 1e200
LOSSES, POINTS = 12, 9


def box(c, power):
    return mp.log(c) if power == 0 else (c ** power - 1) / power


def likelihood(losses, offset, power):
    images = [box(v - offset, power) for v in losses]
    mean = mp.fsum(images) / len(images)
    sd = mp.sqrt(mp.fsum((t - mean) ** 2 for t in images) / (len(images) - 1))
    value = (power - 1) * mp.fsum(mp.log(v - offset) for v in losses) - len(losses) * mp.log(sd)
    return value, mean, sd


def scale(losses):
    losses = sorted(map(mp.mpf, losses))
    low, quartile = losses[0], losses[(len(losses) - 1) // 4]
    offset = low - (quartile - low) / 10
    (_, mean, sd), power = max((likelihood(losses, offset, mp.mpf(k) / 20), mp.mpf(k) / 20) for k in range(-20, 21))

    def z(loss):
        loss = mp.mpf(loss)
        at = min(max(loss, low), losses[-1])
        return -(box(at - offset, power) + (loss - at) * (at - offset) ** (power - 1) - mean) / sd

    return power, offset, z


random.seed(3)
print("/* scaling_golden.h - made by: tools/golden_scaling.py > tests/golden/scaling_golden.h */")
print(f"enum {{ GOLDEN_LOSSES = {LOSSES}, GOLDEN_POINTS = {POINTS} }};")
print("static const struct golden_scale {")
print("    double loss[GOLDEN_LOSSES], power, offset, at[GOLDEN_POINTS], z[GOLDEN_POINTS], slope[GOLDEN_POINTS];")
print("} golden_scales[] = {")
KINDS = [lambda: random.gauss(0, 1), lambda: random.lognormvariate(0, 1), lambda: 1e6 + random.lognormvariate(3, 2),
         lambda: 1e-7 * random.paretovariate(0.5), lambda: 2 - random.lognormvariate(0, 0.7),
         lambda: random.gauss(0, 1) / random.gauss(0, 1) * 1e200]
for draw in KINDS:
    losses = [draw() for _ in range(LOSSES)]
    power, offset, z = scale(losses)
    low, high = min(losses), max(losses)
    at = [low - 2 * (high - low), low - 0.01 * (high - low), low, losses[0], losses[1], (low + high) / 2, high,
          high + 0.1 * (high - low), high + 9 * (high - low)]
    step = mp.mpf(high - low) * mp.mpf(10) ** -30
    slope = [(z(a - step) - z(a + step)) / (2 * step) for a in at]

    def row(values):
        return "{" + ", ".join(mp.nstr(mp.mpf(v), 18) for v in values) + "}"

    print("    {%s, %s, %s, %s, %s, %s}," % (row(losses), mp.nstr(power, 18), mp.nstr(offset, 18), row(at),
                                          row(map(z, at)), row(slope)))
print("};")
