/* gnuplot.h - runs the program gnuplot on a script. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "status.h"

/* Runs gnuplot in `dir` on its file `script` and waits for the end. LOCBO_ERR_NOTHING: there is no
 * gnuplot in PATH; LOCBO_ERR_IO: it could not be run or failed, with its own words. */
locbo_status gnuplot_run(const char *dir, const char *script, locbo_error *error);

#endif
