/* store_sqlite.c - the engine for one machine: a SQLite file with a write-ahead log. Layer: study.
 *
 * Readers see a snapshot and block no other process; one process writes at a time. SQLite waits for it only for
 * SHORT_WAIT; store.c repeats. A file on a network file system is refused: the shared memory of the log and the locks
 * do not work there. */
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <fcntl.h>
#include <unistd.h>

#include "mem.h"
#include "store.h"
#include "text.h"

enum {
    SHORT_WAIT = 250,           /* milliseconds inside SQLite */
    APPLICATION_ID = 0x4c4f4342 /* "LOCB", in the file's header */
};

enum { KEPT = 4 };

struct store_link {
    sqlite3 *db;
    char *path;       /* for SQLite: never one of its special names (":memory:") */
    char *directory;  /* of the file */
    const char *name; /* as the user gave it, or its end; for messages */
    int ready;        /* the settings of the connection are done */
    int settled;      /* the settings of the file are done */
    int writing;
    sqlite3_stmt *kept[KEPT]; /* prepared statements for reuse: an import repeats two of them */
    unsigned oldest;
};

/* ---- failures -------------------------------------------------------------------------------- */

static int may(const char *path, int what) { return faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0; }

/* SQLite does not say which file could not be opened, the database or those beside it: find out. */
static locbo_status cannot_open(const store_link *link, locbo_error *error) {
    const char *file = link->name, *directory = link->directory;
    if (!may(directory, F_OK))
        return status_fail(error, LOCBO_ERR_IO, "%s cannot be opened: there is no directory %s", file, directory);
    if (may(link->path, F_OK) && !may(link->path, R_OK))
        return status_fail(error, LOCBO_ERR_IO, "%s may not be read: permission denied", file);
    if (!may(directory, W_OK))
        return status_fail(error, LOCBO_ERR_IO,
                           "%s cannot be opened: SQLite keeps files beside it, and the directory %s is not writable",
                           file, directory);
    return status_fail(error, LOCBO_ERR_IO, "%s cannot be opened: %s", file,
                       strerror(link->db ? sqlite3_system_errno(link->db) : errno));
}

static locbo_status read_only(const store_link *link, int code, locbo_error *error) {
    if (code == SQLITE_READONLY_DBMOVED)
        return status_fail(error, LOCBO_ERR_IO, "%s was moved or deleted while in use", link->name);
    if (!may(link->directory, W_OK)) return cannot_open(link, error);
    return status_fail(error, LOCBO_ERR_IO, "%s is read-only", link->name);
}

static locbo_status io_failure(const store_link *link, int code, locbo_error *error) {
    /* SQLite does not always keep errno; it was set to 0 before the call */
    int cause = sqlite3_system_errno(link->db) ? sqlite3_system_errno(link->db) : errno;
    if (code == SQLITE_IOERR_NOMEM) return status_no_memory(error);
    if (code == SQLITE_FULL || cause == ENOSPC || cause == EDQUOT || cause == EFBIG)
        return status_fail(error, LOCBO_ERR_IO, "%s cannot grow: the disk is full%s", link->name,
                           cause == EDQUOT  ? " (quota)"
                           : cause == EFBIG ? " (file size limit)"
                                            : "");
    return status_fail(error, LOCBO_ERR_IO, "reading or writing %s failed: %s", link->name,
                       cause ? strerror(cause) : sqlite3_errstr(code));
}

/* The error of a result code of SQLite. */
static locbo_status failure(const store_link *link, int code, locbo_error *error) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL: /* lost too many races for the log */
        return status_fail(error, LOCBO_ERR_BUSY, "the database %s is busy: another process is writing", link->name);
    case SQLITE_NOTADB:
        return status_fail(error, LOCBO_ERR_SCHEMA, "%s is not a database", link->name);
    case SQLITE_CORRUPT:
        return status_fail(error, LOCBO_ERR_IO, "%s is damaged: %s", link->name, sqlite3_errmsg(link->db));
    case SQLITE_READONLY:
        return read_only(link, code, error);
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
        return cannot_open(link, error);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return io_failure(link, code, error);
    case SQLITE_NOMEM:
        return status_no_memory(error);
    case SQLITE_CONSTRAINT:
        return status_fail(error, LOCBO_ERR_STATE, "%s: %s", link->name, sqlite3_errmsg(link->db));
    default:
        return status_fail(error, LOCBO_ERR_IO, "%s: %s", link->name, sqlite3_errmsg(link->db));
    }
}

static locbo_status execute(store_link *link, const char *sql, locbo_error *error) {
    errno = 0;
    int code = sqlite3_exec(link->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? LOCBO_OK : failure(link, code, error);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* File systems whose locks or shared memory do not work across machines; some of the numbers are in linux/magic.h. */
static const char *network_name(unsigned long type) {
    static const struct {
        unsigned long type;
        const char *name;
    } known[] = {{0x6969, "nfs"},        {0x517b, "smb"},        {0xff534d42, "cifs"},  {0xfe534d42, "smb"},
                 {0x01021997, "9p"},     {0x5346414f, "afs"},    {0x6b414653, "afs"},   {0x73757245, "coda"},
                 {0x00c36400, "ceph"},   {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},  {0x19830326, "beegfs"},
                 {0x65735546, "fuse"},   {0x564c, "ncp"},        {0xaad7aaea, "panfs"}, {0x20030528, "pvfs"},
                 {0x786f4256, "vboxsf"}, {0x7461636f, "ocfs2"},  {0x01161970, "gfs2"},  {0x013111a8, "ibrix"},
                 {0x61636673, "acfs"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].type == (type & 0xffffffff)) return known[i].name;
    return NULL;
}

static locbo_status check_network(const store_link *link, int exists, locbo_error *error) {
    struct statfs system;
    if (statfs(exists ? link->path : link->directory, &system) != 0) return LOCBO_OK; /* opening reports the error */
    const char *network = network_name((unsigned long)system.f_type);
    if (!network) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "%s is on a network file system (%s), where SQLite is not safe: use a local"
                       " file, or PostgreSQL",
                       link->name, network);
}

static locbo_status check_file(const store_link *link, locbo_store_mode mode, locbo_error *error) {
    struct stat file;
    int exists = stat(link->path, &file) == 0;
    if (!exists && errno != ENOENT)
        return status_fail(error, LOCBO_ERR_IO, "%s cannot be opened: %s", link->name, strerror(errno));
    if (!exists && mode != LOCBO_STORE_CREATE)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no file %s", link->name);
    if (exists && !S_ISREG(file.st_mode))
        return status_fail(error, LOCBO_ERR_IO, "%s is %s", link->name,
                           S_ISDIR(file.st_mode) ? "a directory" : "not a regular file");
    return check_network(link, exists, error);
}

/* A message has no room for a long path: show its end. */
static const char *short_name(const char *path) {
    size_t length = strlen(path), most = 120;
    if (length <= most) return path;
    path += length - most;
    while (text_continues(*path)) path++; /* do not start inside a character */
    return path;
}

static locbo_status new_link(store_link **link, const char *location, locbo_error *error) {
    store_link *l = mem_new(1, sizeof *l);
    size_t room = strlen(location) + 3;
    char *path = mem_new(room, 1), *directory = mem_new(room, 1);
    if (!l || !path || !directory) {
        mem_free(l), mem_free(path), mem_free(directory);
        return status_no_memory(error);
    }
    /* with "./" also ":memory:" and "file:..." are names of files */
    stpcpy(stpcpy(path, *location == '/' ? "" : "./"), location);
    size_t end = (size_t)(strrchr(path, '/') - path);
    memcpy(directory, path, end > 0 ? end : 1);
    *l = (store_link){.path = path, .directory = directory};
    l->name = short_name(*location == '/' ? path : path + 2);
    *link = l;
    return LOCBO_OK;
}

static void close_link(store_link *link) {
    for (size_t i = 0; i < KEPT; i++) sqlite3_finalize(link->kept[i]);
    sqlite3_close(link->db);
    mem_free(link->path);
    mem_free(link->directory);
    mem_free(link);
}

/* A new file is for its owner only, as are the files that SQLite keeps beside it: they get its mode. Never an existing
 * file: closing it would end the locks that another connection of this process has on it. What fails here fails again,
 * with its message, when SQLite opens the file. */
static void create_for_owner(const store_link *link) {
    struct stat file;
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC, fd = open(link->path, flags | O_EXCL, S_IRUSR | S_IWUSR);
    int leads_nowhere = fd < 0 && stat(link->path, &file) != 0 && lstat(link->path, &file) == 0;
    if (leads_nowhere) fd = open(link->path, flags, S_IRUSR | S_IWUSR); /* a link: what it names is created */
    if (fd >= 0) close(fd);
}

static locbo_status open_file(store_link *link, locbo_store_mode mode, locbo_error *error) {
    static const int flags[] = {
        [LOCBO_STORE_EXISTING] = SQLITE_OPEN_READWRITE,
        [LOCBO_STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        [LOCBO_STORE_READ_ONLY] = SQLITE_OPEN_READONLY,
    };
    if (mode == LOCBO_STORE_CREATE) create_for_owner(link);
    int code = sqlite3_open_v2(link->path, &link->db, flags[mode] | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) return failure(link, code, error);
    sqlite3_extended_result_codes(link->db, 1);
    sqlite3_busy_timeout(link->db, SHORT_WAIT);
    /* SQLite opens a file without write permission for reading, and reports no error */
    if (mode != LOCBO_STORE_READ_ONLY && sqlite3_db_readonly(link->db, "main") == 1)
        return read_only(link, SQLITE_READONLY, error);
    return LOCBO_OK;
}

static locbo_status open_link(store_link **link, const char *location, locbo_store_mode mode, locbo_error *error) {
    store_link *l = NULL;
    locbo_status status = new_link(&l, location, error);
    if (status != LOCBO_OK) return status;
    status = check_file(l, mode, error);
    if (status == LOCBO_OK) status = open_file(l, mode, error);
    if (status == LOCBO_OK)
        *link = l;
    else
        close_link(l);
    return status;
}

/* ---- statements ------------------------------------------------------------------------------ */

static int bind_value(sqlite3_stmt *statement, int index, const store_value *v) {
    switch (v->kind) {
    case STORE_INT:
        return sqlite3_bind_int64(statement, index, v->integer);
    case STORE_REAL:
        return sqlite3_bind_double(statement, index, v->real);
    case STORE_TEXT:
        return sqlite3_bind_text64(statement, index, v->text, v->size, SQLITE_STATIC, SQLITE_UTF8);
    case STORE_BYTES:
        return sqlite3_bind_blob64(statement, index, v->text, v->size, SQLITE_STATIC);
    case STORE_LIST:
        return SQLITE_MISUSE;
    case STORE_NULL:
        break;
    }
    return sqlite3_bind_null(statement, index);
}

/* A statement may leave out some of the parameters, and the last ones. */
static locbo_status bind_all(const store_link *link, sqlite3_stmt *statement, size_t count,
                             const store_value *parameters, locbo_error *error) {
    size_t wanted = (size_t)sqlite3_bind_parameter_count(statement);
    for (size_t i = 0; i < count && i < wanted; i++) {
        int code = bind_value(statement, (int)i + 1, &parameters[i]);
        if (code != SQLITE_OK) return failure(link, code, error);
    }
    if (wanted <= count) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%zu parameters are too few for: %s", count, sqlite3_sql(statement));
}

/* Returns 0 if there was no memory for it. */
static int read_column(sqlite3_stmt *statement, int i, store_value *v) {
    *v = (store_value){.kind = STORE_NULL};
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER:
        *v = store_int(sqlite3_column_int64(statement, i));
        return 1;
    case SQLITE_FLOAT:
        *v = store_real(sqlite3_column_double(statement, i));
        return 1;
    case SQLITE_TEXT:
        v->kind = STORE_TEXT;
        v->text = (const char *)sqlite3_column_text(statement, i);
        break;
    case SQLITE_BLOB:
        v->kind = STORE_BYTES;
        v->text = sqlite3_column_blob(statement, i);
        break;
    default:
        return 1;
    }
    v->size = (size_t)sqlite3_column_bytes(statement, i);
    if (!v->text && v->kind == STORE_BYTES && v->size == 0) v->text = "";
    return v->text != NULL;
}

static locbo_status pass_row(sqlite3_stmt *statement, store_value *columns, store_row_fn *row, void *user,
                             locbo_error *error) {
    int count = sqlite3_column_count(statement);
    for (int i = 0; i < count; i++)
        if (!read_column(statement, i, &columns[i])) return status_no_memory(error);
    return row(columns, (size_t)count, user, error);
}

static locbo_status step_all(const store_link *link, sqlite3_stmt *statement, store_row_fn *row, void *user,
                             uint64_t *changed, locbo_error *error) {
    int count = sqlite3_column_count(statement), code;
    store_value *columns = mem_new((size_t)count, sizeof *columns);
    if (!columns) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    uint64_t rows = 0;
    errno = 0;
    while (status == LOCBO_OK && (code = sqlite3_step(statement)) != SQLITE_DONE) {
        rows++;
        if (code != SQLITE_ROW)
            status = failure(link, code, error);
        else if (row)
            status = pass_row(statement, columns, row, user, error);
    }
    *changed = count > 0 ? rows : (uint64_t)sqlite3_changes64(link->db);
    mem_free(columns);
    return status;
}

/* A prepared statement: one of the last KEPT, or a new one, which replaces the oldest. None is in use, because row
 * functions make no queries. */
static int prepare(store_link *link, const char *sql, sqlite3_stmt **statement) {
    for (size_t i = 0; i < KEPT; i++)
        if (link->kept[i] && strcmp(sqlite3_sql(link->kept[i]), sql) == 0) {
            *statement = link->kept[i];
            return SQLITE_OK;
        }
    sqlite3_stmt **kept = &link->kept[link->oldest];
    sqlite3_finalize(*kept);
    *kept = NULL;
    int code = sqlite3_prepare_v2(link->db, sql, -1, kept, NULL);
    link->oldest = (link->oldest + 1) % KEPT;
    *statement = *kept;
    return code;
}

static locbo_status query(store_link *link, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *changed, locbo_error *error) {
    sqlite3_stmt *statement = NULL;
    int code = prepare(link, sql, &statement);
    if (code != SQLITE_OK) return failure(link, code, error);
    locbo_status status = bind_all(link, statement, count, parameters, error);
    if (status == LOCBO_OK) status = step_all(link, statement, row, user, changed, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

static locbo_status take_survey(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    int *found = user;
    for (int i = 0; i < 2; i++) found[i] = store_as_int(&columns[i]) > 0;
    return LOCBO_OK;
}

static locbo_status survey(store_link *link, int *foreign, int *ours, locbo_error *error) {
    static const char sql[] = "SELECT count(CASE WHEN name NOT GLOB 'locbo_*' THEN 1 END),"
                              " count(CASE WHEN name = 'locbo_schema' AND type = 'table' THEN 1 END)"
                              " FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'";
    int found[2] = {0};
    uint64_t rows;
    locbo_status status = query(link, sql, 0, NULL, take_survey, found, &rows, error);
    *foreign = found[0];
    *ours = found[1];
    return status;
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* A file that was deleted or replaced can still be read and written, but no other process sees it: report an error. */
static locbo_status check_moved(const store_link *link, locbo_error *error) {
    int moved = 0;
    sqlite3_file_control(link->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved ? read_only(link, SQLITE_READONLY_DBMOVED, error) : LOCBO_OK;
}

/* Settings of the connection. Not when it is opened, because they read the file, which may be busy. */
static locbo_status make_ready(store_link *link, locbo_error *error) {
    if (link->ready) return LOCBO_OK;
    locbo_status status = execute(link,
                                  "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;"
                                  "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL",
                                  error);
    link->ready = status == LOCBO_OK;
    return status;
}

static locbo_status take_mode(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(int *)user = strcmp(store_as_text(&columns[0]), "wal") == 0;
    return LOCBO_OK;
}

/* The mode is stored in the file. To change it SQLite needs exclusive access, and does not wait for it. */
static locbo_status use_log(store_link *link, locbo_error *error) {
    int done = 0;
    uint64_t rows;
    locbo_status status = query(link, "PRAGMA journal_mode = WAL", 0, NULL, take_mode, &done, &rows, error);
    if (status == LOCBO_OK && !done)
        return status_fail(error, LOCBO_ERR_IO, "%s is on a file system that cannot hold SQLite's write-ahead log",
                           link->name);
    return status;
}

static locbo_status take_id(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(int64_t *)user = store_as_int(&columns[0]);
    return LOCBO_OK;
}

static locbo_status mark_file(store_link *link, locbo_error *error) {
    int64_t id = 0;
    uint64_t rows;
    locbo_status status = query(link, "PRAGMA application_id", 0, NULL, take_id, &id, &rows, error);
    if (status != LOCBO_OK || id == APPLICATION_ID) return status;
    char sql[64];
    sqlite3_snprintf(sizeof sql, sql, "PRAGMA application_id = %d", (int)APPLICATION_ID);
    return execute(link, sql, error);
}

/* The first write transaction sets the log mode and the application id of the file; store.c has checked by then that it
 * is a locbo database, or empty. */
static locbo_status begin(store_link *link, store_access access, locbo_error *error) {
    int write = access == STORE_WRITE, first = write && !link->settled;
    link->writing = write;
    locbo_status status = check_moved(link, error);
    if (status == LOCBO_OK) status = make_ready(link, error);
    if (status == LOCBO_OK && first) status = use_log(link, error);
    if (status == LOCBO_OK) status = execute(link, write ? "BEGIN IMMEDIATE" : "BEGIN", error);
    if (status == LOCBO_OK && first) status = mark_file(link, error);
    return status;
}

/* A commit that failed while reading or writing may be complete in the log, where the next process to open the file
 * finds it: the last record was written and only syncing it failed. A full disk left no complete record. */
static locbo_status commit(store_link *link, int *unsure, locbo_error *error) {
    errno = 0;
    int code = sqlite3_exec(link->db, "COMMIT", NULL, NULL, NULL);
    *unsure = link->writing && (code & 0xff) == SQLITE_IOERR;
    if (code != SQLITE_OK) return failure(link, code, error);
    if (link->writing) link->settled = 1;
    return LOCBO_OK;
}

/* After some errors, such as a full disk, SQLite has rolled back already. */
static int is_open(const store_link *link) { return !sqlite3_get_autocommit(link->db); }

static void rollback(store_link *link) {
    if (is_open(link)) sqlite3_exec(link->db, "ROLLBACK", NULL, NULL, NULL);
}

/* SQLite answers at once, or after SHORT_WAIT. */
static void attend(store_link *link, store_attend_fn *fn, void *user) { (void)link, (void)fn, (void)user; }

/* A file has no connection that could be lost. */
static locbo_status reconnect(store_link *link, locbo_error *error) {
    (void)link, (void)error;
    return LOCBO_OK;
}

/* The setting cannot be changed inside a transaction. */
static locbo_status upgrade(store_link *link, int begins, locbo_error *error) {
    return execute(link, begins ? "PRAGMA foreign_keys = OFF" : "PRAGMA foreign_keys = ON", error);
}

const store_engine store_sqlite = {
    .name = "sqlite",
    .now = "((julianday('now') - 2440587.5) * 86400.0)",
    .mark = '?', /* $1 would be a name, which SQLite searches */
    .lock = "",
    .skip = "",
    .queue = "",
    .open = open_link,
    .close = close_link,
    .attend = attend,
    .reconnect = reconnect,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_open = is_open,
    .query = query,
    .script = execute,
    .upgrade = upgrade,
    .survey = survey,
};
