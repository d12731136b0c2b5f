/* fuzz_parameter.c - "NAME~DIST" of --param on the first line, values of it on the others; it may depend on a parameter
 * called `parent`. A parameter's text is read back to the same parameter, and so is a value's. */
#include "distribution.h"
#include "fuzz.h"
#include "mem.h"
#include "value.h"

static locbo_parameter last(const locbo_space *space) {
    locbo_parameter p;
    must_do(locbo_space_parameter(space, locbo_space_dim(space) - 1, &p, &error));
    return p;
}

/* With the parameter that others may depend on. */
static locbo_space *make_space(void) {
    static const char *const values[] = {"a", "b c", "it's", "12", "true"};
    locbo_space *space;
    must_do(locbo_space_create(&space, &error));
    must_do(locbo_space_add_categorical(space, "parent", 5, values, &error));
    return space;
}

static void check_again(const locbo_space *given, const locbo_parameter *p) {
    locbo_space *space = make_space();
    char *text = distribution_text(given, 1);
    must(text);
    must_do(distribution_add_named(space, p->name, text, &error));
    locbo_parameter again = last(space);
    must(fuzz_same_parameter(p, &again));
    locbo_space_destroy(space);
    mem_free(text);
}

static void check_value(const locbo_parameter *p, const char *text) {
    double value, again;
    if (!fuzz_done(value_parse(p, text, &value, &error))) return;
    must(value >= p->low && value <= p->high);
    char *exact = value_text(p, value), *shown = value_shown(p, value);
    must(exact && shown);
    must_do(value_parse(p, exact, &again, &error));
    must(value == again); /* -0 may become 0 */
    must_do(value_parse(p, shown, &again, &error));
    mem_free(exact);
    mem_free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    locbo_space *space = make_space();
    char *text = fuzz_text(data, size), *rest = text, *line = strsep(&rest, "\n");
    if (fuzz_done(distribution_add(space, line, &error))) {
        locbo_parameter p = last(space);
        check_again(space, &p);
        while ((line = strsep(&rest, "\n"))) check_value(&p, line);
    } else {
        must(locbo_space_dim(space) == 1);
    }
    locbo_space_destroy(space);
    free(text);
    return 0;
}
