/* script.h - a figure as a gnuplot script. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdio.h>

#include "page.h"

/* The script contains the data and, run in its directory, makes NAME.svg, .png and .pdf. The panels must have been
 * checked. Write errors are left in `file` (ferror). */
void script_write(FILE *file, const char *name, size_t panels, const figure_panel *panel);
/* The same for a single picture, NAME.ENDING, on a page after page_fit; `title` may be NULL. */
void script_write_one(FILE *file, const char *name, const char *ending, const char *title, const page *g);

#endif
