/* sized.h - settings of the caller's, which begin with their struct_size: the rule of locbo.h ("Settings"). A new field
 * is added at the end, and never into the padding there, so that it makes the struct larger. */
#ifndef SIZED_H
#define SIZED_H

#include "status.h"

/* LOCBO_ERR_ARGUMENT, with `what` in the message, if no header up to ours, with `size` bytes, had this struct_size. */
locbo_status sized_check(const char *what, const void *given, size_t size, locbo_error *error);
/* What was given (NULL: nothing) into our struct of `size` bytes, which holds the defaults; its struct_size stays. */
locbo_status sized_take(const char *what, void *ours, size_t size, const void *given, locbo_error *error);
/* As much of our struct into the caller's as that has room for; its struct_size stays. */
locbo_status sized_give(const char *what, const void *ours, size_t size, void *to, locbo_error *error);

#endif
