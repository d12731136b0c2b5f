/* test_old_files.c - states saved by earlier versions are loaded and continue as they did there.
 *
 * tests/old/COMMIT/NAME.snapshot is a state as that commit saved it, NAME.snapshot.next what it proposed next: on each
 * line a point, and the value of each output that was told of it before the next one. tools/record-old writes both. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>

#include "check.h"

/* Of the range of a parameter. BLAS rounds differently on other machines, and maximisers that follow gradients stop
 * a little elsewhere then: by up to 6e-7 in whole lives under OpenBLAS's kernels for Prescott to SkylakeX. */
static const double tolerance = 1e-5;

enum { MOST_TEXT = 1 << 20, MOST_DIM = 16, MOST_OUTPUTS = 8 };

static locbo_optimizer *load(const char *path) {
    locbo_optimizer *o = NULL;
    locbo_error why = {LOCBO_OK, ""};
    char *text = malloc(MOST_TEXT);
    FILE *file = fopen(path, "r");
    check_that(file && text, "%s cannot be read", path);
    size_t length = fread(text, 1, MOST_TEXT, file);
    check_that(locbo_optimizer_load(&o, text, length, &why) == LOCBO_OK, "%s: %s", path, why.message);
    fclose(file);
    free(text);
    return o;
}

static void check_coordinate(const char *path, int line, const locbo_parameter *p, double x, double old) {
    int log_scale = p->scale == LOCBO_LOG;
    double distance = log_scale ? log(x / old) / log(p->high / p->low) : (x - old) / (p->high - p->low);
    if (p->kind == LOCBO_REAL ? fabs(distance) <= tolerance : x == old) return;
    fail_msg("%s goes on differently: proposal %d has %s = %.17g, it was %.17g", path, line, p->name, x, old);
}

/* Ask, compare, tell, line by line. */
static void check_next(const char *path, locbo_optimizer *o) {
    const locbo_space *space = locbo_optimizer_space(o);
    size_t dim = locbo_space_dim(space), width = locbo_outputs_count(locbo_optimizer_outputs(o));
    locbo_measurement row[MOST_OUTPUTS];
    char next[4096];
    snprintf(next, sizeof next, "%s.next", path);
    FILE *file = fopen(next, "r");
    check_that(file && dim <= MOST_DIM && width <= MOST_OUTPUTS, "%s cannot be read", next);
    double x[MOST_DIM], old;
    int line = 0;
    while (fscanf(file, "%lf", &old) == 1) {
        locbo_trial t;
        locbo_error why = {LOCBO_OK, ""};
        line++;
        check_that(locbo_optimizer_ask(o, &t, x, &why) == LOCBO_OK, "%s, proposal %d: %s", path, line, why.message);
        for (size_t i = 0; i < dim; i++) {
            locbo_parameter p;
            check_ok(locbo_space_parameter(space, i, &p, &error));
            check_coordinate(path, line, &p, x[i], old);
            check_that(fscanf(file, "%lf", &old) == 1, "%s, line %d is too short", next, line);
        }
        for (size_t i = 0; i < width; i++) {
            row[i] = (locbo_measurement){old, NAN, 1};
            check_that(i + 1 == width || fscanf(file, "%lf", &old) == 1, "%s, line %d is too short", next, line);
        }
        check_ok(locbo_optimizer_tell_outputs(o, t.id, row, &error));
    }
    check_that(line > 0 && feof(file), "%s is not a list of numbers", next);
    fclose(file);
}

static void old_snapshots_go_on(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob(OLD_FILES "/*/*.snapshot", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        locbo_optimizer *o = load(found.gl_pathv[i]);
        check_next(found.gl_pathv[i], o);
        locbo_optimizer_destroy(o);
    }
    print_message("%zu saved states go on as they did\n", found.gl_pathc);
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(old_snapshots_go_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
