/* distribution.h - parameters on the command line and in study files: NAME~DIST, where DIST is one of
 *     float(LOW,HIGH)   float(LOW,HIGH,STEP)   log(LOW,HIGH), the same as float(LOW,HIGH,log)
 *     int(LOW,HIGH)     int(LOW,HIGH,STEP)     intlog(LOW,HIGH), the same as int(LOW,HIGH,log), from 0: log(1 + x)
 *     cat(VALUE,...)    ordered(VALUE,...)     orderedlog(NUMBER,...)
 *     bool
 * If all values of ordered are numbers that increase, they say where the values stand on the scale; otherwise the
 * values are equally spaced. Values with commas, blanks or parentheses are quoted as in words.h: cat('a, b',"c",d).
 *
 * A condition may follow: the parameter is active only where another, given before it, has one of some values:
 *     int(2,5) when kernel=poly         log(1e-3,10) when kernel in (rbf,poly)
 *
 * Marks may follow, in any order, mostly of a parameter that was changed:
 *     float(0,1) frozen=0.5             every further point has this value
 *     float(0,1) past=0.5               points that were made before there was this parameter had this value
 *     cat(a,b,c) retired=c              no further point has it; of several: retired in (b,c)
 *     ordered(low,high) numbers in (1,10)     where they stand, whatever they are called; numbers=none: equally spaced
 *     int(1,81) fidelity                how thorough an evaluation is: what counts is its upper end
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include "status.h"

/* [A-Za-z_][A-Za-z0-9_]*, and none of the names that placeholders have (trial seed attempt workdir result_file). */
locbo_status distribution_check_name(const char *name, locbo_error *error);
/* Add "NAME~DIST" to the space. Errors name what is wrong and quote the text. */
locbo_status distribution_add(locbo_space *space, const char *text, locbo_error *error);
/* Add a parameter by name and "DIST". */
locbo_status distribution_add_named(locbo_space *space, const char *name, const char *dist, locbo_error *error);
/* The same for one that is the fidelity, whether or not the DIST says it. */
locbo_status distribution_add_fidelity(locbo_space *space, const char *text, locbo_error *error);
locbo_status distribution_add_fidelity_named(locbo_space *space, const char *name, const char *dist,
                                             locbo_error *error);
/* The DIST of parameter i, which distribution_add reads back exactly. Free with mem_free; NULL: no memory. */
char *distribution_text(const locbo_space *space, size_t i);
/* The same, of the marks only these. */
enum { DISTRIBUTION_RETIRED = 1, DISTRIBUTION_FROZEN = 2, DISTRIBUTION_PAST = 4, DISTRIBUTION_FIDELITY = 8 };
char *distribution_part(const locbo_space *space, size_t i, unsigned marks);

#endif
