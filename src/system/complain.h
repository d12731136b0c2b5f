/* complain.h - what went wrong, in one line on standard error. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

/* "locbo: message", or with the name of a subcommand "locbo NAME: message"; control characters as '?'. Returns `code`.
 */
int complain(const char *name, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
