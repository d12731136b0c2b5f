/* test_folder.c - the folder of an evaluation: for its owner only, never through a link, never another user's. */
#include "folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "mem.h"

enum { OTHER = 12345 }; /* a user that is not us */

/* Each test starts in an empty folder of its own, with a file "victim" that has to survive. */
static int enter(void **state) {
    char *path = malloc(PATH_MAX);
    (void)!realpath("/tmp", path);
    strcat(path, "/locbo-test-XXXXXX");
    *state = mkdtemp(path);
    if (!*state || chdir(path) != 0) return -1;
    mkdir("elsewhere", 0700);
    int fd = open("elsewhere/result", O_WRONLY | O_CREAT, 0600);
    return fd < 0 || write(fd, "7\n", 2) != 2 || close(fd) != 0 ? -1 : 0;
}

static int leave(void **state) {
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int bad = chdir("/") != 0 || system(command) != 0;
    free(*state);
    return bad;
}

static void check_mode(const char *path, unsigned mode) {
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, mode);
}

static void check_refused(const char *workdir, const char *words) {
    folder f;
    check_fails(folder_make(&f, workdir, 3, 1, &error), LOCBO_ERR_IO, words);
    assert_null(f.path);
    assert_null(f.result_file);
    assert_int_equal(access("elsewhere/result", F_OK), 0);
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void kept(void **state) {
    folder f;
    char expected[PATH_MAX];
    umask(0);
    check_ok(folder_make(&f, "work", 3, 2, &error));
    snprintf(expected, sizeof expected, "%s/work/trial-3-2", (char *)*state);
    assert_string_equal(f.path, expected);
    snprintf(expected, sizeof expected, "%s/work/trial-3-2/result", (char *)*state);
    assert_string_equal(f.result_file, expected);
    check_mode("work", 0700);
    check_mode("work/trial-3-2", 0700);
    put(f.result_file, "1\n");
    put("work/trial-3-2/notes", "kept\n");
    folder_release(&f);
    folder_release(&f);
    assert_null(f.path);
    check_ok(folder_make(&f, "work", 3, 2, &error)); /* again: an old result is none of the new attempt */
    assert_int_equal(access(f.result_file, F_OK), -1);
    assert_int_equal(access("work/trial-3-2/notes", F_OK), 0);
    folder_release(&f);
    chmod("work", 0311); /* no right to list is needed */
    check_ok(folder_make(&f, "work", 3, 2, &error));
    folder_release(&f);
}

static void temporary(void **state) {
    folder f;
    setenv("TMPDIR", *state, 1);
    check_ok(folder_make(&f, NULL, 3, 2, &error));
    unsetenv("TMPDIR");
    assert_memory_equal(f.path, *state, strlen(*state));
    check_mode(f.path, 0700);
    put(f.result_file, "1\n");
    char *path = mem_text(f.path);
    folder_release(&f);
    assert_int_equal(access(path, F_OK), -1);
    mem_free(path);
    setenv("TMPDIR", "missing", 1);
    check_fails(folder_make(&f, NULL, 3, 2, &error), LOCBO_ERR_IO, "missing/locbo-");
    unsetenv("TMPDIR");
}

static void links_are_refused(void **state) {
    (void)state;
    assert_int_equal(symlink("elsewhere", "link"), 0);
    check_refused("link", "'link' is a symbolic link");
    assert_int_equal(access("elsewhere/trial-3-1", F_OK), -1);
    mkdir("work", 0700);
    assert_int_equal(symlink("../elsewhere", "work/trial-3-1"), 0);
    check_refused("work", "trial-3-1' is a symbolic link");
    unlink("work/trial-3-1");
    mkdir("work/trial-3-1", 0700);
    assert_int_equal(symlink("../../elsewhere/result", "work/trial-3-1/result"), 0);
    check_refused("work", "the result file");
    assert_int_equal(access("work/trial-3-1/result", F_OK), 0);
    put("file", "");
    check_refused("file", "'file': Not a directory");
    check_refused("missing/work", "cannot create");
}

static void folders_of_others_are_refused(void **state) {
    (void)state;
    if (geteuid() != 0) skip(); /* only root can give something away */
    mkdir("work", 0700);
    mkdir("work/trial-3-1", 0700);
    put("work/trial-3-1/result", "8\n");
    assert_int_equal(chown("work/trial-3-1/result", OTHER, OTHER), 0);
    check_refused("work", "trial-3-1/result' belongs to another user");
    assert_int_equal(access("work/trial-3-1/result", F_OK), 0);
    assert_int_equal(chown("work/trial-3-1", OTHER, OTHER), 0);
    assert_int_equal(chown("work/trial-3-1/result", 0, 0), 0);
    check_refused("work", "trial-3-1' belongs to another user (number 12345)");
    assert_int_equal(access("work/trial-3-1/result", F_OK), 0);
    assert_int_equal(chown("work", OTHER, OTHER), 0);
    check_refused("work", "'work' belongs to another user");
}

/* What `why` says, or the content. */
static void check_read(const folder *f, const char *text, const char *reason) {
    char *got, why[FOLDER_WHY];
    size_t size;
    check_ok(folder_read_result(f, &got, &size, why, &error));
    assert_string_equal(why, reason);
    if (text)
        assert_string_equal(got, text);
    else
        assert_null(got);
    assert_int_equal(size, text ? strlen(text) : 0);
    mem_free(got);
}

static void results(void **state) {
    (void)state;
    folder f;
    check_ok(folder_make(&f, "work", 3, 1, &error));
    check_read(&f, NULL, "");
    put(f.result_file, "");
    check_read(&f, "", "");
    put(f.result_file, "5\n");
    check_read(&f, "5\n", "");
    if (geteuid() == 0) {
        assert_int_equal(chown(f.result_file, OTHER, OTHER), 0);
        check_read(&f, NULL, "belongs to another user");
    }
    unlink(f.result_file);
    assert_int_equal(symlink("../../elsewhere/result", f.result_file), 0);
    check_read(&f, NULL, "is a symbolic link");
    unlink(f.result_file);
    mkfifo(f.result_file, 0600);
    check_read(&f, NULL, "is not a regular file");
    unlink(f.result_file);
    rmdir(f.path);
    check_read(&f, NULL, ""); /* the objective removed its folder: there is no file */
    assert_int_equal(symlink("../elsewhere", f.path), 0);
    check_read(&f, NULL, "is not in the folder that was made for it");
    folder_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept, enter, leave),
        cmocka_unit_test_setup_teardown(temporary, enter, leave),
        cmocka_unit_test_setup_teardown(links_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(folders_of_others_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(results, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
