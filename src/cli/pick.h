/* pick.h - the whole of `locbo best` and `locbo recommend`. */
#ifndef PICK_H
#define PICK_H

#include "args.h"

int pick_run(const command *self, int argc, char **argv, int recommended);

#endif
