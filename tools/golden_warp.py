#!/usr/bin/env python3
"""Log and logit in 700 digits: tools/golden_warp.py > tests/golden/warp_golden.h"""
import mpmath as mp

mp.mp.dps = 700  # 1 - 1e-300 has 300
POINTS = 9
SDS = [1e-9, 0.1, 1.0, 3.0, 30.0]  # of the images, one after the other


def row(values):
    return "{" + ", ".join(mp.nstr(v, 18) for v in values) + "}"


def show(power, low, high, at):
    """Image, slope, and half the length of the inverse image of image -+ sd."""
    y = [mp.mpf(a) for a in at]
    low, high = mp.mpf(low), mp.mpf(high)
    if power == 2:
        image, slope, back = [mp.log(v) for v in y], [1 / v for v in y], mp.exp
    else:
        image = [mp.log((v - low) / (high - v)) for v in y]
        slope = [1 / (v - low) + 1 / (high - v) for v in y]
        back = lambda t: low + (high - low) / (1 + mp.exp(-t))  # noqa: E731
    sd = [mp.mpf(SDS[i % len(SDS)]) for i in range(POINTS)]
    half = [(back(t + s) - back(t - s)) / 2 for t, s in zip(image, sd)]
    print("    {%d, %s, %s, %s, %s, %s, %s, %s}," % (power, mp.nstr(low, 18), mp.nstr(high, 18), row(y), row(image),
                                                    row(slope), row(sd), row(half)))


print("/* warp_golden.h - made by: tools/golden_warp.py > tests/golden/warp_golden.h */")
print(f"enum {{ GOLDEN_WARP_POINTS = {POINTS} }};")
print("static const struct golden_warp {")
print("    double power, low, high, at[GOLDEN_WARP_POINTS], image[GOLDEN_WARP_POINTS], slope[GOLDEN_WARP_POINTS];")
print("    double sd[GOLDEN_WARP_POINTS], half[GOLDEN_WARP_POINTS];")
print("} golden_warps[] = {")
show(2, 0, 0, [1e-300, 2.5e-9, 0.1, 0.999999, 1.0, 1.0000001, 7.25, 1e9, 1e280])
show(3, 0, 1, [1e-300, 2.5e-9, 0.1, 0.4999999, 0.5, 0.75, 0.9, 0.99999, 1 - 2.0 ** -50])
show(3, -40, 1000, [-40 + 2.0 ** -40, -39.5, -1.0, 0.0, 3.25, 480.0, 777.0, 999.5, 1000 - 2.0 ** -40])
show(3, -1e-12, 0, [-0.99e-12, -0.75e-12, -0.5e-12, -1e-13, -1e-20, -1e-40, -1e-100, -1e-200, -1e-300])
print("};")
