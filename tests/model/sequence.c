/* sequence.c - random sequences of operations, and shrinking: delete ever smaller pieces as long as what is left still
 * fails, then make the numbers 0. */
#include "sequence.h"

#include <string.h>

#include "rng.h"

static const char *name_of(int kind) {
#define NAME(kind, name, weight) name,
    static const char *const names[] = {SEQUENCE_OTHERS(NAME)};
#undef NAME
    return kind < CALL_KINDS ? model_call_name((call_kind)kind) : names[kind - CALL_KINDS];
}

static unsigned weight_of(int kind) {
#define WEIGHT(kind, name, weight) weight,
    static const unsigned weights[] = {SEQUENCE_OTHERS(WEIGHT)};
#undef WEIGHT
    return kind < CALL_KINDS ? model_call_weight((call_kind)kind) : weights[kind - CALL_KINDS];
}

static int draw_kind(rng *r) {
    unsigned total = 0;
    for (int kind = 0; kind < OTHER_END; kind++) total += weight_of(kind);
    uint64_t left = rng_below(r, total);
    int kind = 0;
    for (; left >= weight_of(kind); kind++) left -= weight_of(kind);
    return kind;
}

void sequence_draw(sequence *s, uint64_t seed) {
    rng r = rng_open(seed, 0, RNG_DESIGN);
    s->count = 10 + rng_below(&r, SEQUENCE_LENGTH - 10 + 1);
    for (size_t i = 0; i < s->count; i++)
        s->operation[i] = (operation){draw_kind(&r), (int)rng_below(&r, MODEL_WORKERS), (unsigned)rng_below(&r, 1000),
                                      (unsigned)rng_below(&r, 1000), (unsigned)rng_below(&r, 1000)};
}

void sequence_print(const operation *o, char text[64]) {
    snprintf(text, 64, "%-11s %d %3u %3u %3u", name_of(o->kind), o->worker, o->a, o->b, o->c);
}

int sequence_read(sequence *s, FILE *from) {
    char line[512], name[32];
    s->count = 0;
    while (s->count < SEQUENCE_LENGTH && fgets(line, sizeof line, from)) {
        operation o = {.kind = 0};
        line[strcspn(line, "#\n")] = '\0';
        if (line[strspn(line, " ")] == '\0') continue;
        if (sscanf(line, "%31s %d %u %u %u", name, &o.worker, &o.a, &o.b, &o.c) != 5) return 0;
        while (o.kind < OTHER_END && strcmp(name_of(o.kind), name) != 0) o.kind++;
        if (o.kind == OTHER_END || o.worker < 0 || o.worker >= MODEL_WORKERS) return 0;
        s->operation[s->count++] = o;
    }
    return 1;
}

/* ---- shrinking ---------------------------------------------------------------------------------- */

/* Without `length` operations from `at` on; keeps that if it fails too. */
static int cut(sequence *s, size_t at, size_t length, sequence_fails_fn *fails, void *user) {
    sequence less = *s;
    size_t left = s->count - at < length ? 0 : s->count - at - length;
    memmove(less.operation + at, s->operation + at + length, left * sizeof *s->operation);
    less.count = at + left;
    if (!fails(&less, user)) return 0;
    *s = less;
    return 1;
}

static int always(const sequence *s, void *user) {
    (void)s, (void)user;
    return 1;
}

static int cut_pieces(sequence *s, size_t length, sequence_fails_fn *fails, void *user) {
    int shorter = 0;
    for (size_t at = 0; at < s->count;)
        if (cut(s, at, length, fails, user))
            shorter = 1;
        else
            at += length;
    return shorter;
}

/* Two operations that need each other, such as a step of the clock and one that makes it harmless. */
static int cut_pairs(sequence *s, sequence_fails_fn *fails, void *user) {
    enum { FEW = 24 };
    for (size_t i = 0; i < s->count && s->count <= FEW; i++)
        for (size_t j = i + 1; j < s->count; j++) {
            sequence less = *s;
            if (cut(&less, j, 1, always, NULL) && cut(&less, i, 1, fails, user)) {
                *s = less;
                return 1;
            }
        }
    return 0;
}

static void simplify(sequence *s, sequence_fails_fn *fails, void *user) {
    for (size_t i = 0; i < s->count; i++)
        for (int field = 0; field < 4; field++) {
            sequence simpler = *s;
            operation *o = &simpler.operation[i];
            if (field == 0) o->worker = 0;
            if (field == 1) o->a = 0;
            if (field == 2) o->b = 0;
            if (field == 3) o->c = 0;
            if (memcmp(o, &s->operation[i], sizeof *o) != 0 && fails(&simpler, user)) *s = simpler;
        }
}

void sequence_shrink(sequence *s, sequence_fails_fn *fails, void *user) {
    for (size_t length = s->count / 2; length > 0; length /= 2) cut_pieces(s, length, fails, user);
    do simplify(s, fails, user);
    while (cut_pieces(s, 1, fails, user) || cut_pairs(s, fails, user));
}
