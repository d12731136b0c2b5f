#!/usr/bin/env python3
"""What problems/constrained.c and problems/tradeoffs.c say of their problems, and golden values for their test:

tools/golden_outputs.py | clang-format > tests/golden/problem_outputs_golden.h    values in 30 digits; points of fronts
tools/golden_outputs.py table              the optima, smallest values and exact volumes of the tables; seconds
tools/golden_outputs.py volumes            the volumes of the tables that are found by search; half an hour

Needs mpmath, and NLopt's library, which the project needs too.

Optima: SLSQP from random points finds the best feasible point, and which constraints and bounds limit it; there the
conditions of Karush, Kuhn and Tucker are solved by Newton's method in 45 digits. Multipliers, which are positive at a
minimum, are printed. The point of the table is solved for constraints of at most -1e-10, so that they hold in spite of
rounding.

Volumes without a closed form: in polar coordinates around the reference point r, for m objectives,

    volume = (1/m) integral of rho(v)^m over the unit vectors v > 0,
    rho(v) = max over feasible x of min over i of (r_i - f_i(x))/v_i,

each rho by SLSQP from many points, the integral by the midpoint rule. A rho that is found is at most the true one. So
the volume is too small where the search fails (more tries show that), and off by the midpoint rule (more directions).
For vehicle-safety it goes 48.0709, 48.0692, 48.0683 (48, 80, 110); many millions of points have 48.0678 and converge to
48.07 as well."""
import ctypes
import ctypes.util
import heapq
import math
import random
import sys

import mpmath as mp

mp.mp.dps = 30

# ---- the problems: a function of a module (math or mpmath) and x gives the outputs ----------------------------------

HEIGHT = [1, 1.2, 3, 3.2]
A6 = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
P6 = [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
      [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]


def gardner1(m, x):
    return [m.cos(2 * x[0]) * m.cos(x[1]) + m.sin(x[0]), m.cos(x[0]) * m.cos(x[1]) - m.sin(x[0]) * m.sin(x[1]) - 0.5]


def gardner2(m, x):
    return [m.sin(x[0]) + x[1], m.sin(x[0]) * m.sin(x[1]) + 0.95]


def gramacy(m, x):
    wave = m.sin(2 * m.pi * (x[0] ** 2 - 2 * x[1]))
    return [x[0] + x[1], 1.5 - x[0] - 2 * x[1] - wave / 2, x[0] ** 2 + x[1] ** 2 - 1.5]


def beam(m, x):
    """Cost, shear stress, bending stress, buckling load, deflection."""
    h, l, t, b = x
    first = 6000 / (m.sqrt(2) * h * l)
    radius = m.sqrt((l**2 + (h + t) ** 2) / 4)
    second = 6000 * (14 + l / 2) * radius / (m.sqrt(2) * h * l * (l**2 / 12 + (h + t) ** 2 / 4))
    shear = m.sqrt(first**2 + first * second * l / radius + second**2)
    return (1.10471 * h**2 * l + 0.04811 * t * b * (14 + l), shear, 504000 / (b * t**2),
            64746.022 * (1 - 0.0282346 * t) * t * b**3, 2.1952 / (b * t**3))


def welded_beam(m, x):
    cost, shear, bending, buckling, deflection = beam(m, x)
    return [cost, m.log(shear / 13600), m.log(bending / 30000), x[0] - x[3], m.log(6000 / buckling),
            m.log(deflection / 0.25)]


def welded_beam2(m, x):
    cost, shear, bending, buckling, deflection = beam(m, x)
    return [m.log(cost), m.log(deflection), m.log(shear / 13600), m.log(bending / 30000), x[0] - x[3],
            m.log(6000 / buckling)]


def tension_spring(m, x):
    d, D, n = x
    stress = (4 * D**2 - d * D) / (12566 * (D * d**3 - d**4)) + 1 / (5108 * d**2)
    return [(n + 2) * D * d**2, m.log(71785 * d**4 / (D**3 * n)), m.log(stress), m.log(D**2 * n / (140.45 * d))]


def hartmann6_ball(m, x):
    inner = [sum(a * (t - m.mpf(p) / 10**4 if m is mp else t - p / 10**4) ** 2 for t, a, p in zip(x, A, P))
             for A, P in zip(A6, P6)]
    return [-sum(h * m.exp(-i) for h, i in zip(HEIGHT, inner)), sum(t**2 for t in x) - 0.64]


def zdt(shape):
    def outputs(m, x):
        g = 1 + 9 * sum(x[1:]) / (len(x) - 1)
        return [x[0] , g * shape(m, x[0], x[0] / g)]
    return outputs


zdt1 = zdt(lambda m, f, share: 1 - m.sqrt(share))
zdt2 = zdt(lambda m, f, share: 1 - share**2)
zdt3 = zdt(lambda m, f, share: 1 - m.sqrt(share) - share * m.sin(10 * m.pi * f))


def dtlz2(count):
    def outputs(m, x):
        r = 1 + sum((t - 0.5) ** 2 for t in x[count - 1:])
        c = [m.cos(t * m.pi / 2) for t in x[:count - 1]]
        s = [m.sin(t * m.pi / 2) for t in x[:count - 1]]
        return [r * c[0], r * s[0]] if count == 2 else [r * c[0] * c[1], r * c[0] * s[1], r * s[0]]
    return outputs


def branin_currin(m, x):
    a, b = 15 * x[0] - 5, 15 * x[1]
    branin = (b - 5.1 * a**2 / (4 * m.pi**2) + 5 * a / m.pi - 6) ** 2 + 10 * (1 - 1 / (8 * m.pi)) * m.cos(a) + 10
    t = x[0]
    ratio = (2300 * t**3 + 1900 * t**2 + 2092 * t + 60) / (100 * t**3 + 500 * t**2 + 4 * t + 20)
    return [branin, (1 - m.exp(-1 / (2 * x[1]))) * ratio if x[1] > 0 else ratio]


def vehicle_safety(m, x):
    a, b, c, d, e = x
    mass = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e
    acceleration = (6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e
                    + 0.3628 * b * d - 0.1106 * a**2 - 0.3437 * c**2 + 0.1764 * d**2)
    intrusion = (-0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d
                 - 0.0204 * c * d - 0.008 * c * e - 0.0241 * b**2 + 0.0109 * d**2)
    return [mass, acceleration, intrusion]


# name: outputs, their number, number of objectives, low, high, reference point
PROBLEMS = {
    "gardner1": (gardner1, 2, 1, [0, 0], [6, 6], None),
    "gardner2": (gardner2, 2, 1, [0, 0], [6, 6], None),
    "gramacy": (gramacy, 3, 1, [0, 0], [1, 1], None),
    "welded-beam": (welded_beam, 6, 1, [0.125, 0.1, 0.1, 0.125], [2, 10, 10, 2], None),
    "tension-spring": (tension_spring, 4, 1, [0.05, 0.25, 2], [0.1, 1.3, 15], None),
    "hartmann6-ball": (hartmann6_ball, 2, 1, [0] * 6, [1] * 6, None),
    "zdt1": (zdt1, 2, 2, [0] * 6, [1] * 6, [11, 11]),
    "zdt2": (zdt2, 2, 2, [0] * 5, [1] * 5, [11, 11]),
    "zdt3": (zdt3, 2, 2, [0] * 4, [1] * 4, [11, 11]),
    "dtlz2-2": (dtlz2(2), 2, 2, [0] * 5, [1] * 5, [1.1, 1.1]),
    "dtlz2-3": (dtlz2(3), 3, 3, [0] * 6, [1] * 6, [1.1, 1.1, 1.1]),
    "branin-currin": (branin_currin, 2, 2, [0] * 2, [1] * 2, [18, 6]),
    "vehicle-safety": (vehicle_safety, 3, 3, [1] * 5, [3] * 5, [1700, 12, 0.3]),
    "welded-beam2": (welded_beam2, 6, 2, [0.125, 0.1, 0.1, 0.125], [5, 10, 10, 5], [math.log(40), math.log(0.02)]),
}

# ---- SLSQP ----------------------------------------------------------------------------------------------------------

nlopt = ctypes.CDLL(ctypes.util.find_library("nlopt"))
NUMBERS, POINTER = ctypes.POINTER(ctypes.c_double), ctypes.c_void_p
OBJECTIVE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_uint, NUMBERS, NUMBERS, POINTER)
CONSTRAINTS = ctypes.CFUNCTYPE(None, ctypes.c_uint, NUMBERS, ctypes.c_uint, NUMBERS, NUMBERS, POINTER)
nlopt.nlopt_create.restype = POINTER
nlopt.nlopt_algorithm_from_string.argtypes = [ctypes.c_char_p]
SLSQP = nlopt.nlopt_algorithm_from_string(b"LD_SLSQP")


def slopes(f, u):
    """Derivatives in the unit cube by differences that stay in it: a row for each value of f."""
    columns = []
    for i in range(len(u)):
        high, low = min(u[i] + 1e-6, 1), max(u[i] - 1e-6, 0)
        above, below = f(u[:i] + [high] + u[i + 1:]), f(u[:i] + [low] + u[i + 1:])
        columns.append([(a - b) / (high - low) for a, b in zip(above, below)])
    return list(zip(*columns))


def fill(pointer, numbers):
    for i, number in enumerate(numbers):
        pointer[i] = number


def descend(f, start):
    """A local minimum in the unit cube of the first value of f where the others are at most 0, beside `start`."""
    n, m = len(start), len(f(start)) - 1

    def objective(_, u, gradient, __):
        u = u[:n]
        if gradient:
            fill(gradient, slopes(f, u)[0])
        return f(u)[0]

    def constraints(_, result, __, u, gradient, ___):
        u = u[:n]
        if gradient:
            fill(gradient, [d for row in slopes(f, u)[1:] for d in row])
        fill(result, f(u)[1:])

    keep = OBJECTIVE(objective), CONSTRAINTS(constraints)  # alive as long as NLopt has them
    box = ctypes.c_double * n
    u, value, small = box(*start), ctypes.c_double(), ctypes.c_double(1e-13)
    solver = POINTER(nlopt.nlopt_create(SLSQP, n))
    nlopt.nlopt_set_lower_bounds(solver, box(*[0] * n))
    nlopt.nlopt_set_upper_bounds(solver, box(*[1] * n))
    nlopt.nlopt_set_xtol_rel(solver, small)
    nlopt.nlopt_set_maxeval(solver, 300)
    nlopt.nlopt_set_min_objective(solver, keep[0], None)
    nlopt.nlopt_add_inequality_mconstraint(solver, m, keep[1], None, None)
    nlopt.nlopt_optimize(solver, u, ctypes.byref(value))
    nlopt.nlopt_destroy(solver)
    return [min(max(t, 0), 1) for t in u]


def in_box(name, u):
    low, high = PROBLEMS[name][3:5]
    return [a + (b - a) * t for a, b, t in zip(low, high, u)]


# ---- optima ---------------------------------------------------------------------------------------------------------


def best_of_many(name, starts=60):
    outputs, _, _, low, _, _ = PROBLEMS[name]
    f = lambda u: outputs(math, in_box(name, u))
    source, found = random.Random(name), (math.inf, None)
    for _ in range(starts):
        u = descend(f, [source.random() for _ in low])
        y = f(u)
        if max(y[1:]) < 1e-9 and y[0] < found[0]:
            found = y[0], in_box(name, u)
    return found[1]


def polish(name, start, margin):
    """The point beside `start` that fulfils the conditions of Karush, Kuhn and Tucker for constraints at most -margin,
    and its multipliers, all positive at a minimum: {output number or ("low"/"high", parameter): multiplier}."""
    outputs, count, _, low, high, _ = PROBLEMS[name]
    n = len(start)
    active = [k for k in range(1, count) if outputs(math, start)[k] > -1e-5]
    fixed = {i: (e, side) for i in range(n) for e, side in ((low[i], "low"), (high[i], "high"))
             if abs(start[i] - e) < 1e-6 * (high[i] - low[i])}
    free = [i for i in range(n) if i not in fixed]

    def place(z):
        return [mp.mpf(fixed[i][0]) if i in fixed else z[free.index(i)] for i in range(n)]

    def slope(k, x, i):
        return mp.diff(lambda t: outputs(mp, x[:i] + [t] + x[i + 1:])[k], x[i])

    def pull(x, multipliers, i):
        return slope(0, x, i) + sum(v * slope(k, x, i) for k, v in zip(active, multipliers))

    def conditions(*z):
        x = place(z)
        y = outputs(mp, x)
        return [pull(x, z[len(free):], i) for i in free] + [y[k] + margin for k in active]

    guess = [mp.mpf(start[i]) for i in free] + [mp.mpf(1)] * len(active)
    with mp.workdps(45):
        z = list(mp.findroot(conditions, guess, tol=mp.mpf(10) ** -50, maxsteps=60)) if guess else []
        x, multipliers = place(z), dict(zip(active, z[len(free):]))
        for i in fixed:
            sign = 1 if fixed[i][1] == "low" else -1
            multipliers[fixed[i][1], i] = sign * pull(x, z[len(free):], i)
    return x, multipliers


def show_optima():
    for name, (outputs, _, objectives, _, _, _) in PROBLEMS.items():
        if objectives > 1:
            continue
        start = best_of_many(name)
        x, multipliers = polish(name, start, 0)
        inside, _ = polish(name, start, mp.mpf(10) ** -10)
        print(f"{name}: optimum", mp.nstr(outputs(mp, x)[0], 20), "at", ", ".join(mp.nstr(t, 20) for t in x))
        print("   best", ", ".join(mp.nstr(t, 20) for t in inside), "with", mp.nstr(outputs(mp, inside)[0], 20))
        print("   multipliers", {k: mp.nstr(v, 5) for k, v in multipliers.items()})


def show_least():
    """The smallest value of every output in the box, from 40 random points."""
    for name, (outputs, count, _, low, _, _) in PROBLEMS.items():
        source = random.Random(name)
        for k in range(count):
            f = lambda u: [outputs(math, in_box(name, u))[k], -1.0]  # a constraint that always holds
            u = min((descend(f, [source.random() for _ in low]) for _ in range(40)), key=lambda u: f(u)[0])
            print(f"{name}: output {k} is least,", repr(f(u)[0]), "at", in_box(name, u))


# ---- fronts ---------------------------------------------------------------------------------------------------------


def zdt3_volume():
    """The front is f2 = h(f1) where h takes a new smallest value: from s[k] on until its next minimum t[k]."""
    h = lambda t: 1 - mp.sqrt(t) - t * mp.sin(10 * mp.pi * t)
    t = [mp.findroot(lambda u: mp.diff(h, u), near) for near in ("0.083", "0.2578", "0.4539", "0.6525", "0.8518")]
    s = [mp.mpf(0)]
    s += [mp.findroot(lambda u: h(u) - h(low), near) for low, near in zip(t, ("0.1822", "0.4093", "0.6184", "0.8233"))]
    volume = mp.fsum(mp.quad(lambda u: 11 - h(u), [a, b]) for a, b in zip(s, t))
    return volume + mp.fsum((b - a) * (11 - h(a)) for a, b in zip(t, s[1:] + [mp.mpf(11)]))


def directions(m, n):
    """n or n^2 unit vectors in the middle of equal parts of the circle's or sphere's positive part."""
    angle = [(i + 0.5) / n * math.pi / 2 for i in range(n)]
    if m == 2:
        return [[math.cos(a), math.sin(a)] for a in angle]
    height = [(i + 0.5) / n for i in range(n)]
    return [[math.sqrt(1 - z * z) * math.cos(a), math.sqrt(1 - z * z) * math.sin(a), z] for z in height for a in angle]


def reach(name, v, y):
    """min over i of (r_i - f_i)/(scale_i v_i): how far the outputs y reach from the reference point in direction v."""
    return min((r - f) / (s * t) for r, f, s, t in zip(PROBLEMS[name][5], y, SCALE[name], v))


def furthest(name, v, starts):
    """rho(v) and its point, by SLSQP from the points `starts` in the unit cube."""
    outputs, _, m, _, _, reference = PROBLEMS[name]

    def f(z):  # the last coordinate is the distance, in units of 2
        y = outputs(math, in_box(name, z[:-1]))
        gaps = [2 * z[-1] * t - (r - a) / s for r, a, s, t in zip(reference, y, SCALE[name], v)]
        return [-z[-1]] + gaps + [g + 1e-9 for g in y[m:]]  # points that are feasible in spite of rounding

    found = 0, None
    for start in starts:
        y = outputs(math, in_box(name, start))
        u = descend(f, start + [min(max(reach(name, v, y) / 2, 0), 1)])[:-1]
        y = outputs(math, in_box(name, u))
        if max(y[m:], default=-1) < 0:
            found = max(found, (reach(name, v, y), u))
    return found


# so that the reference point is about 1 away from the front in every objective
SCALE = {"branin-currin": [17.5, 5], "vehicle-safety": [40, 6, 0.25], "welded-beam2": [3, 4]}


def front(name, n, tries):
    """The volume by n or n^2 directions, and their distances and points: each forwards from its neighbours' points, the
    `tries` best of many points and as many random ones; then backwards from the neighbours' points."""
    outputs, _, m, low, _, _ = PROBLEMS[name]
    source, ways = random.Random(n), directions(m, n)
    draw = lambda: [source.choice((0, 1, source.random())) for _ in low]  # fronts often lie on bounds
    pool = [(u, outputs(math, in_box(name, u))) for u in (draw() for _ in range(3000))]
    pool = [(u, y) for u, y in pool if max(y[m:], default=-1) < 0]
    found = [(0, None)] * len(ways)
    for order, step in ((range(len(ways)), -1), (range(len(ways) - 1, -1, -1), 1)):
        for i in order:
            near = {i + step, i + step * n} if m == 3 else {i + step}
            starts = [found[k][1] for k in near if 0 <= k < len(ways) and found[k][1]]
            if step < 0:
                best = heapq.nlargest(tries, pool, key=lambda pair: reach(name, ways[i], pair[1]))
                starts += [u for u, _ in best] + [draw() for _ in range(tries)]
            found[i] = max(found[i], furthest(name, ways[i], starts))
    part = math.pi / 2  # of the circle, or of the sphere
    return math.prod(SCALE[name]) * part / m * sum(rho**m for rho, _ in found) / len(ways), found


def show_volumes():
    for name, sizes in {"branin-currin": (50, 400, 1600), "welded-beam2": (50, 400, 1600),
                        "vehicle-safety": (12, 24, 48, 80, 110)}.items():
        for n in sizes:
            for tries in (4, 8):
                print(f"{name}: {n} directions, {tries} tries:", front(name, n, tries)[0], flush=True)


# ---- the golden values ----------------------------------------------------------------------------------------------


def row(numbers, digits=20):
    return "{" + ", ".join(mp.nstr(mp.mpf(t), digits) for t in numbers) + "}"


def show_values():
    print("static const struct golden_outputs { const char *problem; double x[6], y[6]; } golden_outputs[] = {")
    for name, (outputs, _, _, low, _, _) in PROBLEMS.items():
        source = random.Random(name)
        for _ in range(4):
            x = in_box(name, [source.randrange(1, 64) / 64 for _ in low])
            print(f'{{"{name}", {row(x)}, {row(outputs(mp, [mp.mpf(t) for t in x]))}}},')
    print("};")


def show_fronts():
    sizes = {"branin-currin": 40, "vehicle-safety": 10, "welded-beam2": 40}
    for name, n in sizes.items():
        points = [in_box(name, u) for _, u in front(name, n, 8)[1]]
        print(f"static const double golden_{name.replace('-', '_')}[][{len(points[0])}] = {{")
        print(",\n".join("{" + ", ".join(f"{t:.12g}" for t in x) + "}" for x in points), "};")
    print("/* The points that reach furthest from the reference point, in units of `scale`, in the directions in the")
    print(" * middle of `parts` equal parts of a quarter of a circle or parts^2 of an eighth of a sphere. */")
    print("static const struct golden_front { const char *problem; size_t parts; double scale[3]; const double *x; }")
    print("golden_fronts[] = {")
    for name, n in sizes.items():
        print(f'{{"{name}", {n}, {row(SCALE[name])}, golden_{name.replace("-", "_")}[0]}},')
    print("};")


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "golden"
    if what == "table":
        show_optima()
        show_least()
        print("zdt3: volume", mp.nstr(zdt3_volume(), 20))
    elif what == "volumes":
        show_volumes()
    else:
        print("/* problem_outputs_golden.h - made by: tools/golden_outputs.py | clang-format >")
        print(" * tests/golden/problem_outputs_golden.h */")
        print("#include <stddef.h>\n")
        show_values()
        show_fronts()
