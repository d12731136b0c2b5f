/* test_point_table.c - points and results from CSV and JSON, with and without a table of outputs. */
#include "point_table.h"

#include "check.h"
#include "goal.h"
#include "short_memory.h"

static locbo_space *space;
static locbo_outputs *outputs;

static int set_up(void **state) {
    static const char *const goals[] = {"loss~minimize", "x~record", "memory<=512", "cost~minimize,of=loss+memory",
                                        "share~record,scale=logit(0,1)"};
    (void)state;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(space, "n", 1, 5, LOCBO_LINEAR, &error));
    check_ok(locbo_outputs_create(&outputs, &error));
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) check_ok(goal_add(outputs, goals[i], &error));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    locbo_space_destroy(space);
    locbo_outputs_destroy(outputs);
    return 0;
}

enum { LOSS, X, MEMORY, COST, SHARE, WIDTH };

/* of the next reading */
static int skip_outside;
static const double *fill;

static locbo_status read_csv(const locbo_outputs *table, const char *source, int ignore_extra, point_table *made,
                             locbo_error *error) {
    static char text[4096];
    size_t size = strlen(source);
    memcpy(text, source, size + 1);
    point_reading how = {.space = space, .outputs = table, .measured = 1, .ignore_extra = ignore_extra};
    how.skip_outside = skip_outside;
    how.fill = fill;
    return point_table_from_csv(&how, "f.csv", text, size, made, error);
}

static locbo_status read_json(const locbo_outputs *table, const char *text, int ignore_extra, point_table *made,
                              locbo_error *error);

static void check_measurement(const locbo_measurement *m, double value, double sd, unsigned n) {
    assert_true(m->value == value || (isnan(m->value) && isnan(value)));
    assert_true(m->sd == sd || (isnan(m->sd) && isnan(sd)));
    assert_int_equal(m->n, n);
}

static void one_value(void **state) {
    point_table t;
    (void)state;
    check_ok(read_csv(NULL, "params.n,x,value,sd,n,trial,state\n3,0.5,7,0.1,4,1,COMPLETE\n2,1,,,,2,FAILED\n", 0, &t,
                      &error));
    assert_int_equal(t.count, 2);
    assert_int_equal(t.left_out, 0);
    assert_true(t.x[0] == 0.5 && t.x[1] == 3 && t.x[2] == 1 && t.x[3] == 2);
    check_measurement(t.measurements, 7, 0.1, 4);
    check_measurement(t.measurements + 1, NAN, NAN, 1);
    assert_true(t.state[0] == LOCBO_COMPLETE && t.state[1] == LOCBO_STATE_FAILED && !t.message[1]);
    point_table_release(&t);
    check_fails(read_csv(NULL, "n,x,value\n3,0.5,\n", 0, &t, &error), LOCBO_ERR_IO, "f.csv:2: value is missing");
    check_fails(read_csv(NULL, "n,x,value,state\n3,0.5,,COMPLETE\n", 0, &t, &error), LOCBO_ERR_IO,
                "f.csv:2: value is missing");
    check_fails(read_csv(NULL, "n,x,value,feasible\n3,0.5,1,true\n", 0, &t, &error), LOCBO_ERR_IO,
                "unknown column 'feasible'");
}

/* Failures with their messages, and trials with several results; what has not ended is left out. */
static void states(void **state) {
    point_table t;
    (void)state;
    check_ok(read_csv(NULL,
                      ",params.n,x,value,trial,state,message\n"
                      "0,3,0.5,7,1,COMPLETE,\n"
                      "1,3,0.5,8,1,complete,\n"
                      "2,2,0.5,8,1,COMPLETE,\n"
                      "3,2,1,,2,failed,no \"\"luck\n"
                      "4,2,1,,3,INFEASIBLE,\n"
                      "5,2,1,,4,RUNNING,\n"
                      ",,99,,5,Retracted,\n"
                      "8,2,1,0.5,6,pruned,\n"
                      "9,2,1,,7,PRUNED,\n"
                      "6,2,1,5,,,\n"
                      "7,2,1,5,,,\n",
                      0, &t, &error));
    static const size_t groups[] = {0, 0, 2, 3, 4, 5, 6};
    assert_int_equal(t.count, 7);
    assert_int_equal(t.left_out, 1);
    assert_int_equal(t.retracted, 1);
    assert_int_equal(t.pruned, 2);
    for (size_t i = 0; i < 7; i++) assert_int_equal(t.group[i], groups[i]);
    assert_true(t.state[3] == LOCBO_STATE_FAILED && t.state[4] == LOCBO_STATE_INFEASIBLE);
    assert_true(t.state[5] == LOCBO_COMPLETE && isnan(t.measurements[4].value));
    assert_string_equal(t.message[3], "no \"\"luck");
    assert_null(t.message[4]);
    point_table_release(&t);
    check_fails(read_csv(NULL, "x,,n,value\n1,1,1,1\n", 0, &t, &error), LOCBO_ERR_IO, "column 2 has no name");
    check_ok(read_json(NULL, "[{\"params\":{\"x\":99},\"state\":\"RETRACTED\",\"values\":[]}]", 0, &t, &error));
    assert_true(t.count == 0 && t.retracted == 1 && t.left_out == 0);
    point_table_release(&t);
    check_ok(read_json(NULL,
                       "[{\"params\":{\"x\":1},\"state\":\"PRUNED\",\"value\":null},"
                       "{\"params\":{\"x\":1,\"n\":2},\"state\":\"PRUNED\",\"value\":3},"
                       "{\"params\":{\"x\":1,\"n\":2},\"state\":\"COMPLETE\",\"value\":3}]",
                       0, &t, &error));
    assert_true(t.count == 1 && t.pruned == 2 && t.left_out == 0 && t.retracted == 0);
    point_table_release(&t);
    check_ok(read_csv(NULL, "x,params.n,value,note,tags\n1,2,3,\"a, b\",t u\n", 0, &t, &error));
    assert_int_equal(t.count, 1);
    point_table_release(&t);
}

/* A value beside a state other than COMPLETE is no result; no other words are states. */
static void values_of_no_results(void **state) {
    static const char *const words[] = {"FAILED", "fail", "Infeasible", "RUNNING", "waiting", "PRUNED", "RETRACTED"};
    point_table t;
    char text[300];
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (int json = 0; json < 2; json++) {
            snprintf(text, sizeof text,
                     json ? "[{\"params\":{\"x\":1,\"n\":2},\"value\":3,\"state\":null},"
                            "{\"params\":{\"x\":1,\"n\":2},\"state\":\"%s\",\"value\":4},"
                            "{\"params\":{\"x\":1,\"n\":2},\"state\":\"\",\"value\":5}]"
                          : "state,x,params.n,value\n,1,2,3\n%s,1,2,4\nComplete,1,2,5\n",
                     words[i]);
            check_ok(json ? read_json(NULL, text, 0, &t, &error) : read_csv(NULL, text, 0, &t, &error));
            assert_true(t.count == 2 && t.measurements[0].value == 3 && t.measurements[1].value == 5);
            assert_true(t.state[0] == LOCBO_COMPLETE && t.state[1] == LOCBO_COMPLETE);
            assert_int_equal(t.failed, i < 3);
            assert_int_equal(t.left_out, i == 3 || i == 4);
            assert_int_equal(t.pruned, i == 5);
            assert_int_equal(t.retracted, i == 6);
            point_table_release(&t);
        }
    }
    check_ok(read_csv(outputs, "x,n,loss,memory,state\n0.5,3,,-2,FAILED\n0.5,3,1,,\n0.5,3,,,FAILED\n", 0, &t, &error));
    assert_true(t.count == 2 && t.failed == 1 && t.state[1] == LOCBO_STATE_FAILED);
    point_table_release(&t);
    check_fails(
        read_csv(NULL, "x,params.n,value,state\n1,2,3,\n1,2,3,done\n", 0, &t, &error), LOCBO_ERR_IO,
        "f.csv:3: state must be COMPLETE, FAILED, INFEASIBLE, RUNNING, WAITING, RETRACTED or PRUNED, got 'done'");
    check_fails(read_csv(NULL, "x,params.n,value,state\n1,2,,COMPLETED\n", 0, &t, &error), LOCBO_ERR_IO,
                "f.csv:2: state must be");
    check_fails(read_json(NULL, "[{\"params\":{\"x\":1,\"n\":2},\"value\":3,\"state\":\"ended\"}]", 0, &t, &error),
                LOCBO_ERR_IO, "trial 1 of the list: state must be COMPLETE");
    check_fails(read_json(NULL, "[{\"params\":{\"x\":1,\"n\":2},\"value\":3,\"state\":4}]", 0, &t, &error),
                LOCBO_ERR_IO, "trial 1 of the list: \"state\" must be a text");
}

/* Rows outside the space are counted; what a file lacks is filled. */
static void outside_and_filled(void **state) {
    static const char csv[] = "x,params.n,value\n20,2,1\n1,9,2\n1,1.5,2\n1,2,3\n",
                      json[] =
                          "[{\"params\":{\"x\":20,\"n\":2},\"value\":1},{\"params\":{\"x\":1,\"n\":2},\"value\":3}]";
    const double given[] = {NAN, 4}, nothing[] = {NAN, NAN};
    point_table t;
    (void)state;
    check_fails(read_csv(NULL, csv, 0, &t, &error), LOCBO_ERR_IO, "f.csv:2: x must lie in [0, 10]");
    skip_outside = 1;
    check_ok(read_csv(NULL, csv, 0, &t, &error));
    assert_true(t.count == 1 && t.outside == 3 && t.measurements[0].value == 3);
    point_table_release(&t);
    check_ok(read_json(NULL, json, 0, &t, &error));
    assert_true(t.count == 1 && t.outside == 1 && t.measurements[0].value == 3);
    point_table_release(&t);
    check_fails(read_csv(NULL, "x,params.n,value\nmuch,2,1\n", 0, &t, &error), LOCBO_ERR_IO, "got 'much'");
    check_fails(read_json(NULL, "[{\"params\":{\"x\":\"a\",\"n\":2},\"value\":1}]", 0, &t, &error), LOCBO_ERR_IO,
                "got the text 'a'");
    skip_outside = 0;
    fill = nothing;
    check_fails(read_csv(NULL, "x,value\n1,1\n", 0, &t, &error), LOCBO_ERR_IO, "no column 'n'");
    fill = given;
    check_ok(read_csv(NULL, "x,value\n1,1\n", 0, &t, &error));
    assert_true(t.x[0] == 1 && t.x[1] == 4);
    point_table_release(&t);
    check_ok(read_csv(NULL, "x,params.n,value,n\n1,,1,\n1,3,1,\n", 0, &t, &error));
    assert_true(t.x[1] == 4 && t.x[3] == 3);
    point_table_release(&t);
    check_fails(read_csv(NULL, "x,params.n,value\n,2,1\n", 0, &t, &error), LOCBO_ERR_IO, "x must be");
    check_ok(read_json(NULL, "[{\"params\":{\"x\":1},\"value\":3}]", 0, &t, &error));
    assert_true(t.x[0] == 1 && t.x[1] == 4);
    point_table_release(&t);
    check_fails(read_json(NULL, "[{\"params\":{\"n\":1},\"value\":3}]", 0, &t, &error), LOCBO_ERR_IO,
                "the value of x is missing");
    fill = NULL;
}

/* The cell of a parameter that is not active is empty. */
static void not_active(void **state) {
    const double five[] = {5};
    const locbo_parameter_spec spec = {
        .struct_size = sizeof spec, .name = "c", .high = 1, .parent = "n", .when_count = 1, .when = five};
    point_table t;
    (void)state;
    check_ok(locbo_space_add(space, &spec, &error));
    check_ok(locbo_space_add_constraint(space, "x <= n", &error));
    check_ok(read_csv(NULL, "n,x,c,value\n3,0.5,,1\n5,0.5,0.25,2\n", 0, &t, &error));
    assert_true(t.count == 2 && isnan(t.x[2]) && t.x[5] == 0.25);
    point_table_release(&t);
    check_fails(read_csv(NULL, "n,x,c,value\n3,0.5,0.5,1\n", 0, &t, &error), LOCBO_ERR_IO,
                "f.csv:2: parameter 'c' is not");
    check_fails(read_csv(NULL, "n,x,c,value\n5,0.5,,1\n", 0, &t, &error), LOCBO_ERR_IO,
                "f.csv:2: the value of c is missing");
    check_fails(read_csv(NULL, "n,x,c,value\n5,,1,1\n", 0, &t, &error), LOCBO_ERR_IO, "f.csv:2: x must be a number");
    check_fails(read_csv(NULL, "n,x,c,value\n3,4,,1\n", 0, &t, &error), LOCBO_ERR_IO, "'x <= n'");
    check_fails(read_csv(NULL, "n,x,value\n3,0.5,1\n", 0, &t, &error), LOCBO_ERR_IO, "there is no column 'c'");
}

/* A column for each output, its sd and n; an empty cell is lacking; what is derived is not read. */
static void several_values(void **state) {
    point_table t;
    (void)state;
    check_ok(read_csv(outputs,
                      "trial,state,x,n,loss,loss.sd,loss.n,outputs.x,memory,cost,feasible\n"
                      "1,COMPLETE,0.5,3,0.25,0.1,4,8,401,9,true\n"
                      "2,COMPLETE,1,2,,,,,600,,\n"
                      "3,RUNNING,2,1,,,,,,,\n",
                      0, &t, &error));
    assert_int_equal(t.count, 2);
    assert_int_equal(t.left_out, 1);
    assert_true(t.x[0] == 0.5 && t.x[1] == 3 && t.x[2] == 1 && t.x[3] == 2);
    check_measurement(&t.measurements[LOSS], 0.25, 0.1, 4);
    check_measurement(&t.measurements[X], 8, NAN, 1);
    check_measurement(&t.measurements[MEMORY], 401, NAN, 1);
    check_measurement(&t.measurements[COST], NAN, NAN, 1);
    check_measurement(&t.measurements[WIDTH + LOSS], NAN, NAN, 1);
    check_measurement(&t.measurements[WIDTH + MEMORY], 600, NAN, 1);
    point_table_release(&t);
}

/* A name that parameter and output share is the parameter's, unless params.NAME says otherwise. */
static void shared_names(void **state) {
    point_table t;
    (void)state;
    check_ok(read_csv(outputs, "x,params.x,n,loss\n7,0.5,3,1\n", 0, &t, &error));
    assert_true(t.x[0] == 0.5 && t.measurements[X].value == 7);
    point_table_release(&t);
    check_ok(read_csv(outputs, "x,n,loss,x.sd,outputs.x\n0.5,3,1,0.25,7\n", 0, &t, &error));
    assert_true(t.x[0] == 0.5);
    check_measurement(&t.measurements[X], 7, 0.25, 1);
    point_table_release(&t);
}

static void mistakes(void **state) {
    point_table t;
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"x,n\n0.5,3\n", "f.csv:1: there is no column of an output, such as 'loss'"},
        {"x,n,cost\n0.5,3,1\n", "there is no column of an output"},
        {"x,n,value\n0.5,3,1\n", "f.csv:1: unknown column 'value' (--ignore-extra skips such columns)"},
        {"x,n,loss,sd\n0.5,3,1,1\n", "unknown column 'sd'"},
        {"x,n,loss,memory.se\n0.5,3,1,1\n", "unknown column 'memory.se'"},
        {"x,loss\n0.5,3\n", "there is no column 'n'"},
        {"x,n,loss\n0.5,3,nan\n", "f.csv:2: loss must be a finite number, got 'nan'"},
        {"x,n,loss,outputs.memory.sd\n0.5,3,1,\n0.5,3,1,-1\n",
         "f.csv:3: outputs.memory.sd must be a number of at least"},
        {"x,n,loss,loss.n\n0.5,3,1,0.5\n", "f.csv:2: loss.n must be a whole number of at least 1, got '0.5'"},
        {"x,n,loss,memory\n0.5,3,,\n", "f.csv:2: there is no value of an output"},
        {"x,n,loss,memory,memory.sd\n0.5,3,1,,2\n", "f.csv:2: memory is empty, but has sd"},
        {"x,n,loss,memory,memory.n\n0.5,3,1,,2\n", "f.csv:2: memory is empty, but has n"},
        {"x,n,share\n0.5,3,1\n", "f.csv:2: share must lie between 0 and 1 (its scale), got 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_fails(read_csv(outputs, cases[i].text, 0, &t, &error), LOCBO_ERR_IO, cases[i].words);
    check_ok(read_csv(outputs, "x,n,value,loss\n0.5,3,2,1\n", 1, &t, &error));
    assert_true(t.measurements[LOSS].value == 1);
    point_table_release(&t);
}

static locbo_status read_json(const locbo_outputs *table, const char *text, int ignore_extra, point_table *made,
                              locbo_error *error) {
    point_reading how = {.space = space, .outputs = table, .measured = 1, .ignore_extra = ignore_extra};
    how.skip_outside = skip_outside;
    how.fill = fill;
    return point_table_from_json(&how, "f.json", text, strlen(text), made, error);
}

static void json_outputs(void **state) {
    point_table t;
    (void)state;
    check_ok(read_json(
        outputs,
        "{\"trials\": [{\"params\": {\"x\": 1, \"n\": 2}, \"state\": \"COMPLETE\", \"outputs\": {\"loss\": 5},"
        " \"measurements\": [{\"sequence\": 3, \"outputs\": {\"loss\": {\"value\": 4, \"sd\": null, \"n\": 1}}},"
        " {\"sequence\": 1, \"outputs\": {\"loss\": {\"value\": 6, \"sd\": 0.5, \"n\": 2}, \"cost\": {\"value\":"
        " 9, \"sd\": null, \"n\": 1}}}]},"
        " {\"params\": {\"x\": 2, \"n\": 2}, \"state\": \"FAILED\", \"failure\": 2, \"message\": \"no\","
        " \"outputs\": {\"loss\": null}}, {\"params\": {\"x\": 2, \"n\": 2}, \"state\": \"WAITING\"},"
        " {\"params\": {\"x\": 3, \"n\": 2}, \"outputs\": {\"memory\": 400, \"loss\": null}}]}",
        0, &t, &error));
    assert_int_equal(t.count, 4);
    assert_int_equal(t.left_out, 1);
    check_measurement(&t.measurements[MEMORY], 400, NAN, 1); /* no sequence: first */
    check_measurement(&t.measurements[WIDTH + LOSS], 6, 0.5, 2);
    check_measurement(&t.measurements[WIDTH + COST], NAN, NAN, 1);
    check_measurement(&t.measurements[3 * WIDTH + LOSS], 4, NAN, 1);
    assert_true(t.x[0] == 3 && t.x[2] == 1 && t.x[4] == 2 && t.x[6] == 1);
    assert_true(t.state[2] == LOCBO_STATE_FAILED && t.group[1] == t.group[3] && t.group[2] != t.group[1]);
    assert_string_equal(t.message[2], "no");
    point_table_release(&t);
}

static void json_mistakes(void **state) {
    point_table t;
    (void)state;
#define POINT "[{\"params\": {\"x\": 1, \"n\": 2}, "
    static const struct {
        const char *text, *words;
    } cases[] = {
        {POINT "\"value\": 1}]", "trial 1 of the list: it has no \"outputs\" with a value"},
        {POINT "\"outputs\": {\"loss\": null}}]", "it has no \"outputs\" with a value"},
        {POINT "\"outputs\": {\"los\": 1}}]", "unknown output 'los' (--ignore-extra skips such outputs)"},
        {POINT "\"outputs\": {\"loss\": \"1\"}}]", "loss: value must be a finite number"},
        {POINT "\"outputs\": {\"loss\": {\"value\": 1, \"sd\": -1}}}]", "loss: sd must be"},
        {POINT "\"outputs\": {\"cost\": 1}}]", "there is no value of an output"},
        {POINT "\"measurements\": [{\"value\": 1}]}]", "\"outputs\" must be an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_fails(read_json(outputs, cases[i].text, 0, &t, &error), LOCBO_ERR_IO, cases[i].words);
    check_ok(read_json(outputs, POINT "\"outputs\": {\"los\": 1, \"loss\": 2}}]", 1, &t, &error));
    assert_true(t.measurements[LOSS].value == 2);
    point_table_release(&t);
}

/* Each allocation fails in turn: a message, and nothing to release. */
static void no_memory(void **state) {
    point_table t;
    locbo_status status = LOCBO_ERR_MEMORY;
    (void)state;
    for (long n = 0; status != LOCBO_OK; n++) {
        locbo_error error;
        allowed = n;
        status = read_csv(outputs, "x,n,loss,memory,state,message\n0.5,3,1,2,,\n0.5,3,,,FAILED,no\n0.5,3,1,2,,\n", 0,
                          &t, &error);
        allowed = -1;
        assert_true(status == LOCBO_OK || status == LOCBO_ERR_MEMORY);
    }
    assert_int_equal(t.count, 3);
    point_table_release(&t);
    status = LOCBO_ERR_MEMORY;
    for (long n = 0; status != LOCBO_OK; n++) {
        locbo_error error;
        allowed = n;
        status = read_json(outputs, POINT "\"outputs\": {\"loss\": 2}}]", 0, &t, &error);
        allowed = -1;
        assert_true(status == LOCBO_OK || status == LOCBO_ERR_MEMORY);
    }
    point_table_release(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value),          cmocka_unit_test(several_values),
        cmocka_unit_test(shared_names),       cmocka_unit_test(mistakes),
        cmocka_unit_test(json_outputs),       cmocka_unit_test(json_mistakes),
        cmocka_unit_test(no_memory),          cmocka_unit_test(states),
        cmocka_unit_test(outside_and_filled), cmocka_unit_test(values_of_no_results),
        cmocka_unit_test(not_active), /* the last: it adds a parameter */
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
