/* script.h - a figure as a gnuplot script. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdio.h>

#include "page.h"

/* What is to be drawn, checked and with its page fitted. */
typedef struct script_figure {
    const char *name;
    unsigned pictures; /* of FIGURE_SVG, FIGURE_PNG and FIGURE_PDF */
    const char *title; /* above all; NULL: none */
    page page;
} script_figure;

/* The script holds the data itself and, run in its directory, makes the pictures NAME.svg, .png, .pdf. Whether all was
 * written, the caller asks the file. */
void script_write(FILE *file, const script_figure *f);

#endif
