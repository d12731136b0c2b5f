/* plan.h - an experiment: cases (values of a sweep, or problems) times methods; each cell is a task. It is read from a
 * file like experiments/NAME.yaml (experiment_file.h). */
#ifndef PLAN_H
#define PLAN_H

#include "figure.h"
#include "status.h"
#include "task.h"

typedef enum plan_figure {
    PLAN_FIGURE_CURVES, /* regret by round */
    PLAN_FIGURE_SWEEP,  /* final regret by the swept number of the case */
    PLAN_FIGURE_GRID,   /* final intervals over the domain */
    PLAN_FIGURE_DOTS,   /* final regret, a row for each method, a panel for each case */
    PLAN_FIGURE_RATIOS, /* final regret over that of the reference method, a row for each group of cases */
    PLAN_FIGURE_BOUNDS, /* coverage by round, and the bounds of the theory */
    PLAN_FIGURE_SCORES, /* scores, a row for each method, a panel for each group of cases */
    PLAN_FIGURE_COSTS   /* regret at full fidelity by cost */
} plan_figure;

typedef struct plan_case {
    char *name;
    double at; /* position on the axis of a sweep; NAN: none */
} plan_case;

typedef struct plan_method {
    char *name;
    figure_colour colour;
    int dashed;
} plan_method;

/* A named set of cases: those of the kinds it lists. */
typedef struct plan_group {
    char *name;
    char *has; /* for each case: whether it belongs to the group */
} plan_group;

typedef struct plan {
    char *name, *title, *paper, *about; /* `paper`: the figure of the paper */
    char *x_label;                      /* of a sweep */
    int log_x;
    int changed;    /* it has the name of a built-in experiment, but another text */
    size_t seeds;   /* default number of seeds */
    size_t against; /* the method that the others are compared with */
    int scored;     /* whether methods get scores over all cases (score.h) ... */
    size_t score;   /* ... in units of the regret of this method */
    int tails;      /* whether the summary has the tables of bad runs (tails.h) */
    plan_figure figure;
    size_t cases, methods, groups;
    plan_case *case_;
    plan_method *method;
    plan_group *group;
    task *task;    /* cases x methods */
    char *present; /* cases x methods: whether the cell is run */
} plan;

void plan_release(plan *p);

/* The cell of a case and a method, and the names of both. */
size_t plan_cell(const plan *p, size_t c, size_t m);
const char *plan_case_name(const plan *p, size_t cell);
const char *plan_method_name(const plan *p, size_t cell);
size_t plan_cells(const plan *p);
/* The index of a name; the number of cases or methods if there is none. */
size_t plan_find_case(const plan *p, const char *name);
size_t plan_find_method(const plan *p, const char *name);
/* The kind of a case: what follows the last '+' of its name; NULL if there is no '+'. */
const char *plan_kind(const plan *p, size_t c);
int plan_is_kind(const plan *p, size_t c, const char *kind);
/* The cell with the results of method m for case c: usually its own. In a sweep, a method that is run for one case only
 * does not depend on the swept number, and has its results there. plan_cells: there are none. */
size_t plan_source(const plan *p, size_t c, size_t m);
/* LOCBO_OK if the runs of the plan `there` are runs of `here` too; titles, colours, seeds, further cases and methods
 * may differ. Otherwise LOCBO_ERR_STATE, with the first difference. */
locbo_status plan_compare(const plan *there, const plan *here, locbo_error *error);
/* Whether the recorded columns are true values (larger is better) instead of regrets (smaller is better). */
int plan_is_value(const plan *p);

#endif
