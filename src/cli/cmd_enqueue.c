/* cmd_enqueue.c - locbo enqueue: a point to evaluate next. Layer: cli, top. */
#include "commands.h"

#include <stdint.h>

#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    uint64_t trial;
    json_t *row = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, SIZE_MAX)) return s.code;
    double *fixed = session_values(&s, NULL);
    if (!fixed) return s.code;
    locbo_status status = locbo_study_enqueue(s.study, fixed, &trial, &error);
    mem_free(fixed);
    if (status == LOCBO_OK) status = rows_find(s.study, trial, 0, &row, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    rows_drop_results(row); /* it has none */
    output *o = output_open(s.format_given ? s.format : OUTPUT_JSON, !s.format_given || s.format == OUTPUT_JSON);
    output_row(o, row);
    return session_close(&s, output_close(o) ? EXIT_OK : EXIT_RUNTIME);
}

const command command_enqueue = {
    .name = "enqueue",
    .summary = "a point to evaluate next",
    .usage = "NAME=VALUE... [-f json|table|csv]",
    .description = "Adds a trial that waits: the next `locbo ask` or worker gets it before anything new is "
                   "proposed. Parameters that are not given are proposed by the model. Prints the trial.",
    .examples = "    $ locbo enqueue x=0.5 mode=fast\n"
                "    {\"trial\":18,\"state\":\"WAITING\",\"params\":{\"x\":0.5,\"mode\":\"fast\"}}\n",
    .options = (const arg_option *const[]){session_options, format_options, NULL},
    .run = run,
};
