/* pump_sim.c - a stand-in for your own simulator: the efficiency of a pump that never was. It knows
 * nothing of locbo, and goes with examples/pump.yaml:
 *
 *     pump-sim --angle=2.5 --viscosity=0.001 --blades=6 --speed=1450 --gap=0.2 --seal=lip --seed=1
 *     {"value": 0.7772}
 *
 * The measurement is noisy: the same seed gives the same value, another seed another one, and the
 * noise grows with gap and speed. Fast pumps with steep blades cavitate; there is no efficiency
 * then, and the exit code is 65. With --truth it prints the efficiency without noise, the noise
 * there, and the best efficiency that any pump of this kind has: a real simulator could not, but so
 * the demo can say how far it came.
 * Exit codes: 0 done, 1 nobody reads, 2 the command line makes no sense, 65 cavitation. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, USAGE = 2, INFEASIBLE = 65 };

static const double OPTIMUM = 0.87; /* at angle 3, viscosity 0.001, 7 blades, speed 1600, gap 0.12, labyrinth */

typedef struct pump {
    double angle, viscosity, blades, speed, gap;
    const char *seal;
} pump;

typedef struct seal_kind {
    const char *name;
    double gap;  /* that suits it */
    double loss; /* of its own */
} seal_kind;

static const seal_kind seals[] = {{"lip", 0.2, 0.08}, {"labyrinth", 0.12, 0}, {"none", 0.05, 0.15}};

static const seal_kind *find_seal(const char *name) {
    for (size_t i = 0; i < sizeof seals / sizeof seals[0]; i++)
        if (strcmp(seals[i].name, name) == 0) return &seals[i];
    return NULL;
}

/* In octaves above the best speed. */
static double haste(const pump *p) { return log2(p->speed / 1600); }

static int cavitates(const pump *p) { return haste(p) + 0.15 * (p->angle - 3) > 0.5; }

/* Every loss is a square, and all of them vanish at one point: so the optimum is known. */
static double efficiency(const pump *p) {
    const seal_kind *seal = find_seal(p->seal);
    double thick = log10(p->viscosity) + 3;
    double flow = (p->angle - 3 + 0.5 * (p->blades - 7)) / 5; /* many blades want to be flat */
    double slip = haste(p) + 0.35 * thick;                    /* a thick fluid wants to be slow */
    double blades = (p->blades - 7) / 4, leak = (p->gap - seal->gap) / 0.2;
    double loss = seal->loss + 0.5 * flow * flow + 0.15 * slip * slip + 0.06 * thick * thick + 0.15 * blades * blades +
                  0.3 * leak * leak;
    return OPTIMUM * exp(-loss);
}

static double noise(const pump *p) { return 0.004 + 0.03 * (p->gap / 0.4) * sqrt(p->speed / 6400); }

/* splitmix64 and Box-Muller: the same number from the same seed on every machine. */
static double uniform(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

static double normal(uint64_t seed) {
    uint64_t state = seed;
    double radius = sqrt(-2 * log(uniform(&state)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(&state));
}

/* ---- the command line -------------------------------------------------------------------------- */

/* The value of "--name=value", or NULL if the word is about something else. */
static const char *value_of(const char *word, const char *name) {
    size_t length = strlen(name);
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) return NULL;
    return word[2 + length] == '=' ? word + 3 + length : NULL;
}

static int read_number(const char *text, double low, double high, double *to) {
    char *end;
    *to = strtod(text, &end);
    return end != text && *end == '\0' && *to >= low && *to <= high;
}

static int read_seed(const char *text, uint64_t *to) {
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static int complain(const char *what, const char *word) {
    fprintf(stderr, "pump-sim: %s%s\n", what, word);
    return USAGE;
}

static int read_word(const char *word, pump *p, uint64_t *seed, int *truth) {
    const struct {
        const char *name;
        double low, high, *to;
    } numbers[] = {{"angle", -5, 10, &p->angle},
                   {"viscosity", 1e-5, 1, &p->viscosity},
                   {"blades", 3, 12, &p->blades},
                   {"speed", 100, 6400, &p->speed},
                   {"gap", 0.05, 0.4, &p->gap}};
    const char *text;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if ((text = value_of(word, numbers[i].name)) != NULL)
            return read_number(text, numbers[i].low, numbers[i].high, numbers[i].to);
    if ((text = value_of(word, "seed")) != NULL) return read_seed(text, seed);
    if ((text = value_of(word, "seal")) != NULL) return find_seal(p->seal = text) != NULL;
    return strcmp(word, "--truth") == 0 ? *truth = 1 : 0;
}

int main(int argc, char **argv) {
    pump p = {NAN, NAN, NAN, NAN, NAN, NULL};
    uint64_t seed = 0;
    int truth = 0;
    for (int i = 1; i < argc; i++)
        if (!read_word(argv[i], &p, &seed, &truth)) return complain("unknown word or bad value: ", argv[i]);
    if (isnan(p.angle + p.viscosity + p.blades + p.speed + p.gap) || !p.seal)
        return complain("needs all of --angle --viscosity --blades --speed --gap --seal", "");
    if (cavitates(&p)) {
        fprintf(stderr, "pump-sim: cavitation at speed %g with blades at %g degrees\n", p.speed, p.angle);
        return INFEASIBLE;
    }
    if (truth)
        printf("{\"value\": %.4f, \"noise\": %.4f, \"optimum\": %.4f}\n", efficiency(&p), noise(&p), OPTIMUM);
    else
        printf("{\"value\": %.4f}\n", efficiency(&p) + noise(&p) * normal(seed));
    return fflush(stdout) == 0 ? DONE : 1;
}
