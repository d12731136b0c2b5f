/* tree.h - a YAML file as texts, lists and mappings, each of which knows its line, so that a mistake is reported
 * as "FILE:LINE: KEY: what". Numbers and booleans are texts here: what they mean depends on the key.
 *
 * A loaded tree is sound: one document, no key twice in a mapping, keys are texts, no NUL, no tags, no merge keys (<<),
 * and of bounded size: the limits below, where aliases count each time (so none contains itself). */
#ifndef TREE_H
#define TREE_H

#include "status.h"

enum {
    TREE_BYTES = 1 << 20,
    TREE_DEPTH = 32,      /* levels */
    TREE_ENTRIES = 10000, /* in one list or mapping */
    TREE_ANCHORS = 1000,
    TREE_VALUES = 1000000
};

typedef struct tree tree;
typedef enum tree_kind { TREE_NULL, TREE_TEXT, TREE_LIST, TREE_MAP } tree_kind;

/* A value and the path to it. Lives as long as the tree and the value above it. */
typedef struct tree_entry {
    const tree *tree;
    const struct tree_entry *above; /* NULL: this is the whole document */
    const char *key;                /* in a mapping; NULL: in a list */
    size_t index;                   /* in the list or mapping, from 0 */
    size_t line;                    /* of the key, or of the item in a list */
    int node;
} tree_entry;

/* `file` is for messages. LOCBO_ERR_FORMAT: it is not sound. */
locbo_status tree_load(tree **loaded, const char *file, const char *text, size_t size, locbo_error *error);
void tree_free(tree *t);

tree_entry tree_root(const tree *t);
/* A plain ~, null or nothing at all is TREE_NULL; quoted they are texts. */
tree_kind tree_kind_of(const tree_entry *entry);
/* Whether it is plain, neither quoted nor a block. */
int tree_is_plain(const tree_entry *entry);
/* The text of a TREE_TEXT, verbatim. */
const char *tree_text(const tree_entry *entry);
/* Items of a list, or pairs of a mapping; 0 for anything else. */
size_t tree_count(const tree_entry *entry);
/* Item i of a list, or the value of pair i of a mapping, i below the count. */
tree_entry tree_at(const tree_entry *entry, size_t i);
/* The value of a key in a mapping; returns 0 if there is none. */
int tree_find(const tree_entry *map, const char *key, tree_entry *value);

/* LOCBO_ERR_FORMAT with "FILE:LINE: KEY: " before the message. */
locbo_status tree_fail(const tree_entry *entry, locbo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What a call for this value returned, with its location before the message. No memory stays what it is. */
locbo_status tree_pass(const tree_entry *entry, locbo_status status, const locbo_error *inner, locbo_error *error);
/* LOCBO_OK if it is of this kind, otherwise what was expected and what is there. */
locbo_status tree_expect(const tree_entry *entry, tree_kind kind, locbo_error *error);
/* LOCBO_OK if every key of a mapping is among these; otherwise an error that names the nearest, or all. */
locbo_status tree_check_keys(const tree_entry *map, size_t count, const char *const *known, locbo_error *error);

#endif
