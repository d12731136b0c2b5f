/* fuzz_study_file.c - a study file. What it says of parameters, constraints, options and command, written as in an
 * export, is a study file that says the same. */
#include <math.h>

#include <jansson.h>

#include "fuzz.h"
#include "goal.h"
#include "rows.h"
#include "study_file.h"

static json_t *head_of(const study_file *file) {
    json_t *head = json_object();
    int bad = json_object_set_new(head, "parameters", rows_parameters(file->space));
    if (locbo_space_constraint_count(file->space) > 0)
        bad |= json_object_set_new(head, "constraints", rows_constraints(file->space));
    bad |= json_object_set_new(head, "options", rows_options(&file->options));
    if (file->name) bad |= json_object_set_new(head, "name", rows_text(file->name));
    if (file->command_count > 0)
        bad |=
            json_object_set_new(head, "command", rows_words(file->command_count, (const char *const *)file->command));
    must(head && !bad);
    return head;
}

static void check_again(const study_file *file) {
    study_file again;
    json_t *head = head_of(file);
    char *text = json_dumps(head, JSON_REAL_PRECISION(17));
    must(text);
    must_do(study_file_parse("again", text, strlen(text), &again, &error));
    json_t *same = head_of(&again);
    must(json_equal(head, same));
    json_decref(head);
    json_decref(same);
    study_file_release(&again);
    free(text);
}

/* A free coordinate is NAN; the others lie in the space. */
static void check_points(const study_file *file) {
    size_t dim = locbo_space_dim(file->space);
    for (size_t i = 0; i < file->enqueue_count * dim; i++) {
        locbo_parameter p;
        double x = file->enqueue[i];
        must_do(locbo_space_parameter(file->space, i % dim, &p, &error));
        must(isnan(x) || (x >= p.low && x <= p.high && (p.kind == LOCBO_REAL || x == floor(x))));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    study_file file;
    if (!fuzz_done(study_file_parse("f.yaml", (const char *)data, size, &file, &error))) return 0;
    must_do(locbo_options_check(&file.options, &error));
    if (file.outputs) must_do(goal_check(file.outputs, &error));
    if (file.space) {
        check_points(&file);
        check_again(&file);
    }
    study_file_release(&file);
    return 0;
}
