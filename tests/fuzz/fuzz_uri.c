/* fuzz_uri.c - the address of a request. The decoded query is UTF-8; encoded again, every byte of it, it is the same.
 */
#include "fuzz.h"

#include "buffer.h"
#include "mem.h"
#include "uri.h"

static void encode(buffer *b, const char *text) {
    for (; *text; text++) buffer_print(b, "%%%02x", (unsigned char)*text);
}

static void check_again(const uri *u) {
    buffer b = {0};
    uri again;
    buffer_text(&b, u->path);
    for (size_t i = 0; i < u->query.count; i++) {
        buffer_char(&b, i ? '&' : '?', 1);
        encode(&b, u->query.items[i].key);
        buffer_char(&b, '=', 1);
        encode(&b, u->query.items[i].value);
    }
    buffer_char(&b, '\0', 1);
    must(!b.failed);
    must_do(uri_read(&again, b.data, &error));
    must(strcmp(again.path, u->path) == 0 && again.query.count == u->query.count);
    for (size_t i = 0; i < u->query.count; i++)
        must(strcmp(u->query.items[i].key, again.query.items[i].key) == 0 &&
             strcmp(u->query.items[i].value, again.query.items[i].value) == 0);
    uri_release(&again);
    mem_free(b.data);
}

static void check_query(const query *q) {
    static const char *const words[] = {"name", "value", NULL};
    uint64_t count;
    size_t index;
    double real;
    for (size_t i = 0; i < q->count; i++) {
        const char *key = q->items[i].key;
        must(*key && text_is_valid(key) && text_is_valid(q->items[i].value) && query_get(q, key));
        if (fuzz_done(query_count(q, key, 1, 1000, 7, &count, &error))) must(count >= 1 && count <= 1000);
        if (fuzz_done(query_real(q, key, 0, &real, &error))) must(real - real == 0);
        if (fuzz_done(query_word(q, key, words, 0, &index, &error))) must(index < 2);
    }
    fuzz_done(query_check(q, words, &error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    uri u;
    if (fuzz_done(uri_read(&u, text, &error))) {
        check_query(&u.query);
        check_again(&u);
    }
    uri_release(&u);
    free(text);
    return 0;
}
