/* fuzz_expression.c - any text as an expression: refused with one line, or evaluated. In parentheses it has the same
 * value and coefficients, and each of its names can be written in backquotes. */
#include "expression.h"

#include <math.h>

#include "fuzz.h"

static double values[EXPRESSION_LENGTH], slopes[EXPRESSION_LENGTH], again[EXPRESSION_LENGTH];

static int agree(double a, double b) { return fuzz_same(a, b) || (isnan(a) && isnan(b)); }

static void check_name(const char *name) {
    char text[2 * EXPRESSION_LENGTH + 3], *to = text;
    expression *e;
    must(*name);
    *to++ = '`';
    for (const char *c = name; *c; c++) {
        if (*c == '`') *to++ = '`';
        *to++ = *c;
    }
    strcpy(to, "`");
    if (strlen(text) > EXPRESSION_LENGTH) return; /* it was written without backquotes */
    must_do(expression_parse(&e, text, &error));
    must(expression_name_count(e) == 1 && strcmp(expression_name(e, 0), name) == 0);
    must(expression_value(e, &(double){17}) == 17 && expression_relation_of(e) == EXPRESSION_NO_RELATION);
    expression_destroy(e);
}

/* Refused only if the two more bytes or the level more are too many. */
static void check_in_parentheses(const expression *e, const char *text) {
    char longer[EXPRESSION_LENGTH + 3];
    expression *same;
    double constant = 0, other = 0;
    snprintf(longer, sizeof longer, "(%s)", text);
    if (!fuzz_done(expression_parse(&same, longer, &error))) {
        must(strstr(error.message, "more than"));
        return;
    }
    must(expression_name_count(same) == expression_name_count(e));
    must(expression_relation_of(same) == expression_relation_of(e));
    must(agree(expression_value(same, values), expression_value(e, values)));
    int linear = expression_linear(e, slopes, &constant);
    must(linear == expression_linear(same, again, &other) && agree(constant, other));
    for (size_t i = 0; linear && i < expression_name_count(e); i++)
        must(isfinite(slopes[i]) && agree(slopes[i], again[i]));
    expression_destroy(same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    expression *e = NULL;
    if (fuzz_done(expression_parse(&e, text, &error))) {
        must(strlen(text) <= EXPRESSION_LENGTH);
        for (size_t i = 0; i < expression_name_count(e); i++) {
            values[i] = (double)i / 4 - 1;
            if (i < 20) check_name(expression_name(e, i));
        }
        check_in_parentheses(e, text);
        expression_destroy(e);
    } else {
        must(!e && strncmp(error.message, "expression '", 12) == 0);
    }
    free(text);
    return 0;
}
