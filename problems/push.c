/* push.c - two hands push two discs on a table to their goals, after the robot pushing of Wang et al. (2018). Their
 * simulator is one of rigid bodies; this one is quasi-static: a disc moves only while it is pushed. Layer: problems.
 * Cost: STEPS steps of time a value, some 20 microseconds. */
#include "catalogue.h"

#include <math.h>

/* Seven parameters of each hand, in this order. It is set down at (x, y) at the time `delay`, moves with `speed` in
 * `direction`, which changes by `turn` in a unit of time, and is lifted after `duration`. */
enum { X, Y, DIRECTION, SPEED, DURATION, TURN, DELAY, HAND };
enum { STEPS = 320 };

static const double END = 16;       /* of the time: the latest delay, the longest duration and one more */
static const double REACH = 1;      /* two radii: all discs, and the hands, have a radius of 1/2 */
static const double FRICTION = 0.5; /* of a hand at a disc */

typedef struct spot {
    double x, y;
} spot;

static const spot begin[2] = {{-2, -2}, {2, -2}}, goal[2] = {{1, 2}, {-2, 1}};

/* Where a hand is that has moved for the time s: on an arc, whose chord has the direction of its middle. */
static spot hand_at(const double *hand, double s) {
    double half = hand[TURN] * s / 2, middle = hand[DIRECTION] + half;
    double chord = hand[SPEED] * s * (fabs(half) > 1e-8 ? sin(half) / half : 1);
    return (spot){hand[X] + chord * cos(middle), hand[Y] + chord * sin(middle)};
}

/* How deep two discs overlap, 0 if they do not; *n is the direction from a to b. */
static double overlap(spot a, spot b, spot *n) {
    double dx = b.x - a.x, dy = b.y - a.y, d = sqrt(dx * dx + dy * dy);
    *n = d > 0 ? (spot){dx / d, dy / d} : (spot){1, 0};
    return d < REACH ? REACH - d : 0;
}

/* A hand at `at`, which has just moved by `by`, pushes a disc out of its way, and drags it along its own side, by
 * Coulomb's law at most FRICTION times as far as it pushes. */
static void push_disc(spot at, spot by, spot *disc) {
    spot n;
    double depth = overlap(at, *disc, &n), most = FRICTION * depth;
    double along = fmin(fmax(by.y * n.x - by.x * n.y, -most), most);
    disc->x += depth * n.x - along * n.y;
    disc->y += depth * n.y + along * n.x;
}

/* Two discs that overlap give way to each other, each by half. */
static void part_discs(spot *a, spot *b) {
    spot n;
    double half = overlap(*a, *b, &n) / 2;
    *a = (spot){a->x - half * n.x, a->y - half * n.y};
    *b = (spot){b->x + half * n.x, b->y + half * n.y};
}

/* What a hand does from the time t to t + dt. */
static void move_hand(const double *hand, double t, double dt, spot *disc) {
    double before = fmax(t - hand[DELAY], 0), after = fmin(t + dt - hand[DELAY], hand[DURATION]);
    if (after <= before) return; /* not on the table */
    spot from = hand_at(hand, before), to = hand_at(hand, after);
    for (int i = 0; i < 2; i++) push_disc(to, (spot){to.x - from.x, to.y - from.y}, &disc[i]);
}

/* The distances of the discs from their goals at the end. */
static double push(const problem *p, const double *x) {
    spot disc[2] = {begin[0], begin[1]};
    (void)p;
    for (int k = 0; k < STEPS; k++) {
        for (int h = 0; h < 2; h++) move_hand(x + h * HAND, k * END / STEPS, END / STEPS, disc);
        part_discs(&disc[0], &disc[1]);
    }
    return hypot(disc[0].x - goal[0].x, disc[0].y - goal[0].y) + hypot(disc[1].x - goal[1].x, disc[1].y - goal[1].y);
}

/* ---- the table -------------------------------------------------------------------------------------- */

/* The best point: each hand behind its disc pushes it straight on, five units far, the second one when the first one
 * has gone. The directions are atan2(4, 3) and atan2(3, -4). */
/* clang-format off */
const problem catalogue_push[] = {
    {"push14", 14, {-5, -5, -PI, 0, 0, -0.5, 0, -5, -5, -PI, 0, 0, -0.5, 0},
     {5, 5, PI, 1, 10, 0.5, 5, 5, 5, PI, 1, 10, 0.5, 5}, 0, 0,
     {-2.6, -2.8, 0.92729521800161223243, 0.8, 6.25, 0, 0.5, 2.8, -2.6, 2.4980915447965088516, 0.8, 6.25, 0, 4},
     push, NULL, NULL, 0},
    {.name = NULL},
};
/* clang-format on */
