/* small_plan.h - the file of a small experiment, for tests of its results. */
#ifndef SMALL_PLAN_H
#define SMALL_PLAN_H

/* A grid, two cases, a method that is not run for both; rows at 0, 2, 4, 5. */
static const char SMALL_PLAN[] = "name: book\n"
                                 "settings: {problem: wave, rounds: 5, every: 2, grid: 3}\n"
                                 "cases: {a: {}, b: {}}\n"
                                 "methods:\n"
                                 "  BO: {method: bo}\n"
                                 "  'LOCBO(l=inf)': {method: locbo, localization: inf, only: [b]}\n";

#endif
