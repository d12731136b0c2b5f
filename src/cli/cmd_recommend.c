/* cmd_recommend.c - locbo recommend: the point with the model's best mean. Layer: cli, top. */
#include "choice_print.h"
#include "commands.h"
#include "session.h"

static const arg_option recommend_options[] = {
    {"within", 0, "DELTA", "the range of each parameter where the objective is at most DELTA worse"},
    {"level", 0, "P", "with this probability (the study's 1 - alpha)"},
    {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) { return choice_print(self, argc, argv, 1); }

const command command_recommend = {
    .name = "recommend",
    .summary = "the point with the best mean of the model",
    .usage = "[--within DELTA [--level P]] [--db URL] [--name NAME] [-f table|json|csv]",
    .description =
        "Prints the point with the best mean according to the model, that mean, and an interval for it with "
        "its level. The point lies anywhere in the space; the option recommendation=evaluated keeps it to "
        "evaluated ones. The trial is empty (null) if it was never evaluated: measure it before you rely on "
        "it (`locbo enqueue`).\n\n"
        "With measured constraints it is the best of the points where they hold with the probability of "
        "the option feasibility, with mean and interval of each output and that probability (feasible); "
        "if there is no such point, a line on standard error says so, \"holds\" is false in JSON, and the "
        "point is the most probable one. Of several objectives it prints the Pareto front of the means "
        "according to the model, of evaluated points, a line for each, and on standard error the "
        "hypervolume; in JSON {\"front\": [...], \"reference\": {...}, \"hypervolume\": ...}.\n\n"
        "If evaluations have failed, success is the probability that one there succeeds.\n\n"
        "With --within it prints how exactly the point must be kept: for each parameter, the others as "
        "recommended, the range around the recommended value (of a category all values) where the model gives "
        "at least the probability of --level to the objective being at most DELTA, in its own units, worse "
        "than the mean at the recommended point. Values that would make another parameter "
        "active are left out. Each point is judged on its own; no range means that not even "
        "the recommended point is known that well. In JSON the ranges are in \"within\" of the point. For one "
        "objective; constraints are not looked at.\n\n"
        "Ends with 4 before the first result.",
    .examples = "    $ locbo recommend\n"
                "    $ locbo recommend -f json | jq .params\n"
                "    $ locbo recommend --within 0.1\n",
    .options = (const arg_option *const[]){session_options, format_options, recommend_options, NULL},
    .run = run,
};
