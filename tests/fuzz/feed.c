/* feed.c - the main of a fuzz target without libFuzzer: gives it the files named, and those of the folders named. */
#include <dirent.h>
#include <sys/stat.h>

#include "file_read.h"
#include "fuzz.h"
#include "mem.h"

enum { MOST = 1 << 24 };

static size_t feed_file(const char *path) {
    char *text;
    size_t size;
    must_do(file_read(path, MOST, &text, &size, &error));
    fprintf(stderr, "%s\n", path); /* the last one named is the one that failed */
    char *copy = fuzz_copy((const uint8_t *)text, size);
    mem_free(text);
    LLVMFuzzerTestOneInput((const uint8_t *)copy, size);
    free(copy);
    return 1;
}

static size_t feed_folder(const char *path) {
    struct dirent **list;
    int count = scandir(path, &list, NULL, alphasort);
    size_t fed = 0;
    must(count >= 0);
    for (int i = 0; i < count; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name);
        if (list[i]->d_name[0] != '.') fed += feed_file(file);
        free(list[i]);
    }
    free(list);
    return fed;
}

int main(int argc, char **argv) {
    size_t fed = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        must(stat(argv[i], &about) == 0);
        fed += S_ISDIR(about.st_mode) ? feed_folder(argv[i]) : feed_file(argv[i]);
    }
    fprintf(stderr, "%zu inputs\n", fed);
    return fed == 0;
}
