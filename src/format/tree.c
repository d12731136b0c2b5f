/* tree.c - a YAML document over libyaml, which no other file names. Layer: format. Cost: O(size log size).
 * libyaml resolves aliases to the node they name: a document is a graph, and may have cycles. It is walked once as the
 * tree it stands for, with limits on depth and size; after that no caller needs to check. */
#include "tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "mem.h"
#include "nearest.h"

struct tree {
    char *file;
    yaml_document_t document;
    int loaded;    /* whether `document` is to be released */
    size_t values; /* seen by the walk */
    char *checked; /* for each node: its keys differ */
};

enum { FILE_SHOWN = 80, KEY_SHOWN = 80 };

/* ---- locations --------------------------------------------------------------------------------- */

static yaml_node_t *node_at(const tree *t, int node) {
    return yaml_document_get_node((yaml_document_t *)&t->document, node); /* only read */
}

static yaml_node_t *node_of(const tree_entry *entry) { return node_at(entry->tree, entry->node); }

static const char *scalar(const yaml_node_t *node) { return (const char *)node->data.scalar.value; }

tree_entry tree_root(const tree *t) {
    return (tree_entry){.tree = t, .line = node_at(t, 1)->start_mark.line + 1, .node = 1};
}

int tree_is_plain(const tree_entry *entry) {
    const yaml_node_t *node = node_of(entry);
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static int is_null(const tree_entry *entry) {
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(scalar(node_of(entry)), words[i]) == 0) return tree_is_plain(entry);
    return 0;
}

tree_kind tree_kind_of(const tree_entry *entry) {
    yaml_node_type_t type = node_of(entry)->type;
    if (type == YAML_SEQUENCE_NODE) return TREE_LIST;
    if (type == YAML_MAPPING_NODE) return TREE_MAP;
    return is_null(entry) ? TREE_NULL : TREE_TEXT;
}

const char *tree_text(const tree_entry *entry) { return scalar(node_of(entry)); }

static size_t pairs_of(const yaml_node_t *node) {
    return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
}

size_t tree_count(const tree_entry *entry) {
    const yaml_node_t *node = node_of(entry);
    if (node->type == YAML_MAPPING_NODE) return pairs_of(node);
    if (node->type != YAML_SEQUENCE_NODE) return 0;
    return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

static tree_entry pair_at(const tree_entry *map, size_t i) {
    yaml_node_pair_t pair = node_of(map)->data.mapping.pairs.start[i];
    const yaml_node_t *key = node_at(map->tree, pair.key);
    return (tree_entry){.tree = map->tree,
                        .above = map,
                        .key = scalar(key),
                        .index = i,
                        .line = key->start_mark.line + 1,
                        .node = pair.value};
}

tree_entry tree_at(const tree_entry *entry, size_t i) {
    const yaml_node_t *node = node_of(entry);
    if (node->type == YAML_MAPPING_NODE) return pair_at(entry, i);
    int item = node->data.sequence.items.start[i];
    size_t line = node_at(entry->tree, item)->start_mark.line + 1;
    if (line < entry->line) line = entry->line; /* an alias: what it names stands further up */
    return (tree_entry){.tree = entry->tree, .above = entry, .index = i, .line = line, .node = item};
}

int tree_find(const tree_entry *map, const char *key, tree_entry *value) {
    for (size_t i = 0; i < tree_count(map); i++) {
        *value = tree_at(map, i);
        if (strcmp(value->key, key) == 0) return 1;
    }
    return 0;
}

/* ---- messages ---------------------------------------------------------------------------------- */

/* "parameters.lr.low", "enqueue[2].x"; a path that is too long ends early. Returns its length. */
static size_t write_path(const tree_entry *entry, char path[KEY_SHOWN]) {
    path[0] = '\0';
    if (!entry->above) return 0;
    size_t used = write_path(entry->above, path);
    char *end = path + used;
    if (entry->key)
        snprintf(end, KEY_SHOWN - used, "%s%s", used ? "." : "", entry->key);
    else
        snprintf(end, KEY_SHOWN - used, "[%zu]", entry->index);
    return used + strlen(end);
}

/* The end of a file's path says more than its beginning. */
static const char *shown_file(const tree *t) {
    size_t length = strlen(t->file);
    return length < FILE_SHOWN ? t->file : t->file + length - FILE_SHOWN;
}

locbo_status tree_fail(const tree_entry *entry, locbo_error *error, const char *format, ...) {
    char path[KEY_SHOWN], what[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *colon = write_path(entry, path) ? ": " : "";
    return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: %s%s%s", shown_file(entry->tree), entry->line, path, colon,
                       what);
}

locbo_status tree_pass(const tree_entry *entry, locbo_status status, const locbo_error *inner, locbo_error *error) {
    if (status == LOCBO_OK) return LOCBO_OK;
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    return tree_fail(entry, error, "%s", inner->message);
}

static const char *kind_name(tree_kind kind) {
    static const char *const names[] = {"nothing", "a text or number", "a list", "a mapping"};
    return names[kind];
}

locbo_status tree_expect(const tree_entry *entry, tree_kind kind, locbo_error *error) {
    tree_kind found = tree_kind_of(entry);
    if (found == kind) return LOCBO_OK;
    if (found == TREE_TEXT)
        return tree_fail(entry, error, "expected %s, found '%.40s'", kind_name(kind), tree_text(entry));
    return tree_fail(entry, error, "expected %s, found %s", kind_name(kind), kind_name(found));
}

static locbo_status unknown_key(const tree_entry *entry, size_t count, const char *const *known, locbo_error *error) {
    nearest guess = {.word = entry->key};
    for (size_t i = 0; i < count; i++) nearest_consider(&guess, known[i]);
    if (guess.best) return tree_fail(entry, error, "unknown key; did you mean '%s'?", guess.best);
    char list[160] = "";
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", known[i]);
    }
    return tree_fail(entry, error, "unknown key; known are %s", list);
}

locbo_status tree_check_keys(const tree_entry *map, size_t count, const char *const *known, locbo_error *error) {
    for (size_t i = 0; i < tree_count(map); i++) {
        tree_entry value = tree_at(map, i);
        size_t k = 0;
        while (k < count && strcmp(known[k], value.key) != 0) k++;
        if (k == count) return unknown_key(&value, count, known, error);
    }
    return LOCBO_OK;
}

/* ---- the walk ---------------------------------------------------------------------------------- */

static int is_usual_tag(const yaml_node_t *node) {
    const char *tag = (const char *)node->tag;
    return !tag || strcmp(tag, YAML_STR_TAG) == 0 || strcmp(tag, YAML_SEQ_TAG) == 0 || strcmp(tag, YAML_MAP_TAG) == 0;
}

/* What holds for keys and values alike. */
static locbo_status check_node(const tree_entry *entry, const yaml_node_t *node, locbo_error *error) {
    if (!is_usual_tag(node))
        return tree_fail(entry, error, "tags are not supported, found <%.40s>", (const char *)node->tag);
    if (node->type == YAML_SCALAR_NODE && strlen(scalar(node)) != node->data.scalar.length)
        return tree_fail(entry, error, "a NUL character is not allowed");
    return LOCBO_OK;
}

static int by_text(const void *a, const void *b) {
    const yaml_node_t *x = *(yaml_node_t *const *)a, *y = *(yaml_node_t *const *)b;
    int order = strcmp(scalar(x), scalar(y));
    if (order != 0) return order;
    return (x->start_mark.index > y->start_mark.index) - (x->start_mark.index < y->start_mark.index);
}

static locbo_status find_twice(const tree_entry *map, const yaml_node_t **keys, locbo_error *error) {
    size_t count = tree_count(map);
    for (size_t i = 0; i < count; i++) keys[i] = node_at(map->tree, node_of(map)->data.mapping.pairs.start[i].key);
    qsort(keys, count, sizeof *keys, by_text);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(scalar(keys[i - 1]), scalar(keys[i])) != 0) continue;
        tree_entry entry = {
            .tree = map->tree, .above = map, .key = scalar(keys[i]), .line = keys[i]->start_mark.line + 1};
        return tree_fail(&entry, error, "the key is given twice, first in line %zu", keys[i - 1]->start_mark.line + 1);
    }
    return LOCBO_OK;
}

/* Once for each mapping, however many aliases lead to it. */
static locbo_status check_differ(tree *t, const tree_entry *map, locbo_error *error) {
    if (t->checked[map->node - 1]) return LOCBO_OK;
    t->checked[map->node - 1] = 1;
    const yaml_node_t **keys = mem_new(tree_count(map), sizeof *keys);
    if (!keys) return status_no_memory(error);
    locbo_status status = find_twice(map, keys, error);
    mem_free(keys);
    return status;
}

static locbo_status check_key(const tree_entry *map, size_t i, locbo_error *error) {
    const yaml_node_t *key = node_at(map->tree, node_of(map)->data.mapping.pairs.start[i].key);
    tree_entry entry = *map;
    entry.line = key->start_mark.line + 1;
    if (key->type != YAML_SCALAR_NODE) return tree_fail(&entry, error, "a key must be a text, not a list or mapping");
    if (strcmp(scalar(key), "<<") == 0)
        return tree_fail(&entry, error, "merge keys (<<) are not supported: write the keys out");
    return check_node(&entry, key, error);
}

static locbo_status check_keys(tree *t, const tree_entry *map, locbo_error *error) {
    for (size_t i = 0; i < tree_count(map); i++) {
        locbo_status status = check_key(map, i, error);
        if (status != LOCBO_OK) return status;
    }
    return check_differ(t, map, error);
}

static locbo_status walk(tree *t, const tree_entry *entry, int depth, locbo_error *error) {
    if (depth > TREE_DEPTH)
        return tree_fail(entry, error, "more than %d levels: is an alias part of what it names?", TREE_DEPTH);
    if (++t->values > TREE_VALUES) return tree_fail(entry, error, "more than %d values, aliases included", TREE_VALUES);
    if (tree_count(entry) > TREE_ENTRIES) return tree_fail(entry, error, "more than %d entries", TREE_ENTRIES);
    locbo_status status = check_node(entry, node_of(entry), error);
    if (status == LOCBO_OK && tree_kind_of(entry) == TREE_MAP) status = check_keys(t, entry, error);
    for (size_t i = 0; status == LOCBO_OK && i < tree_count(entry); i++) {
        tree_entry below = tree_at(entry, i);
        status = walk(t, &below, depth + 1, error);
    }
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------- */

/* Whether line `line` (from 1) is indented with a tab, the most frequent cause of a syntax error that cannot be seen.
 */
static int has_tab(const char *text, size_t size, size_t line) {
    const char *end = text + size, *at = text;
    while (--line > 0 && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) at++;
    while (at && at < end && *at == ' ') at++;
    return at && at < end && *at == '\t';
}

static size_t line_of_offset(const char *text, size_t size, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset && i < size; i++) line += text[i] == '\n';
    return line;
}

static locbo_status syntax_error(const tree *t, const yaml_parser_t *parser, const char *text, size_t size,
                                 locbo_error *error) {
    /* not every failed allocation inside libyaml sets the error */
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR) return status_no_memory(error);
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    if (parser->error == YAML_READER_ERROR)
        return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: not a text in UTF-8: %s", shown_file(t),
                           line_of_offset(text, size, parser->problem_offset), problem);
    size_t line = parser->problem_mark.line + 1, begin = parser->context_mark.line + 1;
    const char *hint = has_tab(text, size, line) ? "; indent with blanks, not tabs" : "";
    if (!parser->context)
        return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: not valid YAML: %s%s", shown_file(t), line, problem, hint);
    return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: not valid YAML: %s, %s from line %zu%s", shown_file(t), line,
                       problem, parser->context, begin, hint);
}

/* Depth and anchors so far. */
typedef struct extent {
    int depth, anchors;
} extent;

static void measure(const yaml_event_t *event, extent *e) {
    const yaml_char_t *anchor = NULL;
    if (event->type == YAML_SCALAR_EVENT) anchor = event->data.scalar.anchor;
    if (event->type == YAML_SEQUENCE_START_EVENT) anchor = event->data.sequence_start.anchor;
    if (event->type == YAML_MAPPING_START_EVENT) anchor = event->data.mapping_start.anchor;
    if (anchor) e->anchors++;
    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) e->depth++;
    if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT) e->depth--;
}

/* libyaml needs quadratic time for deep nesting and for many anchors: look at the events first, which come one by one.
 * Mistakes in the syntax are left to the loader, which finds them at the same line. */
static locbo_status check_extent(const tree *t, yaml_parser_t *parser, locbo_error *error) {
    extent e = {0, 0};
    for (int more = 1; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return LOCBO_OK;
        size_t line = event.start_mark.line + 1;
        more = event.type != YAML_STREAM_END_EVENT;
        measure(&event, &e);
        yaml_event_delete(&event);
        if (e.depth > TREE_DEPTH)
            return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: more than %d levels", shown_file(t), line, TREE_DEPTH);
        if (e.anchors > TREE_ANCHORS)
            return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: more than %d anchors", shown_file(t), line,
                               TREE_ANCHORS);
    }
    return LOCBO_OK;
}

/* Nothing may follow the document. */
static locbo_status check_end(const tree *t, yaml_parser_t *parser, const char *text, size_t size, locbo_error *error) {
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) return syntax_error(t, parser, text, size, error);
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    size_t line = next.start_mark.line + 1;
    yaml_document_delete(&next);
    if (!root) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_FORMAT, "%s:%zu: a second document begins here; a file has one", shown_file(t),
                       line);
}

static locbo_status take_document(tree *t, yaml_parser_t *parser, const char *text, size_t size, locbo_error *error) {
    if (!yaml_parser_load(parser, &t->document)) return syntax_error(t, parser, text, size, error);
    t->loaded = 1;
    if (!yaml_document_get_root_node(&t->document))
        return status_fail(error, LOCBO_ERR_FORMAT, "%s:1: the file is empty", shown_file(t));
    return check_end(t, parser, text, size, error);
}

static locbo_status load_document(tree *t, const char *text, size_t size, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (int pass = 0; pass < 2 && status == LOCBO_OK; pass++) {
        yaml_parser_t parser;
        if (!yaml_parser_initialize(&parser)) return status_no_memory(error);
        yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
        status = pass == 0 ? check_extent(t, &parser, error) : take_document(t, &parser, text, size, error);
        yaml_parser_delete(&parser);
    }
    return status;
}

static locbo_status check_document(tree *t, locbo_error *error) {
    tree_entry root = tree_root(t);
    size_t nodes = (size_t)(t->document.nodes.top - t->document.nodes.start);
    t->checked = mem_new(nodes, 1);
    return t->checked ? walk(t, &root, 0, error) : status_no_memory(error);
}

static locbo_status check_bytes(const char *file, const char *text, size_t size, locbo_error *error) {
    if (size > TREE_BYTES) return status_fail(error, LOCBO_ERR_FORMAT, "%.80s: larger than %d bytes", file, TREE_BYTES);
    const char *nul = size ? memchr(text, 0, size) : NULL;
    if (nul)
        return status_fail(error, LOCBO_ERR_FORMAT, "%.80s:%zu: a NUL byte: not a text in UTF-8", file,
                           line_of_offset(text, size, (size_t)(nul - text)));
    return LOCBO_OK;
}

locbo_status tree_load(tree **loaded, const char *file, const char *text, size_t size, locbo_error *error) {
    locbo_status status = check_bytes(file, text, size, error);
    if (status != LOCBO_OK) return status;
    tree *t = mem_new(1, sizeof *t);
    if (!t) return status_no_memory(error);
    t->file = mem_text(file);
    status = t->file ? load_document(t, text, size, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = check_document(t, error);
    if (status == LOCBO_OK)
        *loaded = t;
    else
        tree_free(t);
    return status;
}

void tree_free(tree *t) {
    if (!t) return;
    if (t->loaded) yaml_document_delete(&t->document);
    mem_free(t->checked);
    mem_free(t->file);
    mem_free(t);
}
