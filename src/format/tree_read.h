/* tree_read.h - values of a tree as what a key expects; every error names its location. */
#ifndef TREE_READ_H
#define TREE_READ_H

#include <stdint.h>

#include "tree.h"

/* The text of a scalar, for keys where nothing (null) makes no sense. */
locbo_status tree_read_text(const tree_entry *entry, const char **text, locbo_error *error);
/* A copy of it, not empty; release it with mem_free. */
locbo_status tree_read_copy(const tree_entry *entry, char **copy, locbo_error *error);
locbo_status tree_read_whole(const tree_entry *entry, int64_t least, int64_t most, uint64_t *whole, locbo_error *error);
locbo_status tree_read_real(const tree_entry *entry, double *real, locbo_error *error); /* finite */
/* One of `count` words, as its number; otherwise an error that lists them. */
locbo_status tree_read_choice(const tree_entry *entry, size_t count, const char *const *words, int *which,
                              locbo_error *error);
locbo_status tree_read_flag(const tree_entry *entry, int *flag, locbo_error *error); /* true, false */

/* The texts of a list, verbatim; they belong to the tree. */
locbo_status tree_read_texts(const tree_entry *list, const char **texts, locbo_error *error);
/* The value of a key that must be there. */
locbo_status tree_need(const tree_entry *map, const char *key, tree_entry *value, locbo_error *error);
/* As tree_pass, of what was said of a parameter or output (`noun`), without its name: the location says it already. */
locbo_status tree_pass_named(const tree_entry *entry, const char *noun, const char *name, locbo_status status,
                             locbo_error *inner, locbo_error *error);

#endif
