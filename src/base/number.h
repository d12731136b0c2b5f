/* number.h - doubles as text, exactly and whatever the locale, and in order. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stddef.h>

enum { NUMBER_TEXT = 32 }; /* room for any double as text */

/* The whole text must be one number ("1e-3", "inf", "-inf", "nan"); returns 0 otherwise. */
int number_parse(const char *text, double *value);
/* The shortest of 15 to 17 digits that reads back to the same double. */
void number_print(double value, char text[NUMBER_TEXT]);
/* For qsort of doubles: the smaller first, NAN last. */
int number_ascending(const void *a, const void *b);

#endif
