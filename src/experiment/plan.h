/* plan.h - an experiment: cases (a sweep, or problems) times methods, each cell a task. experiments/NAME.yaml describes
 * one; the program reads it (experiment_file.h). */
#ifndef PLAN_H
#define PLAN_H

#include "figure.h"
#include "status.h"
#include "task.h"

typedef enum plan_figure {
    PLAN_FIGURE_CURVES, /* regret by round */
    PLAN_FIGURE_SWEEP,  /* final regret by the number of the case */
    PLAN_FIGURE_GRID,   /* final intervals over the domain */
    PLAN_FIGURE_DOTS,   /* final regret, one row a method, one panel a case */
    PLAN_FIGURE_RATIOS, /* final regret over that of the method of reference, one row a group of cases */
    PLAN_FIGURE_BOUNDS, /* coverage by round, and what the theory promises */
    PLAN_FIGURE_SCORES  /* scores, one row a method, one panel a group of cases */
} plan_figure;

typedef struct plan_case {
    char *name;
    double at; /* where it stands on the axis of a sweep; NAN: nowhere */
} plan_case;

typedef struct plan_method {
    char *name;
    figure_colour colour;
    int dashed;
} plan_method;

/* A named set of cases: those of several kinds. */
typedef struct plan_group {
    char *name;
    char *has; /* of every case, whether it belongs to it */
} plan_group;

typedef struct plan {
    char *name, *title, *paper, *about; /* `paper`: which figure of the paper this is */
    char *x_label;                      /* of a sweep */
    int log_x;
    int changed;    /* it bears the name of one of the program's, and differs from it */
    size_t seeds;   /* unless the user says otherwise */
    size_t against; /* the method that others are compared with */
    int scored;     /* whether methods get scores over all cases (score.h) ... */
    size_t score;   /* ... as shares of the regret of this one */
    plan_figure figure;
    size_t cases, methods, groups;
    plan_case *case_;
    plan_method *method;
    plan_group *group;
    task *task;    /* cases x methods */
    char *present; /* cases x methods: whether the cell is run at all */
} plan;

void plan_release(plan *p);

/* The cell of a case and a method, and the names of both. */
size_t plan_cell(const plan *p, size_t c, size_t m);
const char *plan_case_name(const plan *p, size_t cell);
const char *plan_method_name(const plan *p, size_t cell);
size_t plan_cells(const plan *p);
/* By name; the count if there is none. */
size_t plan_find_case(const plan *p, const char *name);
size_t plan_find_method(const plan *p, const char *name);
/* The kind of a case: what follows the last '+' of its name; NULL if there is no '+'. */
const char *plan_kind(const plan *p, size_t c);
/* Whether it is of that kind. */
int plan_is_kind(const plan *p, size_t c, const char *kind);
/* Where method m has its results for case c: there, or, if it was run for one other case only, in that one (it does not
 * depend on what is swept); plan_cells if nowhere. */
size_t plan_source(const plan *p, size_t c, size_t m);
/* LOCBO_OK if runs made by the plan `there` are runs of this one too, whatever titles, colours, seeds, new cases and
 * new methods there are; otherwise LOCBO_ERR_STATE, with the first difference. */
locbo_status plan_compare(const plan *there, const plan *here, locbo_error *error);
/* Whether larger is better in the recorded columns (true values), or smaller (regrets). */
int plan_is_value(const plan *p);

#endif
