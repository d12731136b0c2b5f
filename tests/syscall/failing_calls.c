/* failing_calls.c - for LD_PRELOAD: counts the system calls that the program makes, by class, and lets chosen ones
 * fail.
 *
 *   FAILING_CALLS="sync 3 5 once;write 7 28 on"   the third fsync fails with errno 5; writes fail from the seventh on
 *   FAILING_CALLS_COUNTS=FILE                     where the counts go when main ends: "class calls failed", a line each
 *
 * An errno of -1 stands for a short write: half of the bytes are written. Calls count while main runs, in the process
 * that was started: neither what it forks nor the programs that it starts see any of this. The C library calls itself
 * by hidden names, so a call inside of it cannot be caught; therefore standard output, and files that fopen reads, are
 * streams of our own above read and write. Standard error never fails: the messages are what is judged. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The program may be built with 64-bit names or without: both are ours. */
#undef open
#undef mmap

typedef enum call {
    OPEN,
    READ,
    WRITE,
    SYNC,
    TRUNCATE,
    LOCK,
    FORK,
    PIPE,
    PIDFD,
    FOLDER,
    MAP,
    MEMORY,
    POLL,
    SLEEP,
    CALLS
} call;
static const char *const names[CALLS] = {"open", "read",  "write",  "sync", "truncate", "lock", "fork",
                                         "pipe", "pidfd", "folder", "map",  "memory",   "poll", "sleep"};

enum { FAULTS = 4, SHORT = -1 };
static struct fault {
    int call, code, on;
    long number;
} faults[FAULTS];
static int fault_count, counting;
static long made[CALLS], failed[CALLS];
static const char *counts_path;

/* ---- which call fails ------------------------------------------------------------------------ */

/* Counts the call. Returns 0, or the error that it is to have, which is in errno. */
static int fails(call c) {
    if (!counting) return 0;
    long number = ++made[c];
    for (int i = 0; i < fault_count; i++) {
        const struct fault *f = &faults[i];
        if (f->call != (int)c || number < f->number || (number > f->number && !f->on)) continue;
        failed[c]++;
        if (f->code != SHORT) errno = f->code;
        return f->code;
    }
    return 0;
}

static size_t size_of(int code, size_t size) { return code == SHORT ? (size + 1) / 2 : size; }

static void read_faults(const char *text) {
    for (; text && *text && fault_count < FAULTS; text = strchr(text, ';') ? strchr(text, ';') + 1 : "") {
        struct fault *f = &faults[fault_count];
        char name[16], how[8];
        if (sscanf(text, "%15s %ld %d %7[a-z]", name, &f->number, &f->code, how) != 4) abort();
        f->on = strcmp(how, "on") == 0;
        while (f->call < CALLS && strcmp(names[f->call], name) != 0) f->call++;
        if (f->call == CALLS) abort();
        fault_count++;
    }
}

static void write_counts(void) {
    counting = 0;
    FILE *out = counts_path ? fopen(counts_path, "w") : NULL;
    for (int i = 0; out && i < CALLS; i++) fprintf(out, "%s %ld %ld\n", names[i], made[i], failed[i]);
    if (out) fclose(out);
}

/* The next definition of the function that is being defined: the C library's, or a sanitizer's. */
#define REAL(name)                                                                                                     \
    static __typeof__(name) *real;                                                                                     \
    if (!real) {                                                                                                       \
        void *found = dlsym(RTLD_NEXT, #name);                                                                         \
        memcpy(&real, &found, sizeof real);                                                                            \
    }

/* ---- files ----------------------------------------------------------------------------------- */

#define MODE(flags)                                                                                                    \
    va_list more;                                                                                                      \
    va_start(more, flags);                                                                                             \
    mode_t mode = (flags)&O_CREAT ? va_arg(more, mode_t) : 0;                                                          \
    va_end(more)

int open(const char *path, int flags, ...) {
    REAL(open)
    MODE(flags);
    return fails(OPEN) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    REAL(open64)
    MODE(flags);
    return fails(OPEN) ? -1 : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(openat)
    MODE(flags);
    return fails(OPEN) ? -1 : real(folder, path, flags, mode);
}

ssize_t read(int file, void *bytes, size_t size) {
    REAL(read)
    return fails(READ) ? -1 : real(file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t at) {
    REAL(pread)
    return fails(READ) ? -1 : real(file, bytes, size, at);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t at) {
    REAL(pread64)
    return fails(READ) ? -1 : real(file, bytes, size, at);
}

ssize_t write(int file, const void *bytes, size_t size) {
    REAL(write)
    int code = fails(WRITE);
    return code > 0 ? -1 : real(file, bytes, size_of(code, size));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    REAL(pwrite)
    int code = fails(WRITE);
    return code > 0 ? -1 : real(file, bytes, size_of(code, size), at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    REAL(pwrite64)
    int code = fails(WRITE);
    return code > 0 ? -1 : real(file, bytes, size_of(code, size), at);
}

int fsync(int file) {
    REAL(fsync)
    return fails(SYNC) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync)
    return fails(SYNC) ? -1 : real(file);
}

int ftruncate(int file, off_t size) {
    REAL(ftruncate)
    return fails(TRUNCATE) ? -1 : real(file, size);
}

int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64)
    return fails(TRUNCATE) ? -1 : real(file, size);
}

/* Taking a lock may fail. What else fcntl does has no errors of the system's. */
static int is_lock(int what, const struct flock *lock) {
    return (what == F_SETLK || what == F_SETLKW) && lock->l_type != F_UNLCK;
}

#define ARGUMENT(what)                                                                                                 \
    va_list more;                                                                                                      \
    va_start(more, what);                                                                                              \
    void *argument = va_arg(more, void *);                                                                             \
    va_end(more)

int fcntl(int file, int what, ...) {
    REAL(fcntl)
    ARGUMENT(what);
    return is_lock(what, argument) && fails(LOCK) ? -1 : real(file, what, argument);
}

int fcntl64(int file, int what, ...) {
    REAL(fcntl64)
    ARGUMENT(what);
    return is_lock(what, argument) && fails(LOCK) ? -1 : real(file, what, argument);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir)
    return fails(FOLDER) ? -1 : real(path, mode);
}

char *mkdtemp(char *path) {
    REAL(mkdtemp)
    return fails(FOLDER) ? NULL : real(path);
}

/* ---- streams --------------------------------------------------------------------------------- */

static int descriptor(void *cookie) { return (int)(size_t)cookie; }

static ssize_t stream_read(void *cookie, char *bytes, size_t size) { return read(descriptor(cookie), bytes, size); }

/* As the C library does it: until all is written, or there is an error, which is 0 here. */
static ssize_t stream_write(void *cookie, const char *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = write(descriptor(cookie), bytes + done, size - done);
        if (n < 0) return (ssize_t)done;
        done += (size_t)n;
    }
    return (ssize_t)size;
}

static int stream_close(void *cookie) { return close(descriptor(cookie)); }

FILE *fopen(const char *path, const char *mode) {
    REAL(fopen)
    if (!counting || mode[0] != 'r') return fails(OPEN) ? NULL : real(path, mode);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    return fopencookie((void *)(size_t)file, "r", (cookie_io_functions_t){.read = stream_read, .close = stream_close});
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

/* ---- processes ------------------------------------------------------------------------------- */

pid_t fork(void) {
    REAL(fork)
    if (fails(FORK)) return -1;
    pid_t pid = real();
    if (pid == 0) counting = 0;
    return pid;
}

int pipe2(int ends[2], int flags) {
    REAL(pipe2)
    return fails(PIPE) ? -1 : real(ends, flags);
}

long syscall(long number, ...) {
    REAL(syscall)
    long a[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(more, long);
    va_end(more);
    return number == SYS_pidfd_open && fails(PIDFD) ? -1 : real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int poll(struct pollfd *set, nfds_t count, int timeout) {
    REAL(poll)
    return fails(POLL) ? -1 : real(set, count, timeout);
}

int ppoll(struct pollfd *set, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    REAL(ppoll)
    return fails(POLL) ? -1 : real(set, count, timeout, mask);
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    REAL(nanosleep)
    return fails(SLEEP) ? -1 : real(wanted, left);
}

int usleep(useconds_t wanted) {
    REAL(usleep)
    return fails(SLEEP) ? -1 : real(wanted);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t at) {
    REAL(mmap)
    return fails(MAP) ? MAP_FAILED : real(address, size, protection, flags, file, at);
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t at) {
    REAL(mmap64)
    return fails(MAP) ? MAP_FAILED : real(address, size, protection, flags, file, at);
}

/* Not by REAL: dlsym itself may allocate. A sanitizer has an allocator of its own, which never calls these. */
#ifdef __SANITIZE_ADDRESS__
void *__interceptor_malloc(size_t size);
void *__interceptor_calloc(size_t count, size_t size);
void *__interceptor_realloc(void *memory, size_t size);
#define __libc_malloc __interceptor_malloc
#define __libc_calloc __interceptor_calloc
#define __libc_realloc __interceptor_realloc
#endif
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* libjansson 2.14 ignores that a buffer of its reader could not grow, and then writes outside of it. That is not to be
 * mended here, so its own calls do not fail. */
static const char *spared, *spared_end;

static int find_spared(struct dl_phdr_info *library, size_t size, void *user) {
    (void)size, (void)user;
    if (!strstr(library->dlpi_name, "libjansson")) return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        spared = (const char *)(library->dlpi_addr + part->p_vaddr);
        spared_end = spared + part->p_memsz;
    }
    return 1;
}

static int no_memory(const char *caller) { return !(caller >= spared && caller < spared_end) && fails(MEMORY); }
#define NO_MEMORY() no_memory(__builtin_return_address(0))

void *malloc(size_t size) { return NO_MEMORY() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return NO_MEMORY() ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return NO_MEMORY() ? NULL : __libc_realloc(memory, size); }

/* ---- the beginning --------------------------------------------------------------------------- */

typedef int main_fn(int, char **, char **);
static main_fn *real_main;

static int counted_main(int argc, char **argv, char **environment) {
    read_faults(getenv("FAILING_CALLS"));
    counts_path = getenv("FAILING_CALLS_COUNTS");
    unsetenv("LD_PRELOAD"); /* not for the programs that this one starts */
    if (!(stdout = fopencookie((void *)(size_t)STDOUT_FILENO, "w", (cookie_io_functions_t){.write = stream_write})))
        abort();
    dl_iterate_phdr(find_spared, NULL);
    atexit(write_counts);
    counting = 1;
    int code = real_main(argc, argv, environment);
    counting = 0;
    return code;
}

int __libc_start_main(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    REAL(__libc_start_main)
    real_main = program;
    int ours = strcmp(program_invocation_short_name, "locbo") == 0; /* not the shell or time limit that started it */
    return real(ours ? counted_main : program, argc, argv, init, fini, rtld_fini, stack_end);
}
