/* expression.h - arithmetic over named numbers: "loss + 0.1*latency", "a + b <= 1", "min(a, b) > 0.1".
 *
 *     or  ||                   1 or 0; any number but 0 is true
 *     and  &&
 *     not                      of the comparison that follows, as in Python: not a < b is not (a < b)
 *     <  <=  >  >=  ==  !=     1 or 0; they do not chain: a < b < c is refused
 *     +  -
 *     *  /
 *     -  !                     of the operand that follows, as in C: !a < b is (!a) < b, but -a^2 is -(a^2)
 *     ^                        power, from the right: 2^3^2 is 2^9
 *     abs(x) ceil(x) exp(x) floor(x) log(x) log10(x) sqrt(x)  max(x, ...) min(x, ...)
 *
 * The operators stand in the order in which they bind, the weakest first. A number is 1, .5, 2.5e-3, with '.' in every
 * locale. A name is [A-Za-z_][A-Za-z0-9_]*; any other, and the names and, or, not, is written in backquotes, a
 * backquote inside it twice: `learning rate`. (Quotes are left free: they could only mean a text.) A word is a function
 * only if
 * '(' follows, so that a parameter may have the name min. Blanks and line ends separate.
 *
 * Values are those of C's arithmetic: 1/0 is inf, 0/0 and sqrt(-1) are NAN. NAN is an unknown number: comparisons, min
 * and max of it are NAN; 'and' is 0 if the other side is 0, 'or' 1 if the other side is true, otherwise they are NAN.
 */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <stddef.h>

#include "status.h"

enum {
    EXPRESSION_LENGTH = 4096, /* bytes of a text */
    EXPRESSION_DEPTH = 256    /* operands that are open at once: parentheses, and operators whose right side is read */
};

typedef struct expression expression;

/* The comparison that an expression is; none of them: a number, or conditions joined by and, or, not. */
typedef enum expression_relation {
    EXPRESSION_NO_RELATION,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_GREATER,
    EXPRESSION_GREATER_EQUAL,
    EXPRESSION_EQUAL,
    EXPRESSION_NOT_EQUAL
} expression_relation;

/* Any text; errors (LOCBO_ERR_ARGUMENT) quote it and name the place: "expression 'a + * b': there is no operand before
 * '*' at character 5". `*out` is to be destroyed. */
locbo_status expression_parse(expression **out, const char *text, locbo_error *error);
void expression_destroy(expression *e);

/* The names that it mentions, each once, in the order of their first mention; without backquotes. */
size_t expression_name_count(const expression *e);
const char *expression_name(const expression *e, size_t index);

/* Its value; `values` in the order of its names (NULL if there are none). Allocates nothing and changes nothing, so
 * that several threads may use one expression. Cost: linear in the length of the text. */
double expression_value(const expression *e, const double *values);

expression_relation expression_relation_of(const expression *e);
/* Whether it is a comparison, or such joined by and, or, not: 1 or 0, and no other number. */
int expression_is_condition(const expression *e);
/* Of a comparison, the left side minus the right one; of anything else its value. */
double expression_difference(const expression *e, const double *values);
/* Whether the expression is constant + sum_i coefficients[i] * name_i, read from its form: a product is linear if one
 * side has no names. For a comparison it is the left side minus the right one, to be compared with 0. Returns 0 and
 * leaves the outputs alone if it is not linear, or if one of these numbers is not finite. Cost: that of a value for
 * each name. */
int expression_linear(const expression *e, double *coefficients, double *constant);

#endif
