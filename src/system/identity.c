/* identity.c - a process by name, number, start time and name space, from /proc. Layer: system. */
#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST_TEXT = 65, SPACE_TEXT = 40, BOOT_DIGITS = 8 };

/* The start of a small file of /proc as text. Returns 0 with errno set if it cannot be read. */
static int read_start(const char *path, char *text, size_t size) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1) return 0;
    ssize_t got = read(fd, text, size - 1);
    int reason = errno;
    close(fd);
    errno = got == 0 ? ENODATA : reason;
    if (got <= 0) return 0;
    text[got] = '\0';
    return 1;
}

/* State (field 3) and start time in ticks since boot (field 22) of a process. The second field is the program's name in
 * parentheses, which may contain anything, parentheses too. Returns 0 with errno set if it cannot be read. */
static int read_stat(const char *path, char *state, unsigned long long *start) {
    char text[1024];
    if (!read_start(path, text, sizeof text)) return 0;
    const char *at = strrchr(text, ')');
    errno = EPROTO;
    if (!at || sscanf(at + 1, " %c", state) != 1) return 0;
    for (int field = 2; field < 22; field++) {
        at = strchr(at + 1, ' ');
        if (!at) return 0;
    }
    return sscanf(at, " %llu", start) == 1;
}

/* Which kernel, since when, and which of its spaces of process numbers: "1f3a5c7e-4026531836". */
static int read_space(char space[SPACE_TEXT]) {
    char boot[64];
    struct stat about;
    if (!read_start("/proc/sys/kernel/random/boot_id", boot, sizeof boot)) return 0;
    if (stat("/proc/self/ns/pid", &about) == -1) return 0;
    errno = EPROTO;
    if (strspn(boot, "0123456789abcdef") < BOOT_DIGITS) return 0;
    snprintf(space, SPACE_TEXT, "%.*s-%llu", BOOT_DIGITS, boot, (unsigned long long)about.st_ino);
    return 1;
}

/* Separators and control characters become '-'. */
static void clean_host(char *host) {
    for (char *c = host; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == ':') *c = '-';
}

locbo_status identity_make(char text[IDENTITY_TEXT], locbo_error *error) {
    char host[HOST_TEXT] = "", space[SPACE_TEXT], state;
    unsigned long long start;
    if (gethostname(host, sizeof host - 1) == -1 || !*host) strcpy(host, "localhost");
    clean_host(host);
    if (!read_stat("/proc/self/stat", &state, &start))
        return status_fail(error, LOCBO_ERR_IO, "cannot read /proc/self/stat: %s", strerror(errno));
    if (!read_space(space))
        return status_fail(error, LOCBO_ERR_IO, "cannot tell the kernel's boot and name space: %s", strerror(errno));
    snprintf(text, IDENTITY_TEXT, "%s:%ld:%llu:%s", host, (long)getpid(), start, space);
    return status_ok(error);
}

/* The digits from *at to `end`, which is stepped over, as identity_make writes them. */
static int take_number(const char **at, char end, unsigned long long most, unsigned long long *number) {
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > 20 || (*at)[digits] != end || ((*at)[0] == '0' && digits > 1)) return 0;
    errno = 0;
    *number = strtoull(*at, NULL, 10);
    *at += digits + 1;
    return errno == 0 && *number <= most;
}

/* Whether the process of that number, here, is not the one that started then. */
static int is_gone(pid_t pid, unsigned long long start) {
    char path[64], state;
    unsigned long long present;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    if (read_stat(path, &state, &present)) return present != start || strchr("ZXx", state);
    /* /proc may hide the processes of others, so only the answer of kill() counts */
    return kill(pid, 0) == -1 && errno == ESRCH;
}

int identity_is_dead(const char *worker) {
    unsigned long long pid, start;
    char space[SPACE_TEXT];
    const char *at = worker ? strchr(worker, ':') : NULL;
    if (!at || at == worker || strnlen(worker, IDENTITY_TEXT) >= IDENTITY_TEXT) return 0;
    at++;
    if (!take_number(&at, ':', INT_MAX, &pid) || pid == 0) return 0;
    if (!take_number(&at, ':', ULLONG_MAX, &start)) return 0;
    if (!read_space(space) || strcmp(at, space) != 0) return 0;
    return is_gone((pid_t)pid, start);
}

void identity_at_host(const char *who, char text[IDENTITY_TEXT]) {
    char host[HOST_TEXT] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !host[0]) strcpy(host, "localhost");
    clean_host(host);
    snprintf(text, IDENTITY_TEXT, "%.80s@%s", who, host);
}

void identity_user(char text[IDENTITY_TEXT]) {
    char name[65], number[32];
    const char *who = getenv("USER");
    if (!who || !who[0]) who = getenv("LOGNAME");
    if (!who || !who[0]) { /* the list of users may be on another machine: it is asked last */
        const struct passwd *entry = getpwuid(getuid());
        who = entry ? entry->pw_name : NULL;
    }
    if (!who || !who[0]) snprintf(number, sizeof number, "uid-%lu", (unsigned long)getuid()), who = number;
    snprintf(name, sizeof name, "%s", who);
    clean_host(name);
    identity_at_host(name, text);
}
