/* cmd_best.c - locbo best: the best measured value. Layer: cli, top. */
#include "choice_print.h"
#include "commands.h"
#include "session.h"

static int run(const command *self, int argc, char **argv) { return choice_print(self, argc, argv, 0); }

const command command_best = {
    .name = "best",
    .summary = "the best measured value, and where",
    .usage = "[--db URL] [--name NAME] [-f table|json|csv]",
    .description = "Prints the point with the best mean of what was measured there, in whatever trials, each result "
                   "counted by its repetitions: the first trial there, the parameters, that mean and of how many "
                   "results it is (\"mean of\"; results in JSON), and an interval for the true mean according to the "
                   "model, with its level. Under noise the best of many measured values is better than the true mean "
                   "there: `locbo recommend` asks the model instead.\n\n"
                   "With measured constraints it is the best point that keeps to them, with the model's mean and "
                   "interval of each output and the probability that the constraints hold (feasible); if no point "
                   "does, a line on standard error says so, \"holds\" is false in JSON, and the point is the one that "
                   "most probably does. Of several objectives it prints the Pareto front of the means of what was "
                   "measured, a line for each point, and on standard error the hypervolume; in JSON {\"front\": [...], "
                   "\"reference\": {...}, \"hypervolume\": ...}.\n\n"
                   "With more than 3000 results there is no interval: locbo recommend uses the model. Ends with 4 "
                   "before the first result.",
    .examples = "    $ locbo best\n"
                "    $ locbo best -f json | jq .params\n"
                "    $ locbo best -f csv >front.csv\n",
    .options = (const arg_option *const[]){session_options, format_options, NULL},
    .run = run,
};
