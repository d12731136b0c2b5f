/* output_list.h - the outputs of a study, as the views ask for them: by number in the table, by name in a query. */
#ifndef OUTPUT_LIST_H
#define OUTPUT_LIST_H

#include <jansson.h>
#include <locbo/study.h>

#include "query.h"

typedef struct output_list {
    const locbo_outputs *table; /* NULL: none, and the only output, number 0, has no name */
    size_t count;               /* 0 without a table */
    locbo_output_spec *spec;
    size_t *model; /* number among the modelled ones; not modelled: that of the first objective, and never used */
    size_t modelled, objectives, constraints;
    size_t first; /* the first objective */
} output_list;

/* Release it also after a failure. The table must live as long. */
locbo_status output_list_make(output_list *list, const locbo_outputs *table, locbo_error *error);
void output_list_release(output_list *list);

/* Without a table, and for output 0 there: 1 if it is an objective. */
int output_list_is_objective(const output_list *list, size_t output);
int output_list_is_constraint(const output_list *list, size_t output);
int output_list_is_modelled(const output_list *list, size_t output);

/* The output that the key `output` of a query names; the first objective if it is not given. `modelled`: one that is
 * not modelled is refused. LOCBO_ERR_ARGUMENT lists those that may be named. */
locbo_status output_list_read(const output_list *list, const query *q, int modelled, size_t *output,
                              locbo_error *error);

/* "output": its name, "goal", and "bound": `bound`, null if NAN; nothing without a table. Not 0: no memory. */
int output_list_put(json_t *row, const output_list *list, size_t output, const double *bounds);

/* Of every output that `is_shown` accepts (NULL: all), in the order of the table; NULL without memory.
 *     output_list_names   [{"name": "loss", "goal": "minimize"}, ...]
 *     output_list_object  {"loss": ..., "memory": ...}; `cell` makes the entry of an output */
typedef int output_shown_fn(const output_list *list, size_t output);
typedef json_t *output_cell_fn(const void *source, size_t output);
json_t *output_list_names(const output_list *list, output_shown_fn *is_shown);
json_t *output_list_object(const output_list *list, output_shown_fn *is_shown, output_cell_fn *cell,
                           const void *source);

#endif
