/* expression_steps.h - a parsed expression: the steps of a stack machine. expression_parse.c writes them, expression.c
 * does them. */
#ifndef EXPRESSION_STEPS_H
#define EXPRESSION_STEPS_H

#include "expression.h"

/* What a step does. It takes nothing, one or two values from the stack and puts one there. */
typedef enum operation {
    PUSH_NUMBER,
    PUSH_NAME,
    NEGATE, /* from here on one value */
    NOT,
    ABS,
    CEIL,
    EXP,
    FLOOR,
    LOG,
    LOG10,
    SQRT,
    ADD, /* from here on two values */
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    MIN,
    MAX,
    OR,
    AND,
    LESS, /* from here on comparisons */
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    NOT_EQUAL
} operation;

typedef struct step {
    operation does;
    double number; /* of PUSH_NUMBER */
    size_t name;   /* of PUSH_NAME */
} step;

struct expression {
    step *steps;
    size_t step_count, step_capacity;
    char **names;
    size_t name_count, name_capacity;
};

#endif
