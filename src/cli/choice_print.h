/* choice_print.h - the whole of `locbo best` and `locbo recommend`. */
#ifndef CHOICE_PRINT_H
#define CHOICE_PRINT_H

#include "args.h"

int choice_print(const command *self, int argc, char **argv, int recommended);

#endif
