/* gnuplot.h - runs the program gnuplot on a script. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "status.h"

/* Runs gnuplot in `dir` on the file `script` there and waits for its end. LOCBO_ERR_NOTHING: there is no gnuplot in
 * PATH; LOCBO_ERR_IO: it could not be run, or failed; the message has its first error. */
locbo_status gnuplot_run(const char *dir, const char *script, locbo_error *error);

#endif
