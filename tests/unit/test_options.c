/* test_options.c - the table of options against the struct, the texts and the checks. */
#include "options.h"

#include <locale.h>

#include "scene.h"

enum { MANY_ROWS = 64 };

static locbo_option row(size_t i) {
    locbo_option option;
    check_ok(locbo_option_describe(i, &option, &error));
    return option;
}

/* A value of the row that differs from its default. */
static const char *another_value(const locbo_option *o, char text[64]) {
    if (strcmp(o->type, "choice") == 0) { /* the last of the list, or the first if that is the default */
        snprintf(text, 64, "%s", strrchr(o->range, '|') + 2);
        if (strcmp(text, o->default_text) == 0) snprintf(text, 64, "%.*s", (int)strcspn(o->range, " "), o->range);
        return text;
    }
    if (strcmp(o->type, "seed") == 0) return "18446744073709551615";
    if (strcmp(o->type, "integer") == 0) return strcmp(o->default_text, "7") == 0 ? "8" : "7";
    if (strcmp(o->name, "z_max") == 0) return "2.5";
    return strcmp(o->default_text, "0.3") == 0 ? "0.35" : "0.3";
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void defaults_agree(void **state) {
    (void)state;
    locbo_options options, again;
    locbo_options_init(&options);
    locbo_options_init(&again);
    check_ok(locbo_options_check(&options, &error));
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option o = row(i);
        char shown[64], from_table[64];
        check_ok(locbo_options_get(&options, o.name, shown, sizeof shown, &error));
        scene_set(&again, o.name, o.default_text); /* "5e-3" and "0.005" are the same */
        check_ok(locbo_options_get(&again, o.name, from_table, sizeof from_table, &error));
        assert_string_equal(shown, from_table);
        assert_true(strlen(o.help) > 5 && !strchr(o.help, '\n'));
    }
    assert_memory_equal(&options, &again, sizeof options);
}

static void every_row_round_trips(void **state) {
    (void)state;
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_options a, b;
        locbo_option o = row(i);
        char buffer[64], shown[64];
        locbo_options_init(&a);
        locbo_options_init(&b);
        const char *text = another_value(&o, buffer);
        scene_set(&a, o.name, text);
        check_ok(locbo_options_get(&a, o.name, shown, sizeof shown, &error));
        assert_string_equal(shown, text);
        scene_set(&b, o.name, shown);
        assert_memory_equal(&a, &b, sizeof a);
        check_ok(locbo_options_get(&a, o.name, shown, strlen(text) + 1, &error)); /* just enough */
    }
}

static void exact_doubles(void **state) {
    (void)state;
    rng r = scene_random(3);
    for (int i = 0; i < 1000; i++) {
        locbo_options a, b;
        char text[64];
        locbo_options_init(&a);
        locbo_options_init(&b);
        a.alpha = rng_uniform(&r);
        check_ok(locbo_options_get(&a, "alpha", text, sizeof text, &error));
        scene_set(&b, "alpha", text);
        check_same(b.alpha, a.alpha);
    }
}

/* ---- the struct ------------------------------------------------------------------------------ */

/* Each row changes bytes of its own, and together with struct_size they are all the fields: nothing
 * but padding is left over. */
static void every_field_has_one_row(void **state) {
    (void)state;
    unsigned char owner[sizeof(locbo_options)] = {0};
    size_t total = sizeof(size_t);
    memset(owner, 1, sizeof(size_t));
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_options a, b;
        locbo_option o = row(i);
        char buffer[64];
        locbo_options_init(&a);
        locbo_options_init(&b);
        scene_set(&b, o.name, another_value(&o, buffer));
        size_t size = strcmp(o.type, "real") == 0 || strcmp(o.type, "seed") == 0 ? 8 : 4;
        size_t first = 0;
        while (((unsigned char *)&a)[first] == ((unsigned char *)&b)[first]) first++;
        size_t start = first / size * size; /* fields are aligned to their size */
        for (size_t k = 0; k < sizeof a; k++) {
            int inside = k >= start && k < start + size;
            if (inside) check_that(!owner[k], "%s shares byte %zu", o.name, k);
            if (!inside) assert_int_equal(((unsigned char *)&a)[k], ((unsigned char *)&b)[k]);
            if (inside) owner[k] = 1;
        }
        total += size;
    }
    size_t padding = 0, longest = 0, run = 0;
    for (size_t k = 0; k < sizeof owner; k++) {
        padding += !owner[k];
        run = owner[k] ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    assert_int_equal(total + padding, sizeof(locbo_options));
    /* an int before a double leaves a hole of four bytes; a field without a row would be a longer
     * hole, or one that no following double explains */
    assert_true(longest <= 4);
    for (size_t k = 0; k < sizeof owner; k += 4)
        if (!owner[k]) check_that(k % 8 == 4, "bytes %zu.. belong to no option", k);
}

static void enums_have_the_size_of_int(void **state) {
    (void)state;
    assert_int_equal(sizeof(locbo_direction), sizeof(int));
    assert_int_equal(sizeof(locbo_method), sizeof(int));
    assert_int_equal(sizeof(locbo_design), sizeof(int));
    assert_int_equal(sizeof(locbo_surrogate), sizeof(int));
    assert_int_equal(sizeof(locbo_kernel), sizeof(int));
    assert_int_equal(sizeof(locbo_acquisition), sizeof(int));
    assert_int_equal(sizeof(locbo_incumbent), sizeof(int));
    assert_int_equal(sizeof(locbo_recommendation), sizeof(int));
}

/* The texts of a choice are in the order of its enum. */
static void choices_are_in_order(void **state) {
    (void)state;
    locbo_options o;
    locbo_options_init(&o);
    scene_set(&o, "direction", "maximize");
    assert_int_equal(o.direction, LOCBO_MAXIMIZE);
    scene_set(&o, "method", "ocbo-l");
    assert_int_equal(o.method, LOCBO_METHOD_OCBO_L);
    scene_set(&o, "method", "random");
    assert_int_equal(o.method, LOCBO_METHOD_RANDOM);
    scene_set(&o, "design", "uniform");
    assert_int_equal(o.design, LOCBO_DESIGN_UNIFORM);
    scene_set(&o, "surrogate", "paper");
    assert_int_equal(o.surrogate, LOCBO_SURROGATE_PAPER);
    scene_set(&o, "surrogate", "gamma");
    assert_int_equal(o.surrogate, LOCBO_SURROGATE_GAMMA);
    scene_set(&o, "kernel", "matern32");
    assert_int_equal(o.kernel, LOCBO_KERNEL_MATERN32);
    scene_set(&o, "acquisition", "ucb");
    assert_int_equal(o.acquisition, LOCBO_ACQUISITION_UCB);
    scene_set(&o, "incumbent", "mean");
    assert_int_equal(o.incumbent, LOCBO_INCUMBENT_MEAN);
    scene_set(&o, "recommendation", "anywhere");
    assert_int_equal(o.recommendation, LOCBO_RECOMMEND_ANYWHERE);
}

/* An older caller's struct is shorter: the fields it does not know have their defaults. */
static void a_shorter_struct(void **state) {
    (void)state;
    locbo_options given, resolved, defaults;
    locbo_options_init(&given);
    locbo_options_init(&defaults);
    given.method = LOCBO_METHOD_BO;
    given.alpha = 0.1;
    given.refine = 9;
    given.struct_size = offsetof(locbo_options, alpha) + sizeof given.alpha;
    check_ok(options_resolve(&given, &resolved, &error));
    assert_int_equal(resolved.method, LOCBO_METHOD_BO);
    check_same(resolved.alpha, 0.1);
    assert_int_equal(resolved.refine, defaults.refine);
    assert_int_equal(resolved.struct_size, sizeof resolved);
    given.struct_size = sizeof given + 1;
    check_fails(options_resolve(&given, &resolved, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    given.struct_size = 3;
    check_fails(options_resolve(&given, &resolved, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    check_ok(options_resolve(NULL, &resolved, &error));
    assert_memory_equal(&resolved, &defaults, sizeof resolved);
}

/* ---- presets --------------------------------------------------------------------------------- */

static void presets_are_settings(void **state) {
    (void)state;
    assert_true(locbo_preset_count() >= 2);
    for (size_t i = 0; i < locbo_preset_count(); i++) {
        locbo_preset preset;
        locbo_options at_once, one_by_one;
        char settings[1000];
        check_ok(locbo_preset_describe(i, &preset, &error));
        assert_true(strlen(preset.help) > 5 && !strchr(preset.help, '\n'));
        assert_true(snprintf(settings, sizeof settings, "%s", preset.settings) < 1000);
        locbo_options_init(&at_once);
        locbo_options_init(&one_by_one);
        at_once.seed = one_by_one.seed = 77; /* what it does not name stays */
        at_once.method = one_by_one.method = LOCBO_METHOD_OCBO;
        scene_set(&at_once, "preset", preset.name);
        for (char *word = strtok(settings, " "); word; word = strtok(NULL, " ")) {
            char *value = strchr(word, '=');
            *value++ = '\0';
            scene_set(&one_by_one, word, value);
        }
        assert_memory_equal(&at_once, &one_by_one, sizeof at_once);
        check_ok(locbo_options_check(&at_once, &error));
        scene_set(&at_once, "gain", "5"); /* what comes later wins */
        check_same(at_once.gain, 5.0);
    }
    locbo_preset preset;
    check_fails(locbo_preset_describe(locbo_preset_count(), &preset, &error), LOCBO_ERR_NOT_FOUND,
                "no preset number 2");
    check_fails(locbo_preset_describe(0, NULL, &error), LOCBO_ERR_ARGUMENT, "NULL");
}

/* The numbers of the paper's experiments; 5 of 20 is a localization of 0.25. */
static void presets_of_the_paper(void **state) {
    (void)state;
    locbo_options o;
    locbo_options_init(&o);
    scene_set(&o, "preset", "paper-radio");
    assert_int_equal(o.surrogate, LOCBO_SURROGATE_PAPER);
    assert_int_equal(o.design, LOCBO_DESIGN_UNIFORM);
    assert_true(o.initial == 50 && o.refit_every == 10);
    assert_true(o.alpha == 0.25 && o.eta0 == 0.005 && o.step_power == 0.005 && o.gain == 2);
    assert_true(o.localization == 1.0 / 3 && o.decay == 1e-4 && o.tail == 1);
    scene_set(&o, "preset", "paper-ackley");
    assert_int_equal(o.recommendation, LOCBO_RECOMMEND_OBSERVED);
    assert_true(o.initial == 5 && o.refit_every == 1);
    assert_true(o.alpha == 0.2 && o.eta0 == 0.005 && o.step_power == 0.05 && o.gain == 4);
    assert_true(o.localization == 0.25 && o.decay == 4e-3 && o.tail == 1);
}

static void presets_that_are_refused(void **state) {
    (void)state;
    locbo_options o, before;
    char text[64];
    locbo_options_init(&o);
    before = o;
    check_fails(locbo_options_set(&o, "preset", "paper", &error), LOCBO_ERR_ARGUMENT,
                "preset must be one of paper-ackley | paper-radio, got 'paper'");
    check_fails(locbo_options_get(&o, "preset", text, sizeof text, &error), LOCBO_ERR_ARGUMENT,
                "unknown option 'preset'");
    assert_memory_equal(&o, &before, sizeof o);
    o.struct_size = before.struct_size = offsetof(locbo_options, acquisition); /* an old one */
    check_fails(locbo_options_set(&o, "preset", "paper-ackley", &error), LOCBO_ERR_ARGUMENT, "'acquisition'");
    assert_memory_equal(&o, &before, sizeof o); /* all or nothing */
    o.struct_size = sizeof o + 1;
    check_fails(locbo_options_set(&o, "preset", "paper-ackley", &error), LOCBO_ERR_ARGUMENT, "struct_size");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *name, *value;
} REFUSED[] = {
    {"direction", "up"},
    {"method", "LOCBO"},
    {"method", ""},
    {"seed", "-1"},
    {"seed", "1.5"},
    {"seed", "18446744073709551616"},
    {"seed", ""},
    {"initial", "-1"},
    {"initial", "1000001"},
    {"initial", "2.5"},
    {"initial", "ten"},
    {"refit_every", "-1"},
    {"fit_restarts", "-1"},
    {"fit_restarts", "101"},
    {"length_scale", "1e-7"},
    {"length_scale", "inf"},
    {"length_scale", "-1"},
    {"noise_var", "-1e-9"},
    {"noise_floor", "0"},
    {"input_span", "0"},
    {"input_span", "nan"},
    {"preset", ""},
    {"noise_floor", "2"},
    {"alpha", "0"},
    {"alpha", "1e-7"},
    {"alpha", "1"},
    {"alpha", "nan"},
    {"alpha", "0,1"},
    {"alpha", ""},
    {"eta0", "-0.1"},
    {"eta0", "1.1"},
    {"step_power", "-0.1"},
    {"step_power", "1.01"},
    {"localization", "0"},
    {"localization", "nan"},
    {"gain", "-1"},
    {"gain", "inf"},
    {"decay", "-1"},
    {"tail", "1.5"},
    {"tail", "-0.5"},
    {"z_max", "0.5"},
    {"z_max", "9"},
    {"levels", "2"},
    {"levels", "65"},
    {"noise_symmetry", "0"},
    {"noise_symmetry", "0.6"},
    {"cbo_temperature", "0"},
    {"cbo_temperature", "inf"},
    {"cbo_chains", "0"},
    {"cbo_chains", "65"},
    {"cbo_steps", "0"},
    {"cbo_steps", "10001"},
    {"ucb_level", "0"},
    {"ucb_level", "1"},
    {"candidates", "-1"},
    {"refine", "1001"},
    {"refine", "99999999999999999999"},
};

static void texts_out_of_range(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        locbo_options options, before;
        locbo_options_init(&options);
        before = options;
        check_fails(locbo_options_set(&options, REFUSED[i].name, REFUSED[i].value, &error), LOCBO_ERR_ARGUMENT,
                    REFUSED[i].name);
        check_fails(locbo_options_set(&options, REFUSED[i].name, REFUSED[i].value, &error), LOCBO_ERR_ARGUMENT,
                    REFUSED[i].value);
        assert_memory_equal(&options, &before, sizeof options);
    }
}

static void limits_are_accepted(void **state) {
    (void)state;
    const struct {
        const char *name, *value;
    } rows[] = {{"localization", "inf"},
                {"gain", "0"},
                {"gain", "1000"},
                {"eta0", "0"},
                {"eta0", "1"},
                {"tail", "0"},
                {"tail", "1"},
                {"z_max", "1"},
                {"z_max", "8"},
                {"levels", "3"},
                {"levels", "64"},
                {"length_scale", "nan"},
                {"noise_var", "nan"},
                {"seed", "0"},
                {"initial", "0"},
                {"step_power", "1"},
                {"noise_symmetry", "0.5"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        locbo_options options;
        locbo_options_init(&options);
        scene_set(&options, rows[i].name, rows[i].value);
        check_ok(locbo_options_check(&options, &error));
    }
}

/* The same limits hold for fields set directly. */
static void fields_out_of_range(void **state) {
    (void)state;
    locbo_options o;
    locbo_options_init(&o);
    o.method = (locbo_method)6;
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "method must be one of");
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "6");
    char text[64];
    check_fails(locbo_options_get(&o, "method", text, sizeof text, &error), LOCBO_ERR_ARGUMENT, "method");
    locbo_options_init(&o);
    o.kernel = (locbo_kernel)-1;
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "kernel");
    locbo_options_init(&o);
    o.ucb_level = NAN;
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "ucb_level");
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "nan");
    locbo_options_init(&o);
    o.candidates = -5;
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "got -5");
}

/* Each alone is fine; together the local part would grow without end. */
static void step_times_decay_below_one(void **state) {
    (void)state;
    locbo_options o;
    locbo_options_init(&o);
    o.eta0 = 0.5;
    o.decay = 2;
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "eta0 * decay");
    check_fails(locbo_options_check(&o, &error), LOCBO_ERR_ARGUMENT, "0.5 * 2");
    o.decay = 1.99;
    check_ok(locbo_options_check(&o, &error));
}

static void a_locale_with_a_comma(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    locbo_options o;
    char text[64];
    locbo_options_init(&o);
    locbo_status set = locbo_options_set(&o, "alpha", "0.125", NULL);
    locbo_status comma = locbo_options_set(&o, "alpha", "0,25", NULL);
    locbo_status get = locbo_options_get(&o, "alpha", text, sizeof text, NULL);
    setlocale(LC_ALL, "C");
    assert_true(set == LOCBO_OK && get == LOCBO_OK && comma == LOCBO_ERR_ARGUMENT);
    check_same(o.alpha, 0.125);
    assert_string_equal(text, "0.125");
}

static void initial_points(void **state) {
    (void)state;
    locbo_options o;
    locbo_options_init(&o);
    assert_int_equal(options_initial(&o, 1), 5);
    assert_int_equal(options_initial(&o, 3), 6);
    assert_int_equal(options_initial(&o, 100), 20);
    o.initial = 3;
    assert_int_equal(options_initial(&o, 100), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_agree),
        cmocka_unit_test(every_row_round_trips),
        cmocka_unit_test(exact_doubles),
        cmocka_unit_test(every_field_has_one_row),
        cmocka_unit_test(enums_have_the_size_of_int),
        cmocka_unit_test(choices_are_in_order),
        cmocka_unit_test(a_shorter_struct),
        cmocka_unit_test(presets_are_settings),
        cmocka_unit_test(presets_of_the_paper),
        cmocka_unit_test(presets_that_are_refused),
        cmocka_unit_test(texts_out_of_range),
        cmocka_unit_test(limits_are_accepted),
        cmocka_unit_test(fields_out_of_range),
        cmocka_unit_test(step_times_decay_below_one),
        cmocka_unit_test(a_locale_with_a_comma),
        cmocka_unit_test(initial_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
